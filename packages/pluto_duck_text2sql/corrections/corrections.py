"""What a question says beyond doubt, put right in a tree, whoever wrote it.

The network writes most of a query well and misses what is said in one word: that something is counted, that two hours
are 7,200 seconds, that the third is wanted, that a category has a name. Called by `analyst` before anything is run.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any

from pluto_duck_text2sql.corrections.amounts import showing_when
from pluto_duck_text2sql.corrections.bases import of_base
from pluto_duck_text2sql.corrections.both_ends import by_both_ends
from pluto_duck_text2sql.corrections.bounds import as_bounded
from pluto_duck_text2sql.corrections.denials import affirmed, denied, unset
from pluto_duck_text2sql.corrections.doers import by_deeds
from pluto_duck_text2sql.corrections.done import with_deeds
from pluto_duck_text2sql.corrections.groups_of_kinds import by_kind
from pluto_duck_text2sql.corrections.headings import headed
from pluto_duck_text2sql.corrections.hours import of_moments
from pluto_duck_text2sql.corrections.how_often import so_often
from pluto_duck_text2sql.corrections.in_charge import in_charge
from pluto_duck_text2sql.corrections.inclusions import with_included
from pluto_duck_text2sql.corrections.kinds_without import of_all_rows
from pluto_duck_text2sql.corrections.lapses import lapsed
from pluto_duck_text2sql.corrections.mass_nouns import as_quantities
from pluto_duck_text2sql.corrections.meant_so import as_meant
from pluto_duck_text2sql.corrections.named_rows import of_named_rows
from pluto_duck_text2sql.corrections.namesakes import with_namesakes
from pluto_duck_text2sql.corrections.nests import of_rows, within
from pluto_duck_text2sql.corrections.newcomers import by_first_times
from pluto_duck_text2sql.corrections.numbered import by_number
from pluto_duck_text2sql.corrections.once_each import once_each
from pluto_duck_text2sql.corrections.participles import as_done
from pluto_duck_text2sql.corrections.percent_amounts import in_amounts
from pluto_duck_text2sql.corrections.pieces import in_money, in_pieces, of_orders
from pluto_duck_text2sql.corrections.planned_spans import as_it_went
from pluto_duck_text2sql.corrections.range_ends import of_one_amount
from pluto_duck_text2sql.corrections.role_holders import of_role_holders
from pluto_duck_text2sql.corrections.said import (
    by_what_is_shown,
    counts_such,
    in_said_order,
    in_said_scale,
    in_sum,
    of_whom,
    with_keys_first,
    with_part_on_top,
    with_who_last,
    without_idle_joins,
)
from pluto_duck_text2sql.corrections.several import counted_apart
from pluto_duck_text2sql.corrections.shapes import Shapes
from pluto_duck_text2sql.corrections.single_rows import by_one_row
from pluto_duck_text2sql.corrections.sound import (
    of_marks,
    of_typical_ones,
    sound,
    without_mean_moments,
    without_summed_marks,
)
from pluto_duck_text2sql.corrections.span_units import in_said_units
from pluto_duck_text2sql.corrections.ties import with_said_ties
from pluto_duck_text2sql.corrections.together import added_together
from pluto_duck_text2sql.corrections.two_cycles import by_both_parts
from pluto_duck_text2sql.corrections.ways import Ways
from pluto_duck_text2sql.corrections.whens import Whens, contrasted, without_deed
from pluto_duck_text2sql.corrections.who_did import by_who_did
from pluto_duck_text2sql.corrections.wholes import of_said_whole
from pluto_duck_text2sql.corrections.winners import placed_first
from pluto_duck_text2sql.corrections.worst import by_worst
from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.joins import JoinGraph, Step
from pluto_duck_text2sql.data.quantities import spoken
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import Token, name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.terms.lasting import in_hours, when_it_begins
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Expr,
    Missing,
    Nested,
    Query,
    Related,
    Rows,
    TableKey,
    columns_in,
    is_total,
    mapped,
    nodes_in,
)
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.resolve import Resolver, is_code
from pluto_duck_text2sql.trees.selves import below_named, beside_theirs
from pluto_duck_text2sql.trees.units import as_stored, in_named_scale, is_span, unit_said
from pluto_duck_text2sql.trees.wide import looking_back

_COUNTS = re.compile(
    r"^(?:how many|(?:the |what is the |give (?:me )?the |show (?:me )?the )?(?:number|count) of|count)\b"
    r"|\bhow many\b[^,]*$",
    re.IGNORECASE,
)
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split()
_MOST = "most highest largest biggest longest greatest".split()
_LEAST = "least lowest smallest shortest cheapest fewest".split()
_DATED = "best worst oldest youngest newest latest earliest fastest slowest".split()
_NTH = re.compile(
    rf"\b(?P<nth>{'|'.join(_ORDINALS)})[- ](?P<most>{'|'.join((*_MOST, *_LEAST, *_DATED))})\b", re.IGNORECASE
)
_HOUR_OF_DAY = re.compile(
    r"\bhours? of (?:the |a )?day\b|\btime of (?:the )?day\b|\b(?:which|what) hours?\b", re.IGNORECASE
)
_ROWS = re.compile(r"\b(?:rows?|records?|entries|lines)\b", re.IGNORECASE)
_KEYS = frozenset(map(stem, "id identifier key code number no num nr".split()))
_KIND_ASKED = re.compile(
    r"^(?:in |from |at |on |of |for |to )?(?:which|what) (?P<words>(?:\w+ ){0,2}\w+)", re.IGNORECASE
)
_KINDS_LISTED = re.compile(
    r"^(?:please )?(?:list|show|give|name)(?: me| us)?(?: all)?(?: (?:of )?(?:the|our))? (?P<words>[a-z]+(?: [a-z]+)?)"
    r"(?:,? (?:alphabetically|in alphabetical order|from a to z|(?:sorted|ordered) alphabetically))?\W*$",
    re.IGNORECASE,
)
_WITH = re.compile(r"\b(?:with(?:out)?|have|has|had|having|brought|bring|got)\b", re.IGNORECASE)
_NOT_ONE = re.compile(r"\b(?:neither|nor|never)\b", re.IGNORECASE)
_REMEMBERED = 64


class Corrections:
    """Puts trees right over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._catalog, self._joins, self._resolver = catalog, joins, Resolver(catalog, joins)
        self._durations = Durations(catalog, self._resolver)
        self._whens = Whens(catalog, joins)
        self._ways = Ways(catalog, joins)
        self._shapes = Shapes(catalog, joins, self._resolver)

    def applied(self, query: Query, question: str) -> Query:
        """The tree with all that the question says beyond doubt."""
        query = of_one_amount(of_named_rows(query, question, self._catalog), question, self._catalog)
        query = sound(so_often(as_bounded(of_rows(within(query), question), question), question), self._catalog)
        query = self._added_up(self._in_stored_units(in_said_units(query, question), question), question)
        query = of_orders(in_money(query, question, self._resolver), question, self._resolver, self._joins)
        query = of_typical_ones(without_summed_marks(of_marks(query, question), question), question)
        query = in_amounts(query, question, self._catalog, self._joins)
        query = without_mean_moments(query, question, self._catalog, self._durations)
        query = in_hours(as_it_went(query, question, self._catalog, self._durations), question, self._catalog)
        query = as_done(query, question, self._catalog)
        query = in_pieces(query, question, self._catalog, self._joins, self._resolver)
        query = as_quantities(query, question, self._catalog)
        query = of_moments(by_both_parts(_by_hour_of_day(query, question), question), self._catalog)
        query = once_each(headed(query, question, self._catalog), self._joins)
        query = by_number(query, question, self._catalog)
        query = mapped(query, partial(self._with_some, question=question), (Missing,))
        query = affirmed(with_included(denied(query, question), question), question, self._catalog)
        query = unset(query, question, self._catalog)
        query = with_deeds(query, without_remarks(question), self._catalog)
        query = self._without_any(query) if _NOT_ONE.search(question) else query
        query = as_meant(by_first_times(query, question), question, self._catalog, self._joins)
        query = by_deeds(query, {token.stem for token in tokenise(question)}, self._joins, self._resolver)
        query = contrasted(self._nth(self._whens.applied(query, without_remarks(question)), question), question)
        query = looking_back(self._by_name(lapsed(query, question, self._catalog), question), question)
        query = by_worst(self._shapes.applied(query, question), question)
        query = of_base(with_part_on_top(in_said_scale(in_said_order(query, question), question), question), question)
        query = beside_theirs(of_whom(counts_such(query, question), question), question, self._catalog)
        query = with_who_last(with_keys_first(by_what_is_shown(query, question), question), question)
        query = in_sum(query, question, self._joins, self._keys_shown(query))
        query = of_all_rows(query, question, self._catalog)
        query = without_idle_joins(query, self._catalog, self._joins)
        query = without_deed(showing_when(query, question, self._catalog), question)
        query = of_role_holders(below_named(query, question, self._catalog, self._resolver), question, self._catalog)
        query = by_kind(in_charge(query, question, self._catalog), question, self._catalog, self._resolver)
        query = by_who_did(query, question, self._catalog, self._joins, self._resolver)
        query = of_said_whole(added_together(query, question), question)
        query = counted_apart(query, question, self._catalog, self._joins)
        query = when_it_begins(query, question, self._catalog)
        query = by_one_row(query, question, self._catalog)
        query = placed_first(query, question, self._catalog, self._joins)
        query = with_namesakes(self._each_once(query, question), question, self._resolver, self._catalog)
        query = self._ways.by_named(self._ways.applied(query, question), question)
        query = by_both_ends(query, question, self._joins)
        query = self._counted(self._by_code(query, question), question)
        return with_said_ties(query, question)

    def _keys_shown(self, query: Query) -> list[Col]:
        """The key of the table whose rows are shown."""
        first = next((each for each in query.select if isinstance(each, Col)), None)
        table = self._catalog.table(*first.table) if first else None
        return [Col(table.key, name) for name in self._resolver.key(table)] if table else []

    def _counted(self, query: Query, question: str) -> Query:
        """`how many … both … and …`: the number of what two queries find together."""
        alone = query.then and len(query.select) == 1 and not any(map(is_total, query.select))
        if not alone or not _COUNTS.search(question.strip(" ?.!")):
            return query
        return Query(query.anchor, (Agg("count", Nested(query)),))

    def _added_up(self, query: Query, question: str) -> Query:
        """What a table counts already is added up: `degrees` of a year are its `degrees.degrees`, not its rows."""
        compared = {each.left for each in nodes_in(query) if isinstance(each, Compare)}
        added_up = partial(self._stored_count, compared=compared)
        return query if _ROWS.search(question) else mapped(query, added_up, (Agg,))

    def _stored_count(self, node: Any, compared: Collection[Any]) -> Any:
        """An amount that is `compared`, as where `grades below 5` are counted, is no count."""
        if not isinstance(node, Agg) or node.function != "count" or node.distinct or not isinstance(node.of, Rows):
            return node
        table = self._catalog.table(*node.of.table)
        own = table_stems(table.name) if table else ()
        for column in table.columns if table else ():
            of = Col(node.of.table, column.name)
            if table and column.kind == "number" and table.stems(column.name) in (own, own[-1:]) and of not in compared:
                return replace(node, function="sum", of=of)
        return node

    def _in_stored_units(self, query: Query, question: str) -> Query:
        """`longer than two hours`: 7,200 where seconds are kept."""
        said = dict(_spans_said(question))
        query = mapped(query, self._in_named_scale, (Compare,))
        return mapped(query, lambda each: self._stored(each, said), (Compare,)) if said else query

    def _in_named_scale(self, node: Any) -> Any:
        """`more than 40 million` of a column that is counted in millions."""
        left = node.left if isinstance(node, Compare) else None
        left = left.of if isinstance(left, Agg) and left.function != "count" else left
        column = self._column(left) if isinstance(left, Col) else None
        if column is None or isinstance(node.right, bool) or not isinstance(node.right, int | float):
            return node
        made = in_named_scale(node.right, column)
        return node if made == node.right else replace(node, right=made)

    def _stored(self, node: Any, said: dict[float, str]) -> Any:
        if not isinstance(node, Compare) or not isinstance(node.left, Col) or isinstance(node.right, bool | str):
            return node
        column = self._column(node.left)
        unit = said.get(float(node.right)) if isinstance(node.right, int | float) else None
        if column is None or unit is None or column.kind != "number":
            return node
        made = as_stored(float(node.right), unit, column)
        return node if made == node.right else replace(node, right=made)

    def _with_some(self, node: Any, question: str) -> Any:
        """`came with children`, `without kids`: of a number that every row has, more than none, or none."""
        if not isinstance(node, Missing) or not isinstance(node.left, Col) or not _WITH.search(question):
            return node
        column = self._column(node.left)
        counts = column is not None and column.kind == "number" and not column.null_fraction and column.minimum == 0
        return Compare(node.left, ">" if node.negated else "=", 0) if counts else node

    def _without_any(self, query: Query) -> Query:
        """`neither a gym nor a pool`, `never been sick`: no row of such, not a row of something else."""
        return replace(query, where=tuple(self._lacking(each, query.anchor) for each in query.where))

    def _lacking(self, condition: Any, anchor: TableKey) -> Any:
        affirmed = _affirmed(condition)
        if affirmed != condition and self._joins.belongs(condition.left.table, anchor):
            return Related(condition.left.table, (affirmed,), negated=True)
        if not isinstance(condition, Related) or condition.negated or condition.count:
            return condition
        where = tuple(map(_affirmed, condition.where))
        return condition if where == condition.where else replace(condition, where=where, negated=True)

    def _nth(self, query: Query, question: str) -> Query:
        """`the third most expensive`: the last of the first three."""
        found = list(_NTH.finditer(question))
        if len(found) != 1 or not query.order or query.limit is None:
            return query
        place, most = _ORDINALS.index(found[0]["nth"].lower()) % 9 + 2, found[0]["most"].lower()
        descends = most in _MOST if most in (*_MOST, *_LEAST) else query.order[0].descending
        order = (replace(query.order[0], descending=descends), *query.order[1:])
        return replace(query, limit=place, nth=True, order=order)

    def _each_once(self, query: Query, question: str) -> Query:
        """`which brands …`, `in which cities …`: each kind once, though many rows are of it."""
        shown = kind_asked(query, question, self._catalog)
        if shown is None or query.limit or query.distinct:
            return query
        table, column = self._catalog.table(*shown.table), self._column(shown)
        if table is None or column is None or not table.tells_kinds(column):
            return query
        return replace(query, distinct=True, order=tuple(each for each in query.order if each.by == shown))

    def _by_code(self, query: Query, question: str) -> Query:
        """Rows that have a code of their own are shown by it, not by a number that only the tables know."""
        codes = {each: code for each in query.select if (code := self._code_of(each, question))}
        if not codes or query.then:
            return query
        group = [part for each in query.group for part in (each, *([codes[each]] if each in codes else []))]
        return replace(query, select=tuple(codes.get(each, each) for each in query.select), group=tuple(group))

    def _code_of(self, shown: Expr, question: str) -> Col | None:
        """The code of the rows that a number tells apart, which the question does not ask for."""
        table = self._catalog.table(*shown.table) if isinstance(shown, Col) else None
        if table is None or not isinstance(shown, Col) or [shown.name] != self._resolver.key(table):
            return None
        label, key = self._resolver.label(table), table.column(shown.name)
        code = label[0] if len(label) == 1 and label[0] != shown else None
        is_number = key is not None and key.kind == "number" and not _said_as_key(shown, question)
        return code if code and is_number and is_code(table, code.name) else None

    def _by_name(self, query: Query, question: str) -> Query:
        """A row of another table is shown by its name, not by the key that points to it, nor by both."""
        if query.then or any(isinstance(each, Nested) for each in nodes_in(query)):
            return query
        keys = [each for each in query.select if isinstance(each, Col) and not _said_as_key(each, question)]
        if kept := [each for each in query.select if each not in keys or not self._is_named(each, query)]:
            query = replace(query, select=tuple(kept))
        labels = {each: label for each in keys if (label := self._name_of(each, query))}
        if not labels or len({label[0].table for label in labels.values()}) < len(labels):
            return query  # of two rows of one table a tree shows one
        named: dict[Expr, Sequence[Expr]] = dict(labels.items())
        select = [part for each in query.select for part in named.get(each, (each,))]
        group: list[Expr] = [part for each in query.group for part in (each, *named.get(each, ()))]
        through = (*query.through, *((each.table, each.name) for each in labels))
        return replace(query, select=tuple(dict.fromkeys(select)), group=tuple(dict.fromkeys(group)), through=through)

    def _is_named(self, column: Expr, query: Query) -> bool:
        """Whether the row that a column points to is shown by its name already."""
        step = self._step_by(column) if isinstance(column, Col) else None
        parent = self._catalog.table(*step.target) if step else None
        label = self._resolver.label(parent) if parent else []
        return bool(label) and column not in label and set(label) <= set(query.select)

    def _step_by(self, column: Col) -> Step | None:
        """To the row that a column points to."""
        return next((each for each in self._joins.neighbours(column.table) if _leads(each, column)), None)

    def _name_of(self, column: Col, query: Query) -> list[Col]:
        """What the row is called that a column points to; [] where it points to none, or that is no better."""
        step = self._step_by(column)
        parent = self._catalog.table(*step.target) if step else None
        if step is None or parent is None or any(each.table == parent.key for each in columns_in(query)):
            return []
        if self._joins.path(column.table, parent.key, [(column.table, column.name)]) != [step]:
            return []
        label = self._resolver.label(parent)
        if any(each.name == step.pairs[0][1] for each in label):
            return []
        texts = [each for each in label if (found := self._column(each)) and found.kind == "text"]
        keys = {name.casefold() for name in self._resolver.key(parent)}
        return texts if len(texts) == len(label) and not any(each.name.casefold() in keys for each in texts) else []

    def _column(self, column: Col) -> Column | None:
        return self._catalog.column(*column.table, column.name)


