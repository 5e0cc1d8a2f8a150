"""Chooses and orders the columns of an answer by the phrases its question lists (spec.py)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from pluto_duck_text2sql.corrections.said import FUNCTIONS
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import MONEY, STOP, Token, name_stems, stem, tokenise
from pluto_duck_text2sql.reading.frames import Parts
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Days,
    During,
    Expr,
    Growth,
    Minus,
    Query,
    Ratio,
    Related,
    Rows,
    Running,
    Share,
    TableKey,
    columns_in,
    nodes_in,
)
from pluto_duck_text2sql.trees.phrases import AMOUNT_WORDS

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader


_MEASURE_WORDS = frozenset(
    """amount total value average mean revenue sales sum much share percentage growth spend spent sold median freight
    highest lowest largest smallest units quantity price rate""".split()
)


_SO_FAR = frozenset("running cumulative far since accumulated".split())
_ROLLING = frozenset("average moving rolling mean".split())
_WINDOWS = frozenset("moving rolling trailing".split())
_GROWN = frozenset("growth change".split())
_PERCENT = frozenset("percent percentage pct".split())
_COUNTING = frozenset(("number", "count", "many", "counts"))
_PIECES = frozenset(("units", "pieces", "quantity", "quantities"))
_CLEAR, _FAINT = 0.6, 0.45
"""How like a phrase a column's name is that is surely meant, and one that is where no other is like it."""
_FAR = 3.5
"""How far from what an answer is about another table's columns are none of it."""
_SURELY = 0.9
_AMOUNTS = frozenset(("amount", "amounts", "altogether"))
_KEYS = frozenset(map(stem, ("id", "number", "code", "key", "no")))
_NAME, _TOTAL = stem("name"), stem("total")
_DATES = frozenset(("date", "day", "when"))
_OF_DEEDS = Pattern(
    r"^(?:(?:date|day|time) of )?(?:the |their |his or her |its )?(?:very )?"
    r"(?P<which>first|earliest|last|latest|most recent) (?P<deed>[a-z]{4,})(?: date)?$",
    re.IGNORECASE,
)
_EXTREMES = frozenset("first last earliest latest recent".split())
_BOUNDS = frozenset(("<", "<=", ">", ">="))
_PART = frozenset("share percentage percent fraction proportion part rate ratio".split())
_CHANGE = frozenset("growth change increase decrease rise drop percentage percent rate".split())
_KINDS = {
    Share: _PART,
    Ratio: _PART | _CHANGE | {"per"},
    Growth: _CHANGE,
    Minus: frozenset(("difference", "change", "gap")),
}


