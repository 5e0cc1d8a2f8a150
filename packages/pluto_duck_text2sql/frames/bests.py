"""The best of each group: `for each country with at least four customers, who has spent the most`, `longest film per
category`, `the two best customers of each year`.

What is best is asked as a question without groups; then it is cut in each group, where ties share a place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.corrections.bounds import OPERATORS
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import spoken, stem, tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.columns import Columns
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    During,
    Expr,
    Grain,
    Inside,
    Operator,
    Query,
    TableKey,
    columns_in,
    is_total,
)

_N = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)"
_MOST = (
    r"(?:most|least|fewest|best|worst|top|highest|lowest|largest|smallest|biggest|greatest|longest|shortest|oldest"
    r"|youngest|newest|latest|earliest|cheapest|priciest|dearest|heaviest|busiest|fastest|slowest|bestselling"
    r"|strongest|weakest|tallest|deepest)"
)
_SUPERLATIVE = Pattern(rf"\b{_MOST}\b", re.IGNORECASE)
_BARE = Pattern(rf"^(?:which is )?the {_MOST}\b", re.IGNORECASE)
_HAS = r"(?:with|that has|that have|which has|which have|having|where there are|where we have)"
_FILTER = (
    rf"(?: {_HAS} (?:(?P<op>at least|more than|over|no fewer than) (?P<n>{_N}) (?P<things>[a-z]+(?: [a-z]+)?)"
    rf"|(?P<n2>{_N}) or more (?P<things2>[a-z]+(?: [a-z]+)?)))?"
)
_PERIOD = r"(?: (?P<period>(?:from|between|since|in|of|after|before) [^,:]*\d{4}))?"
_FIRST = Pattern(
    r"^(?:for|in|of|within|per|from) (?:(?:each|every)(?: one)?(?: of)?(?: the| our)?|all(?: the)?)"
    rf" (?P<group>[a-z]+(?: [a-z]+)??){_PERIOD}{_FILTER}"
    r"(?:\s*[,:]\s*| (?=(?:the|who|which|what|its|find|show|give)\b))(?P<core>.+)$",
    re.IGNORECASE,
)
_LAST = Pattern(
    rf"^(?P<core>.+?) (?:of|in|within|for|per|from|at|by) (?:each|every)(?: one of the)? (?P<group>[a-z]+(?: [a-z]+)??)"
    rf"{_PERIOD}{_FILTER}(?:,? (?P<by>(?:by|in terms of|measured by|going by|judging by|according to) .+))?$",
    re.IGNORECASE,
)
_PER = Pattern(
    rf"^(?P<core>.+?) per (?P<group>[a-z]+(?: [a-z]+)?){_PERIOD}{_FILTER}(?:,? (?P<by>by .+))?$", re.IGNORECASE
)
_LEAD = Pattern(
    r"^(?:(?:please |and )?(?:show|give|list|find|tell|name|(?:what|which|who) (?:is|are|was|were))(?: me| us)? )?"
    r"(?:the|its|their|our)?\s*",
    re.IGNORECASE,
)
_THERE = Pattern(r",? (?:there|in it|within it|in that \w+|of them|in each|each)$", re.IGNORECASE)
_RELATIVE = Pattern(r"^(?P<who>[a-z]+(?: [a-z]+)?) (?:who|that|which)(?: has| have)? (?P<did>.+)$", re.IGNORECASE)
_HAVING = Pattern(rf"^(?P<who>[a-z]+(?: [a-z]+)?) (?:with|having) (?P<what>(?:the )?{_MOST} .+)$", re.IGNORECASE)
_GRAIN = Pattern(rf"(?:calendar )?(?P<unit>{UNIT})", re.IGNORECASE)
_NAMED = Pattern(r"(?:what (?:is|are) )?(?:the )?(?:full )?(?:names?|titles?)\b", re.IGNORECASE)
"""What asks for what rows are called."""
_SURE, _CALLED = 0.75, 0.9


@dataclass(frozen=True)
class Best:
    """What is the best of what: the ways to ask for it without groups, the group, how many `things` a group has."""

    cores: tuple[str, ...]
    group: str
    period: str = ""
    things: str = ""
    least: tuple[Operator, float] | None = None


class Bests(Compounds):
    """Answers questions for the best of each group."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The best of each group; None where the question asks no such, or `plain` tells it surely."""
        main, phrases = split_spec(question)
        asked = _asked(same(main))
        sure = 0.0 if asked and _is_of_its_own(plain, asked) else _sureness(plain)
        if asked is None or (not asked.things and sure >= _SURE) or self._names_a_rate(main):
            return None
        for core in asked.cores:
            part = self._part(f"{core} {asked.period}".strip(), run)
            if part and not asked.things and sure >= part.confidence:
                continue
            query = self._of_each(part, asked, run) if part else None
            query = self._amounts(query, core) if query and len(phrases) <= 2 else query
            made = self.candidate(query, [part], phrases, run) if query and part else None
            if made:
                return Analysis("answered", (made, *plain.candidates), links=plain.links)
        return None

    def _names_a_rate(self, text: str) -> bool:
        """Whether a column is called as the words around a `per`: `price per player`."""
        tokens = tokenise(text)
        rates = (some for some in zip(tokens, tokens[1:], tokens[2:], strict=False) if some[1].lower == "per")
        said = (self.reader.names.called(tuple(each.stem for each in some)) for some in rates)
        return any(each.column and each.score >= _CALLED for some in said for each in some)

    def _of_each(self, part: Candidate, asked: Best, run: Run | None) -> Query | None:
        """The tree of what is best, cut in each group; None where it is no list that was cut."""
        tree = part.tree
        plain = not (tree.per or tree.then or tree.having or tree.nth or tree.distinct)
        if not plain or tree.limit is None or not tree.order:
            return None
        key = self._key(asked.group, tree)
        if key is None or key in tree.select or self._is_number_of(key) or self._are_other_rows(key, asked, tree):
            return None
        where = tree.where
        if asked.things:
            enough = self._enough(key, asked, run)
            if enough is None:
                return None
            where = (*where, enough)
        figure = tree.order[0].by
        shown = dict.fromkeys((key, *(each for each in tree.select if each != figure), figure))
        totals = any(map(is_total, shown))
        group = tuple(dict.fromkeys((key, *tree.group, *self._keys(tree), *self._plain(shown)))) if totals else ()
        return replace(tree, select=tuple(shown), where=where, group=group, per=(key,), order=tree.order[:1])

    def _is_number_of(self, key: Expr) -> bool:
        """Whether a column holds how many there are of something, which its plural tells: of `impressions` clicks are
        the best per one."""
        column = self.reader.catalog.column(*key.table, key.name) if isinstance(key, Col) else None
        return column is not None and column.kind == "number" and column.name.lower().endswith("s")

    def _are_other_rows(self, key: Expr, asked: Best, tree: Query) -> bool:
        """Whether the group's word is the name of rows which a column found for it is not of (`order` of the units on
        order), or which are those that are measured, so that each has one best: freight per order."""
        rows = self.reader.names.rows(asked.group.split()[-1])
        if rows is None or not isinstance(key, Col):
            return False
        measured = {each.table for each in columns_in(tree.order[0].by)}
        return rows.key in measured or rows.key not in (key.table, self.reader.joins.pointed(key).table)

    def _amounts(self, query: Query, core: str) -> Query:
        """Of things that only a key tells apart (`the largest invoice of each country`) the amounts are asked for, as
        they are where they are called so: `the heaviest weight of each species`."""
        key, figure = query.per[0], query.order[0]
        things = [each for each in query.select if each not in (key, figure.by)]
        are_keys = all(isinstance(each, Col) and self.reader.joins.is_key(each) for each in things)
        is_of_amounts = not _NAMED.match(core) and (are_keys or self._is_called(figure.by, core))
        if query.group or query.limit != 1 or not is_of_amounts:
            return query
        best = Agg("max" if figure.descending else "min", figure.by)
        return replace(query, select=(key, best), group=(key,), per=(), order=(), limit=None)

    def _is_called(self, figure: Expr, core: str) -> bool:
        """Whether the best of what a column of figures is called is asked for itself, and no rows are called so."""
        best = _BARE.match(core)
        after = tokenise(core[best.end() :])[:1] if best else []
        said = [
            each for each in self.reader.names.called(tuple(token.stem for token in after)) if each.score >= _CALLED
        ]
        columns = [Col(each.table.key, each.column.name) for each in said if each.column]
        return figure in columns and len(columns) == len(said)

    def _plain(self, shown: dict[Expr, None]) -> Iterator[Expr]:
        yield from (each for each in shown if not is_total(each))

    def _keys(self, tree: Query) -> list[Expr]:
        """The key of the thing that is best, so that two of one name are two; not of what is counted or summed."""
        first = next((each for each in tree.select if isinstance(each, Col)), None)
        table = self.reader.catalog.table(*first.table) if first else None
        labels = {each.name for each in self.reader.resolver.label(table)} if table else set()
        measured = {each.table for order in tree.order if is_total(order.by) for each in columns_in(order.by)}
        if first is None or table is None or first.name not in labels or table.key in measured:
            return []
        return [Col(table.key, name) for name in self.reader.resolver.key(table)]

    def _key(self, group: str, tree: Query) -> Expr | None:
        """What the groups are told apart by: a column, or a part of the date of what is measured; the year in which
        something else was built is no year of these."""
        named = Columns(self.reader, tree).expression(group)
        grain = _GRAIN.fullmatch(group)
        if grain is None:
            return self._called(named, group) if isinstance(named, Col) else None
        homes = [each.table for each in columns_in(tree.order[0].by)] or [tree.anchor]
        year = named if isinstance(named, Col) and _says(named, group) else None
        if year and (year.table in homes or stem(year.name.lower()) == stem(group.lower())):
            return self._called(year, group)
        return self._part_of_date(grain["unit"].lower(), homes, tree) or year  # type: ignore[arg-type]

    def _part_of_date(self, unit: Grain, homes: Sequence[TableKey], tree: Query) -> Bucket | None:
        """A part of the one date that periods are of, else of that of what is measured."""
        said = [each.left for each in tree.where if isinstance(each, During) and isinstance(each.left, Col)]
        if len(said) == 1:
            return Bucket(unit, said[0])
        times = self.reader.resolver.time_column([*homes, tree.anchor], frozenset())
        return Bucket(unit, times[0][1]) if times else None

    def _called(self, key: Col, group: str) -> Col:
        """A group by its name, where its key was found."""
        end = self.reader.joins.pointed(key)
        table = self.reader.catalog.table(*end.table)
        label = self.reader.resolver.label(table) if table and self.reader.joins.is_key(end) else []
        is_key_said = stem("id") in {token.stem for token in tokenise(group)}
        return label[0] if len(label) == 1 and not is_key_said else key

    def _enough(self, key: Expr, asked: Best, run: Run | None) -> Inside | None:
        """The groups that have as many things as is asked."""
        counted = self._part(f"how many {asked.things} by {asked.group}", run)
        tree = counted.tree if counted else None
        if tree is None or asked.least is None or not isinstance(key, Col):
            return None
        counts = [each for each in tree.select if is_total(each)]
        keys = [each for each in tree.select if isinstance(each, Col)]
        if len(counts) != 1 or key not in keys or not isinstance(counts[0], Agg) or tree.having or tree.limit:
            return None
        having = (Compare(counts[0], *asked.least),)
        return Inside(key, Query(tree.anchor, (key,), tree.where, (key,), having, also=tree.also))


