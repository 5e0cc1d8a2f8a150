"""`pluto-duck eval SUITE`: score answers against a suite of questions with expected rows or SQL."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_cli import evaluating, exit_codes, render
from pluto_duck_cli.bars import Bars
from pluto_duck_cli.options import Json, Model, Provider, Root, command_line
from pluto_duck_cli.scoring import Desk

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation import Report

app = command_line("Score answers against a suite of questions.")


@app.command()
def eval(
    suite: Annotated[Path, typer.Argument(help="JSON lines: id, question, sql or rows, …")],
    databases: Annotated[
        list[Path] | None, typer.Option("--databases", help="Folder with <db>.sqlite …; may be given again.")
    ] = None,
    work: Annotated[Path | None, typer.Option("--work", help="Keep the databases' roots here.")] = None,
    split: Annotated[str | None, typer.Option("--split", help="Only questions of this split.")] = None,
    kind: Annotated[str | None, typer.Option("--kind", help="Only questions of this kind.")] = None,
    limit: Annotated[int | None, typer.Option("--limit", min=1, help="Only the first so many.")] = None,
    every: Annotated[int, typer.Option("--every", min=1, help="Only each n-th question.")] = 1,
    report: Annotated[Path | None, typer.Option("--report", help="Write an HTML report.")] = None,
    output: Annotated[Path | None, typer.Option("--output", help="Write the report as JSON.")] = None,
    previous: Annotated[
        Path | None, typer.Option("--previous", help="An earlier --output to show the flips since; else the last run.")
    ] = None,
    min_accuracy: Annotated[float, typer.Option("--min-accuracy", min=0, max=1, help="Exit 1 below this share.")] = 0.0,
    max_ece: Annotated[
        float | None, typer.Option("--max-ece", min=0, max=1, help="Exit 1 above this calibration error.")
    ] = None,
    min_refused: Annotated[
        float | None,
        typer.Option("--min-refused", min=0, max=1, help="Exit 1 if fewer of the unanswerable are refused or asked."),
    ] = None,
    fail_on_flips: Annotated[
        bool, typer.Option("--fail-on-flips", help="Exit 1 if a question is no longer right.")
    ] = False,
    root: Root = None,
    provider: Provider = None,
    model: Model = None,
    json: Json = False,
) -> int:
    """Score answers against a suite of questions; exits 1 below a bar that an option sets."""
    from pluto_duck_backend.agent.evaluation import chosen

    bars = Bars(min_accuracy, max_ece, min_refused, fail_on_flips)
    whole = evaluating.suite_at(suite)
    cases = chosen(whole, split=split, kind=kind)[::every][:limit]
    bars.check(cases)
    evaluating.check_places(report, output)
    settings = load_settings(root)
    baseline = evaluating.Baseline.of(settings, suite, provider, model, previous)
    about = evaluating.about(suite, settings, provider, model, _part(split, kind, len(cases), len(whole)))
    with Desk(settings, databases, work, provider, model) as desk:
        made = evaluating.asked(cases, desk, baseline.rights(), about)
    evaluating.show(made, json)
    evaluating.write(made, report, output)
    baseline.keep(made, whole)
    return _verdict(bars, made)


def _part(split: str | None, kind: str | None, asked: int, there: int) -> str:
    """Which part of the suite was asked; empty for all of it."""
    named = [f"{name} {value}" for name, value in (("split", split), ("kind", kind)) if value]
    return ", ".join([*named, f"{asked} of {there} questions"]) if asked < there else ""


def _verdict(bars: Bars, made: Report) -> int:
    missed = list(bars.missed(made))
    for each in missed:
        render.talk(each)
    return exit_codes.FAILED if missed else exit_codes.DONE
