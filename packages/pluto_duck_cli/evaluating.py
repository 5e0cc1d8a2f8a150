"""What `pluto-duck eval` does between its options and its exit code: which cases, since when, asked, written, kept.

Called by the command only. The suite and every place are checked before the first question is asked, since asking may
take hours or cost money.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound
from pluto_duck_cli import render
from pluto_duck_cli.scoring import Desk

if TYPE_CHECKING:
    from pluto_duck_backend.agent.evaluation import Case, Report

_TALK_S = 10


def suite_at(path: Path) -> list[Case]:
    """The suite; a missing one is wrong usage here, since exit code 1 is a verdict."""
    from pluto_duck_backend.agent.evaluation import load_suite

    try:
        return load_suite(path)
    except NotFound as error:
        raise InvalidInput(error.message, code="suite_not_found", hint=error.hint) from error


@dataclass(frozen=True)
class Baseline:
    """What this evaluation is compared with, and the file in the root that the next one is compared with.

    `kept` is the last report in that file, `named` the one the user gave instead.
    """

    place: Path
    kept: Report | None
    named: Report | None

    @classmethod
    def of(
        cls, settings: Settings, suite: Path, provider: str | None, model: str | None, named: Path | None
    ) -> Baseline:
        """Raises InvalidInput where the report that the user named is none; a spoilt one of ours is only told."""
        from pluto_duck_backend.agent import evaluation_last

        answers = provider or settings.agent.provider, model or settings.agent.model
        place = evaluation_last.place(settings.paths, suite, *answers)
        return cls(place, _kept(place), _named(named) if named else None)

    def rights(self) -> dict[str, bool] | None:
        """id → right, of the report to compare with; None for the first evaluation."""
        before = self.named or self.kept
        return before.rights() if before else None

    def keep(self, report: Report, suite: Sequence[Case]) -> None:
        """Let the next evaluation know this one."""
        from pluto_duck_backend.agent import evaluation_last

        evaluation_last.keep(self.place, report, self.kept, {case.id for case in suite})


def _kept(place: Path) -> Report | None:
    from pluto_duck_backend.agent import evaluation_last

    try:
        return evaluation_last.read(place) if place.is_file() else None
    except InvalidInput as error:
        render.talk(f"warning: {error.message} Flips since the last run are not known.")
        return None


def _named(path: Path) -> Report:
    from pluto_duck_backend.agent import evaluation_last

    try:
        return evaluation_last.read(path)
    except NotFound as error:
        raise InvalidInput(error.message, code=error.code, hint=error.hint) from error


def check_places(*files: Path | None) -> None:
    """Raises InvalidInput for a file that could not be written in the end."""
    for file in files:
        if file and (file.is_dir() or not file.absolute().parent.is_dir()):
            problem = "is a folder" if file.is_dir() else "lies in a folder that does not exist"
            raise InvalidInput(f"{file} {problem}.", code="bad_place", hint="Name a file in a folder that exists.")


def asked(cases: Sequence[Case], desk: Desk, previous: dict[str, bool] | None, about: dict[str, str]) -> Report:
    """The report in suite order; asked by database, so that each is opened once."""
    from pluto_duck_backend.agent.evaluation import evaluate

    by_database = sorted(cases, key=lambda case: case.db or "")
    told = _telling(desk.prepared(by_database), len(cases))
    report = evaluate(told, desk.ask, run_sql=desk.expected, previous=previous, about=about)
    order = {case.id: number for number, case in enumerate(cases)}
    return replace(report, results=tuple(sorted(report.results, key=lambda each: order[each.id])))


def about(suite: Path, settings: Settings, provider: str | None, model: str | None, part: str) -> dict[str, str]:
    """What a reader of the report wants to know before its figures."""
    named = {
        "suite": suite.name,
        "provider": provider or settings.agent.provider,
        "model": model or settings.agent.model or "",
        "part": part,
        "at": datetime.now(UTC).isoformat(timespec="seconds"),
    }
    return {name: text for name, text in named.items() if text}


def _telling(cases: Iterable[Case], count: int) -> Iterator[Case]:
    """The cases, saying now and then how far it is."""
    told = time.monotonic()
    for number, case in enumerate(cases):
        if time.monotonic() - told >= _TALK_S:
            told = time.monotonic()
            render.talk(f"{number} of {count} questions")
        yield case


def write(report: Report, html: Path | None, output: Path | None) -> None:
    """The files the user asked for."""
    from pluto_duck_backend.agent import evaluation_last
    from pluto_duck_backend.agent.evaluation import report_html

    if html:
        evaluation_last.write(html, report_html(report))
    if output:
        evaluation_last.write(output, evaluation_last.as_json(report))


def show(report: Report, as_json: bool) -> None:
    """The figures on stdout."""
    if as_json:
        render.json_line(report.summary())
    else:
        render.data(report.to_markdown())
