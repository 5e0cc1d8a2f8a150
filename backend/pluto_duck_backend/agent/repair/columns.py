"""Column names that do not exist, from the nearest real ones: in the same table, another joined one, or one to join.

What must stay true: a name that exists is never touched; where two columns fit as well, neither is chosen and both are
told to the model.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.repair.blocks import Block, Source
from pluto_duck_backend.agent.repair.data import Data
from pluto_duck_backend.agent.repair.joining import Way, add_join, way_to
from pluto_duck_backend.agent.repair.nearest import LEAST, SURE, likeness
from pluto_duck_backend.agent.repair.tables import identifier, name_of
from pluto_duck_text2sql.data.catalog import Table

_APART = 0.035
_OF_OTHER_SOURCE = 0.95
_OF_OTHER_TABLE = 0.9
_PER_STEP = 0.02
_FITS = 0.06
_MOST_SHOWN = 8
_COMPARED = (exp.EQ, exp.NEQ, exp.Like, exp.ILike, exp.In)
_NUMERIC = (exp.Sum, exp.Avg, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.Between)


@dataclass(frozen=True)
class _Option:
    """A column that may be meant, in a source that is there or after a join."""

    score: float
    column: str
    source: Source | None = None
    table: Table | None = None
    way: Way | None = None

    @property
    def shown(self) -> str:
        owner = self.source.name if self.source else name_of(self.table) if self.table else ""
        return f"{owner}.{self.column}"


def repair_columns(block: Block, data: Data) -> list[Finding]:
    """Puts real names in place of others in one SELECT, and joins what they need."""
    return [found for column in block.columns() for found in _repaired(column, block, data)]


def _repaired(column: exp.Column, block: Block, data: Data) -> list[Finding]:
    source = block.source(column.table) if column.table else None
    if block.is_open or (column.table and (source is None or source.columns is None or source.has(column.name))):
        return []
    if not column.table:
        if column.name.casefold() in block.aliases or len(block.holding(column.name)) == 1:
            return []
        if len(block.holding(column.name)) > 1:
            return _of_several(column, block)
        if _is_text(column, block, data):
            column.replace(exp.Literal.string(column.name))
            return [_read_as_text(column.name)]
    return _replaced(column, block, data)


def _of_several(column: exp.Column, block: Block) -> list[Finding]:
    """A name that several sources have: they are one where a join says they are equal."""
    sources = block.holding(column.name)
    first = sources[0]
    if any(
        column.name.casefold() == each.name.casefold()
        for join in _joins(block)
        for each in join.args.get("using") or ()
    ):
        return []
    if all(_are_equal(first, other, column.name, block) for other in sources[1:]):
        column.set("table", identifier(first.name))
        return []
    options = tuple(f"{each.name}.{column.name}" for each in sources)
    fact = f"The column {column.name} is in several tables; qualify it: {', '.join(options)}."
    return [Finding("column_choice", "broken", fact, options=options)]


def _joins(block: Block) -> list[exp.Expr]:
    return block.select.args.get("joins") or []


def _are_equal(one: Source, other: Source, name: str, block: Block) -> bool:
    wanted = {(one.name.casefold(), name.casefold()), (other.name.casefold(), name.casefold())}
    for node in block.own(exp.EQ):
        sides = {(each.table.casefold(), each.name.casefold()) for each in node.find_all(exp.Column)}
        if sides == wanted:
            return True
    return False


def _is_text(column: exp.Column, block: Block, data: Data) -> bool:
    """Whether it is a text in double quotes: compared with a column, and not like any column's name."""
    compared = column.parent if isinstance(column.parent, _COMPARED) else None
    if compared is None or not column.this.quoted or compared.this is column:
        return False
    stored = any(hit.value == column.name for hit in data.catalog.values.lookup(column.name))
    return stored or max((option.score for option in _here(column, block)), default=0.0) < SURE - 0.1


