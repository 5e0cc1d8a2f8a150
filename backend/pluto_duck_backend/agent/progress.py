"""What a run's events tell whoever waits, in a few words: progress of actions, of MCP and of A2A."""

from __future__ import annotations

from typing import Any


def progress(event: dict[str, Any]) -> str:
    """Empty for events that tell nothing new."""
    kind, content = f"{event['type']}.{event['subtype']}", event["content"]
    if kind == "tool.end" and content.get("error"):
        return f"{content['tool']}: {content['error']['message']}"
    if kind == "tool.end" and content["tool"] == "sql":
        return f"sql: {content['sql']}"
    if kind == "tool.start":
        return str(content["tool"])
    return str(content["message"]) if kind in ("run.chunk", "reasoning.chunk") else ""
