"""`pluto-duck tokens`: make, list and revoke the tokens that others call the server with; it obeys at once."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import Annotated

import typer

from pluto_duck_backend.agent.agents.files import AgentFiles
from pluto_duck_backend.app.core.config import Settings, load_settings
from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean
from pluto_duck_backend.app.core.principal import OWNER, Role
from pluto_duck_backend.app.core.tokens import MadeToken, TokenFile
from pluto_duck_cli import render
from pluto_duck_cli.options import ExistingRoot, Json, command_line

_SHOWN = ("name", "role", "rights", "agent", "created", "expires", "expired")
_SPAN = re.compile(r"(\d{1,5})([hdw])")
_HOURS = {"h": 1, "d": 24, "w": 24 * 7}
app = command_line("Make, list and revoke the tokens that others call the server with.")

Name = Annotated[str, typer.Argument(help="Whose it is: a person or a program.")]


@app.command()
def create(
    name: Name,
    role: Annotated[Role, typer.Option("--role", help="What it may do.")],
    rights: Annotated[str, typer.Option("--rights", help="Entry of `rights` in config.toml; none: all data.")] = "",
    agent: Annotated[str, typer.Option("--agent", help="The one agent that answers; its scope holds as well.")] = "",
    expires: Annotated[str, typer.Option("--expires", help="30d, 12h, 4w or 2027-01-31; none: never.")] = "",
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Make a token; its text is shown this once and kept nowhere."""
    settings = load_settings(root)
    _check_rights(settings, rights)
    if agent:
        AgentFiles(settings.paths).get(agent)
    until = _until(expires, datetime.now(UTC)) if expires else None
    tokens = TokenFile(settings.paths.tokens)
    made, text = tokens.create(name, role, rights=rights, agent=agent, expires=until, taken=settings.server.tokens)
    _audit(settings, f"tokens create {name} --role {role}")
    if json:
        render.json_line({**made.to_dict(), "token": text})
    else:
        _show_once(made, text)
    return 0


def _show_once(made: MadeToken, text: str) -> None:
    render.data(text)
    until = made.expires or "it is revoked"
    render.talk(f"{made.name}, {made.role}, until {until}. This is shown once: keep it safe.")
    render.talk("From now on a server on this root asks every caller for a token.")


@app.command("list")
def list_(root: ExistingRoot = None, json: Json = False) -> int:
    """The tokens that were made, without what they are."""
    found = [each.to_dict() for each in TokenFile(load_settings(root).paths.tokens).every()]
    if json:
        render.json_line({"tokens": found})
    elif found:
        render.table(_SHOWN, [[each[name] for name in _SHOWN] for each in found])
    else:
        render.talk("No tokens have been made. Try: pluto-duck tokens create anna --role viewer")
    return 0


@app.command()
def revoke(name: Name, root: ExistingRoot = None, json: Json = False) -> int:
    """End a token: it opens nothing from now on."""
    settings = load_settings(root)
    revoked = TokenFile(settings.paths.tokens).revoke(name)
    _audit(settings, f"tokens revoke {name}")
    if json:
        render.json_line(revoked.to_dict())
    else:
        render.talk(f"{name} is revoked.")
    return 0


def _check_rights(settings: Settings, rights: str) -> None:
    if rights and rights not in settings.rights:
        raise InvalidInput(
            f"There are no rights {rights!r}. {did_you_mean(rights, settings.rights)}".rstrip(),
            code="bad_rights",
            hint=f"Write [rights.{rights}] into {settings.paths.config_file} first, see docs/sql-safety.md.",
        )


def _until(text: str, now: datetime) -> datetime:
    """`30d` after `now`, or the beginning of a day in UTC. Raises InvalidInput, also for what is over."""
    span = _SPAN.fullmatch(text)
    try:
        until = now + timedelta(hours=int(span[1]) * _HOURS[span[2]]) if span else datetime.fromisoformat(text)
    except ValueError as error:
        raise _no_expiry(text, "is no time") from error
    until = until if until.tzinfo else until.replace(tzinfo=UTC)
    if until <= now:
        raise _no_expiry(text, "is over already")
    return until


def _no_expiry(text: str, why: str) -> InvalidInput:
    return InvalidInput(f"--expires {text!r} {why}.", code="bad_expiry", hint="Such as 30d, 12h, 4w or 2027-01-31.")


def _audit(settings: Settings, command: str) -> None:
    from pluto_duck_backend.app.services.execution.audit import Audit

    Audit(settings.paths.audit).call(OWNER, command, 200)