def _asked(text: str) -> Best | None:
    """The parts of such a question; None where it is none."""
    found = _FIRST.match(text) or _LAST.match(text) or _PER.match(text)
    if found is None:
        return None
    parts = {name: each or "" for name, each in found.groupdict().items()}
    core = _THERE.sub("", parts["core"].strip(" ,:"))
    if not _SUPERLATIVE.search(f"{core} {parts.get('by', '')}"):
        return None
    cores = tuple(f"{each} {parts.get('by', '')}".strip() for each in _cores(core))
    number = spoken((parts["n"] or parts["n2"]).lower()) if parts["n"] or parts["n2"] else None
    least = (OPERATORS.get(parts["op"].lower(), ">="), float(number)) if number is not None else None
    return Best(cores, parts["group"], parts["period"], parts["things"] or parts["things2"], least)


def _cores(core: str) -> Iterator[str]:
    """The ways to ask for the best of all."""
    if re.match(r"(?:who|which|what)\b(?! (?:is|are|was|were)\b)", core, re.IGNORECASE):
        yield core
        return
    bare = _LEAD.sub("", core)
    relative, having = _RELATIVE.match(bare), _HAVING.match(bare)
    if relative:
        yield f"which {relative['who']} {relative['did']}"
        yield f"which {relative['who']} has {relative['did']}"
    elif having:
        yield f"which {having['who']} has {having['what']}"
    else:
        yield f"the {bare}"
        yield f"which is the {bare}"


def _says(column: Col, words: str) -> bool:
    return stem(words.lower()) in {token.stem for token in tokenise(column.name)}


def _is_of_its_own(plain: Analysis, asked: Best) -> bool:
    """Whether an answer cuts by the period that is best itself: for each region, the best year of all its years."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    best = next((found for core in asked.cores if (found := _GRAIN.search(core))), None)
    grains = [each.grain for each in tree.per if isinstance(each, Bucket)] if tree else []
    return best is not None and best["unit"].lower() in grains and not _GRAIN.search(asked.group)


def _sureness(plain: Analysis) -> float:
    """How sure an answer is that tells the best of each group already; 0 where it tells something else."""
    best = plain.candidates[0] if plain.status == "answered" and plain.candidates else None
    return best.confidence if best and best.tree.per else 0.0