def _replaced(column: exp.Column, block: Block, data: Data) -> list[Finding]:
    options = sorted(_options(column, block, data), key=lambda option: -option.score)
    said = column.sql("duckdb")
    if not options:
        return [_unknown(said, column, block)]
    best = options[0]
    rivals = [each for each in options if each.score >= best.score - _APART and each.shown != best.shown]
    if rivals and not _is_one(best, rivals, block):
        shown = tuple(dict.fromkeys(each.shown for each in [best, *rivals][:_MOST_SHOWN]))
        fact = f"There is no column {said}. It may mean {' or '.join(shown)}."
        return [Finding("column_choice", "broken", fact, options=shown)]
    findings = add_join(best.way, block, {each.key: each for each in data.catalog.tables}) if best.way else []
    owner = best.source.name if best.source else block.sources[-1].name
    column.set("this", identifier(best.column))
    column.set("table", identifier(owner) if column.table or len(block.sources) > 1 else None)
    column.set("db", None)
    return [*findings, *_told(said, best, column.sql("duckdb"))]


def _is_one(best: _Option, rivals: list[_Option], block: Block) -> bool:
    """Whether all fit the same column name in sources that a join makes equal."""
    if best.source is None or any(each.source is None or each.column != best.column for each in rivals):
        return False
    return all(each.source and _are_equal(best.source, each.source, best.column, block) for each in rivals)


def _options(column: exp.Column, block: Block, data: Data) -> list[_Option]:
    here = list(_here(column, block))
    if max((each.score for each in here), default=0.0) >= SURE:
        return here
    return [*here, *_to_join(column, block, data)]


def _here(column: exp.Column, block: Block) -> Iterator[_Option]:
    """The columns of the sources that are there, also of those around."""
    own = block.source(column.table) if column.table else None
    around: Block | None = block
    while around:
        for source in around.sources:
            weight = 1.0 if source is own or not column.table else _OF_OTHER_SOURCE
            yield from _of_source(column, source, weight if around is block else weight * _OF_OTHER_SOURCE)
        around = around.parent


def _of_source(column: exp.Column, source: Source, weight: float) -> Iterator[_Option]:
    for name in (source.columns or {}).values():
        owner = source.table.name if source.table else ""
        score = likeness(column.name, name, owner) * weight
        if score >= LEAST * weight:
            yield _Option(score + _fit(column, source, name), name, source)


def _to_join(column: exp.Column, block: Block, data: Data) -> Iterator[_Option]:
    """Columns of this name in tables that there is one way to."""
    for table in data.catalog.tables:
        scored = [(likeness(column.name, each.name, table.name), each.name) for each in table.columns]
        score, name = max(scored, default=(0.0, ""))
        way = way_to(table.key, block, data.joins) if score >= SURE and not block.of(table.key) else None
        if way:
            yield _Option(score * _OF_OTHER_TABLE - _PER_STEP * len(way.steps), name, table=table, way=way)


def _fit(column: exp.Column, source: Source, name: str) -> float:
    """A little more for a column of the kind that its place asks for: a join's condition names two tables."""
    found = source.table.column(name) if source.table else None
    around = column.parent
    if found is None or around is None:
        return 0.0
    if isinstance(around, exp.EQ) and isinstance(around.parent, exp.Join):
        beside = [each for each in around.find_all(exp.Column) if each is not column]
        return _FITS if all(each.table and each.table != source.name for each in beside) else 0.0
    if isinstance(around, _COMPARED) and any(each.is_string for each in around.find_all(exp.Literal)):
        return _FITS if found.kind == "text" else 0.0
    if isinstance(around, _NUMERIC):
        return _FITS if found.kind in ("number", "time") else 0.0
    return 0.0


def _told(said: str, option: _Option, now: str) -> list[Finding]:
    if said.replace('"', "").casefold() == now.replace('"', "").casefold():
        return []
    return [
        Finding(
            "column_name",
            "repaired",
            f"There is no column {said}; it was read as {option.shown}.",
            f"{said} was read as {option.shown}.",
        )
    ]


def _read_as_text(text: str) -> Finding:
    return Finding("quoted_text", "repaired", f'"{text}" is in double quotes, which mark names; it was read as a text.')


def _unknown(said: str, column: exp.Column, block: Block) -> Finding:
    own = block.source(column.table) if column.table else None
    sources = [own] if own else block.sources
    options = tuple(f"{each.name}.{name}" for each in sources for name in (each.columns or {}).values())
    shown = ", ".join(options[:40])
    return Finding("column_choice", "broken", f"There is no column {said}. There are: {shown}.", options=options)
