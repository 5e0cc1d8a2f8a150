"""`pluto-duck eval SUITE`: score answers against a suite of questions with expected rows or SQL."""

from __future__ import annotations

import json as json_module
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_cli import render
from pluto_duck_cli.options import Json, Provider, Root, command_line

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation import Case, Report

app = command_line("Score answers against a suite of questions.")


@app.command()
def eval(
    suite: Annotated[Path, typer.Argument(help="JSON lines: id, question, sql or rows, …")],
    databases: Annotated[Path | None, typer.Option("--databases", help="Folder with <db>.sqlite …")] = None,
    work: Annotated[Path | None, typer.Option("--work", help="Keep the databases' roots here.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first so many.")] = None,
    every: Annotated[int, typer.Option("--every", min=1, help="Only each n-th question.")] = 1,
    report: Annotated[Path | None, typer.Option("--report", help="Write an HTML report.")] = None,
    output: Annotated[Path | None, typer.Option("--output", help="Write the report as JSON.")] = None,
    previous: Annotated[Path | None, typer.Option("--previous", help="An earlier --output: show the flips.")] = None,
    min_accuracy: Annotated[float, typer.Option("--min-accuracy", help="Exit 1 below this share.")] = 0.0,
    root: Root = None,
    provider: Provider = None,
    json: Json = False,
) -> int:
    """Score answers against a suite of questions; exits 1 below --min-accuracy."""
    from pluto_duck_backend.agent.evaluation import load_suite

    cases = load_suite(suite)[::every][:limit]
    if not cases:
        raise InvalidInput(f"{suite} holds no questions.", code="empty_suite")
    made = _evaluate(cases, root, databases, work, provider, previous)
    _write(made, report, output)
    if json:
        render.json_line(made.summary())
    else:
        render.data(made.to_markdown())
    right = sum(made.rights().values()) / len(cases)
    return 0 if right >= min_accuracy else 1


def _evaluate(
    cases: list[Case],
    root: Path | None,
    databases: Path | None,
    work: Path | None,
    provider: str | None,
    previous: Path | None,
) -> Report:
    from pluto_duck_backend.agent.evaluation import evaluate
    from pluto_duck_cli.scoring import Desk

    before = _rights(previous) if previous else None
    with Desk(load_settings(root), databases, work, provider) as desk:
        ordered = sorted(cases, key=lambda case: case.db or "")
        return evaluate(_counted(ordered), desk.ask, run_sql=desk.expected, previous=before)


def _rights(path: Path) -> dict[str, bool]:
    from pluto_duck_backend.agent.evaluation import Report

    return Report.from_dict(json_module.loads(path.read_text())).rights()


def _counted(cases: list[Case]) -> Iterator[Case]:
    """The cases, saying now and then how far it is."""
    for number, case in enumerate(cases, 1):
        yield case
        if number % 250 == 0:
            render.talk(f"{number} of {len(cases)} questions")


def _write(report: Any, html: Path | None, output: Path | None) -> None:
    from pluto_duck_backend.agent.evaluation import report_html

    if html:
        html.write_text(report_html(report))
    if output:
        output.write_text(json_module.dumps(report.to_dict(), default=str))
