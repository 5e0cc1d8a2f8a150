"""What the items of a glossary mean in one catalog: names, measures, restrictions; and where a question says them.

A term that names a table or column is one more name for it, in the rules and in the network's graph alike. One that is
a measure or a restriction is the user's own definition: a reading of a question that says it must hold it.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex, Target
from pluto_duck_text2sql.language.glossary import Item
from pluto_duck_text2sql.language.lexicon import COUNTED
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, Token, tokenise
from pluto_duck_text2sql.terms.computed import Computed
from pluto_duck_text2sql.terms.definitions import Definitions
from pluto_duck_text2sql.terms.metrics import computed, definition, says_itself
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, Expr, Product, Query, Rows, columns_in
from pluto_duck_text2sql.trees.expressions import Expressions
from pluto_duck_text2sql.trees.grain import counted_again, mixed, repeats
from pluto_duck_text2sql.trees.phrases import label_of
from pluto_duck_text2sql.trees.term import Said, Term
from pluto_duck_text2sql.trees.written import Unsayable

_WHERE = Pattern(r"^(?P<what>.+?)\s+where\s+(?P<conditions>.+)$", re.IGNORECASE | re.DOTALL)
_SIGNS = Pattern(r"[()=<>*]|\w\.\w")
_COMPUTED = Pattern(r"[.()=<>*/]|\b(?:of|in|is|not|or|and|between|like)\b|\s-\s", re.IGNORECASE)
_AGGREGATE = Pattern(
    r"\b(?:sum|count|avg|min|max|median)\s*\(|\b(?:sum|total|average|avg|mean|count|number|maximum|max|minimum|min"
    r"|median) of\b",
    re.IGNORECASE,
)
_CONDITION = Pattern(r"[=<>]|\b(?:in|is|like|between|not)\b", re.IGNORECASE)
_LEAST_NAME = 0.5
_GENERAL = "general lexicon"
_OF_ONE = frozenset("per a an each every".split())
_OF_ROWS = ("of", "in", "for", "from")
_COUNTED = frozenset("number count total many share percentage percent proportion growth".split())
_KEPT = 256


def _names_rows(said: Said, tokens: Sequence[Token]) -> bool:
    """Whether a metric that counts rows is said of these rows: `median revenue per completed order` counts none, though
    a metric is called completed orders."""
    measure = said.term.measure
    if not isinstance(measure, Agg) or measure.function != "count":
        return False
    *before, last = ("", "", *(token.lower for token in tokens[: said.start]))
    return last in _OF_ONE or (last in _OF_ROWS and _COUNTED.isdisjoint(before[-1:]))


class Terms:
    """The terms of one catalog's glossary; `warnings` are the lines that mean nothing here, and why."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, names: NameIndex, today: dt.date | None = None) -> None:
        self._catalog, self._joins, self._names = catalog, joins, names
        self._by_stems: dict[tuple[str, ...], Term] = {}
        self.warnings: list[str] = []
        self.metrics: list[Term] = []
        self._add_all(catalog.glossary)
        self._add_general()
        self._longest = max(map(len, self._by_stems), default=0)
        self._computed_here = Computed(catalog, joins, names, today or dt.date.today())
        self._found = lru_cache(maxsize=_KEPT)(self._find)
        self._definitions = Definitions(names, self._computed_here.find)

    @classmethod
    def of(cls, catalog: Catalog) -> Terms:
        """The terms of a catalog whose joins and names are not at hand."""
        return cls(catalog, JoinGraph(catalog), NameIndex(catalog))

    @property
    def names(self) -> list[Term]:
        """The terms that are one more name of tables and columns."""
        return [term for term in self._by_stems.values() if term.is_name]

    @property
    def all(self) -> list[Term]:
        """Every term of the glossary, in the order of the files."""
        return [term for term in self._by_stems.values() if term.place != _GENERAL]

    def defined(self, question: str) -> str:
        """The question with what it defines in parentheses put in place."""
        return self._definitions.applied(question)

    def by_time_taken(self, question: str) -> str:
        """The question that asks who is slow or quick, or has most hours, in the words of the time that rows take."""
        here = self._computed_here
        return here.lasting.by_time_spent(here.speed.by_time_taken(question))

    def find(self, tokens: Sequence[Token]) -> list[Said]:
        """The terms that a question says, and what it computes in its own words; in the question's order.

        Kept for the last questions and their parts: every pass that looks at them asks the same.
        """
        return list(self._found(tuple(tokens)))

    def _find(self, tokens: tuple[Token, ...]) -> list[Said]:
        terms = self._of_glossary(tokens)
        own = [each for each in self._computed_here.find(tokens) if not _within(each, terms)]
        kept = [each for each in terms if not _within(each, own)]
        return sorted([*kept, *own], key=lambda each: each.start)

    def defined_in(self, tokens: Sequence[Token]) -> list[Said]:
        """The terms of the user's files and of dbt that a question says."""
        return [said for said in self._of_glossary(tokens) if said.term.place != _GENERAL]

    def definition(self, metric: Term) -> str:
        """The query that computes a metric; nothing where none says it."""
        return definition(metric.measure, self._catalog, self._joins) if metric.measure else ""

    def _of_glossary(self, tokens: Sequence[Token]) -> list[Said]:
        """The longest first where they overlap."""
        found, place = list[Said](), 0
        while place < len(tokens):
            said = next((each for end in self._ends(tokens, place) if (each := self._at(tokens, place, end))), None)
            found += [said] if said and not _names_rows(said, tokens) else []
            place = said.end if said else place + 1
        return found

    def _ends(self, tokens: Sequence[Token], start: int) -> range:
        return range(min(start + self._longest, len(tokens)), start, -1)

    def _at(self, tokens: Sequence[Token], start: int, end: int) -> Said | None:
        some = tokens[start:end]
        term = None if any(token.quoted for token in some) else self._by_stems.get(tuple(t.stem for t in some))
        return Said(start, end, " ".join(token.text for token in some), term) if term else None

    def _add_all(self, items: Sequence[Item]) -> None:
        """Those that lean on others are tried again, as long as that helps."""
        left: Sequence[Item] = ()
        while items and len(items) != len(left):
            left, items = items, [item for item in items if not self._added(item)]
        for item in items:
            self._refuse(item, f"nothing is called {item.meaning!r}", item.meaning)

    def _add_general(self) -> None:
        """What the general lexicon counts, where nothing in the data, or the glossary, is called so."""
        expressions = Expressions(self._catalog)
        for text, tables in COUNTED.items():
            stems = tuple(token.stem for token in tokenise(text))
            table = next((found for name in tables if (found := expressions.table(name))), None)
            named = any(each.score >= _LEAST_NAME for each in self._names.find(stems))
            if table and not named and stems not in self._by_stems:
                meaning = f"count of {table.name}"
                self._by_stems[stems] = Term(stems, meaning, _GENERAL, text, measure=Agg("count", Rows(table.key)))

    def _added(self, item: Item) -> bool:
        """Whether the item is understood, or refused for good; else it may lean on one that comes later."""
        expressions = Expressions(self._catalog)
        try:
            meaning = self._meaning(item, expressions)
        except Unsayable as error:
            self._refuse(item, str(error), error.unknown)
            return True
        if meaning is None:
            return False
        self.warnings += [f"{item.place}: {note}" for note in expressions.notes]
        meaning = replace(meaning, place=item.place)
        if item.metric:
            meaning = replace(meaning, meaning=item.metric, is_metric=True)
        if item.metric and meaning.measure:
            self.metrics.append(meaning)
        for text in item.terms:
            self._add(text, meaning, is_metric=bool(item.metric))
        return True

    def _add(self, text: str, term: Term, is_metric: bool = False) -> None:
        stems = tuple(token.stem for token in tokenise(text))
        known = self._by_stems.get(stems)
        if is_metric and (known or says_itself(stems, term.measure)):
            return
        if not stems or all(token.lower in STOP for token in tokenise(text)):
            self.warnings.append(f"{term.place}: {text!r} is no word of its own, but one that every question may have")
        elif known:
            self.warnings.append(f"{term.place}: {text!r} has a meaning already, from {known.place}; that one counts")
        else:
            self._by_stems[stems] = replace(term, stems=stems, said=text)

    def _refuse(self, item: Item, reason: str, unknown: str) -> None:
        nearest = self._names.nearest(unknown) if unknown else []
        hint = f"; closest: {', '.join(nearest)}" if nearest else ""
        self.warnings.append(f"{item.place}: {', '.join(item.terms)}: {reason}{hint}")

    def _meaning(self, item: Item, expressions: Expressions) -> Term | None:
        """What the item means; None where it is in words that mean nothing yet. Raises Unsayable."""
        term = Term((), item.meaning, item.place)
        named = self._named(item.meaning, expressions)
        if named:
            return replace(term, targets=named, meaning=label_of(named[0]) if len(named) == 1 else term.meaning)
        restricted = _WHERE.match(item.meaning)
        if restricted:
            return self._restricted(term, restricted["what"], restricted["conditions"], expressions)
        worded = None if _SIGNS.search(item.meaning) else self._worded(term)
        if worded or not _COMPUTED.search(item.meaning):
            return worded
        return self._computed(term, expressions)

    def _named(self, meaning: str, expressions: Expressions) -> tuple[Target, ...]:
        """The table, or the columns, of exactly this name."""
        table = expressions.table(meaning)
        if table:
            return (Target(table, None, 1.0),)
        if not re.fullmatch(r"[\w.\" ]+", meaning):
            return ()
        return tuple(Target(table, column, 1.0) for table, column in expressions.columns(meaning))

    def _worded(self, term: Term) -> Term | None:
        """Plain words: another term, names as a question may call them, or a stored value."""
        stems = tuple(token.stem for token in tokenise(term.meaning))
        if stems in self._by_stems:
            known = self._by_stems[stems]
            return replace(known, meaning=f"{term.meaning}: {known.meaning}")
        targets = [each for each in self._names.find(stems) if each.score >= _LEAST_NAME] if stems else []
        if targets:
            best = targets[0].score
            kept = tuple(replace(each, score=1.0) for each in targets if each.score >= best - 0.05)
            return replace(term, targets=kept, meaning=label_of(kept[0]) if len(kept) == 1 else term.meaning)
        hits = [each for each in self._catalog.values.lookup(term.meaning, 50) if each.score >= 1]
        conditions = [Compare(Col((hit.schema, hit.table), hit.column), "=", hit.value) for hit in hits]
        return replace(term, options=tuple((each,) for each in conditions)) if conditions else None

    def _restricted(self, term: Term, what: str, conditions: str, expressions: Expressions) -> Term:
        """`customers where …` or `sum of orders.total where …`."""
        table = expressions.table(what)
        if table:
            expressions.home = table
            return replace(term, targets=(Target(table, None, 1.0),), options=(expressions.conditions(conditions),))
        if re.fullmatch(r"[\w.]+", what.strip()):
            raise Unsayable(f"there is no table {what!r}", what)
        measure = expressions.measure(what)
        expressions.home = self._home(measure)
        kept = expressions.conditions(conditions)
        if not isinstance(measure, Agg):
            raise Unsayable("where belongs to a single aggregate; write the others with FILTER (WHERE …)")
        return replace(term, measure=self._whole(replace(measure, where=(*measure.where, *kept))))

    def _computed(self, term: Term, expressions: Expressions) -> Term:
        """A measure or a condition. Raises Unsayable."""
        if _AGGREGATE.search(term.meaning) or not _CONDITION.search(term.meaning):
            return replace(term, measure=self._whole(self._from_the_finest(expressions.measure(term.meaning))))
        return replace(term, options=self._options(term.meaning, expressions))

    def _options(self, meaning: str, expressions: Expressions) -> tuple[tuple[Cond, ...], ...]:
        """The conditions, for each table that has the column they begin with."""
        first = re.match(r"(?:not\s+)?([\w.\"]+)", meaning, re.IGNORECASE)
        homes = [table for table, _ in expressions.columns(first[1])] if first else []
        ways = [replace(expressions, home=home) for home in homes] or [expressions]
        return tuple(dict.fromkeys(each.conditions(meaning) for each in ways))

    def _home(self, measure: Expr) -> Table | None:
        return self._catalog.table(*next(columns_in(measure)).table)

    def _from_the_finest(self, measure: Any) -> Any:
        """Products of columns of two tables begin with the one whose rows no join repeats. Raises Unsayable."""
        if isinstance(measure, Product):
            turned = (
                measure
                if not self._repeats(measure)
                else replace(measure, price=measure.quantity, quantity=measure.price)
            )
            if self._repeats(turned):
                raise Unsayable("no key joins its tables so that each row counts once")
            return turned
        inner = {
            name: getattr(measure, name) for name in ("of", "left", "right", "top", "bottom") if hasattr(measure, name)
        }
        return replace(measure, **{name: self._from_the_finest(each) for name, each in inner.items()})

    def _whole(self, measure: Expr) -> Expr:
        """The measure, if one join computes it. Raises Unsayable."""
        reason = mixed(measure, self._joins)
        if reason:
            raise Unsayable(reason)
        return measure

    def _repeats(self, product: Product) -> bool:
        return repeats(self._joins, product.price.table, [each.table for each in columns_in(product)])


