"""Suites: JSON lines of questions with the rows a right answer holds.

`load_suite` reads what the public surface describes; unknown fields are allowed, a wrong one is reported with its
line and name. `kinds_of` says what shape of SQL a question needs, for the breakdown of a report.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.errors import InvalidInput, NotFound

KINDS = ("plain", "join", "group", "order", "nested", "set")
UNKNOWN_KIND = "unknown"


@dataclass(frozen=True)
class Case:
    """One question; `rows` is None where the expected rows come from running `sql`."""

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
            raise InvalidInput(f"{where}: field 'id': {case.id!r} is already taken by an earlier line.")
        cases[case.id] = case
    if not cases:
        raise InvalidInput(f"{path} holds no question.")
    return list(cases.values())


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    with path.open("rb") as file:
        yield from ((number, line) for number, line in enumerate(file, 1) if line.strip())


def _parse(line: bytes, where: str) -> dict[str, Any]:
    try:
        fields = orjson.loads(line)
    except orjson.JSONDecodeError as error:
        raise InvalidInput(f"{where}: not JSON: {error}.") from error
    if not isinstance(fields, dict):
        raise InvalidInput(f"{where}: expected an object, got {type(fields).__name__}.")
    return fields


def _case(fields: Mapping[str, Any], where: str) -> Case:
    given = {name: _field(name, fields[name], where) for name in _FIELDS if fields.get(name) is not None}
    for name in ("id", "question"):
        if name not in given:
            raise InvalidInput(f"{where}: field '{name}': missing or null.")
    if "rows" not in given and "sql" not in given:
        raise InvalidInput(f"{where}: field 'rows': missing, and there is no 'sql' to compute them.")
    case = Case(**given)
    if case.rows is not None and case.row_count is not None and case.row_count < len(case.rows):
        raise InvalidInput(f"{where}: field 'row_count': {case.row_count}, but there are {len(case.rows)} rows.")
    return case


def _field(name: str, value: Any, where: str) -> Any:
    wanted, check, read = _FIELDS[name]
    if not check(value):
        raise InvalidInput(f"{where}: field '{name}': expected {wanted}, got {value!r:.60}.")
    return read(value)


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


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
    "question": ("a text", _is_text, str),
    "db": ("a text", _is_text, str),
    "history": ("a list of texts", _is_texts, tuple),
    "sql": ("a text", _is_text, str),
    "columns": ("a list of texts", _is_texts, tuple),
    "rows": ("a list of rows of one length", _is_rows, _tuples),
    "row_count": ("a count", _is_count, int),
    "ordered": ("true or false", _is_flag, bool),
    "limited": ("true or false", _is_flag, bool),
}


def kinds_of(sql: str | None) -> tuple[str, ...]:
    """The shapes in `sql`, in the order of KINDS; `("plain",)` for none of them, unknown without readable SQL."""
    from sqlglot import parse_one
    from sqlglot.errors import SqlglotError

    try:
        tree = parse_one(sql, dialect="duckdb") if sql else None
    except SqlglotError:
        tree = None
    return (UNKNOWN_KIND,) if tree is None else _kinds(tree)


def _kinds(tree: Any) -> tuple[str, ...]:
    from sqlglot import exp

    found = {
        "join": tree.find(exp.Join) is not None,
        "group": tree.find(exp.Group) is not None,
        "order": tree.args.get("order") is not None or tree.args.get("limit") is not None,
        "nested": any(_is_inner(select) for select in tree.find_all(exp.Select)),
        "set": tree.find(exp.SetOperation) is not None,
    }
    return tuple(kind for kind in KINDS if found.get(kind)) or ("plain",)


def _is_inner(select: Any) -> bool:
    """Whether a SELECT stands inside another one, not beside it in a set operation."""
    from sqlglot import exp

    parent = select.parent
    while isinstance(parent, exp.SetOperation):
        parent = parent.parent
    return parent is not None
