"""What a tree says and its question does not: a figure told apart by, a value that is only a table's name.

Called by `reader` beside `accounts`, for trees of any origin: each such part counts against a tree as a lost word does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.data.identifiers import is_identifier
from pluto_duck_text2sql.data.yes_no import is_yes_or_no, says_no
from pluto_duck_text2sql.language.words import CONTRARY, name_stems, name_words, stem, table_stems, table_words
from pluto_duck_text2sql.reading.course_words import RUNNING
from pluto_duck_text2sql.reading.percentages import added_percentages
from pluto_duck_text2sql.tree import (
    Agg,
    Bucket,
    Col,
    Compare,
    Cond,
    Days,
    Every,
    Expr,
    Inside,
    Nested,
    Query,
    Related,
    Rows,
    Running,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
)

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention, Target
    from pluto_duck_text2sql.reading.reader import Pass

_FRACTIONS = ("DOUBLE", "FLOAT", "REAL", "DECIMAL")
_AMOUNTS = frozenset(name_stems("quantity amount price total cost revenue units"))
_COUNTING = frozenset("count howmuch share agg growth cmp_avg total both never popular".split())
_BOUNDS = ("=", "<", "<=", ">", ">=")
_RANKED = re.compile(r"most|least|top|bottom|best|worst|first|last|only|one|single|\w+est|\w+most|\d+")
_OF_DATES = re.compile(r"\b(?:dates?|days?|when)\b", re.IGNORECASE)
_TIME_TO = re.compile(r"\b(?:time|days|takes?(?: us| them)?) to (?P<deed>[a-z]+)", re.IGNORECASE)
_DENYING = frozenset("no not never without neither nor none nobody nothing off out lack lacking missing cannot".split())
_LEAVING = frozenset(
    "but except excluding excludes only just all every always exclusively solely rather other else besides yet still"
    " left remaining rest than empty free fail failed fails".split()
)
"""Words that leave something out of what is listed without denying it."""
_LEFT_ALONE = frozenset(
    "zero idle idling available vacant spare dormant orphan orphans orphaned new lost leaf leaves top-level root roots"
    " single alone standalone childless remain remains".split()
)
"""Words for what has nothing of another kind."""
_NOT = ("n't", "n’t", "less")
_BOUNDARIES = frozenset("who whom which that whose and but with having ever because if when".split())
"""What a denial does not reach beyond."""
_HAVE_BOTH = re.compile(
    r"\b(?:have|has|had|with) (?:an? |no |the )?[^,;?]+ and (?:an? |no |the )?(?!how|what|which)", re.IGNORECASE
)
_UNSET = ("false", "unset", "zero")
_NEAR = 4
_ANY_MORE = ("any more", "anymore", "any longer")
_ONE_ASKED = re.compile(r"(?:(?:in|at|on|from|to|by|for|with) )?(?:who|which|what|where|when)\b", re.IGNORECASE)
_MORE_ASKED = re.compile(
    r"[,;:?&]|\b(?:and|or|along|also|both|together|plus|each|every|per|by|versus|than|how|if|any|total|average)\b"
    r"|\bwith\b(?! the (?:most|least|fewest|\w+est)\b)",
    re.IGNORECASE,
)
_PER = re.compile(r"\b(?:per|by|each|every) ")
_MEAN = re.compile(r"\b(?:average|averaged|avg|mean|typical|typically|usual|usually|normally|an?|one)\b")
_REVENUE = frozenset(map(stem, "revenue turnover sales".split()))
_TAKEN_OFF = frozenset(map(stem, "tax vat discount rebate cost freight shipping refund fee spent spend budget".split()))
_GIVEN_BACK = frozenset(map(stem, "refund chargeback reimbursement".split()))
_SINGLE = re.compile(
    r"\b(?:biggest|largest|highest|greatest|most expensive|smallest|lowest|longest|best|top)"
    r" (?:single|individual|one-off)\b",
    re.IGNORECASE,
)
_TOTALS = ("sum", "count")
_NAMES = frozenset(map(stem, ("name", "title")))
_BEFORE_NAMES = frozenset("show list give find return print display me us the their its and with by".split())
"""What stands before `name` where it says of nothing whose."""
_DAYS = frozenset("day days date dates times moments hours weeks months".split())
_WHO = re.compile(r"^\s*who\b", re.IGNORECASE)


def unasked(roles: Pass, query: Query) -> list[str]:
    """The parts of a tree that nothing in the question asks for."""
    return [
        *_told_apart_by_figures(roles, query),
        *_doubled(query),
        *_echoes(roles, query),
        *_rows_as_values(roles, query),
        *_parts_of_names(roles, query),
        *_names_of_others(roles, query),
        *_counted_unasked(roles, query),
        *_nobody(roles, query),
        *_cut(roles, query),
        *_denied(roles, query),
        *_excepted(roles, query),
        *_done(roles, query),
        *_said_already(roles, query),
        *_beside(roles, query),
        *_others(roles, query),
        *_averaged(roles, query),
        *_no_revenue(roles, query),
        *_given_back(roles, query),
        *_piled_up(roles, query),
        *_whatever(roles, query),
        *_counted_apart(roles, query),
        *_parts_of_flags(roles, query),
        *_reached_by_columns(roles, query),
        *_added_up(roles, query),
        *added_percentages(query, roles.tokens),
        *_raw_times(roles, query),
        *_times_of_doers(roles, query),
        *_turned_spans(roles, query),
        *_mean_dates(roles, query),
        *_bounded_keys(roles, query),
        *_bounds_twice(roles, query),
    ]


def _bounded_keys(roles: Pass, query: Query) -> Iterator[str]:
    """`people under 30` are no employees whose number is below 30, unless numbers are spoken of."""
    said = {token.stem for token in roles.tokens}
    for left, operator, _ in _numbers(query):
        table, column = roles.reader.catalog.table(*left.table), roles.reader.catalog.column(*left.table, left.name)
        is_key = table is not None and column is not None and operator != "=" and is_identifier(table, column)
        if is_key and stem(name_words(left.name)[-1]) not in said:
            yield left.name


def _bounds_twice(roles: Pass, query: Query) -> Iterator[str]:
    """A number that is said once bounds one column."""
    said = Counter(token.number for token in roles.tokens if token.number is not None)
    bounded = {(right, left) for left, operator, right in _numbers(query) if operator != "="}
    for number, times in Counter(right for right, _ in bounded).items():
        if times > 1 and said[number] == 1:
            yield f"{number:g}"


def _numbers(query: Query) -> Iterator[tuple[Col, str, float]]:
    """The numbers that columns are compared with: the column, how, and the number."""
    for each in all_nodes_in(query, but=("said", "anchored")):
        is_number = (
            isinstance(each, Compare) and isinstance(each.right, int | float) and not isinstance(each.right, bool)
        )
        if is_number and isinstance(each.left, Col):
            yield each.left, each.operator, float(each.right)


def _averaged(roles: Pass, query: Query) -> Iterator[str]:
    """`number of orders per customer` is a number for each, not their mean, where nothing says average."""
    means = [each for each in query.select if isinstance(each, Agg) and each.function == "avg"]
    said = " ".join(token.lower for token in roles.tokens)
    if any(isinstance(each.of, Nested) for each in means) and _PER.search(said) and not _MEAN.search(said):
        yield "average"


def _no_revenue(roles: Pass, query: Query) -> Iterator[str]:
    """`revenue` is no tax, discount or cost that is kept beside it, unless that is what is said."""
    said = {token.stem for token in roles.tokens}
    if _REVENUE.isdisjoint(said):
        return
    for each in all_nodes_in(query.select):
        if isinstance(each, Agg) and isinstance(each.of, Col):
            taken = _TAKEN_OFF & set(name_stems(each.of.name))
            if taken and taken.isdisjoint(said):
                yield each.of.name


def _given_back(roles: Pass, query: Query) -> Iterator[str]:
    """What was sold or spent is not what was given back, unless that is what is said, and not `before refunds`."""
    said = {token.stem for n, token in enumerate(roles.tokens) if not n or roles.tokens[n - 1].lower != "before"}
    for each in all_nodes_in(query.select):
        if isinstance(each, Agg) and isinstance(each.of, Col):
            called = {*name_stems(each.of.name), *table_stems(each.of.table[1])}
            if not _GIVEN_BACK.isdisjoint(called) and said.isdisjoint(called):
                yield each.of.name


def _piled_up(roles: Pass, query: Query) -> Iterator[str]:
    """No sum so far stands beside the figures, where nothing speaks of one."""
    is_said = any(cue.kind == "running" for cue in roles.cues) or RUNNING.search(roles.whole)
    if not is_said:
        yield from ("running" for each in all_nodes_in(query) if isinstance(each, Running) and each.last is None)


def _counted_apart(roles: Pass, query: Query) -> Iterator[str]:
    """`how many reviews have a comment and a rating of 5` is one number, of those that have both."""
    parts = [each.where for each in query.select if isinstance(each, Agg) and each.function == "count" and each.where]
    asked = [cue for cue in roles.cues if cue.kind in ("count", "share")]
    columns = [frozenset(columns_in(each)) for each in parts]
    if len(parts) > 1 and len(asked) == 1 and columns[0].isdisjoint(columns[1]) and _HAVE_BOTH.search(roles.whole):
        yield "and"


def _parts_of_flags(roles: Pass, query: Query) -> Iterator[str]:
    """`learners who want the newsletter` is of a flag `wants_newsletter`, not of those who came by the newsletter."""
    said = {token.stem for token in roles.tokens}
    for column, _, text in _texts(query):
        table, value = roles.reader.catalog.table(*column.table), {*name_stems(text)}
        flags = [set(table.stems(flag.name)) for flag in table.columns if is_yes_or_no(flag)] if table else []
        if any(value < flag <= said for flag in flags) and not _is_written(text, roles):
            yield text


def _texts(query: Query) -> Iterator[tuple[Col, str, str]]:
    """The texts that columns are compared with: the column, how, and the text."""
    for each in all_nodes_in(query, but=("said", "anchored")):
        if isinstance(each, Compare) and isinstance(each.left, Col) and isinstance(each.right, str):
            yield each.left, each.operator, each.right


def _whatever(roles: Pass, query: Query) -> Iterator[str]:
    """`campaigns per month, regardless of status`: by no status, and of none."""
    spans = [range(cue.start, cue.end) for cue in roles.cues if cue.kind == "idle"]
    idle = {roles.tokens[place].stem for span in spans for place in span}
    said = {token.stem for place, token in enumerate(roles.tokens) if not any(place in span for span in spans)}
    columns = columns_in((query.group, query.where)) if idle else ()
    for each in (column for column in columns if isinstance(column, Col)):
        meant = idle & set(name_stems(each.name))
        if meant and said.isdisjoint(meant):
            yield each.name


def _reached_by_columns(roles: Pass, query: Query) -> Iterator[str]:
    """`days from the issue date of an invoice` asks for no tickets, though these may be called issues: the word is said
    of a column of what is asked."""
    columns = (each for each in columns_in((query.select, query.group, query.order)) if isinstance(each, Col))
    own = {word for each in columns for word in name_stems(each.name)}
    for each in all_nodes_in(query.where):
        if isinstance(each, Related) and not (each.negated or each.count or each.where):
            said = {stem for item in roles.mentions if _calls(item, each.table) for stem in _stems_of(item, roles)}
            if said and said <= own:
                yield each.table[1]


def _calls(item: Mention, key: TableKey) -> bool:
    """Whether a table is what a name means."""
    return any(each.column is None and each.table.key == key for each in item.targets)


def _stems_of(item: Mention, roles: Pass) -> Iterator[str]:
    return (token.stem for token in roles.tokens[item.start : item.end])


def _added_up(roles: Pass, query: Query) -> Iterator[str]:
    """`the biggest single payment` is one of them, not what somebody paid in all, nor how many."""
    if _SINGLE.search(roles.words_at(0, len(roles.tokens))):
        yield from (each.function for each in all_nodes_in(query) if isinstance(each, Agg) and each.function in _TOTALS)


def _raw_times(roles: Pass, query: Query) -> Iterator[str]:
    """`bookings made each quarter`: no row for each moment beside its quarter; nor are the different days counted of
    tickets that were opened."""
    said = {token.lower for token in roles.tokens}
    buckets = {each.of for each in query.group if isinstance(each, Bucket)}
    yield from (each.name for each in query.group if isinstance(each, Col) and each in buckets)
    if said.isdisjoint(_DAYS):
        counted = (each.of for each in all_nodes_in(query.select) if isinstance(each, Agg) and each.distinct)
        times = (of for of in counted if isinstance(of, Col) and (column := _column(of, roles)) and column.is_time)
        yield from (of.name for of in times)


def _times_of_doers(roles: Pass, query: Query) -> Iterator[str]:
    """`users who logged an event, by month` is by the event's month, unless the user's own date is what is said."""
    deeds = [each for each in query.where if isinstance(each, Related) and not (each.negated or each.count)]
    dated = [each for each in deeds if (table := roles.reader.catalog.table(*each.table)) and table.has_times]
    said = {token.stem for token in roles.tokens}
    times = [each.of for each in query.group if isinstance(each, Bucket)] if dated else []
    own = (each for each in times if isinstance(each, Col) and each.table == query.anchor)
    yield from (each.name for each in own if said.isdisjoint(name_stems(each.name)))


def _turned_spans(roles: Pass, query: Query) -> Iterator[str]:
    """`time to hire` ends with the hiring: the days from there on are no such time."""
    said = {stem(match["deed"].lower()) for match in _TIME_TO.finditer(roles.words_at(0, len(roles.tokens)))}
    spans = (each for each in all_nodes_in(query) if isinstance(each, Days)) if said else ()
    for each in spans:
        begins, ends = (set(name_stems(end.name)) if isinstance(end, Col) else set() for end in (each.start, each.end))
        if said & begins and said.isdisjoint(ends):
            yield str(each.start)


def _mean_dates(roles: Pass, query: Query) -> Iterator[str]:
    """`time to hire` is no mean of the dates of hiring; nothing is, but where dates are what is asked."""
    if not _OF_DATES.search(roles.words_at(0, len(roles.tokens))):
        of = (each.of for each in all_nodes_in(query.select) if isinstance(each, Agg) and each.function == "avg")
        yield from (each.name for each in of if isinstance(each, Col) and (c := _column(each, roles)) and c.is_time)


def _doubled(query: Query) -> Iterator[str]:
    """`price > 2 and price > 200`, or one value and another at once: one of the two is of another column."""
    bounds = Counter(
        (each.left, each.operator)
        for each in _joined(query.where)
        if isinstance(each, Compare) and isinstance(each.left, Col) and each.operator in _BOUNDS
    )
    yield from (left.name for (left, _), count in bounds.items() if count > 1)


def _joined(conditions: Sequence[Cond]) -> Iterator[Cond]:
    """The conditions that must all hold."""
    for each in conditions:
        yield from _joined(each.all_of) if isinstance(each, Every) else (each,)


def _told_apart_by_figures(roles: Pass, query: Query) -> Iterator[str]:
    """`units sold per product` is no row for each number of units; no more are the different amounts counted."""
    distinct = any("distinct" in cue.data or cue.kind == "distinct" for cue in roles.cues)
    told = [each for each in query.group if each in query.select and not _follows_group(each, roles)]
    counted = [a.of for a in all_nodes_in(query.select) if isinstance(a, Agg) and a.function == "count" and a.distinct]
    for each in (*told, *(() if distinct else counted)):
        if _is_figure(each, roles) and any(map(is_total, query.select)):
            yield each.name


def _is_figure(expression: Expr, roles: Pass) -> bool:
    """Whether a column holds amounts: fractions, or what is called so."""
    column = _column(expression, roles)
    if column is None or column.kind != "number" or not isinstance(expression, Col):
        return False
    is_fraction = column.type.upper().startswith(_FRACTIONS)
    return is_fraction or not _AMOUNTS.isdisjoint(name_stems(expression.name))


def _column(expression: Expr, roles: Pass) -> Column | None:
    return roles.reader.catalog.column(*expression.table, expression.name) if isinstance(expression, Col) else None


def _follows_group(expression: Expr, roles: Pass) -> bool:
    """Whether `by`, `per` or `each` is said of a column."""
    ends = {cue.end for cue in roles.cues if cue.kind == "group"}
    named = (target for each in roles.mentions if each.start in ends for target in each.targets if target.column)
    return any(Col(each.table.key, each.column.name) == expression for each in named if each.column)


def _echoes(roles: Pass, query: Query) -> Iterator[str]:
    """Values that only repeat the name of their table: documents of the type document, nurses in the position nurse;
    or that of one whose rows are shown or grouped: the rate of each room, and no charge for a room."""
    shown = {each.table for each in columns_in((query.select, query.group))}
    for column, operator, text in _texts(query):
        stems, others, table = set(name_stems(text)), shown - {column.table}, column.table[1]
        own = stems <= set(table_stems(table)) and not _is_said_state(text, table, roles)
        again = any(stems == set(table_stems(key[1])) for key in others) and not _is_written(text, roles)
        if operator in ("=", "!=") and stems and (own or again):
            yield text


def _is_said_state(value: str, table: str, roles: Pass) -> bool:
    """Whether a value is said that only shares its root with the table's name: `open` of job openings is a state."""
    words = {each.removesuffix("s") for each in table_words(table)}
    own = set(name_words(value))
    return own <= {token.lower for token in roles.tokens} and words.isdisjoint(each.removesuffix("s") for each in own)


