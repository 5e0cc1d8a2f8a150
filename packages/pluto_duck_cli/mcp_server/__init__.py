"""The Model Context Protocol in front of the command line's client; needs the extra `mcp`.

`stdio` serves, `tools` and `resources` say what there is, `questions` asks, `results` shows, `lease` holds the client.
"""
