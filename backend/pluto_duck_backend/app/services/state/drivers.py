"""The error for a backend whose library is not installed."""

from pluto_duck_backend.app.core.errors import EnvironmentFault


def driver_missing(what: str, package: str, extra: str) -> EnvironmentFault:
    return EnvironmentFault(
        f"State in {what} needs the package {package}, which is not installed.",
        code="driver_missing",
        hint=f"pip install 'pluto-duck[{extra}]'",
    )
