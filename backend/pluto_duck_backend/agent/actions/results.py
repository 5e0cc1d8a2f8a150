"""What came of earlier work: a result's chart, an answer as a file."""

from __future__ import annotations

import base64
from typing import Annotated

from pydantic import Field

from pluto_duck_backend.agent.actions.contract import Call, Details, Result, action
from pluto_duck_backend.agent.charting import Kind
from pluto_duck_backend.agent.reporting import EXPORT_TYPES, ExportForm
from pluto_duck_backend.app.core.errors import InvalidInput

_LARGEST = 5_000_000


@action("The chart of a result", "viewer")
def chart(
    call: Call,
    job_id: Annotated[str, Field(description="The `job_id` of an answer or a query.")],
    kind: Annotated[Kind | None, Field(description="The kind wanted; none: the best.")] = None,
) -> Details:
    """A result as a chart: its Vega-Lite specification, with the rows that it draws."""
    return {"job_id": job_id, "chart": call.workspace.chart(job_id, kind, call.who)}


@action("An answer as a file", "viewer")
def export(
    call: Call,
    run_id: Annotated[str, Field(description="The `run_id` of an answer.")],
    format: ExportForm = "md",
) -> Result:
    """An answer as a report (md, html, xlsx) or its result alone (csv, parquet); in `base64` where it is no text."""
    data = b"".join(bytes(chunk) for chunk in call.workspace.export(run_id, format, call.who))
    if len(data) > _LARGEST:
        raise InvalidInput(
            f"{run_id} as {format} has {len(data):,} bytes; a result holds {_LARGEST:,}.",
            code="export_too_large",
            hint=f"GET /api/v1/agent/{run_id}/export?format={format} streams it.",
        )
    named = {"run_id": run_id, "format": format, "media_type": EXPORT_TYPES[format]}
    if EXPORT_TYPES[format].startswith("text/"):
        text = data.decode()
        return Result(text, {**named, "text": text})
    return Result(f"{len(data):,} bytes of {format}.", {**named, "base64": base64.b64encode(data).decode()})
