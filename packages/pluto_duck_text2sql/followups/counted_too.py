"""As many of others, named by what was done: `and cancellations?` after new members by quarter, `and no-shows?`.

What is counted there is read best of a whole question, `cancellations per quarter`: it knows by which date those
happen. What else the answer before restricts by is kept, where it can be said of the others too. Rows that are named by
their table are counted without (others_counted.py).
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.followups.trees import is_time
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import table_words
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.times.calendar_days import shift
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, Cond, During, Query, Rows, TableKey, columns_in
from pluto_duck_text2sql.trees.parts import keys, subject

_ASKS = Pattern(
    r"^\W*(?:and|but|and (?:what|how) about|(?:what|how) about) (?:the |our )?(?:(?:number|count) of |how many )?"
    r"(?P<what>[a-z]+(?:[ -][a-z]+)?s)\W*$",
    re.IGNORECASE,
)
_NAMED, _STORED = 0.6, 0.9
_GRAINS = ("day", "week", "month", "quarter", "year")


def asks_for_more(question: str) -> bool:
    """Whether it is `and` with the name of some rows and no more, which asked alone would lose what it is about."""
    return bool(_ASKS.match(question.strip()))


def others_said(question: str, before: Query, reader: Reader) -> str:
    """The whole question for as many of others as the answer before counts; empty where no others are asked for."""
    said = _ASKS.match(question.strip())
    if said is None or not _is_count(before):
        return ""
    by, when = _by(before, reader), _when([each for each in before.where if is_time(each, reader)])
    if by is None or when is None or not _names_others(said["what"], before, reader):
        return ""
    return " ".join(filter(None, (said["what"] if by else f"how many {said['what']}", by, when)))


def _is_count(query: Query) -> bool:
    """Whether it counts rows, perhaps in groups, and does nothing else with them."""
    figures = [each for each in query.select if isinstance(each, Agg)]
    counts = len(figures) == 1 and figures[0].function == "count" and isinstance(figures[0].of, Rows)
    return counts and not (query.limit or query.then or query.having or query.per or query.beside or query.outer)


def _names_others(what: str, before: Query, reader: Reader) -> bool:
    """Whether it names others than are counted by the date or state of a deed, or the same by another date."""
    rows, named = subject(before), reader.named(what)
    dated = set(columns_in((before.group, before.where)))
    targets = [each for item in named for each in item.targets if each.score >= _NAMED]
    times = [Col(each.table.key, each.column.name) for each in targets if each.column and each.column.is_time]
    stored = {(hit.schema, hit.table) for item in named for hit in item.hits if hit.score >= _STORED}
    own = any(each.table == rows and each not in dated for each in times)
    others = {each.table for each in times} | stored
    is_table = any(each.column is None for each in targets)
    return not is_table and (own or any(key != rows and not _points_at(rows, key, reader) for key in others))


def _points_at(rows: TableKey, other: TableKey, reader: Reader) -> bool:
    """Whether each of the rows has one of the others at most."""
    path = reader.joins.path(rows, other)
    return path is not None and not any(step.multiplies for step in path)


def _by(before: Query, reader: Reader) -> str | None:
    """How the only groups before are asked for; empty where there are none, None where they cannot be said so."""
    shown = [each for each in keys(before) if not isinstance(each, Agg)] if before.group else []
    if not before.group:
        return ""
    only = shown[0] if len(shown) == 1 else None
    if isinstance(only, Bucket):
        return f"per {only.grain}" if only.grain in _GRAINS else None
    table = reader.catalog.table(*only.table) if isinstance(only, Col) else None
    if table is None or not isinstance(only, Col) or table.key == subject(before):
        return None
    is_name = reader.resolver.label(table) == [only]
    return f"per {' '.join(table_words(table.name)).removesuffix('s') if is_name else ' '.join(table_words(only.name))}"


def _when(times: Sequence[Cond]) -> str | None:
    """How the only period before is asked for; empty where there is none, None where it cannot be said so."""
    only = times[0] if len(times) == 1 else None
    if isinstance(only, During):
        is_year = (only.start.month, only.start.day) == (1, 1) and shift(only.start, "year", 1) == only.end
        last = only.end - dt.timedelta(days=1)
        return f"in {only.start.year}" if is_year else f"between {only.start.isoformat()} and {last.isoformat()}"
    if isinstance(only, Compare) and only.operator == ">=" and isinstance(only.right, dt.date):
        return f"since {only.right.isoformat()}"
    return None if times else ""


def as_many(before: Query, found: Query, reader: Reader) -> Query | None:
    """The count of others with what else restricts the answer before; None where that cannot be said of them."""
    groups, asked = ([each for each in keys(query) if isinstance(each, Col)] for query in (before, found))
    if not _is_count(found) or groups != asked:
        return None
    held = {each.left for each in found.where if isinstance(each, Compare)}
    others = (each for each in before.where if not is_time(each, reader) and each not in found.where)
    kept = tuple(each for each in others if getattr(each, "left", None) not in held)
    rows = subject(found)
    tables = {each.table for each in columns_in((kept, tuple(asked)))}
    if not all(each == rows or _points_at(rows, each, reader) for each in tables):
        return None
    return replace(found, where=(*found.where, *kept))
