"""Several figures in one answer, each a question of its own: `median and 90th percentile of the fare by class`.

The analyst answers each part as any other question; where the parts are of the same rows and groups their figures stand
side by side, and what restricts one of them restricts that figure alone. `rates.py` is the same for parts of a whole.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.pool import Run, tried
from pluto_duck_text2sql.reading.columns import Columns
from pluto_duck_text2sql.reading.frames import Parts, same
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.times.periods import period_of
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Cond,
    During,
    Expr,
    Nested,
    Order,
    Query,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.parts import home
from pluto_duck_text2sql.trees.titles import title
from pluto_duck_text2sql.trees.vacuous import is_vacuous

Read = Callable[[str, Run | None], Analysis]
_FUNCTION = (
    r"(?:average|mean|avg|median|minimum|maximum|min|max|lowest|highest|smallest|largest|shortest|longest|cheapest|total"
    r"|sum|number|count|value|(?:\d+(?:st|nd|rd|th) )?percentile|p\d+|standard deviation)"
)
LEAD = Pattern(
    r"^(?:please )?(?:(?:could|can|would) you (?:please )?)?"
    r"(?:show|give|list|tell|report|return|what(?:'s| is| are| was| were)|calculate|compute)(?: me| us)?"
    r" (?:the )?",
    re.IGNORECASE,
)
_EACH = r"(?:by|per|for each|for every|in each|in every|for all|across|grouped by|broken down by)"
_GROUP = Pattern(rf",? (?P<tail>{_EACH} .+)$", re.IGNORECASE)
_FIRST = Pattern(
    r"^(?:for each|for every|in each|in every|per|by) (?P<by>[^,:]+?)\s*[,:]\s*(?P<rest>.+)$", re.IGNORECASE
)
_TWICE = Pattern(r",? (?P<by>\w+) by (?P=by)\b", re.IGNORECASE)
_SHARED = Pattern(
    rf"^(?:the )?(?P<list>{_FUNCTION}(?:(?:, (?:and )?| and | plus )(?:the )?{_FUNCTION})+)(?: of)?(?: the)?"
    r" (?P<rest>.+)$",
    re.IGNORECASE,
)
COMMA = Pattern(r"\s*(?:,\s*(?:and |plus )?|\band\b|\bplus\b)\s*", re.IGNORECASE)
_COMMAS = Pattern(r"\s*,\s*(?:and |plus )?", re.IGNORECASE)
_SAYS_FIGURE = Pattern(rf"^(?:the )?(?:{_FUNCTION}|how many|how much)\b", re.IGNORECASE)
_OF_THEM = Pattern(
    r"^(?:how many|the number|number)(?: of)?(?: (?:them|those|these|such))?(?: (?:are|were|is|was) (?:there)?)?\s*",
    re.IGNORECASE,
)
_THEM = Pattern(r"^how many (?:of )?(?:them|those|these|such)\b", re.IGNORECASE)
_HOW_MANY = Pattern(r"(?:,|;|\.|:)?\s*(?:and |also )?(?=\bhow many\b)", re.IGNORECASE)
_SORTED = Pattern(
    r",?\s*\b(?:the )?(?P<way>most|largest|highest|biggest|worst|best|busiest|least|lowest|smallest|fewest)"
    r"(?: [a-z]+){0,2} first$",
    re.IGNORECASE,
)
_RATE = Pattern(r"\brates?$", re.IGNORECASE)
_ENDS_NOUN = frozenset("are were is was do did have has had in with from for by that who".split())
"""What ends the noun that is counted."""
_LOW = ("least", "lowest", "smallest", "fewest")
_MOST = 5
SURE = 0.6
_KIND = 2
"""How many words a kind and its thing are."""
_NAMED = 0.9
_FUNCTIONS = {
    **dict.fromkeys(("average", "mean", "avg"), "avg"),
    **dict.fromkeys(("minimum", "min", "lowest", "smallest", "shortest", "cheapest"), "min"),
    **dict.fromkeys(("maximum", "max", "highest", "largest", "longest"), "max"),
    **dict.fromkeys(("number", "count", "many"), "count"),
    **dict.fromkeys(("median",), "median"),
    **dict.fromkeys(("percentile",), "quantile"),
    **dict.fromkeys(("deviation",), "stddev"),
}


@dataclass(frozen=True)
class Sorted:
    """A text without what it says of the order of the figures, and that."""

    text: str
    descending: bool | None

    def of(self, query: Query) -> Query:
        """The query in that order, by its last figure."""
        total = next((each for each in reversed(query.select) if is_total(each)), None)
        return (
            query
            if self.descending is None or total is None
            else replace(query, order=(Order(total, self.descending),))
        )


def split_order(text: str) -> Sorted:
    """`…, largest share first` taken off."""
    found = _SORTED.search(text)
    return Sorted(text[: found.start()], found["way"].lower() not in _LOW) if found else Sorted(text, None)


class Compounds(Parts):
    """Answers questions of several figures; `read` answers each."""

    def __init__(self, reader: Reader, read: Read) -> None:
        super().__init__(reader)
        self._read = read

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The figures side by side; None where the question asks no such, or `plain` shows them."""
        main, phrases = split_spec(question)
        ordered = split_order(same(main))
        for parts in figures_asked(ordered.text, self._names_rows):
            shown = _shows(plain, parts)
            if (shown and plain.candidates[0].confidence >= SURE) or self._are_columns(ordered.text):
                return None
            known = self._answers(parts, run, _is_plain)
            trees = [each.tree for each in known]
            query = side_by_side(trees, self) if known and not shown else None
            query = query or (of_different_rows(trees, self) if known else None)
            made = self.candidate(ordered.of(query), known, phrases, run) if query else None
            if made:
                return Analysis("answered", (made, *plain.candidates), links=plain.links)
        return None

    def _names_rows(self, word: str) -> bool:
        """Whether a word names a table or a column, so that a clause that begins with it counts something else."""
        return any(each.score >= _NAMED for each in self.reader.names.find((stem(word.lower()),)))

    def _are_columns(self, text: str) -> bool:
        """`first name and last name`: of what looks like kinds of one thing each is a column."""
        items = [each.lower().split() for each in COMMA.split(LEAD.sub("", text))]
        named = (self.reader.names.find(tuple(map(stem, each[:_KIND]))) for each in items)
        return len(items) > 1 and all(any(each.column and each.score >= _NAMED for each in some) for some in named)

    def _part(self, question: str, run: Run | None) -> Candidate | None:
        found = self._read(question, run)
        return found.candidates[0] if found.status == "answered" and found.candidates else None

    def _answers(
        self, questions: Sequence[str], run: Run | None, fits: Callable[[Query], object] = lambda tree: True
    ) -> list[Candidate]:
        """The answers of all parts; none where one has no answer or none that `fits`, after which no other is asked."""
        found: list[Candidate] = []
        for each in questions:
            part = self._part(each, run)
            if part is None or not fits(part.tree):
                return []
            found.append(part)
        return found

    def within(self, left: Col, words: str) -> During | None:
        """That a date lies in the period that words say; None where they say none, or one without an end."""
        period = period_of(words)
        day = self.reader.catalog.last_day(*left.table, left.name, self.reader.today)
        start, end = period.resolve(day) if period else (None, None)
        return During(left, start, end) if start and end else None

    def key_named(self, query: Query, phrase: str) -> Col | None:
        """The column that a query groups by and a phrase names."""
        named = Columns(self.reader, query).expression(phrase)
        if not isinstance(named, Col):
            return None
        pointed = self.reader.joins.pointed
        keys = (each for each in query.select if isinstance(each, Col))
        return next((each for each in keys if pointed(each) == pointed(named)), None)

    def candidate(
        self,
        query: Query,
        parts: Sequence[Candidate],
        phrases: Sequence[str],
        run: Run | None,
        told: Sequence[str] = (),
    ) -> Candidate | None:
        """The query, as sure as the least sure of its parts, and how those were read, before what is `told` of the
        whole; None where it does not run or says nothing."""
        query = Columns(self.reader, query).choose(phrases) if phrases else query
        known = (self.reader.catalog, self.reader.joins)
        made = None if is_vacuous(query, *known) else tried(query, *known, run or (lambda _: []))
        if made is None:
            return None
        lines = dict.fromkeys(line for each in parts for line in each.reading)
        read = (*lines, *told)
        assumed = dict.fromkeys(line for each in parts for line in each.assumptions)
        tables = tuple(sorted({table for each in parts for table in each.tables}))
        least = min(parts, key=lambda each: each.confidence)
        said = (title(query), read, tuple(assumed))
        return Candidate(made.sql, least.confidence, *said, query, tables, grounds=least.grounds)


