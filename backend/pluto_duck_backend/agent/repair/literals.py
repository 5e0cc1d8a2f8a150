"""Texts that a column does not hold, from the stored values they mean: case, accent, misspelling, abbreviation.

The value index is asked first; a query on the column is the judge. What must stay true: a text that is stored is never
touched, and where several values may be meant none is chosen.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.repair.blocks import Block
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.core.warehouse import literal, quote
from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.language.edits import distance
from pluto_duck_text2sql.language.normal import normal

_FEW_VALUES = 60
_MOST_SHOWN = 8
_LEAST_MISSPELT = 4


@dataclass(frozen=True)
class _Compared:
    """A text that a column is compared with."""

    text: exp.Literal
    table: Table
    column: Column
    around: exp.Expr


def repair_literals(block: Block, data: Data) -> list[Finding]:
    """Puts stored values in place of texts that mean them."""
    return [found for compared in _compared(block) for found in _repaired(compared, data)]


def _compared(block: Block) -> Iterator[_Compared]:
    for node in block.own(exp.EQ, exp.NEQ, exp.In, exp.Like):
        sides = [node.this, *(node.expressions if isinstance(node, exp.In) else [node.expression])]
        columns = [each for each in sides if isinstance(each, exp.Column)]
        texts = [each for each in sides if isinstance(each, exp.Literal) and each.is_string]
        if len(columns) == 1 and texts:
            yield from (_Compared(text, *found, node) for text in texts for found in _stored_in(columns[0], block))


def _stored_in(column: exp.Column, block: Block) -> Iterator[tuple[Table, Column]]:
    source = block.source_of(column)
    found = source.table.column(column.name) if source and source.table else None
    if source and source.table and found and found.kind == "text":
        yield source.table, found


def _repaired(compared: _Compared, data: Data) -> Iterator[Finding]:
    text = compared.text.this
    if isinstance(compared.around, exp.Like):
        yield from _pattern(compared, data)
        return
    if not text.strip() or _is_stored(compared, data):
        return
    values = _meant(compared, data)
    where = f"{compared.table.name}.{compared.column.name}"
    if len(values) == 1:
        compared.text.replace(exp.Literal.string(values[0]))
        fact = f"{where} holds no {text!r}; it was read as {values[0]!r}."
        yield Finding("value_name", "repaired", fact, f"{text!r} was read as {values[0]!r}, as {where} has it.")
    elif values:
        shown = tuple(values[:_MOST_SHOWN])
        fact = f"{where} holds no {text!r}. It may mean {' or '.join(map(repr, shown))}."
        told = f"{where} holds no {text!r}."
        yield Finding("value_choice", "doubt", fact, told, shown, bare=told)
    else:
        yield _absent(compared, where, data)


def _absent(compared: _Compared, where: str, data: Data) -> Finding:
    """A text that means no value of the column; it may be one of another column."""
    text = compared.text.this
    told = f"{where} holds no {text!r}."
    hits = [hit for hit in data.catalog.values.lookup(text) if hit.score >= 0.9]
    elsewhere = tuple(dict.fromkeys(f"{hit.table}.{hit.column} = {literal(hit.value)}" for hit in hits))[:_MOST_SHOWN]
    if elsewhere:
        return Finding(
            "value_elsewhere", "doubt", f"{told} There is {' and '.join(elsewhere)}.", told, elsewhere, bare=told
        )
    some = tuple(str(each) for each in compared.column.samples if each is not None)[:_MOST_SHOWN]
    shown = f" It holds values such as {', '.join(map(repr, some))}." if some else ""
    return Finding("value_unknown", "doubt", told + shown, told, some, bare=told)


def _is_stored(compared: _Compared, data: Data) -> bool:
    hits = data.catalog.values.lookup(compared.text.this)
    key = (compared.table.schema, compared.table.name, compared.column.name)
    if any((hit.schema, hit.table, hit.column) == key and hit.value == compared.text.this for hit in hits):
        return True
    return bool(_values(compared, f"{{column}} = {literal(compared.text.this)}", data, 1))


def _values(compared: _Compared, condition: str, data: Data, most: int) -> list[str]:
    """Distinct values of the column under a condition; none where it cannot be asked."""
    column = quote(compared.column.name)
    table = f"{quote(compared.table.schema)}.{quote(compared.table.name)}"
    asked = f"SELECT DISTINCT {column}::VARCHAR FROM {table} WHERE {condition.format(column=column)} LIMIT {most}"
    try:
        return [str(row[0]) for row in data.rows(asked) if row[0] is not None]
    except PlutoDuckError:
        return []  # a scan that takes too long is no reason to stop: the text stays as it was written


def _meant(compared: _Compared, data: Data) -> list[str]:
    """The stored values that the text may mean: those by the first rule that finds any."""
    text = compared.text.this
    key = (compared.table.schema, compared.table.name, compared.column.name)
    index = data.catalog.values
    for hits in (index.lookup(text, 50), index.lookup_fuzzy(text, 50)):
        here = [hit for hit in hits if (hit.schema, hit.table, hit.column) == key]
        best = [hit.value for hit in here if hit.score >= here[0].score]
        if best:
            return best
    plain = literal(_plain(text))
    return _values(compared, f"lower(strip_accents({{column}})) = {plain}", data, _MOST_SHOWN) or _of_few(
        compared, data
    )


def _of_few(compared: _Compared, data: Data) -> list[str]:
    """Of a column with few values those that the text abbreviates, or that abbreviate it, or that it misspells."""
    if (compared.column.n_distinct or 0) > _FEW_VALUES:
        return []
    values = _values(compared, "true", data, _FEW_VALUES)
    text = compared.text.this
    same = [each for each in values if normal(_plain(each)) == normal(_plain(text))]
    short = [each for each in values if _shortens(_plain(each), _plain(text)) or _shortens(_plain(text), _plain(each))]
    return same or short or [each for each in values if _is_misspelt(_plain(text), _plain(each))]


def _plain(text: str) -> str:
    """In lower case, without accents."""
    marks = unicodedata.normalize("NFKD", text)
    return "".join(each for each in marks if not unicodedata.combining(each)).casefold().strip()


def _shortens(short: str, long: str) -> bool:
    """`F` for female, `usa` for United States of America."""
    words = [word for word in long.split() if word not in ("of", "the", "and")]
    initials = "".join(word[0] for word in words)
    return 0 < len(short) < len(long) and (long.startswith(short) or short.replace(".", "") == initials)


def _is_misspelt(text: str, value: str) -> bool:
    most = len(text) // 4
    return len(text) >= _LEAST_MISSPELT and distance(text, value, most) <= most


def _pattern(compared: _Compared, data: Data) -> Iterator[Finding]:
    """A pattern that only another case matches, as MySQL and SQLite would have it."""
    text = compared.text.this
    written = literal(text)
    if not any(each.isalpha() for each in text) or _values(compared, f"{{column}} LIKE {written}", data, 1):
        return
    if _values(compared, f"{{column}} ILIKE {written}", data, 1):
        like = compared.around
        like.replace(exp.ILike(this=like.this.copy(), expression=like.expression.copy()))
        told = f"{text!r} matches {compared.table.name}.{compared.column.name} in another case only; case was ignored."
        yield Finding("case_of_pattern", "repaired", told, told)
