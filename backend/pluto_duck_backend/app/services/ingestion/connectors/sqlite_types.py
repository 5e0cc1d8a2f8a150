"""The type of a SQLite column from what is stored in it.

`sqlite` asks for each table. What must stay true: every stored value fits the type chosen, and a warning is given where
that is not the declared one's kind.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from pluto_duck_backend.app.core.warehouse import quote

_COLUMNS_A_QUERY = 100
_PythonTypes = tuple[type, ...]


@dataclass(frozen=True)
class Plan:
    """How a column is read: its type when staged, narrower wishes, and how to change single values.

    `kinds` are set where the plan believes the declared type: Python's types of the values that it holds for.
    """

    name: str
    type: str
    wishes: tuple[str, ...] = ()
    change: Callable[[Any], Any] | None = None
    kinds: _PythonTypes = ()


def believed(name: str, declared: str) -> Plan | None:
    """The plan of a column whose values are of one kind unless somebody went against its declared type.

    What reads it must stop at a value of another kind. None where the declared type promises too little.
    """
    kind = declared.upper()
    if any(each in kind for each in ("BOOL", "DATE", "TIME")):
        return None
    if "INT" in kind:
        return Plan(name, "BIGINT", kinds=(int,))
    if any(each in kind for each in ("CHAR", "CLOB", "TEXT")):
        return Plan(name, "VARCHAR", kinds=(str,))
    return Plan(name, "DOUBLE", kinds=(float,)) if any(each in kind for each in ("REAL", "FLOA", "DOUB")) else None


def plan_believing(
    connection: sqlite3.Connection, table: str, declared: Sequence[tuple[str, str]]
) -> tuple[list[Plan], list[str]]:
    """As `plan_columns`, without a look at the values of columns that are `believed`."""
    known = {name: believed(name, kind) for name, kind in declared}
    looked, warnings = plan_columns(connection, table, [each for each in declared if not known[each[0]]])
    found = {each.name: each for each in looked}
    return [known[name] or found[name] for name, _ in declared], warnings


def plan_columns(
    connection: sqlite3.Connection, table: str, declared: Sequence[tuple[str, str]]
) -> tuple[list[Plan], list[str]]:
    """A plan for each `(name, declared type)`, and a sentence for each column that is not what it claims."""
    plans: list[Plan] = []
    warnings: list[str] = []
    for start in range(0, len(declared), _COLUMNS_A_QUERY):
        some = declared[start : start + _COLUMNS_A_QUERY]
        for (name, kind), found in zip(some, _stored(connection, table, [each[0] for each in some]), strict=True):
            plans.append(_plan(name, kind.upper(), found))
            if plans[-1].type == "VARCHAR" and _is_number(kind.upper()) and found:
                warnings.append(f"column {name} is declared {kind} but holds text, so it becomes VARCHAR")
    return plans, warnings


def _stored(connection: sqlite3.Connection, table: str, names: Sequence[str]) -> list[frozenset[str]]:
    """The first and the last kind of values by name, NULL aside, in each column.

    Two aggregates tell what a plan needs in half the time of one a kind: only NULL stands between integer and real,
    and any other two kinds make text, whatever stands between them.
    """
    kinds = (f"nullif(typeof({quote(name)}), 'null')" for name in names)
    tests = ", ".join(f"min({each}), max({each})" for each in kinds)
    row = connection.execute(f"SELECT {tests} FROM {quote(table)}").fetchone()
    return [frozenset(kind for kind in row[i : i + 2] if kind) for i in range(0, len(row), 2)]


def _plan(name: str, declared: str, found: frozenset[str]) -> Plan:
    if not found:
        return Plan(name, *_of_declared(declared))
    if found == {"blob"}:
        return Plan(name, "BLOB")
    if found == {"text"}:
        return Plan(name, "VARCHAR", _wishes_for_text(declared))
    if found == {"integer"}:
        return Plan(name, "BIGINT", ("BOOLEAN",) if "BOOL" in declared else _decimal(declared))
    if found <= {"integer", "real"}:
        return Plan(name, "DOUBLE", _decimal(declared), float if len(found) > 1 else None)
    return Plan(name, "VARCHAR", (), _as_text)


def _of_declared(declared: str) -> tuple[str, tuple[str, ...]]:
    """`(type, wishes)` of a column without values, where every wish comes true."""
    if "BOOL" in declared:
        return "BIGINT", ("BOOLEAN",)
    if wishes := _wishes_for_text(declared):
        return "VARCHAR", wishes
    if "INT" in declared:
        return "BIGINT", ()
    if _is_number(declared):
        return "DOUBLE", _decimal(declared)
    return ("BLOB", ()) if "BLOB" in declared else ("VARCHAR", ())


def _wishes_for_text(declared: str) -> tuple[str, ...]:
    if declared == "DATE":
        return "DATE", "TIMESTAMP"
    if "DATE" in declared or "TIMESTAMP" in declared:
        return ("TIMESTAMP",)
    return ("TIME",) if declared == "TIME" else ()


def _decimal(declared: str) -> tuple[str, ...]:
    match = re.search(r"(?:DEC|NUM)\w*\s*\(\s*(\d+)\s*,\s*(\d+)\s*\)", declared)
    if not match:
        return ()
    width, scale = int(match[1]), int(match[2])
    return (f"DECIMAL({width}, {scale})",) if 0 < scale <= width <= 38 else ()


def _is_number(declared: str) -> bool:
    return any(each in declared for each in ("INT", "REAL", "FLOA", "DOUB", "NUM", "DEC", "MONEY"))


def _as_text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