def figures_asked(text: str, names_rows: Callable[[str], bool]) -> list[list[str]]:
    """The ways to take a question apart into questions of one figure each; none where it asks one."""
    text = grouped_last(LEAD.sub("", text))
    ways = [_of_one_thing(text), _counted(text, names_rows), _listed(text)]
    return [way for way in ways if 1 < len(way) <= _MOST]


def grouped_last(text: str) -> str:
    """`for each class: the fare` as `the fare per class`; `class by class` too."""
    first = _FIRST.match(text)
    text = f"{first['rest']} per {first['by']}" if first else text
    return _TWICE.sub(r" per \g<by>", text)


def _of_one_thing(text: str) -> list[str]:
    """`lowest, highest and average fare by class`: the functions share what follows."""
    found = _SHARED.match(text)
    return [f"{each} {found['rest']}" for each in COMMA.split(found["list"])] if found else []


def _counted(text: str, names_rows: Callable[[str], bool]) -> list[str]:
    """`how many trips, and how many of them by members`: later counts are of what the first counts."""
    parts = [part.strip(" ,.;") for part in _HOW_MANY.split(text) if part.strip(" ,.;")]
    if len(parts) < 2 or not all(re.match(r"how many\b", part, re.IGNORECASE) for part in parts):
        return []
    tail = _GROUP.search(parts[-1])
    by = f" {tail['tail']}" if tail else ""
    first, *others = [part.removesuffix(tail[0]) if tail else part for part in parts]
    head = _head(re.sub(r"^how many (?:of )?(?:the |our )?", "", first, flags=re.IGNORECASE).split())
    later = [_of_the_same(part, head, names_rows) for part in others]
    return [f"{first}{by}", *(f"how many {each}{by}" for each in later)] if head and all(later) else []


