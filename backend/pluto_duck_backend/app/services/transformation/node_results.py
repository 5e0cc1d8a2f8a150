"""What dbt says of a node, as plain values that cross from its process to the owner's."""

from __future__ import annotations

from typing import Any

_WRITING = ("model", "seed", "snapshot")


def identity(node: Any) -> dict[str, Any]:
    """`{node, path}`: dbt's unique_id, and its file within the project."""
    return {
        "node": str(getattr(node, "unique_id", "")),
        "path": str(getattr(node, "original_file_path", "")),
    }


def ended(result: Any) -> dict[str, Any]:
    """One of dbt's results: how a node ended, how long it took in seconds, the rows it wrote, those that fail."""
    node = getattr(result, "node", None)
    return {
        **identity(node),
        "status": str(getattr(result, "status", "")),
        "elapsed_s": round(float(getattr(result, "execution_time", 0.0) or 0.0), 3),
        "rows": _rows(result, node),
        "failures": getattr(result, "failures", None),
        "message": str(getattr(result, "message", "") or "") or _age(result),
        "failing_rows": _failing_rows(result, node),
    }


def _rows(result: Any, node: Any) -> int | None:
    """What its last statement wrote; None for a view, and where nothing counts them."""
    written = (getattr(result, "adapter_response", None) or {}).get("rows_affected")
    return int(written) if written is not None and str(getattr(node, "resource_type", "")) in _WRITING else None


def _failing_rows(result: Any, node: Any) -> str:
    """The query of a failing test: it gives the rows that fail."""
    is_failing = str(getattr(result, "status", "")) in ("fail", "warn")
    return str(getattr(node, "compiled_code", "") or "").strip() if is_failing else ""


def _age(result: Any) -> str:
    """Of a source: when it was loaded last, and how long that is ago."""
    loaded = getattr(result, "max_loaded_at", None)
    return f"last loaded {loaded:%Y-%m-%d %H:%M} UTC, {result.age / 86_400:.1f} days ago" if loaded else ""
