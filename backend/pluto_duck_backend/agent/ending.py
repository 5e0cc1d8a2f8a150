"""What is told to who begins something in a process that is ending."""

from __future__ import annotations

from pluto_duck_backend.app.core.errors import EnvironmentFault


def ending() -> EnvironmentFault:
    return EnvironmentFault(
        "Pluto-Duck is ending here and begins nothing more.",
        code="ending",
        hint="Start it again, then try again.",
        retryable=True,
    )
