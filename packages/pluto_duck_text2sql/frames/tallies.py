"""Counts of one kind of rows side by side: how many there are, how many of them meet a condition, what part that is.

`Customers by segment: segment, how many they are, and how many of them ever ordered`; `one row: owners, how many have a
car, how many never came`. All are counted of the same rows; each condition is read as a question of its own.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.frames.compounds import Compounds, grouped_last, split_order
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, tokenise
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import plain as without_remarks
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Cond,
    Expr,
    Minus,
    Nested,
    Query,
    Ratio,
    Related,
    Rows,
    TableKey,
    columns_in,
    is_total,
    nodes_in,
)
from pluto_duck_text2sql.trees.parts import home

_PART = r"(?:share|percentage|percent|proportion|fraction|part)"
_SAYS = (
    rf"(?:how many|(?:what|which) {_PART}|(?:the )?(?:number|count|{_PART}|average|mean|median|total|highest|lowest)\b)"
)
_THEM = r"(?:of )?(?:all )?(?:them|those|these|such(?: ones)?|which|whom)"
_LEAD = Pattern(
    r"^(?:please )?(?:show|give|list|tell|report|count)(?: me| us)? (?:the |our )?|^in total:? ", re.IGNORECASE
)
_HEADED = Pattern(r"^(?P<head>[^:?.]{4,}?)\s*[:?.]\s+(?P<items>.+)$")
_GROUPED = Pattern(
    r"^(?P<rows>.+?),? (?:by|per|for each|for every|in each|in every|grouped by) (?P<by>.+)$", re.IGNORECASE
)
_TAIL = Pattern(
    r",? (?:(?:(?:grouped|split|broken down) )?by|per|for each|for every|in each|in every|across) (?P<by>[^,]+)$",
    re.IGNORECASE,
)
_OF_ALL = Pattern(r"^(?:of|for|among|out of)(?: all)? (?:the |our )?", re.IGNORECASE)
_IN_ONE = Pattern(r",? (?:all )?(?:in|as) (?:one|a single) (?:row|line)(?=\W|$)", re.IGNORECASE)
_BETWEEN = Pattern(
    rf"\s*(?:[,;]\s*(?:(?:and|plus|also) )*|[.?]\s+(?:and )?|\s(?:and|plus) (?:also )?(?=(?:of \w+,? )?{_SAYS}))\s*",
    re.IGNORECASE,
)
_THERE = Pattern(
    r"(?:,? (?:(?:are|were|is) (?:there|they|these)|(?:there|they|those|these) (?:are|were)"
    r"|do we have|did we have|we have|exist|in total|altogether|in all|overall))+$",
    re.IGNORECASE,
)
_COUNT = Pattern(
    rf"^(?:of (?:them|those|these),? )?(?:how many|(?:the )?(?:number|count)(?: of)?)\b(?: {_THEM}\b)?,?\s*"
    r"(?P<rest>.*)$",
    re.IGNORECASE,
)
_PART_OF = Pattern(
    rf"^(?:of (?:them|those|these),? )?(?:(?:what|which|the|as a) )?(?P<part>{_PART})\b(?: of (?:the |our |all )*)?"
    rf"(?: ?{_THEM}\b)?\s*(?P<rest>.*)$",
    re.IGNORECASE,
)
_AS_PART = Pattern(rf"^as an? {_PART} of (?:the|all|our|these|those)(?: [a-z]+)?$", re.IGNORECASE)
"""How a part is told that is asked for before: no figure beside it."""
_SAME_PART = Pattern(
    r"(?:(?:that|this|it|they|those)? ?(?:is|are|was|were|makes?|amounts? to|represents?)?"
    r"(?: (?:that|this|it|they|those))?(?: of (?:the total|all|them))?)?",
    re.IGNORECASE,
)
_DO = Pattern(r"(?:do|does|did|are|is|were|was|have|has)(?: so| that)?", re.IGNORECASE)
_DO_NOT = Pattern(
    r"(?:(?:do|does|did|are|is|were|was|have|has)(?: not|n't)|never did|never have|never has)(?: yet)?", re.IGNORECASE
)
_THAT = Pattern(r"^(?:(?:that|who|which) )(?=.)", re.IGNORECASE)
_OBJECT = Pattern(r"\b(?:an?|any|one|some) (?P<what>[a-z]+)$", re.IGNORECASE)
_NUMBERED = Pattern(
    r"\b(?:at least|more than|over|exactly|only|just|fewer than|less than) (?:one|two|three|four|five|\d+)"
    r"(?: of (?:them|those))?$",
    re.IGNORECASE,
)
_OF_EACH = Pattern(r"\b(?:each|every)\b", re.IGNORECASE)
"""`customers does each employee look after`: these are counted in groups that are said with them."""
_CLAUSE = Pattern(r"^(?:but|whatever|whichever|whether|although|though)\b", re.IGNORECASE)
"""What goes on with what was said before: no figure of its own."""
_LEAST, _MOST = 2, 6
_SURE = 0.7
_NAMED = 0.9
_LONGEST = 3


@dataclass(frozen=True)
class Asked:
    """What is counted, with what restricts it (`customers from Peru`), by what, and the figures listed.

    `is_headed`: what is counted is said before the list.
    """

    rows: str
    by: str
    items: tuple[str, ...]
    is_headed: bool = False


class Tallies(Compounds):
    """Answers questions that count parts of one kind of rows."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The counts side by side; None where the question asks no such, or `plain` shows them."""
        ordered = split_order(same(without_remarks(question)))
        asked = self._asked(ordered.text)
        if asked is None or _shows(plain, asked):
            return None
        by = f" by {asked.by}" if asked.by else ""
        base = self._part(f"how many {asked.rows}{by}", run)
        if base and base.tree.where and not asked.is_headed and not _are_of_them(asked):
            return None
        read = _Figures(self, asked, base, run) if base and self._counts(base.tree, asked) else None
        shown = read.all() if read else None
        if base is None or read is None or shown is None:
            return None
        query = ordered.of(replace(base.tree, select=shown))
        made = self.candidate(query, [base, *read.parts], (), run)
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _asked(self, text: str) -> Asked | None:
        """The parts of such a question; None where it is none."""
        text = _LEAD.sub("", _IN_ONE.sub("", text))
        headed = _HEADED.match(text)
        by_first = headed and re.match(r"(?:for each|for every|in each|in every|per|by)\b", text, re.IGNORECASE)
        if headed and not by_first and not re.match(_SAYS, headed["head"], re.IGNORECASE):
            head = _OF_ALL.sub("", headed["head"])
            grouped = _GROUPED.match(head)
            rows, by = (grouped["rows"], grouped["by"]) if grouped else (head, "")
            made = self._made(rows, by, _BETWEEN.split(headed["items"]))
            return replace(made, is_headed=True) if made else None
        text = grouped_last(text)
        tail = _TAIL.search(text)
        items = _BETWEEN.split(text[: tail.start()] if tail else text)
        return self._made(self._rows_of(items[0]), tail["by"] if tail else "", items)

    def _made(self, rows: str, by: str, items: Sequence[str]) -> Asked | None:
        kept = tuple(each.strip(" ,;.") for each in items if each.strip(" ,;."))
        kept = kept[:-1] if kept and _PART_OF.match(kept[0]) and _AS_PART.match(kept[-1]) else kept
        counts = sum(bool(_COUNT.match(each) or _PART_OF.match(each)) for each in kept)
        figures = sum(not _is_key(each, by) for each in kept)
        if not counts or figures < _LEAST or len(kept) > _MOST or any(map(_CLAUSE.match, kept)):
            return None
        is_of_each = not by and _OF_EACH.search(rows)
        return None if is_of_each or not self.noun(rows) else Asked(rows, by.strip(), kept)

    def _rows_of(self, item: str) -> str:
        """What the first item counts: `number of customers`, `how many owners are there`, `cars`."""
        found = _COUNT.match(item) or _PART_OF.match(item)
        if found is None and self._is_column(item):
            return ""
        text = re.sub(r"^(?:all )?(?:the |our )?", "", found["rest"] if found else item, flags=re.IGNORECASE)
        noun = self.noun(text)
        return noun if _PART_OF.match(item) else _THERE.sub("", text)

    def _is_column(self, words: str) -> bool:
        """Whether the words name something of the rows that is listed: `the depot names` are no depots counted."""
        stems = tuple(token.stem for token in tokenise(words) if token.lower not in STOP)
        return any(each.column and each.score >= _NAMED for each in self.reader.names.find(stems))

    def noun(self, words: str) -> str:
        """The words at the beginning that name the table of the rows; nothing where none does."""
        some = words.split()
        if some and some[0].lower() in STOP:
            return ""
        starts = (" ".join(some[:length]) for length in range(min(_LONGEST, len(some)), 0, -1))
        fits = [(self.fit(each), each) for each in starts if each.split()[-1].lower() not in STOP]
        best = max((fit for fit, _ in fits), default=0.0)
        return next(each for fit, each in fits if fit == best) if best >= _NAMED else ""

    def _counts(self, tree: Query, asked: Asked) -> bool:
        """Whether a tree is the number of the rows, of each group where there are groups."""
        totals = [each for each in tree.select if is_total(each)]
        plain = not (tree.having or tree.limit or tree.then or tree.per or tree.distinct)
        counts = len(totals) == 1 and isinstance(totals[0], Agg) and totals[0].function == "count"
        table = self.table(self.noun(asked.rows))
        return plain and counts and table is not None and home(tree) == table.key and bool(asked.by) == bool(tree.group)

    def condition(self, text: str, base: Query, run: Run | None) -> tuple[Candidate, tuple[Cond, ...]] | None:
        """What restricts a count of the same rows beyond what restricts all; None where it is none, or nothing."""
        part = self._part(text, run)
        at = home(base)
        if part is None or at is None or len(part.tree.select) != 1:
            return None
        tree = self._of_owners(part.tree, at)
        if home(tree) != at:
            return None
        count = tree.select[0]
        plain = not (tree.group or tree.having or tree.limit or tree.then or tree.per)
        nested = any(isinstance(each, Nested) for each in nodes_in(tree))
        if not plain or nested or not isinstance(count, Agg) or count.function != "count":
            return None
        where = tuple(each for each in (*tree.where, *count.where) if each not in base.where)
        return (part, self.of_rows(at, where)) if where else None

    def _of_owners(self, tree: Query, at: TableKey) -> Query:
        """The number of different owners among rows as the number of owners that have such a row."""
        count = tree.select[0]
        key = count.of if isinstance(count, Agg) and count.distinct and not count.where else None
        if not isinstance(key, Col) or key.table == at or self.reader.joins.pointed(key).table != at:
            return tree
        own = tuple(each for each in tree.where if {column.table for column in columns_in(each)} == {at})
        among = Related(key.table, tuple(each for each in tree.where if each not in own))
        return replace(tree, anchor=at, select=(Agg("count", Rows(at)),), where=(*own, among), also=())

    def figure(self, text: str, base: Query, run: Run | None) -> tuple[Candidate, Expr] | None:
        """Another figure of the same rows: `average cost`."""
        part = self._part(text, run)
        tree = part.tree if part else None
        if part is None or tree is None or len(tree.select) != 1 or tree.group or home(tree) != home(base):
            return None
        same_rows = set(tree.where) <= set(base.where) and not (tree.having or tree.limit or tree.then)
        return (part, tree.select[0]) if same_rows and is_total(tree.select[0]) else None


