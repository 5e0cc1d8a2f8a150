"""A server that does not answer, and why: its command, its address, what it wrote to stderr; an owner's to know."""

from __future__ import annotations

from pluto_duck_backend.app.core.errors import EnvironmentFault, PlutoDuckError
from pluto_duck_backend.app.core.principal import Principal


class ServerAway(EnvironmentFault):
    """`message` says what happened, `why` the rest of it."""

    def __init__(self, message: str, why: str, *, code: str, hint: str, retryable: bool = False) -> None:
        super().__init__(f"{message}: {why}.", code=code, hint=hint, retryable=retryable)
        self._plain = f"{message}."

    def without_why(self) -> EnvironmentFault:
        return EnvironmentFault(self._plain, code=self.code, hint=self.hint, retryable=self.retryable)


def as_told(error: PlutoDuckError, who: Principal) -> PlutoDuckError:
    """The error as `who` may know it."""
    return error.without_why() if isinstance(error, ServerAway) and not who.sees_all_work else error
