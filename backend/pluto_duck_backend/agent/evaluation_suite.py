"""Suites: JSON lines of questions with the rows a right answer holds, or the word that there are none.

`load_suite` reads what docs/evaluation.md describes; unknown fields are allowed, a wrong one is reported with its file,
line and name and what to write instead. `chosen` keeps the part of a suite that a caller asks for.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.agent.conversation import MAX_QUESTION
from pluto_duck_backend.agent.evaluation_kinds import KINDS, UNKNOWN_KIND, kinds_of, kinds_of_case
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, did_you_mean

__all__ = ["KINDS", "UNKNOWN_KIND", "Case", "chosen", "kinds_of", "load_suite"]

_FORMAT = "docs/evaluation.md describes the fields."
_ONE_OBJECT = 'Each line is one JSON object: {"id": …, "question": …, "rows": [[…]]}.'
_TRUTH = "Give 'rows' or 'sql', or \"answerable\": false where the data cannot answer."


@dataclass(frozen=True)
class Case:
    """One question; `rows` is None where the expected rows come from running `sql`, or where there is no answer.

    `kind`, `split` and `dialogue` are the suite's own words; cases of one `dialogue` are its turns.
    """

    id: str
    question: str
    db: str | None = None
    history: tuple[str, ...] = ()
    sql: str | None = None
    columns: tuple[str, ...] | None = None
    rows: tuple[tuple[Any, ...], ...] | None = None
    row_count: int | None = None
    ordered: bool = False
    limited: bool = False
    answerable: bool = True
    kind: str | None = None
    split: str | None = None
    dialogue: str | None = None

    @property
    def cut_short(self) -> bool:
        """Whether `rows` is only a part of the `row_count` rows expected."""
        return self.rows is not None and self.row_count is not None and self.row_count > len(self.rows)


def load_suite(path: Path | str) -> list[Case]:
    """The cases of a suite in file order.

    Raises NotFound where there is no such file; InvalidInput, naming file, line and field, where a line is not
    a case, an id comes twice or the file holds no case.
    """
    path = Path(path)
    if not path.is_file():
        raise NotFound(f"No suite at {path}.", hint="Give the path of a .jsonl file of questions.")
    cases: dict[str, Case] = {}
    for number, line in _lines(path):
        where = f"{path}, line {number}"
        case = _case(_parse(line, where), where)
        if case.id in cases:
            _bad(where, "id", f"{case.id!r} is already taken by an earlier line.", "Give each question its own id.")
        cases[case.id] = case
    if not cases:
        raise InvalidInput(f"{path} holds no question.", code="empty_suite", hint=_ONE_OBJECT)
    return list(cases.values())


def chosen(cases: Sequence[Case], *, split: str | None = None, kind: str | None = None) -> list[Case]:
    """The cases of this split and this kind, in order. Raises InvalidInput, naming what there is, for none."""
    kept = [case for case in cases if split is None or case.split == split]
    if split is not None and not kept:
        raise _none_of("split", split, {case.split for case in cases if case.split})
    of_kind = [case for case in kept if kind is None or kind in kinds_of_case(case)]
    if kind is not None and not of_kind:
        raise _none_of("kind", kind, {each for case in kept for each in kinds_of_case(case)})
    return of_kind


def _none_of(what: str, name: str, there: set[str]) -> InvalidInput:
    found = f"There are: {', '.join(sorted(there))}." if there else f"No question has the field '{what}'."
    return InvalidInput(
        f"No question of the {what} {name!r}.",
        code="no_such_part",
        hint=f"{found} {did_you_mean(name, there)}".rstrip(),
    )


def _bad(where: str, field: str, problem: str, hint: str = _FORMAT) -> None:
    raise InvalidInput(f"{where}: field '{field}': {problem}", code="bad_suite", hint=hint)


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """The lines that hold something, numbered from 1; the mark that some editors put before the first is dropped."""
    try:
        with path.open("rb") as file:
            yield from (
                (number, line.removeprefix(b"\xef\xbb\xbf")) for number, line in enumerate(file, 1) if line.strip()
            )
    except OSError as error:
        raise InvalidInput(f"{path} cannot be read: {error.strerror or error}.", code="bad_suite") from error


def _parse(line: bytes, where: str) -> dict[str, Any]:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"{where}: not JSON: {error}.", code="bad_suite", hint=_ONE_OBJECT) from error
    if not isinstance(fields, dict):
        message = f"{where}: expected an object, got {type(fields).__name__}."
        raise InvalidInput(message, code="bad_suite", hint=_ONE_OBJECT)
    return fields


def _case(fields: Mapping[str, Any], where: str) -> Case:
    given = {name: _field(name, fields[name], where) for name in _FIELDS if fields.get(name) is not None}
    for name in ("id", "question"):
        if name not in given:
            _bad(where, name, "missing or null.")
    case = Case(**given)
    _check_truth(case, where)
    return case


def _check_truth(case: Case, where: str) -> None:
    """An answerable question has one truth, an unanswerable one none."""
    if not case.answerable and (case.rows is not None or case.sql):
        _bad(where, "answerable", f"false, but there are '{'rows' if case.rows is not None else 'sql'}'.", _TRUTH)
    if case.answerable and case.rows is None and not case.sql:
        _bad(where, "rows", "missing, and there is no 'sql' to compute them.", _TRUTH)
    if case.rows is not None and case.row_count is not None and case.row_count < len(case.rows):
        _bad(where, "row_count", f"{case.row_count}, but there are {len(case.rows)} rows.")


def _field(name: str, value: Any, where: str) -> Any:
    wanted, check, read = _FIELDS[name]
    if not check(value):
        _bad(where, name, f"expected {wanted}, got {value!r:.60}.")
    return read(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _is_question(value: Any) -> bool:
    """What a run would take: a longer one could only fail, after everything before it was asked."""
    return _is_text(value) and len(value) <= MAX_QUESTION


def _is_questions(value: Any) -> bool:
    return isinstance(value, list) and all(map(_is_question, value))


def _is_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_rows(value: Any) -> bool:
    rows = isinstance(value, list) and all(isinstance(row, list) for row in value)
    return rows and len({len(row) for row in value}) <= 1


def _is_count(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= 0


def _is_flag(value: Any) -> bool:
    return isinstance(value, bool)


def _tuples(rows: list[list[Any]]) -> tuple[tuple[Any, ...], ...]:
    return tuple(tuple(row) for row in rows)


_FIELDS: dict[str, tuple[str, Callable[[Any], bool], Callable[[Any], Any]]] = {
    "id": ("a text", _is_text, str),
    "question": (f"a text of at most {MAX_QUESTION:,} characters", _is_question, str),
    "db": ("a text", _is_text, str),
    "history": ("a list of earlier questions", _is_questions, tuple),
    "sql": ("a text", _is_text, str),
    "columns": ("a list of texts", _is_texts, tuple),
    "rows": ("a list of rows of one length", _is_rows, _tuples),
    "row_count": ("a count", _is_count, int),
    "ordered": ("true or false", _is_flag, bool),
    "limited": ("true or false", _is_flag, bool),
    "answerable": ("true or false", _is_flag, bool),
    "kind": ("a text", _is_text, str),
    "split": ("a text", _is_text, str),
    "dialogue": ("a text", _is_text, str),
}
