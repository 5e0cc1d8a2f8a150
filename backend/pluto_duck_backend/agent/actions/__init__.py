"""What can be done for others: one registry of actions behind MCP, HTTP and the command line (docs/tools.md).

`contract` says what an action is, `registry` which there are, `calling` does them; the rest are actions, by subject.
"""