class _Figures:
    """Reads the figures of one question, each knowing those before it."""

    def __init__(self, tallies: Tallies, asked: Asked, base: Candidate, run: Run | None) -> None:
        self._tallies, self._asked, self._base, self._run = tallies, asked, base.tree, run
        self._whole = next(each for each in base.tree.select if is_total(each))
        self._keys = tuple(each for each in base.tree.select if not is_total(each))
        self._noun = tallies.noun(asked.rows)
        self._last: Expr | None = None
        self._said = ""
        self.parts: list[Candidate] = []

    def all(self) -> tuple[Expr, ...] | None:
        """The columns of the answer; None where one is not understood, or all say the same."""
        shown: list[Expr] = []
        for item in self._asked.items:
            made = self._item(item)
            if made is None or set(made) & set(shown):
                return None
            shown += made
        return tuple(shown) if set(self._keys) <= set(shown) else (*self._keys, *shown)

    def _item(self, item: str) -> tuple[Expr, ...] | None:
        if _is_key(item, self._asked.by):
            return self._keys
        count, part = _COUNT.match(item), _PART_OF.match(item)
        if count:
            made = self._count(count["rest"])
        elif part:
            made = self._share(part["rest"], 100 if part["part"].lower().startswith("percent") else 1)
        elif self._tallies.noun(item) and self._tallies.table(self._noun) == self._tallies.table(
            self._tallies.noun(item)
        ):
            made = self._count(item)
        else:
            made = self._measure(item)
        return (made,) if made is not None else None

    def _count(self, rest: str) -> Expr | None:
        text = self._without_noun(_THERE.sub("", " " + rest).strip())
        if self._is_said_of_all(text):
            return self._whole
        if _DO.fullmatch(text):
            return self._last
        if _DO_NOT.fullmatch(text):
            return Minus(self._whole, self._last) if self._last is not None else None
        return None if self._names_others(text) else self._restricted(text)

    def _is_said_of_all(self, text: str) -> bool:
        """`of the customers who signed up in 2024, how many signed up`: no more than is said of all."""
        words = {token.stem for token in tokenise(text) if token.lower not in STOP}
        return not text or (bool(words) and words <= {token.stem for token in tokenise(self._asked.rows)})

    def _names_others(self, text: str) -> bool:
        """Whether other rows are counted: `number of customers and number of orders`."""
        return bool(self._tallies.noun(text)) and not text.split()[0].lower().endswith("ed")

    def _without_noun(self, text: str) -> str:
        text = re.sub(r"^(?:the |our |all )+", "", text, flags=re.IGNORECASE)
        noun = self._tallies.noun(text)
        same_table = noun and self._tallies.table(noun) == self._tallies.table(self._noun)
        return text[len(noun) :].strip() if same_table else text

    def _restricted(self, text: str) -> Expr | None:
        """The count of those that meet a condition."""
        text = self._completed(_THAT.sub("", text))
        for asked in self._wordings(text):
            found = self._tallies.condition(asked, self._base, self._run)
            if found and isinstance(self._whole, Agg):
                self.parts.append(found[0])
                self._said = text
                self._last = replace(self._whole, where=(*self._whole.where, *found[1]))
                return self._last
        return None

    def _wordings(self, text: str) -> Iterator[str]:
        """The condition after the noun, as a clause of its own, or before it."""
        yield f"how many {self._noun} {text}"
        if len(text.split()) <= 2:
            yield f"how many {text} {self._noun}"
            yield f"how many {self._noun} are {text}"

    def _completed(self, text: str) -> str:
        """`how many have a car, how many have at least two`: two cars."""
        before = _OBJECT.search(self._said)
        what = before["what"] if before else ""
        return f"{text} {what}{'' if what.endswith('s') else 's'}" if what and _NUMBERED.search(text) else text

    def _share(self, rest: str, scale: int) -> Expr | None:
        text = self._without_noun(rest.strip())
        if not _SAME_PART.fullmatch(text) and not _DO.fullmatch(text):
            self._restricted(text)
            if self._said != self._completed(_THAT.sub("", text)):
                return None
        return Ratio(self._last, self._whole, scale) if self._last is not None else None

    def _measure(self, item: str) -> Expr | None:
        found = self._tallies.figure(f"{item} of {self._asked.rows}", self._base, self._run)
        self.parts += [found[0]] if found else []
        return found[1] if found else None


def _is_key(item: str, by: str) -> bool:
    """Whether an item only names what the rows are grouped by."""
    words = {token.stem for token in tokenise(item) if token.lower not in STOP} - {"name"}
    return bool(words) and words <= {token.stem for token in tokenise(by)}


def _are_of_them(asked: Asked) -> bool:
    """Whether each later count is of those that the first counts: `how many of them`, `how many do`."""
    later = [found for each in asked.items[1:] if (found := _COUNT.match(each))]
    return all(re.search(rf"\b{_THEM}\b", each[0], re.IGNORECASE) or _DO.fullmatch(each["rest"]) for each in later)


def _shows(plain: Analysis, asked: Asked) -> bool:
    """Whether a sure answer has as many figures as are listed."""
    best = plain.candidates[0] if plain.status == "answered" and plain.candidates else None
    figures = sum(map(is_total, best.tree.select)) if best else 0
    return best is not None and best.confidence >= _SURE and figures == len(asked.items)
