"""A question with the SQL that a person confirmed for it, and the file it stands in, which people read and edit.

# How many customers are in Peru?

- confirmed: 2026-11-21T19:00:00Z by local
- run: run-20261121-…
- reads: main.customers (country VARCHAR ; customer_id INTEGER)

```sql
SELECT count(*) FROM customers WHERE country = 'Peru'
```
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_text2sql.language.normal import normal

Reads = tuple[tuple[str, tuple[str, ...]], ...]
_FENCE = re.compile(r"^```sql\n(.*)\n```\s*\Z", re.DOTALL | re.MULTILINE)
_FIELD = re.compile(r"- (confirmed|rights|run|reads|after|reading): (.*)")
_SEPARATOR = " ; "


@dataclass(frozen=True)
class Example:
    """`after` are the questions before it in its conversation, each as it was meant.

    `reading` is the option chosen where it had several.
    `rights` are those of who confirmed it: it serves whoever has the same. `reads` are the tables, each with its
    columns and their types, as they were when it was confirmed.
    """

    question: str
    sql: str
    run_id: str = ""
    confirmed_at: str = ""
    confirmed_by: str = ""
    rights: str = ""
    after: tuple[str, ...] = ()
    reading: str = ""
    reads: Reads = ()

    @property
    def key(self) -> tuple[str, ...]:
        """What makes two questions the same: their words, whatever their case and endings."""
        return tuple(map(normal, (*self.after, self.question)))


def write(example: Example) -> str:
    """The file's text."""
    fields = [
        ("confirmed", f"{example.confirmed_at} by {example.confirmed_by}"),
        *([("rights", example.rights)] if example.rights else []),
        ("run", example.run_id),
        *(("reads", f"{table} ({_SEPARATOR.join(columns)})") for table, columns in example.reads),
        *(("after", _line(each)) for each in example.after),
        *([("reading", _line(example.reading))] if example.reading else []),
    ]
    listed = "\n".join(f"- {name}: {value}" for name, value in fields)
    return f"# {_line(example.question)}\n\n{listed}\n\n```sql\n{example.sql.strip()}\n```\n"


def read(text: str) -> Example | None:
    """The example of a file; None where it is none."""
    first, _, rest = text.lstrip("\ufeff").partition("\n")
    sql = _FENCE.search(rest)
    if not first.startswith("# ") or not sql or not sql[1].strip():
        return None
    listed = _FIELD.findall(rest[: sql.start()])
    fields = dict(listed)
    at, _, by = fields.get("confirmed", "").partition(" by ")
    return Example(
        first[2:].strip(),
        sql[1].strip(),
        fields.get("run", "").strip(),
        at.strip(),
        by.strip(),
        fields.get("rights", "").strip(),
        tuple(value for name, value in listed if name == "after"),
        fields.get("reading", ""),
        tuple(_table(value) for name, value in listed if name == "reads"),
    )


def _table(text: str) -> tuple[str, tuple[str, ...]]:
    name, _, columns = text.partition(" (")
    return name.strip(), tuple(each.strip() for each in columns.removesuffix(")").split(_SEPARATOR) if each.strip())


def _line(text: str) -> str:
    return " ".join(text.split())