class Columns:
    """Chooses the columns of an answer by the phrases a question lists."""

    def __init__(self, reader: Reader, query: Query) -> None:
        self._reader = reader
        self._query = query
        keys = [each.table for each in (*query.group, *query.select) if isinstance(each, Col)]
        self._near = list(dict.fromkeys([*keys, query.anchor]))
        self.missed: list[str] = []

    def choose(self, phrases: Sequence[str], *, adds: bool = False) -> Query:
        """The query with the phrases' columns, in their order; unchanged where none is understood.

        `adds`: the columns and buckets that it shows already stay before them.
        """
        found = self._left_over(self._apart([self.expression(phrase) for phrase in phrases], phrases), phrases)
        self.missed += [phrase for phrase, each in zip(phrases, found, strict=True) if each is None]
        chosen = list(dict.fromkeys(each for each in found if each is not None))
        if not chosen:
            return self._query
        query = self._query
        kept = [each for each in query.select if isinstance(each, Col | Bucket)] if adds else []
        chosen = list(dict.fromkeys([*kept, *chosen]))
        group = query.group
        if group or any(isinstance(each, Agg) for each in chosen):
            keys = [each for each in chosen if isinstance(each, Col | Bucket) and each not in group]
            listed = [each for each in query.select if isinstance(each, Col)] if not group else []
            group = (*group, *(self._keys(listed) if not group else ()), *keys)
        return replace(query, select=tuple(chosen), group=tuple(dict.fromkeys(group)))

    def _apart(self, found: list[Expr | None], phrases: Sequence[str]) -> list[Expr | None]:
        """Two phrases are two columns: `genre, name` where both have a name, the one that no phrase means yet."""
        made: list[Expr | None] = []
        for each, phrase in zip(found, phrases, strict=True):
            other = self._shown_as(phrase, (*made, *found)) if each is not None and each in made else None
            made.append(other or each)
        return made

    def _shown_as(self, phrase: str, taken: Sequence[Expr | None]) -> Col | None:
        """A column of the answer that a phrase may be the name of, none of those taken."""
        stems = {token.stem for token in tokenise(phrase)}
        shown = (each for each in self._query.select if isinstance(each, Col) and each not in taken)
        return next((each for each in shown if stems & set(name_stems(each.name))), None)

    def _left_over(self, found: list[Expr | None], phrases: Sequence[str]) -> list[Expr | None]:
        """The one phrase that nothing was found for means the one measure that no other phrase means, else the one
        column by which the answer sorts or sets bounds: `name and size` of what is bigger than average. A number of
        something is such a column only where that is called so."""
        shown = [each for each in self._query.select if not isinstance(each, Col | Bucket | Rows)]
        lost = next((phrase for phrase, each in zip(phrases, found, strict=True) if each is None), "")
        is_number = not _COUNTING.isdisjoint(token.lower for token in tokenise(lost))
        said = {token.stem for token in tokenise(lost)}
        for options in (shown, self._weighed(), self._told_apart()):
            left = [each for each in dict.fromkeys(options) if each not in found]
            if is_number and options is not shown:
                left = [each for each in left if isinstance(each, Col) and not said.isdisjoint(name_stems(each.name))]
            if found.count(None) == 1 and len(left) == 1:
                return [each or left[0] for each in found]
        return found

    def _told_apart(self) -> list[Col]:
        """The texts that groups are told apart by: what the best of each is called."""
        shown = [each for each in self._query.group if isinstance(each, Col) and each not in self._query.per]
        stored = ((each, self._reader.catalog.column(*each.table, each.name)) for each in shown)
        return [each for each, column in stored if column and column.kind == "text"] if self._query.per else []

    def _weighed(self) -> list[Col]:
        """The columns of plain rows that are sorted by, or compared with a bound."""
        query = self._query
        bounds = (each.left for each in query.where if isinstance(each, Compare) and each.operator in _BOUNDS)
        weighed = [*(order.by for order in query.order), *bounds]
        return [] if query.group else [each for each in weighed if isinstance(each, Col)]

    def _keys(self, listed: list[Col]) -> list[Col]:
        table = self._reader.catalog.table(*self._query.anchor)
        keys = [Col(table.key, name) for name in self._reader.resolver.key(table)] if table else []
        return keys if any(each.table == self._query.anchor for each in listed) else []

    def expression(self, phrase: str) -> Expr | None:
        """The column or measure that a phrase names; None where it names none."""
        tokens = tokenise(phrase)
        words = {token.lower for token in tokens}
        if one := self._by_itself(tokens, phrase):
            return one
        measures = self._measures()
        if shown := self._shown(tokens, words, measures):
            return shown
        if words & _COUNTING:
            count = next((m for m in measures if isinstance(m, Agg) and m.function == "count"), None)
            return count or self._counted(tokens) or self._number(words)
        if words & _PIECES and (pieces := self._pieces(measures)):
            return pieces
        column = self._amount(words) or self._column(tokens) or self._dated(words)
        if column and self._is_in_periods(column[1]) and not words & _DATES:
            return next((m.of if isinstance(m, Growth | Running) else m for m in measures), None)
        if column and (total := self._put_together(words, column, measures)):
            return total
        if column and column[0] >= _SURELY and not (measures and words & _MEASURE_WORDS and len(tokens) == 1):
            return column[1]
        of_money = bool(words & _MEASURE_WORDS or {token.stem for token in tokens} & MONEY)
        return next(iter(measures if of_money else ()), column[1] if column else None)

    def _by_itself(self, tokens: list[Token], phrase: str) -> Expr | None:
        """What a phrase names whatever is shown: a measure of the glossary's, a key, what rows are called, a deed."""
        defined = [each.term.measure for each in self._reader.terms.find(tokens) if each.term.measure]
        if defined:
            return defined[0]
        return self._key(tokens) or self._called(tokens) or self._when(tokens) or self._of_deeds(phrase)

    def _shown(self, tokens: list[Token], words: set[str], measures: list[Expr]) -> Expr | None:
        """What is shown already: a span in the unit that is said, a grain, a measure or its course."""
        if span := next((m for m in measures if any(f"{each.unit}s" in words for each in _spans(m))), None):
            return span
        grain = next((each for each in self._query.select if isinstance(each, Bucket) and each.grain in words), None)
        if grain:
            return grain
        own = self._own(tokens, measures) or self._along(words, measures)
        return scaled(own, words) if own else None

    def _put_together(self, words: set[str], column: tuple[float, Col], measures: list[Expr]) -> Expr | None:
        """A column as it is measured: its total, what is added up of it, its own figure by groups."""
        if "total" in words and not self._query.group and self._is_amount(column[1]):
            return Agg("sum", column[1])
        if added := self._added_up(words, column, measures):
            return added
        totals = [each for each in measures if isinstance(each, Agg) and each.of == column[1]]
        return totals[0] if totals and self._query.group else None

    def _added_up(self, words: set[str], column: tuple[float, Col], measures: list[Expr]) -> Agg | None:
        """`fees by month: month and amount` adds up what each group's rows hold, where the answer only counts them."""
        said = (name for name, pattern in FUNCTIONS.items() if pattern.search(" ".join(words)))
        function = next(said, "sum" if words & _AMOUNTS else None)
        own = column[1] in self._query.group or self._reader.joins.is_key(column[1])
        only_counted = all(isinstance(each, Agg) and each.function == "count" for each in measures)
        if function is None or not (self._query.group and only_counted) or own or column[0] < _SURELY:
            return None
        stored = self._reader.catalog.column(*column[1].table, column[1].name)
        return Agg(function, column[1]) if stored and stored.kind == "number" else None

    def _amount(self, words: set[str]) -> tuple[float, Col] | None:
        """`amount` alone is the one that the rows are sorted by or have a bound of."""
        plain = self._weighed() if words <= AMOUNT_WORDS | STOP else []
        weighed = [each for each in plain if self._is_amount(each)]
        return (1.0, weighed[0]) if len(weighed) == 1 else None

    def _is_in_periods(self, column: Col) -> bool:
        """Whether the answer has a date by its periods: `month, bookings` shows no `booked_at` beside it."""
        return any(isinstance(each, Bucket) and each.of == column for each in self._query.select)

    def _is_amount(self, column: Col) -> bool:
        """Whether a column holds amounts that are no totals already."""
        stored = self._reader.catalog.column(*column.table, column.name)
        return stored is not None and stored.kind == "number" and _TOTAL not in name_stems(column.name)

    def _key(self, tokens: list[Token]) -> Col | None:
        """`id` of what is listed, where nothing is grouped and its key is of one column that is called so."""
        table = self._reader.catalog.table(*self._query.anchor)
        key = self._reader.resolver.key(table) if table else []
        is_id = [token.lower for token in tokens] in (["id"], ["ids"])
        listed = is_id and not self._query.group and len(key) == 1 and table is not None
        return Col(self._query.anchor, key[0]) if listed and name_stems(key[0])[-1:] == ("id",) else None

    def _pieces(self, measures: list[Expr]) -> Expr | None:
        """`units sold` beside what they brought: the pieces of the rows that are added up."""
        homes = {each.table for measure in measures for each in columns_in(measure)}
        tables = [table for key in homes if (table := self._reader.catalog.table(*key))]
        pieces = self._reader.resolver.pieces(tables[0]) if len(tables) == 1 else None
        return Agg("sum", pieces) if pieces else None

    def _number(self, words: set[str]) -> Col | None:
        """`number` of plain rows, which nothing counts, is what tells them apart."""
        table = self._reader.catalog.table(*self._query.anchor)
        key = self._reader.resolver.key(table) if table and not self._query.group and not self._measures() else []
        return Col(self._query.anchor, key[0]) if words == {"number"} and len(key) == 1 else None

    def _called(self, tokens: list[Token]) -> Col | None:
        """`tracking number`: a column called so in full is no number of anything, nor is a `phone number` where one is
        called Phone."""
        if len(tokens) < 2 or not _COUNTING & {token.lower for token in tokens}:
            return None
        ends = tokens[-1].lower in ("number", "numbers")
        names = (tokens, tokens[:-1]) if ends else (tokens,)
        found = (self._in_tables(tuple(token.stem for token in each)) for each in names)
        return next((each[1] for each in found if each and each[0] >= 1.0), None)

    def _when(self, tokens: list[Token]) -> Col | None:
        """`when they signed up`: the time of the rows listed that is called so, else the likeliest of these."""
        if not tokens or tokens[0].lower != "when":
            return None
        said = frozenset(token.stem for token in tokens[1:])
        times = self._reader.resolver.time_column([self._query.anchor], said)
        return next((column for _, column in times if column.table == self._query.anchor), None)

    def _of_deeds(self, phrase: str) -> Agg | None:
        """`date of the last purchase`, `first visit`: of all that each of the rows listed did."""
        said = _OF_DEEDS.search(phrase)
        owner = self._reader.catalog.table(*self._query.anchor)
        deeds = Parts(self._reader).deeds(owner, said["deed"]) if said and owner and not self._measures() else None
        if said is None or deeds is None:
            return None
        return Agg("min" if said["which"].lower() in ("first", "earliest") else "max", deeds.date)

    def _along(self, words: set[str], measures: list[Expr]) -> Expr | None:
        """`month, revenue, growth`: the measure along time, where the answer has it by a grain."""
        keys = [each for each in self._query.select if isinstance(each, Col | Bucket)]
        time = next((each for each in keys if isinstance(each, Bucket)), None)
        measure = next((each for each in measures if isinstance(each, Agg)), None)
        if time is None or measure is None or len(measures) > 1:
            return None
        by = tuple(each for each in keys if not isinstance(each, Bucket))
        if words & _SO_FAR:
            return Running(measure, time, None, by)
        if words & _WINDOWS:
            return Running(measure, time, 3, by)
        return Growth(measure, time, by=by) if words & _GROWN else None

    def _own(self, tokens: list[Token], measures: list[Expr]) -> Expr | None:
        """The measure that the answer has already and the phrase says: its kind, its year, or what it counts."""
        words = {token.lower for token in tokens}
        years = {int(each) for each in words if each.isdigit() and len(each) == 4}
        stems = tuple(token.stem for token in tokens)
        for measure in measures:
            if years & _years(measure) or words & _kind_words(measure) or self._is_counted(measure, stems):
                return measure
            if words & (_DATES | _EXTREMES) and self._is_first_or_last(measure):
                return measure
        along = (each.of for each in measures if isinstance(each, Growth | Running))
        return next((each for each in along if self._is_counted(each, stems)), None)

    def _is_counted(self, measure: Expr, stems: tuple[str, ...]) -> bool:
        """Whether the phrase is the name of the table whose rows the measure counts."""
        if not isinstance(measure, Agg) or measure.function != "count" or measure.where:
            return False
        of = measure.of
        table = of.table if isinstance(of, Rows | Col) else None
        named = (each for each in self._reader.names.find(stems) if each.column is None and each.score >= 0.9)
        return any(each.table.key == table for each in named)

    def _is_first_or_last(self, measure: Expr) -> bool:
        """Whether it is the earliest or the latest time of each group, and the answer shows no other."""
        ends = [each for each in self._query.select if isinstance(each, Agg) and each.function in ("min", "max")]
        of = measure.of if ends == [measure] and isinstance(measure, Agg) else None
        stored = self._reader.catalog.column(*of.table, of.name) if isinstance(of, Col) else None
        return stored is not None and stored.is_time

    def _measures(self) -> list[Expr]:
        query = self._query
        having = [each.left for each in query.having if isinstance(each, Compare)]
        parts = [*query.select, *(order.by for order in query.order), *having]
        related = [Agg("count", Rows(each.table)) for each in query.where if isinstance(each, Related) and each.count]
        return [*(each for each in parts if not isinstance(each, Col | Bucket | Rows)), *related]

    def _counted(self, tokens: list[Token]) -> Expr | None:
        for token in tokens:
            tables = [
                each for each in self._reader.names.find((token.stem,)) if each.column is None and each.score > 0.7
            ]
            if tables or (tables := self._belonging(token)):
                return Agg("count", Rows(tables[0].table.key))
        return None

    def _belonging(self, token: Token) -> list[Target]:
        """The one table that a word may be another name of, whose rows belong to those of the answer: members."""
        named = [each for each in self._reader.names.find((token.stem,)) if each.column is None]
        found = [each for each in named if self._reader.joins.is_of(each.table.key, self._query.anchor)]
        return found if len({each.table.key for each in found}) == 1 else []

    def _column(self, tokens: list[Token]) -> tuple[float, Col] | None:
        """The best column for the longest part of the phrase, in the tables the answer is about."""
        stems = tuple(token.stem for token in tokens if token.lower not in ("of", "the", "a", "each"))
        owned = self._owned(stems) or self._label_of(stems)
        if owned:
            return owned
        for length in range(len(stems), 0, -1):
            for start in range(len(stems) - length, -1, -1):
                found = self._in_tables(stems[start : start + length])
                if found:
                    return self._as_shown(found, stems)
        tables = [t for stem_ in stems for t in self._reader.names.find((stem_,)) if t.column is None and t.score > 0.7]
        label = self._reader.resolver.label(tables[0].table) if tables else []
        return (0.9, label[0]) if len(label) == 1 else None

    def _as_shown(self, found: tuple[float, Col], stems: tuple[str, ...]) -> tuple[float, Col]:
        """`officer` is what the officer shown is called, not the key that points there, unless the phrase says so."""
        end = self._reader.joins.pointed(found[1])
        table = self._reader.catalog.table(*end.table)
        label = self._reader.resolver.label(table) if table and end != found[1] else []
        is_shown = bool(label) and set(label) <= set(self._query.select) and _KEYS.isdisjoint(stems)
        return (found[0], label[0]) if is_shown else found

    def _dated(self, words: set[str]) -> tuple[float, Col] | None:
        """`date` is the one column of the rows listed that holds dates."""
        table = self._reader.catalog.table(*self._query.anchor)
        dates = [each for each in table.columns if each.is_time] if table and words & _DATES else []
        return (0.9, Col(self._query.anchor, dates[0].name)) if len(dates) == 1 else None

    def _label_of(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        """`region` is what a row of a table called so is known by, where the answer is about that table."""
        for target in self._reader.names.find(stems):
            if target.column is None and target.score >= 0.95 and target.table.key in self._near:
                label = self._reader.resolver.label(target.table)
                return (0.95, label[0]) if len(label) == 1 else None
        return None

    def _owned(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        """`media type name`: a table's name, then one of its columns."""
        for place in range(1, len(stems)):
            tables = {t.table.key for t in self._reader.names.find(stems[:place]) if t.column is None and t.score > 0.9}
            for target in self._reader.names.find(stems[place:]):
                if target.column and target.score >= 0.9 and target.table.key in tables:
                    return target.score, Col(target.table.key, target.column.name)
        return self._name_of(stems[:-1]) if stems[1:] and stems[-1] == _NAME else None

    def _name_of(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        """`owner name`: what the rows of a table called so are known by."""
        tables = [each.table for each in self._reader.names.find(stems) if each.column is None and each.score > 0.9]
        labels = [self._reader.resolver.label(each) for each in tables if self._distance(each.key) < _FAR]
        return (0.95, labels[0][0]) if len(labels) == 1 and len(labels[0]) == 1 else None

    def _in_tables(self, stems: tuple[str, ...]) -> tuple[float, Col] | None:
        """The column near by that is called so; in a table shown also the only one that is a little like it."""
        targets = [each for each in self._reader.names.find(stems) if each.column and each.score >= _FAINT]
        alike = [each for each in targets if each.score >= _CLEAR]
        shown = [each for each in targets if each.table.key in self._near]
        named = self._reader.resolver.best(alike or (shown if len(shown) == 1 else []), self._near, None)
        near = [(score, each) for score, each in named if self._distance(each.table.key) < _FAR]
        if not near or not near[0][1].column:
            return None
        best = near[0][1]
        assert best.column is not None
        return best.score, Col(best.table.key, best.column.name)

    def _distance(self, key: TableKey) -> float:
        return min(self._reader.joins.distance(each, key) for each in self._near)


def scaled(measure: Expr, words: set[str]) -> Expr:
    """A fraction as a percentage, where the phrase asks for one."""
    is_part = isinstance(measure, Ratio | Growth | Share) and measure.scale == 1 and words & _PERCENT
    return replace(measure, scale=100) if is_part else measure  # type: ignore[arg-type]


def _years(measure: Expr) -> set[int]:
    """The years that a measure is restricted to."""
    return {each.start.year for each in nodes_in(measure) if isinstance(each, During)} if _is_split(measure) else set()


def _is_split(measure: Expr) -> bool:
    return isinstance(measure, Agg) and bool(measure.where)


def _kind_words(measure: Expr) -> frozenset[str]:
    """What measures of this kind are called, whatever they measure."""
    if isinstance(measure, Running):
        return _ROLLING if measure.last else _SO_FAR
    return _KINDS.get(type(measure), frozenset())


def _spans(measure: Expr) -> list[Days]:
    """The spans of time that it measures."""
    return [each for each in nodes_in(measure) if isinstance(each, Days)]
