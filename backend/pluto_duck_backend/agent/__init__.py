"""The thinking: the graph, its nodes, providers, runs and their events. Knows nothing of HTTP or terminals."""
