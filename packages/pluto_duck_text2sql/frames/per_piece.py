"""Money for each of what rows count: `revenue per player by venue`, where bookings keep their price and their players.

The money is a question of its own; its total is divided by the total of what is counted in the same rows. Where an
answer has a row for each number of them (`cost per click` by `clicks`), what it adds up is divided in it. What is
measured in a unit is divided by so, too: `freight cost per kilo` by `gross_wt_kg`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.measured_units import columns_in_unit
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import name_stems, stem
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Expr, Query, Ratio, columns_in
from pluto_duck_text2sql.trees.parts import measures

_MONEY = r"(?:revenue|spend|spending|sales|takings|income|turnover|earnings|money|costs?|expens(?:es?|diture))"
_NO_RANK = r"(?!(?:the|most|least|lowest|highest) )"
_ASKED = Pattern(
    rf"^(?P<lead>.*?)\b(?:(?:average|avg|mean) )?(?P<what>(?P<money>(?:{_NO_RANK}[a-z]+ )?{_MONEY})|[a-z]+s)"
    r" (?:per|for each|for every) (?P<one>[a-z]+)\b(?P<tail>.*)$",
    re.IGNORECASE,
)
_NAMED = 0.9


class PerPiece(Compounds):
    """Answers questions for money by the number of what its rows count."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The quotient; None where the question asks no such, or the money's rows count nothing called so."""
        main, phrases = split_spec(question)
        said = _ASKED.match(same(main))
        counted = self._counted(said["one"]) if said else []
        if said is None or not counted or _is_told(plain, said["one"], counted):
            return None
        if not said["money"] and not all(self._is_beside(said["what"], each) for each in counted):
            return None
        part = self._part(tidy(f"{said['lead']}total {said['what']}{said['tail']}"), run)
        known = [each for each in (part, *plain.candidates[:1]) if each]
        divided = ((each, _divided(_without_group(each.tree, by), by)) for each in known for by in counted)
        of, query = next((found for found in divided if found[1]), (None, None))
        made = self.candidate(query, [of], phrases, run) if query and of else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _counted(self, one: str) -> list[Col]:
        """What is divided by: the column that counts such, else those measured in that unit, one a table."""
        if by := counted_by(self.reader, one):
            return [by]
        found = list(columns_in_unit(one, self.reader.catalog))
        tables = [each.table for each in found]
        return [each for each in found if tables.count(each.table) == 1]

    def _is_beside(self, what: str, counted: Col) -> bool:
        """Whether a word names one number that the same rows keep: `clicks per impression`."""
        amount = counted_by(self.reader, what.removesuffix("s"))
        return amount is not None and amount.table == counted.table


def counted_by(reader: Reader, one: str) -> Col | None:
    """The one column of numbers that is called by the plural of a word by which no table is called."""
    if one.endswith("s"):
        return None
    named = [each for each in reader.names.called((stem(one.lower()),)) if each.score >= _NAMED]
    columns = [(each.table, each.column) for each in named if each.column and each.column.kind == "number"]
    if len(columns) != 1 or any(each.column is None for each in named):
        return None
    table, column = columns[0]
    return Col(table.key, column.name) if column.name.lower().endswith("s") else None


def _is_told(plain: Analysis, one: str, counted: Sequence[Col]) -> bool:
    """Whether an answer shows a column that keeps it for each already, `price_per_player`, or divides."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    if tree is None:
        return False
    shown = [each for part in tree.select if part not in tree.group for each in columns_in(part) if each not in counted]
    kept = any(stem(one.lower()) in name_stems(getattr(each, "name", "")) for each in shown)
    return kept or any(isinstance(each, Ratio) for each in tree.select)


def _without_group(tree: Query, counted: Col) -> Query:
    """The tree without a row for each number of what is counted."""
    select, group, per = (tuple(e for e in some if e != counted) for some in (tree.select, tree.group, tree.per))
    order = tuple(each for each in tree.order if each.by != counted)
    return replace(tree, select=select, group=group, per=per, order=order)


def _of_rows(tree: Query) -> list[Col]:
    """The amount that rows are ranked by, where nothing is added up."""
    ranks = tree.order[:1] if tree.limit is not None and not tree.group else ()
    return [each.by for each in ranks if isinstance(each.by, Col)]


def _divided(tree: Query, counted: Col) -> Query | None:
    """The tree with its one total, shown or ranked by, divided by that of what is counted in the same table."""
    sums = [each for each in measures(tree) if isinstance(each, Agg) and each.function == "sum"]
    found: list[Agg | Col] = [*sums, *_of_rows(tree)]
    if len(found) != 1 or tree.then or any(each.table != counted.table for each in columns_in(found[0])):
        return None
    of = found[0]
    quotient = Ratio(of, Agg("sum", counted, where=of.where) if isinstance(of, Agg) else counted)

    def put(each: Expr) -> Expr:
        return quotient if each == of else each

    order = tuple(replace(each, by=put(each.by)) for each in tree.order)
    return replace(tree, select=tuple(put(each) for each in tree.select), order=order)