def _affirmed(condition: Any) -> Any:
    """What a condition on a column denies; any other as it is."""
    if isinstance(condition, Among) and condition.negated:
        return replace(condition, negated=False)
    denied = isinstance(condition, Compare) and condition.operator == "!=" and isinstance(condition.left, Col)
    return replace(condition, operator="=") if denied else condition


def kind_asked(query: Query, question: str, catalog: Catalog) -> Col | None:
    """The only column shown, where `which` asks for it by its name, or nothing else is listed: `list our cities`."""
    asked = _KIND_ASKED.match(question.strip()) or _KINDS_LISTED.match(question.strip())
    shown = query.select[0] if len(query.select) == 1 else None
    if not asked or query.group or query.then or not isinstance(shown, Col):
        return None
    table = catalog.table(*shown.table)
    stems = {token.stem for token in tokenise(asked["words"])}
    return shown if table and set(table.stems(shown.name)) & stems else None


def _leads(step: Any, column: Col) -> bool:
    """Whether a step follows the column to the one row that it points to."""
    return not step.multiplies and len(step.pairs) == 1 and step.pairs[0][0].casefold() == column.name.casefold()


def _said_as_key(column: Col, question: str) -> bool:
    """Whether the question asks for the key itself: `support rep id`, `department code`."""
    keys = {token.stem for token in tokenise(question)} & _KEYS
    spelt = re.search(rf"\b{re.escape(column.name)}\b", question, re.IGNORECASE) and not column.name.isalpha()
    return bool(keys & {"id", "identifi", "key", *name_stems(column.name)[-1:]} or spelt)


def _by_hour_of_day(query: Query, question: str) -> Query:
    """`by hour of the day`: all days together."""
    if not _HOUR_OF_DAY.search(question):
        return query
    return mapped(query, lambda each: replace(each, grain="hour_of_day") if _is_hour(each) else each)


def _is_hour(node: Any) -> bool:
    return isinstance(node, Bucket) and node.grain == "hour"


@lru_cache(maxsize=_REMEMBERED)
def _spans_said(question: str) -> tuple[tuple[float, str], ...]:
    """The numbers of a question after which a unit of time is said, each with it."""
    return tuple(_spans(tokenise(question)))


def _spans(tokens: Sequence[Token]) -> Iterator[tuple[float, str]]:
    for place in range(len(tokens)):
        number = spoken(tokens, place)
        unit = unit_said(tokens[number[0]].lower) if number and number[0] < len(tokens) else ""
        if number and is_span(unit):
            yield number[1], unit
