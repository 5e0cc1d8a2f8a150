"""The flags that commands share, each declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from pluto_duck_backend.app.core.errors import NotFound

_ROOT = "The data root; else PLUTODUCK_ROOT, else ~/.pluto-duck."


def _existing(root: Path | None) -> Path | None:
    """What only reads makes no folder of a misspelt name."""
    if root and not root.expanduser().is_dir():
        raise NotFound(
            f"There is no data root at {root}.",
            code="root_not_found",
            hint=f"`pluto-duck init --root {root}` sets one up, `pluto-duck demo --root {root}` one with a demo shop.",
        )
    return root


Root = Annotated[Path | None, typer.Option("--root", help=_ROOT)]
ExistingRoot = Annotated[Path | None, typer.Option("--root", help=_ROOT, callback=_existing)]
Json = Annotated[bool, typer.Option("--json", help="Machine-readable output.")]
Provider = Annotated[str | None, typer.Option("--provider", help="Who answers.")]
Model = Annotated[str | None, typer.Option("--model", help="The provider's model.")]
Conversation = Annotated[str | None, typer.Option("--conversation", help="Go on with this conversation.")]
Agent = Annotated[str | None, typer.Option("--agent", help="Who answers, see docs/agents.md.")]
Timeout = Annotated[float | None, typer.Option("--timeout", min=0.001, help="Seconds it may take.")]
MaxRows = Annotated[int | None, typer.Option("--max-rows", min=0, max=10_000, help="Rows shown.")]


def command_line(help: str) -> typer.Typer:
    """An application for one command's module."""
    return typer.Typer(help=help, add_completion=False, rich_markup_mode=None, pretty_exceptions_enable=False)
