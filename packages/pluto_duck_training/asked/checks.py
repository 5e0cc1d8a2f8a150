"""Whether what is written is worth learning: the line is a query, it runs, its rows say something, and its values,
columns and tables are nodes of the question's graph."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph, Unreachable
from pluto_duck_text2sql.learned.graph import Grapher
from pluto_duck_text2sql.learned.line import Malformed, Word
from pluto_duck_text2sql.learned.sketch import to_query
from pluto_duck_text2sql.trees.render import render
from pluto_duck_training.asked.blocks import NOTHING, Block, Unread, line_of
from pluto_duck_training.gold import Beyond, to_sketch
from pluto_duck_training.sources import FAILURES
from pluto_duck_training.synthetic.lines import is_grammatical
from pluto_duck_training.synthetic.questions import TODAY, Database
from pluto_duck_training.targets import Missed, to_targets


@dataclass(frozen=True)
class Found:
    """A block's line, the SQL it becomes, its rows; `unreached` says of a question why no network could learn it.

    The line of what the data does not answer becomes no SQL.
    """

    block: Block
    line: list[Word] = field(default_factory=list)
    sql: str = ""
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    fault: str = ""
    unreached: Mapping[str, str] = field(default_factory=dict)

    @property
    def learnable(self) -> list[str]:
        """The questions that a network can learn."""
        return [] if self.fault else [each for each in self.block.questions if each not in self.unreached]


def checked(some: Sequence[Block], database: Database, gold: Mapping[str, str]) -> Iterator[Found]:
    """What became of each block; `gold` has the SQL of the training questions by id."""
    catalog = database.catalog
    joins = JoinGraph(catalog)
    grapher = Grapher(catalog, joins)
    for block in some:
        if block.line == NOTHING:
            yield Found(block, [NOTHING])
            continue
        try:
            line = _line(block, catalog, joins, gold)
            sql = render(to_query(line, catalog, TODAY), catalog, joins)
            rows = database.run(sql)
        except (Unread, Beyond, Malformed, Unreachable, *FAILURES) as error:
            yield Found(block, fault=f"{type(error).__name__}: {error}")
            continue
        missed = {each: why for each in block.questions if (why := _missed(each, line, grapher))}
        yield Found(block, line, sql, rows, _fault(line, rows), missed)


def _line(block: Block, catalog: Catalog, joins: JoinGraph, gold: Mapping[str, str]) -> list[Word]:
    if block.line in gold:
        return to_sketch(gold[block.line], catalog, joins)
    return line_of(block.line, catalog)


def _fault(line: Sequence[Word], rows: Sequence[tuple[Any, ...]]) -> str:
    if not is_grammatical(line):
        return "the grammar does not allow the line"
    return "" if rows and any(cell is not None for row in rows for cell in row) else "finds no rows"


def _missed(question: str, line: list[Word], grapher: Grapher) -> str:
    try:
        to_targets(line, grapher.graph(question))
    except Missed as error:
        return f"no words of it stand for {error}"
    return ""
