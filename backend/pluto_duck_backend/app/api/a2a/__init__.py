"""Agent2Agent, version 1.0, in its JSON-RPC binding, over the runs (docs/a2a.md).

`cards` says who answers, `tasks` how an exchange looks as a task, `methods` what may be called, `envelope` frames it.
Written out here, since the official library brings stores and queues of its own for what the event logs hold already,
and protobuf; its client drives this in the tests.
"""