def _rows_as_values(roles: Pass, query: Query) -> Iterator[str]:
    """`customers without a bike` have no row of the bikes that there are, whatever else has a kind `bikes`."""
    tables = {table_stems(each.name) for each in roles.reader.catalog.tables}
    denied = tuple(each for each in all_nodes_in(query) if isinstance(each, Inside | Related) and each.negated)
    within = (each for each in all_nodes_in(denied) if isinstance(each, Compare) and isinstance(each.left, Col))
    values = (each.right for each in within if isinstance(each.right, str))
    yield from (each for each in values if name_stems(each) in tables and not _is_written(each, roles))


def _parts_of_names(roles: Pass, query: Query) -> Iterator[str]:
    """`premium by line of business` is of no customers of the type business: the word is a part of a column's name."""
    named = [each for each in roles.mentions if each.end > each.start + 1 and any(map(_is_whole, each.targets))]
    inside = {place for each in named for place in range(each.start, each.end)}
    for column, _, text in _texts(query):
        stems = {*name_stems(text)}
        said = {place for place, token in enumerate(roles.tokens) if token.stem in stems}
        if said and said <= inside and not any(_mentions(item, column) for item in named):
            yield text


def _is_whole(target: Target) -> bool:
    return target.column is not None and target.score >= 1


