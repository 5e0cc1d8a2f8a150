"""Names: of tables from files, of targets as users write them, of columns that must differ.

Used by the service and by connectors. What must stay true: the same file always gets the same table name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.warehouse import quote

ALL = "*"
_LONGEST = 200
_SYSTEM = ("information_schema", "pg_catalog")


@dataclass(frozen=True)
class Target:
    """A table of the warehouse."""

    schema: str
    table: str

    @property
    def sql(self) -> str:
        """The qualified, quoted name."""
        return f"{quote(self.schema)}.{quote(self.table)}"

    @property
    def sql_from(self) -> str:
        return f"FROM {self.sql}"

    def __str__(self) -> str:
        return self.table if self.schema == "main" else f"{self.schema}.{self.table}"

    def folded(self) -> tuple[str, str]:
        """What DuckDB compares: names without regard to case."""
        return self.schema.casefold(), self.table.casefold()


def parse_target(text: str) -> Target:
    """`t`, `s.t`, `"s x"."t.u"`; `s.*` has the table `*`. Raises InvalidInput."""
    parts = re.findall(r'"(?:[^"]|"")+"|[^."]+', text.strip())
    if ".".join(parts) != text.strip() or not 1 <= len(parts) <= 2:
        raise InvalidInput(
            f"{text!r} is no table name.", code="bad_target", hint="Write table or schema.table, such as sales.orders."
        )
    names = [part[1:-1].replace('""', '"') if part.startswith('"') else part.strip() for part in parts]
    if long := next((name for name in names if len(name) > _LONGEST), ""):
        raise InvalidInput(
            f"{long[:40]!r}… has {len(long):,} characters; a name has at most {_LONGEST}.", code="bad_target"
        )
    if len(names) == 2 and names[0].casefold() in _SYSTEM:
        raise InvalidInput(
            f"{names[0]!r} is a schema of DuckDB's own.", code="bad_target", hint="Name another schema, or none."
        )
    return Target(names[0] if len(names) == 2 else "main", names[-1])


def table_name(text: str) -> str:
    """A lower snake_case name: `Order Details` becomes `order_details`, `2024` becomes `t_2024`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", text)
    name = re.sub(r"\W+|_+", "_", words).strip("_").lower()
    if not name:
        return "data"
    return f"t_{name}" if name[0].isdigit() else name


def unique_names(raw: Sequence[str | None]) -> tuple[list[str], list[str]]:
    """Column names that differ (also without regard to case), and a sentence for each that was changed.

    None holds a zero byte, at which SQL ends.
    """
    names: list[str] = []
    notes: list[str] = []
    taken = {str(each).strip().casefold() for each in raw if each}
    used: set[str] = set()
    for position, cell in enumerate(raw, 1):
        given = str(cell or "").strip()
        wanted = re.sub(r"\s*[\r\n]+\s*", " ", given.replace("\x00", "")).strip() or f"column_{position}"
        name = _free(wanted, used, taken)
        if name != given:
            notes.append(f"Column {position} was named {given!r} and is now {name!r}.")
        used.add(name.casefold())
        names.append(name)
    return names, notes


def _free(wanted: str, used: set[str], taken: Iterable[str]) -> str:
    if wanted.casefold() not in used:
        return wanted
    number = 2
    while f"{wanted}_{number}".casefold() in used.union(taken):
        number += 1
    return f"{wanted}_{number}"
