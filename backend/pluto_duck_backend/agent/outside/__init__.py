"""Tools from outside: MCP servers that an agent's file names, as actions beside ours (docs/agents.md).

`server` is what the file says of one, `session` speaks to it, `connection` begins that anew where it ends, `tools`
makes actions of what it offers, `service` keeps the connections of all agents, `lookups` is what one run may do.
"""