def _mentions(item: Mention, column: Col) -> bool:
    return any(t.column and (t.table.key, t.column.name) == (column.table, column.name) for t in item.targets)


def _names_of_others(roles: Pass, query: Query) -> Iterator[str]:
    """`name and level of all apprentices` has the mechanics' names, no product's, where nothing speaks of products."""
    said = {token.stem for token in roles.tokens}
    if not any(other.stem in _NAMES and one.lower in _BEFORE_NAMES for one, other in pairwise(roles.tokens)):
        return
    shown = [each for each in query.select if isinstance(each, Col)]
    names = (each.table for each in shown if _NAMES & set(name_stems(each.name)))
    named = {key for key in names if said.isdisjoint(table_stems(key[1]))}
    for each in shown:
        more = set(name_stems(each.name)) - _NAMES
        others = {other.table for other in shown} - named
        if each.table in named and more and said.isdisjoint(more) and any(_has_name(key, roles) for key in others):
            yield each.name


def _has_name(key: TableKey, roles: Pass) -> bool:
    table = roles.reader.catalog.table(*key)
    return table is not None and any(_NAMES & set(table.stems(each.name)) for each in table.columns)


def _is_written(value: str, roles: Pass) -> bool:
    """Whether a value is said as one: in quotes, with a capital, or beside its name."""
    words = [token for token in roles.tokens if token.stem in name_stems(value)]
    return len(words) > 1 or any(token.quoted or token.text[:1].isupper() for token in words)


