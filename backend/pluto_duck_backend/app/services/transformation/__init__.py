"""dbt inside: its SQL runs in the process that owns the warehouse, its Python in one beside it, while readers read."""

from pluto_duck_backend.app.services.transformation.invocation import DbtResult, DbtService, NodeEvent, check_command
from pluto_duck_backend.app.services.transformation.project import copy_starter, starter_project

__all__ = [
    "DbtResult",
    "DbtService",
    "NodeEvent",
    "check_command",
    "copy_starter",
    "starter_project",
]
