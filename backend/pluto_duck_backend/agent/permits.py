"""What rights close whatever the role: who sees only a part of the data neither changes nor configures anything."""

from __future__ import annotations

from pluto_duck_backend.app.core.errors import Refused
from pluto_duck_backend.app.core.principal import Principal


def may_write(who: Principal) -> None:
    """Raises Refused for a user with rights."""
    if who.is_confined:
        raise Refused(
            f"{who.name!r} may only read.",
            code="not_granted",
            hint="Loading data and running dbt need a token without rights.",
        )


def may_configure(who: Principal) -> None:
    """Raises Refused for a user with rights: settings say what is beyond them."""
    may_write(who)


def may_see_jobs(who: Principal) -> None:
    """Raises Refused for a user with rights: loads and models show what is beyond them."""
    may_write(who)