def _counted_unasked(roles: Pass, query: Query) -> Iterator[str]:
    """`students who take chess` are listed, not counted; what is said of a time may be either."""
    shown = query.select[0] if len(query.select) == 1 and not query.group else None
    if not isinstance(shown, Agg) or shown.function != "count" or not isinstance(shown.of, Rows):
        return
    if not (roles.periods or roles.grains or any(cue.kind in _COUNTING for cue in roles.cues)):
        yield shown.of.table[1]


def _nobody(roles: Pass, query: Query) -> Iterator[str]:
    """`who` is answered by people, where there are tables of people."""
    if not roles.tokens or not _WHO.match(roles.words_at(0, 1)):
        return
    reader, shown = roles.reader, [each for each in query.select if isinstance(each, Col)]
    people = {
        each for table in reader.catalog.tables if len(label := reader.resolver.label(table)) > 1 for each in label
    }
    if (people and people.isdisjoint(shown)) or (shown and all(_is_number(each, roles) for each in shown)):
        yield "who"


def _is_number(shown: Col, roles: Pass) -> bool:
    column = _column(shown, roles)
    return column is not None and column.kind == "number"


def _cut(roles: Pass, query: Query) -> Iterator[str]:
    """`revenue by month and channel` has a row for each, not the first one's."""
    is_grouped = bool(roles.grains) or any(cue.kind == "group" for cue in roles.cues)
    if query.limit and query.group and is_grouped and roles.slots.best is None:
        free = [each for n, each in enumerate(roles.tokens) if not roles.words.taken(n) or each.number is None]
        if not any(_RANKED.fullmatch(each.lower) for each in free):
            yield f"first {query.limit}"