def _of_the_same(part: str, head: str, names_rows: Callable[[str], bool]) -> str:
    """What a later clause counts: the rows named before, unless it names others; nothing where it says nothing."""
    said = _OF_THEM.sub("", part).strip()
    words = said.split()
    own = not _THEM.match(part) and bool(words) and names_rows(words[0])
    return said if own or not words or head in words else f"{head} {said}"


def _head(words: Sequence[str]) -> str:
    """The noun that is counted: what comes before a verb, a preposition or a date."""
    taken = next((n for n, each in enumerate(words) if each.lower() in _ENDS_NOUN), len(words))
    return " ".join(words[:taken])


def _listed(text: str) -> list[str]:
    """`number of wines, average price and best score by grape`; `orders, paid orders and open orders by channel`."""
    for split in (_COMMAS, COMMA):
        parts = [part for part in split.split(text) if part]
        group = _GROUP.search(parts[-1]) if len(parts) > 1 else None
        tail = f" {group['tail']}" if group else ""
        items = [*parts[:-1], parts[-1].removesuffix(group[0]) if group else parts[-1]] if parts else []
        if len(items) > 1 and all(_SAYS_FIGURE.match(each) for each in items):
            return [f"{each}{tail}" for each in items]
        if len(items) > 1 and _is_of_one_noun(items):
            count = "" if _RATE.search(items[0]) else "number of "
            return [f"{count}{each}{tail}" for each in items]
    return []


def _is_of_one_noun(items: Sequence[str]) -> bool:
    """Whether all are kinds of the first: `orders, paid orders`, `all orders, orders that are paid`; or each is a kind
    of one thing: `paid orders and open orders`."""
    words = [each.lower().split() for each in items]
    if len({each[-1] for each in words}) == 1 and all(len(each) == _KIND for each in words):
        return len(set(items)) > 1
    noun = re.sub(r"^(?:all|the|our) ", "", items[0], flags=re.IGNORECASE).lower()
    if not noun or len(noun.split()) > 2:
        return False
    return all(len(re.findall(rf"\b{re.escape(noun)}\b", each.lower())) == 1 for each in items) and len(set(items)) > 1


