"""dbt inside: its SQL runs in the process that owns the warehouse, its Python in one beside it, while readers read."""

from pluto_duck_backend.app.services.transformation.invocation import DbtService, check_command, title
from pluto_duck_backend.app.services.transformation.outcome import DbtResult, NodeEvent
from pluto_duck_backend.app.services.transformation.project import add_demo, copy_starter

__all__ = [
    "DbtResult",
    "DbtService",
    "NodeEvent",
    "add_demo",
    "check_command",
    "copy_starter",
    "title",
]