def _denied(roles: Pass, query: Query) -> Iterator[str]:
    """`athletes who get a scholarship`, `active members who never came`: the flag is set where nothing denies it, and
    not where the word before does; those that are taken away are denied as they are."""
    words = [token.lower for token in roles.tokens]
    plain = set(query.where) if query.then is None else set()
    for each in all_nodes_in(query, but=("said", "anchored")):
        if isinstance(each, Compare) and isinstance(each.left, Col) and each.operator == "=":
            column, stems = _column(each.left, roles), set(name_stems(each.left.name))
            places = [n for n, token in enumerate(roles.tokens) if token.stem in stems]
            is_flag = column is not None and is_yes_or_no(column) and str(each.right).casefold() not in words
            is_no = says_no(each.right)
            if is_flag and places and (is_no or each in plain) and not _is_as_said(is_no, places, words):
                yield each.left.name


def _is_as_said(is_no: bool, places: Sequence[int], words: Sequence[str]) -> bool:
    """Whether a flag is denied as one of its places is, or set as one of them is not."""
    if is_no:
        return any(_is_denied_at(place, words) for place in places)
    return not all(_is_none_at(place, words) for place in places)


def _is_denied_at(place: int, words: Sequence[str]) -> bool:
    """Whether a word of the same clause denies the one at this place, before it, within it, or said of it."""
    begins = max((n + 1 for n, word in enumerate(words[:place]) if word in _BOUNDARIES), default=0)
    before, after = words[max(begins, place - _NEAR) : place], words[place + 1 : place + 3]
    said_of_it = bool(after) and after[0].startswith(("is", "are", "was", "were"))
    denying = [*before, words[place], *(after if said_of_it else ())]
    return any(map(_denies, denying)) or _is_none_at(place, words)