def told(said: Sequence[Said], query: Query, lines: Sequence[str], metrics: Sequence[Term] = ()) -> list[str]:
    """The lines of a reading with those of the glossary's terms it holds, and of the metrics, each term told once."""
    held = [each for each in said if each.term.is_in(query)]
    named = {each.term.meaning for each in held}
    lines = [*lines, *(f"this is {e.meaning} ({e.place})" for e in computed(metrics, query) if e.meaning not in named)]
    rest = [line for line in lines if not any(line.startswith(f"{each.text} → ") for each in held)]
    return list(dict.fromkeys([*(each.line for each in held), *rest]))


def restrictions(said: Sequence[Said]) -> list[Cond]:
    """All conditions that terms may stand for."""
    return [condition for each in said for option in each.term.options for condition in option]


def unheld(said: Sequence[Said], query: Query | None, joins: JoinGraph) -> str:
    """Why no reading of a question holds what the glossary says of its words; nothing where it says nothing."""
    if not said:
        return ""
    again = counted_again(query, joins) if query else ""
    reason = (
        f"what is asked cannot be told from the data: {again}" if again else "what is asked of it is not understood"
    )
    return f"The glossary says that {'; '.join(each.line for each in said)}; but {reason}. Ask in other words."


def is_as_defined(query: Query, said: Sequence[Said], joins: JoinGraph) -> bool:
    """Whether a query holds every measure and restriction that its question names, and counts no row again."""
    held = all(each.term.is_in(query) for each in said if each.term.must_be_in)
    return held and (not said or not counted_again(query, joins))


def _within(said: Said, others: Sequence[Said]) -> bool:
    """Whether one of the others has the same words, or more."""
    return any(said.start < each.end and each.start < said.end and _size(said) <= _size(each) for each in others)


def _size(said: Said) -> int:
    return said.end - said.start
