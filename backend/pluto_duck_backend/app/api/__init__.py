"""HTTP in and out: routes, models, problem documents, SSE. Holds no logic about questions or SQL."""