def _is_none_at(place: int, words: Sequence[str]) -> bool:
    """Whether the word before denies it, or `any more` after it."""
    before = words[place - 1] if place else ""
    is_over = before == "longer" and words[place - 2 : place - 1] == ["no"]
    return is_over or before in _DENYING or before.endswith(_NOT) or " ".join(words[place + 1 :]).startswith(_ANY_MORE)


def _denies(word: str) -> bool:
    return word in _DENYING or word in _UNSET or _denies_within(word)


def _excepted(roles: Pass, query: Query) -> Iterator[str]:
    """`towns that have a club and also held an event`: nothing is taken away, where nothing says so; nor is `is any
    machine down` of those that have no downtime."""
    is_taken_off = query.then is not None and query.then[0] == "except"
    if not is_taken_off and not any(map(_has_none, query.where)):
        return
    words = {token.lower for token in roles.tokens}
    if not words & (_DENYING | _LEAVING | _LEFT_ALONE) and not any(map(_denies_within, words)):
        yield "except"


def _has_none(condition: Cond) -> bool:
    """Whether it is of what has no rows of another table at all."""
    if isinstance(condition, Inside):
        return condition.negated and not (condition.query.where or condition.query.having or condition.query.group)
    return isinstance(condition, Related) and condition.negated and not condition.where and not condition.count


