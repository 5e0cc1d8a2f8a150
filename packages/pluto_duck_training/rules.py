"""What each rule is worth on questions that nobody wrote it for, suite by suite: only counts, no question.

Every question that stands alone is asked; then once more for each rule that did something in it, without that rule. A
rule is a correction of trees or a frame. A part that nobody has looked at is counted by itself.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from pluto_duck_backend.agent.evaluation_suite import Case
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_text2sql.corrections import corrections
from pluto_duck_text2sql.frames.every_frame import KINDS
from pluto_duck_training import suites
from pluto_duck_training.sources import is_right

SUITES = (*suites.ANSWERABLE, *suites.LACKING, *suites.COLD, "samples", "flat", "strangers", "threads", "fresh")


@dataclass(frozen=True)
class Asked:
    """A question of a suite's `part`: whether its answer is right, and without each rule that did something in it."""

    part: str
    right: bool
    without: Mapping[str, bool]


def rules(shared: Path, work: Path, names: Sequence[str] = SUITES) -> dict[str, float]:
    """What `counts` says of these suites."""
    return counts(_asked(shared, work / "databases", names))


def counts(every: Iterable[Asked]) -> dict[str, float]:
    """Of each part and rule: in how many questions it did something, how many are right by it, how many wrong."""
    found = Counter[str]()
    for each in every:
        for rule, right in each.without.items():
            told = {"": True, ", won": each.right and not right, ", lost": right and not each.right}
            found.update({f"{each.part}: {rule}{name}": int(value) for name, value in told.items()})
    return dict(found)


@dataclass
class Switch:
    """Notes which rules do something, and leaves out the one that is `off`."""

    off: str = ""
    worked: set[str] = field(default_factory=set)

    def over(self, name: str, rule: Callable[..., Any], unchanged: Callable[..., Any]) -> Callable[..., Any]:
        """A rule that can be left out; `unchanged` is what it gives where it does nothing."""

        def switched(*given: Any) -> Any:
            before = unchanged(*given)
            made = before if name == self.off else rule(*given)
            if made is not before and made != before:
                self.worked.add(name)
            return made

        return switched


@contextmanager
def switched() -> Iterator[Switch]:
    """Every analyst that is made within has its rules on a switch."""
    switch, told = Switch(), corrections._told

    def watched(rule: Any, known: Mapping[str, Any]) -> Callable[..., Any]:
        return switch.over(f"correction {_name(rule)}", told(rule, known), lambda query, _: query)

    with ExitStack() as stack:
        stack.enter_context(patch.object(corrections, "_told", watched))
        for kind in KINDS:
            frame = switch.over(f"frame {kind.__module__.rpartition('.')[2]}", kind.analysis, lambda *_: None)
            stack.enter_context(patch.object(kind, "analysis", frame))
        yield switch


def _name(rule: Any) -> str:
    """A correction's module, and its own name there."""
    return f"{rule.__module__.rpartition('.')[2]}.{rule.__name__}"


def _asked(shared: Path, roots: Path, names: Sequence[str]) -> Iterator[Asked]:
    every = [(suite, case) for suite, case in suites.cases(names) if suites.is_known(case)]
    with switched() as switch:
        for name in sorted({case.db for _, case in every if case.db}):
            with suites.workspace(name, shared, roots) as workspace:
                for suite, case in every:
                    if case.db == name:
                        yield _of(suites.part(suite, case), case, workspace, switch)


def _of(part: str, case: Case, workspace: Workspace, switch: Switch) -> Asked:
    switch.off, switch.worked = "", set()
    right, worked = _is_right(case, workspace), sorted(switch.worked)
    return Asked(part, right, {rule: _is_right_without(rule, case, workspace, switch) for rule in worked})


def _is_right_without(rule: str, case: Case, workspace: Workspace, switch: Switch) -> bool:
    switch.off = rule
    return _is_right(case, workspace)


def _is_right(case: Case, workspace: Workspace) -> bool:
    """Whether a question is answered rightly; one without an answer, whether it is not answered."""
    run = suites.runner(workspace)
    found = workspace.analyst().ask(case.question, run=run)
    if found.status != "answered" or not case.answerable:
        return not case.answerable and found.status != "answered"
    return is_right(suites.expected(case), run(found.candidates[0].sql))
