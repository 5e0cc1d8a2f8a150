"""The Model Context Protocol in front of the command line's client; needs the extra `mcp`.

`stdio` and `streamable` serve, `offering` says what: `tools` and `resources`. `questions` asks, `results` shows;
`calling` finds the client, for a session in `lease`.
"""