def _denies_within(word: str) -> bool:
    """Whether a part of a word denies: `isn't`, `unpaid`."""
    return word.startswith(CONTRARY) or word.endswith(_NOT)


def _done(roles: Pass, query: Query) -> Iterator[str]:
    """`tickets that were opened`: when that was is stored; that they are still `open` is not what is said."""
    words = {token.lower for token in roles.tokens}
    verbs = {token.stem for token in roles.tokens if token.lower.endswith("ed")}
    for column, _, text in _texts(query):
        value, table = text.casefold(), roles.reader.catalog.table(*column.table)
        times = {word for col in table.columns if col.is_time for word in table.stems(col.name)} if table else ()
        if value not in words and stem(value) in verbs and stem(value) in times:
            yield text


def _said_already(roles: Pass, query: Query) -> Iterator[str]:
    """`which room has two beds`: the room, not that there are two; unless the column is named elsewhere as well."""
    fixed = {each.left for each in query.where if isinstance(each, Compare) and each.operator == "="}
    shown = [each for each in query.select if isinstance(each, Col)]
    if len(shown) < 2 or query.group or query.then or set(shown) <= fixed:
        return
    for each in shown:
        if each in fixed and all(_is_beside_value(item, roles) for item in _mentions_of(each, roles)):
            yield each.name


def _mentions_of(column: Col, roles: Pass) -> list[Mention]:
    """Where a column is named."""
    return [item for item in roles.mentions if _mentions(item, column)]


def _is_beside_value(item: Mention, roles: Pass) -> bool:
    """Whether a number or a stored value stands next to a name, so that it tells which rows are meant."""
    before = roles.tokens[item.start - 1] if item.start else None
    values = any(each.hits and (each.end == item.start or each.start == item.end) for each in roles.mentions)
    return bool(item.hits) or values or (before is not None and before.number is not None)


def _others(roles: Pass, query: Query) -> Iterator[str]:
    """`which hive gave the most honey`: a hive is shown, if by its key, not the breed that it is of."""
    item = next((each for each in roles.mentions if each.start == 1), None)
    if item is None or item.hits or roles.tokens[0].lower != "which":
        return
    best = max((each.score for each in item.targets), default=0)
    asked = [each for each in item.targets if each.score == best]
    shown = [each for each in query.select if isinstance(each, Col)]
    if (
        not shown
        or len(shown) < len(query.select)
        or any(each.column or not _is_told_apart(each.table) for each in asked)
    ):
        return
    joins, tables = roles.reader.joins, {each.table.key for each in asked}
    if tables.isdisjoint({*(each.table for each in shown), *(joins.pointed(each).table for each in shown)}):
        yield item.text


def _is_told_apart(table: Table) -> bool:
    """Whether its key is its own: what only points to another table's row is that row."""
    own = {name for key in table.foreign_keys for name in key.columns}
    return len(table.primary_key) == 1 and own.isdisjoint(table.primary_key)


def _beside(roles: Pass, query: Query) -> Iterator[str]:
    """`which branch has the most clients`: one thing is asked, so nothing is shown beside what it is called by."""
    said = roles.whole.strip(" ?.!")
    if len(query.select) < 2 or query.then or query.per or not _ONE_ASKED.match(said) or _MORE_ASKED.search(said):
        return
    of_one = {each.table for each in query.select if isinstance(each, Col)}
    labels = [roles.reader.resolver.label(table) for key in of_one if (table := roles.reader.catalog.table(*key))]
    if not any(set(query.select) <= set(label) for label in labels):
        yield str(len(query.select))