def side_by_side(trees: Sequence[Query], parts: Parts) -> Query | None:
    """One query of the figures of several; None where they are not of the same rows and groups."""
    first = trees[0]
    if not _are_of_same(trees, parts) or not any(map(is_total, first.select)):
        return None
    common = tuple(each for each in first.where if all(each in tree.where for tree in trees))
    figures = [
        _restricted(each, tuple(c for c in tree.where if c not in common), tree, parts)
        for tree in trees
        for each in tree.select
        if is_total(each)
    ]
    if len(set(figures)) < len(figures) or None in figures:
        return None
    shown = tuple(each for each in first.select if not is_total(each))
    kept = tuple(each for each in figures if each is not None)
    order = tuple(each for each in first.order if isinstance(each.by, Bucket | Col))
    also = tuple(dict.fromkeys(key for tree in trees for key in tree.also))
    return replace(first, select=(*shown, *kept), where=common, order=order, also=also)


def of_different_rows(trees: Sequence[Query], parts: Parts) -> Query | None:
    """The first of several figures with the others, of other rows, beside it; None where they are not one figure each
    of the same groups. Those of other dates by the same period are of same_periods.py."""
    first, *others = trees
    shown = [tuple(each for each in tree.select if not is_total(each)) for tree in trees]
    are_figures = all(_is_plain(each) and not each.beside and len(each.select) == len(shown[0]) + 1 for each in trees)
    keys = [_keys(each, parts) for each in trees]
    are_apart = len({home(each) for each in trees}) == len(trees)
    if not are_figures or not are_apart or any(each != keys[0] for each in keys):
        return None
    beside = (replace(each, select=(*shown[0], _figure(each)), group=first.group, order=()) for each in others)
    order = tuple(each for each in first.order if not is_total(each.by))
    return replace(first, select=(*shown[0], _figure(first)), order=order, beside=tuple(beside))


def _figure(tree: Query) -> Expr:
    return next(each for each in tree.select if is_total(each))


def _are_of_same(trees: Sequence[Query], parts: Parts) -> bool:
    """Whether trees are plain, of the same rows, and have the same groups."""
    first, keys = trees[0], [_keys(each, parts) for each in trees]
    alike = all(_is_plain(each) and home(each) == home(first) for each in trees)
    return alike and all(each == keys[0] for each in keys)


def _keys(tree: Query, parts: Parts) -> set[Expr]:
    """What tells its groups apart, whichever of two columns that hold the same is shown."""
    shown = (each for each in tree.select if not is_total(each))
    return {parts.reader.joins.pointed(each) if isinstance(each, Col) else each for each in shown}


def _is_plain(tree: Query) -> bool:
    """Whether it shows totals of rows, all of its groups, and each row once."""
    nested = any(isinstance(each, Nested) for each in nodes_in(tree))
    return not (tree.having or tree.limit or tree.then or tree.per or tree.distinct or nested)


def _restricted(figure: Expr, where: tuple[Cond, ...], tree: Query, parts: Parts) -> Expr | None:
    """The figure with what restricts it alone."""
    if not where:
        return figure
    at = home(tree)
    if not isinstance(figure, Agg) or at is None:
        return None
    return replace(figure, where=(*figure.where, *parts.of_rows(at, where)))


def _shows(plain: Analysis, parts: Sequence[str]) -> bool:
    """Whether an answer shows a figure for each part, of the function that it names."""
    tree = plain.candidates[0].tree if plain.status == "answered" and plain.candidates else None
    figures = [each for each in tree.select if is_total(each)] if tree else []
    if len(figures) < len(parts) or any(isinstance(each, Nested) for each in nodes_in(tuple(figures))):
        return False
    wanted = Counter(_function(each) for each in parts)
    shown = Counter(str(each.function) for each in figures if isinstance(each, Agg))
    left = wanted - shown
    added_up = min(left["count"], (shown - wanted)["sum"])  # `the number of deaths` may be kept as one
    computed = sum(not isinstance(each, Agg) for each in figures)
    return left.total() - added_up <= computed


def _function(part: str) -> str:
    """The function that the first words of a part name; a rate is none of these."""
    words = part.lower().split()[:3]
    if any(map(_RATE.search, words)):
        return "rate"
    return next((_FUNCTIONS[each] for each in words if each in _FUNCTIONS), "sum")
