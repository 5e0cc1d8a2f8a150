"""Does a query say all that its question says? Each cue, name, value, period and number must have left its mark.

Called by `reader` when a tree is finished. A rule may take a word for its own and then make nothing of it; such words
are unexplained, whoever claimed them. Pure: reads the roles' finds and the tree.
"""

from __future__ import annotations

import datetime as dt
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from pluto_duck_text2sql.data.yes_no import says_no
from pluto_duck_text2sql.language.otherwise import otherwise
from pluto_duck_text2sql.language.words import FILLER, STOP, name_stems, root, stem, table_stems
from pluto_duck_text2sql.reading.asked_columns import lost_columns
from pluto_duck_text2sql.reading.asked_figures import unasked_or_lost
from pluto_duck_text2sql.reading.other_way import is_other_way
from pluto_duck_text2sql.reading.values_said import (
    is_gone_by,
    is_held,
    is_included,
    is_named,
    is_stored_in,
    lost_values,
)
from pluto_duck_text2sql.times.cycles import days_of
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Bucket,
    Col,
    Compare,
    Days,
    During,
    Either,
    First,
    Fold,
    Growth,
    Inside,
    Later,
    Minus,
    Missing,
    Nested,
    Number,
    Own,
    Product,
    Query,
    Ratio,
    Related,
    Running,
    Share,
    TableKey,
    all_nodes_in,
    columns_in,
    is_total,
)
from pluto_duck_text2sql.trees.marks import UNSAID, Marks
from pluto_duck_text2sql.trees.phrases import counts_pieces

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.joins import Step
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.reading.cues import Cue
    from pluto_duck_text2sql.reading.reader import Pass

_GRAINS = ("day", "week", "month", "quarter")
_PAIR = 2
_CODE = 2
_BEFORE_PLACES = ("in", "from")
_NAMED = 0.9
_UNITS = (60, 3600, 86400, 1000, 60000, 3600000, 0.01, 100, 24, 7, 12, 365, 30, 1e6, 1e9)
"""How many of what may be stored are one of what is said."""
_BEGUN = 0.6
"""What a word scores less than that only begins the name of a table."""
_OF_MEANS = ("agg", "share", "growth")
_FIGURES = ("agg", "share", "growth", "cmp_avg", "moving")
_NO_MONEY = frozenset(map(stem, "day hour minute month year week rating star score point age rank percent".split()))
_TURNOVER = frozenset(("revenue", "revenues", "turnover", "takings", "earnings", "spend", "spending"))
_LEADS_VERB = frozenset("do does did can could will would to".split())
_NEAR_VERB = 4
_PARTICLES = frozenset("up out off down over away".split())
_DONE = frozenset("sent made sold taken written given held won paid bought led run done".split())
Leaves: TypeAlias = "Callable[[Cue, Marks], bool]"


def unaccounted(roles: Pass, query: Query) -> list[str]:
    """The words of the question that left no mark in its tree, in their order."""
    marks = Marks.of(query)
    cues = [each for each in roles.cues if not _names_who(each, roles)]
    lost = [*_lost_cues(cues, marks, _MARK_OF), *_lost_names(roles, marks), *lost_values(roles, marks)]
    lost += _lost_numbers(roles, marks)
    return _texts(roles, [*lost, *_lost_times(roles, marks), *_lost_money(roles, marks)])


def certainly_lost(roles: Pass, query: Query) -> list[str]:
    """Those of them that no tree may pass over, whoever wrote it: values, times, what certain cues say.

    Names may be verbs, and `by`, `number`, `typical` need not mean what they mostly mean.
    """
    marks = Marks.of(query)
    lost = [*_lost_cues(roles.cues, marks, _CERTAIN), *lost_values(roles, marks), *_lost_scope(roles, query)]
    lost += [*_lost_both(roles, query), *_lost_numbers(roles, marks), *_lost_each(roles, query)]
    lost += [*_lost_denied(roles, marks), *_lost_keys(roles, marks)]
    lost += [*_lost_sorts(roles, query, marks), *_lost_places(roles, marks)]
    lost += [*_lost_count(roles, query), *_lost_figures(roles, query), *_lost_counted(roles, marks)]
    lost += [*_lost_by(roles, query, marks), *_lost_or(roles, query, marks), *unasked_or_lost(roles, query, marks)]
    lost += lost_columns(roles, query)
    return _texts(roles, [*lost, *_lost_times(roles, marks), *_lost_lags(roles, marks), *_lost_money(roles, marks)])


def passed_over(roles: Pass, query: Query) -> list[str]:
    """The words that no answer may pass over: what the tree's tables or those next to them store, what is grouped by,
    and what is said never to have been."""
    marks = Marks.of(query)
    near = marks.tables | {step.target for key in marks.tables for step in roles.reader.joins.neighbours(key)}
    stored = [each for each in roles.mentions if is_stored_in(each, near) and not is_included(each, roles)]
    stored = [each for each in stored if not is_gone_by(each, marks)]
    spans = {(each.start, each.end) for each in stored} & {*lost_values(roles, marks)}
    called = {(each.start, each.end) for each in roles.mentions if _is_called(each)}
    spans |= called & {*_lost_denied(roles, marks)}
    return _texts(roles, [*spans, *_lost_by(roles, query, marks)])


def _texts(roles: Pass, spans: Iterable[tuple[int, int]]) -> list[str]:
    return [roles.words_at(start, end) for start, end in sorted(set(spans))]


def nothing_lost(_: Query) -> list[str]:
    """Where the words of a question are not known."""
    return []


def _lost_cues(cues: Iterable[Cue], marks: Marks, known: Mapping[str, Leaves]) -> Iterator[tuple[int, int]]:
    for cue in cues:
        leaves = known.get(cue.kind)
        if leaves and not leaves(cue, marks):
            yield cue.start, cue.end


def _names_who(cue: Cue, roles: Pass) -> bool:
    """`shipped by Speedy Express`: a value follows, so nothing is grouped."""
    return cue.kind == "group" and any(each.start == cue.end and each.hits for each in roles.mentions)


def _lost_names(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """Names alone; one that is a stored value too may mean that."""
    told_apart = (each.table for each in marks.nodes if isinstance(each, Related) and each.distinct)
    tables = marks.tables | {step.target for key in told_apart for step in roles.reader.joins.neighbours(key)}
    tables |= {step.target for here in marks.anchors for key in marks.tables for step in _way(roles, here, key)}
    columns, values = marks.columns, set(marks.values())
    for item in roles.mentions:
        if not item.term and item.targets and not (is_named(item, tables, columns) or is_held(item, values)):
            yield item.start, item.end


def _way(roles: Pass, here: TableKey, there: TableKey) -> list[Step]:
    """What is joined on the way: the tracks between a genre and what was sold of it."""
    return roles.reader.joins.path(here, there) or []


def _lost_scope(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """What is said before `never` holds of the rows listed, not of what they never had."""
    if roles.never is None:
        return
    every = all_nodes_in(query, but=UNSAID)
    negated: list[Any] = [each for each in every if isinstance(each, Inside | Related) and each.negated]
    negated += [query.then[1]] if query.then and query.then[0] == "except" else []
    within = Counter(value for each in negated for value in Marks(list(all_nodes_in(each, but=UNSAID))).values())
    outside = set((Counter(Marks.of(query).values()) - within).elements())
    for item in roles.mentions:
        is_before = item.hits and not item.targets and item.end <= roles.never.start
        if is_before and is_held(item, set(within)) and not is_held(item, outside):
            yield item.start, item.end


def _lost_denied(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`customers who never complained` may have ordered: what they never did is in the tables that its word names."""
    if roles.never is None or _is_deed_of(roles, marks):
        return
    after = [each for each in roles.mentions if each.start >= roles.never.end and not each.term][:_PAIR]
    lost = [each for each in after if marks.tables.isdisjoint(target.table.key for target in each.targets)]
    if lost == after:
        yield from ((each.start, each.end) for each in lost if each.targets and not each.hits)


def _is_deed_of(roles: Pass, marks: Marks) -> bool:
    """Whether what was never done is what rows of the tree are called: `attend` of attendances."""
    deed = roles.tokens[roles.never.end : roles.never.end + 1] if roles.never else ()
    rows = {root(each) for key in marks.tables - marks.listed for each in table_stems(key[1])}
    return any(root(token.stem) in rows for token in deed)


def _lost_sorts(roles: Pass, query: Query, marks: Marks) -> Iterator[tuple[int, int]]:
    """`ordered by mass` is by a column that the word names, where the tables of the tree have one; the first of `the
    dearest by price among the active ones` is told by its price alone."""
    keys = {*columns_in(tuple(each.by for each in query.order))}
    is_sorted = query.order and query.then is None and roles.slots.best is None
    for item, _ in roles.slots.orders if is_sorted else ():
        named = [each for each in item.targets if each.table.key in marks.tables] if item and not item.term else []
        columns = {Col(each.table.key, each.column.name) for each in named if each.column}
        if item and named and len(columns) == len(named) and columns.isdisjoint(keys):
            yield item.start, item.end


def _lost_places(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`customers in WY`: a place by its code is looked for, whether any column is known to hold it or not."""
    named = {place for each in roles.mentions for place in range(each.start, each.end)}
    texts = [*marks.values()]
    for place, token in enumerate(roles.tokens):
        is_code = place > 0 and place not in named and token.text.isupper() and len(token.text) == _CODE
        is_code = is_code and roles.tokens[place - 1].lower in _BEFORE_PLACES
        if (
            is_code
            and any(each.place for each in otherwise(token.text))
            and not any(token.lower in each for each in texts)
        ):
            yield place, place + 1


def _lost_both(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """`both … and …` of rows of which a thing has many: one row of the one and one of the other, not either."""
    both = next((each for each in roles.cues if each.kind == "both"), None)
    if both is None or query.group or len(roles.periods) + len(roles.slots.values) < _PAIR:
        return
    for each in all_nodes_in(query, but=UNSAID):
        columns = _alternatives(each)
        if columns and all(roles.reader.joins.belongs(column.table, query.anchor) for column in columns):
            yield both.start, both.end


def _lost_or(roles: Pass, query: Query, marks: Marks) -> Iterator[tuple[int, int]]:
    """`in Finland or with fewer than 3 berths`: one of the two will do, where something is said on both sides."""
    is_joined = query.then is not None and query.then[0] == "union"
    if is_joined or marks.has(Either) or marks.any(Among, lambda each: len(each.values) >= _PAIR) or _denies(marks):
        return
    said = [(each.start, each.end) for each in roles.mentions if each.hits and not each.targets]
    said += [(each.start, each.end) for each in roles.cues if each.kind in ("cmp", "between")]
    for cue in roles.cues:
        if cue.kind == "or" and any(end <= cue.start for _, end in said) and any(n >= cue.end for n, _ in said):
            yield cue.start, cue.end


def _denies(marks: Marks) -> bool:
    """Neither of two is two conditions."""
    negated = marks.any(Compare, lambda each: each.operator in ("!=", "not like"))
    return negated or any(getattr(each, "negated", False) for each in marks.nodes)


def _lost_numbers(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`over 20,000`: the number itself is compared with, in its unit or that of what is stored, or told by dates."""
    held = [float(each) for each in marks.numbers()]
    is_told = not held and (marks.has(During, Later, Number) or marks.any(Compare, _is_of_date))
    for cue in () if is_told else roles.cues:
        number = cue.data.get("n") if cue.kind == "cmp" else None
        if number and not any(_is_number_of(each, number) for each in held):
            yield cue.start, cue.end
    yield from () if is_told else _lost_bare_numbers(roles, marks)


def _lost_bare_numbers(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`either 3 credits or 1 credit`: each number of what the tree compares."""
    compared = [each for each in marks.nodes if isinstance(each, Compare | Among) and isinstance(each.left, Col)]
    held = {str(each).removesuffix(".0") for each in (*marks.numbers(), *marks.values())}
    columns = {(each.left.table, each.left.name) for each in compared if isinstance(each.left, Col)}
    for item in roles.mentions:
        named = {(each.table.key, each.column.name) for each in item.targets if each.column and each.score >= _NAMED}
        number = roles.tokens[item.start - 1].number if item.start else None
        if number is not None and named & columns and str(float(number)).removesuffix(".0") not in held:
            yield item.start - 1, item.start


def _lost_keys(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`the courses of student 171`: of that row alone."""
    held = {*map(float, marks.numbers())}
    spans = (each for some in (roles.cues, roles.grains, roles.periods, roles.cycles) for each in some)
    taken = {place for each in spans for place in range(each.start, each.end)}
    for item in roles.mentions:
        after = roles.tokens[item.end] if item.end < len(roles.tokens) else None
        is_row = _is_called(item) and any(each.column is None and each.score >= _NAMED for each in item.targets)
        if after is None or after.number is None or item.end in taken or not is_row:
            continue
        if after.number not in held and not any(after.lower in each for each in marks.values()):
            yield item.start, item.end + 1


def _is_of_date(compare: Compare) -> bool:
    return isinstance(compare.right, dt.date)


def _is_number_of(stored: float, said: float) -> bool:
    """Whether a number is the one that was said, next to it, or that in another unit."""
    is_other = any(math.isclose(stored, said * unit) or math.isclose(stored * unit, said) for unit in _UNITS)
    return abs(stored - said) <= 1 or is_other


def _lost_each(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """`of each student`: what follows is what the rows are told apart by."""
    if query.per or query.then or any(isinstance(each, Nested | Own) for each in all_nodes_in(query, but=UNSAID)):
        return
    means = any(cue.kind in _OF_MEANS for cue in roles.cues)
    keys = (*(each for each in query.select if not is_total(each)), *query.group)
    shown = Marks(list(all_nodes_in(keys, but=UNSAID)))
    tables, columns = shown.tables | _ends(shown, roles), shown.columns
    listed = {query.anchor} if not query.group and not any(map(is_total, query.select)) else set()
    for cue in roles.cues:
        named = next((each for each in roles.mentions if each.start == cue.end), None)
        if cue.kind != "group" or "each" not in cue.data or named is None or not named.targets or named.term:
            continue
        may_average = means and roles.words_at(cue.start, cue.end).lower() in ("per", "each", "every")
        if not may_average and not is_named(named, tables | listed, columns):
            yield cue.start, named.end


def _lost_by(roles: Pass, query: Query, marks: Marks) -> Iterator[tuple[int, int]]:
    """`average downloads per episode by show`: a mean of totals leaves out no group, nor does one figure of all, nor
    what is grouped by something else where the word is a name."""
    is_one = not query.group and query.then is None and any(map(is_total, query.select))
    tables = marks.tables | _ends(marks, roles)
    may_be_named = is_one or marks.has(Nested)
    for cue in roles.cues:
        named = next((each for each in roles.mentions if each.start == cue.end), None)
        is_by = cue.kind == "group" and roles.words_at(cue.start, cue.end).lower() == "by"
        is_by = is_by and not ((is_one or not may_be_named) and _tells_doers(cue, named, roles))
        is_whole = named and (may_be_named or (_is_called(named) and _ends_there(named, roles)))
        is_meant = is_whole and named and named.targets and not named.term
        if is_by and named and is_meant and not is_named(named, tables, marks.columns):
            yield cue.start, named.end


def _ends_there(item: Mention, roles: Pass) -> bool:
    """Whether no further word belongs to a name: `by game date` is by no game."""
    after = roles.tokens[item.end].lower if item.end < len(roles.tokens) else ""
    return not after or after in STOP


def _is_called(item: Mention) -> bool:
    """Whether words are a name and nothing else."""
    return not item.hits and any(each.score >= _NAMED for each in item.targets)


def _tells_doers(cue: Cue, named: Mention | None, roles: Pass) -> bool:
    """`messages sent by customers`, `stood up by patients`: who did it, or a value that is stored, groups nothing."""
    before = roles.tokens[cue.start - 1].lower if cue.start else ""
    return before.endswith("ed") or before in _DONE or before in _PARTICLES or bool(named and named.hits)


def _is_grouped(marks: Marks) -> bool:
    return marks.any(Query, lambda each: bool(each.group or each.per or each.order))


def _ends(shown: Marks, roles: Pass) -> set[TableKey]:
    """The tables whose rows the columns shown point to."""
    return {roles.reader.joins.pointed(each).table for each in shown.nodes if isinstance(each, Col)}


def _lost_count(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """`how many`: something is counted or added up, or a number shown."""
    marks = Marks(list(all_nodes_in((query.select, query.order, query.having), but=UNSAID)))
    if marks.any(Agg, lambda each: each.function in ("count", "sum")) or marks.has(Days, Minus, Nested):
        return
    numbers = (each for each in marks.nodes if isinstance(each, Col))
    if any(_is_amount(each, roles) for each in numbers) or any(cue.kind in _FIGURES for cue in roles.cues):
        return
    for cue in roles.cues:
        if cue.kind == "count" and roles.words_at(cue.start, cue.end).lower().startswith("how many"):
            yield cue.start, cue.end


def _lost_counted(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`how many employees live there`: the table that is counted is one of the tree's, or a column of that name is."""
    joined = {step.target for here in marks.anchors for key in marks.tables for step in _way(roles, here, key)}
    ends = {roles.reader.joins.pointed(each).table for each in _counted_apart(marks)}
    for cue in roles.cues:
        item = next((each for each in roles.mentions if each.start == cue.end and each.targets), None)
        if cue.kind != "count" or item is None or item.term or item.hits:
            continue
        if _says_little(item, roles) or _tells_rows_after(item, roles):
            continue
        is_table = all(each.column is None for each in item.targets if each.score == item.score)
        if is_table and not is_named(item, marks.tables | joined | ends, marks.columns):
            yield item.start, item.end


def _tells_rows_after(item: Mention, roles: Pass) -> bool:
    """Whether a word that only begins a table's name stands before that of the rows: `gas companies` are no gas
    stations."""
    after = next((each for each in roles.mentions if each.start == item.end), None)
    best = max((each.score for each in after.targets if each.column is None), default=0.0) if after else 0.0
    return item.score < _BEGUN and best > item.score


def _counted_apart(marks: Marks) -> Iterator[Col]:
    """The columns whose different values a tree counts: of keys those are the rows that they point at."""
    for each in marks.nodes:
        if isinstance(each, Agg) and each.function == "count" and each.distinct and isinstance(each.of, Col):
            yield each.of


def _says_little(item: Mention, roles: Pass) -> bool:
    """Whether it is a word of no meaning of its own before what is counted: `number of available services`."""
    token = roles.tokens[item.start]
    return item.end - item.start == 1 and token.stem in FILLER and not _is_called(item)


def _lost_figures(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """`how much was claimed and how much was paid`: a figure for each (`how many of them`: compounds.py)."""
    said = [(cue, roles.words_at(cue.start, cue.end).lower()) for cue in roles.cues if cue.kind in ("howmuch", "count")]
    asked = [cue for cue, words in said if words.startswith("how ") and not words.endswith(" of")]
    computed = (Minus, Ratio, Growth, Share, Nested)
    figures = [each for each in query.select if is_total(each) or isinstance(each, Nested)]
    if len(asked) > max(len(figures), 1) and not Marks(list(all_nodes_in(query.select))).has(*computed):
        yield asked[-1].start, asked[-1].end


def _is_amount(column: Col, roles: Pass) -> bool:
    stored = roles.reader.catalog.column(*column.table, column.name)
    return stored is not None and stored.kind == "number"


def _alternatives(node: Any) -> list[Col]:
    """The column of which one of several values or periods will do."""
    if isinstance(node, Among) and len(node.values) >= _PAIR and not node.negated:
        return [node.left]
    parts = node.any_of if isinstance(node, Either) else ()
    lefts = [part.left for part in parts if isinstance(part, During | Compare) and isinstance(part.left, Col)]
    return lefts if parts and len(lefts) == len(parts) and len(set(lefts)) == 1 else []


def _lost_times(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    grains = {each.grain for each in marks.nodes if isinstance(each, Bucket)}
    for grain in roles.grains:
        if grain.grain not in grains and not marks.has(Growth, Running):
            yield grain.start, grain.end
    held = {days_of(each.where) for each in marks.nodes if isinstance(each, Query | Agg)}
    yield from ((each.start, each.end) for each in roles.cycles if each.days not in held)
    dated = sum(isinstance(each, During) for each in marks.nodes) + sum(
        isinstance(each, Compare) and not isinstance(each.right, str) for each in marks.nodes
    )
    if roles.periods and not dated:
        yield from ((each.start, each.end) for each in roles.periods)


def _lost_lags(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`quarter over quarter` is against the one before, not a year earlier."""
    words = [each.lower for each in roles.tokens]
    for place, word in enumerate(words[:-2]):
        is_said = word in _GRAINS and words[place + 1] in ("over", "on") and words[place + 2] == word
        if is_said and marks.has(Growth) and not marks.any(Growth, lambda each: each.lag == 1):
            yield place, place + 3


def _lost_money(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """`revenue`, where no column is called so, is an amount: added up, multiplied, or one of its extremes; how many
    pieces were sold is none."""
    known = {each for each in marks.nodes if isinstance(each, Col)}
    columns = (each for each in roles.mentions if each.hits or not known.isdisjoint(_columns_of(each)))
    named = {place for each in columns for place in range(each.start, each.end)}
    if marks.has(Product) or marks.any(Agg, lambda each: each.function != "count" and not _is_no_money(each)):
        return
    for place, token in enumerate(roles.tokens):
        if token.lower in _TURNOVER and place not in named and not _is_verb_at(place, roles):
            yield place, place + 1


def _is_verb_at(place: int, roles: Pass) -> bool:
    """Whether a word is what somebody does, not a figure: `do Germans spend much`, but `total spend`."""
    before = roles.tokens[max(0, place - _NEAR_VERB) : place]
    return roles.tokens[place].lower == "spend" and any(each.lower in _LEADS_VERB for each in before)


def _columns_of(item: Mention) -> set[Col]:
    return {Col(each.table.key, each.column.name) for each in item.targets if each.column}


def _is_no_money(agg: Agg) -> bool:
    """Whether what is added up is a number of pieces, or of days, stars or points."""
    stems = name_stems(agg.of.name) if isinstance(agg.of, Col) else ()
    return counts_pieces(stems) or not _NO_MONEY.isdisjoint(stems[-1:])


def _ranked(marks: Marks) -> bool:
    sorts = marks.any(Query, lambda each: each.limit is not None or bool(each.order))
    return sorts or marks.any(Agg, lambda each: each.function in ("max", "min"))


def negated(marks: Marks) -> bool:
    """Whether something of a tree is denied, missing, or taken from the rest."""
    kinds = (Related, Missing, Inside, Among)
    return (
        any(isinstance(each, kinds) and (each.negated or isinstance(each, Missing)) for each in marks.nodes)
        or marks.any(Compare, _says_not)
        or marks.any(Query, lambda each: each.then is not None)
    )


def tells_apart(query: Query) -> bool:
    """Whether a tree denies something, or holds rows against a bound: `did not exceed 50`."""
    marks = Marks.of(query)
    return negated(marks) or _compares(marks)


def _says_not(each: Compare) -> bool:
    """A value that is ruled out, or a stored no that is not."""
    is_no = isinstance(each.right, str | int | float) and says_no(each.right)
    ruled_out = each.operator in ("!=", "not like")
    return not ruled_out if is_no and isinstance(each.right, str) else ruled_out or is_no


def _compares(marks: Marks) -> bool:
    """A bound is there; that a text is stored so is none."""
    counted = marks.any(Related, lambda each: each.count is not None)
    return counted or marks.any(Compare, _is_bound)


def _is_bound(compare: Compare) -> bool:
    is_number = compare.operator == "=" and not isinstance(compare.right, str)
    return is_number or compare.operator in ("<", "<=", ">", ">=")


def _is_pair(marks: Marks) -> bool:
    """Two parts side by side, one less the other, or two periods."""
    parts = sum(isinstance(each, Agg) and bool(each.where) for each in marks.nodes)
    return parts > 1 or marks.has(Minus, Growth, Either) or marks.any(Among, lambda each: len(each.values) > 1)


def _aggregates(cue: Cue, marks: Marks) -> bool:
    functions = {each.function for each in marks.nodes if isinstance(each, Agg)}
    asked = cue.data.get("fn")
    same = {"median": {"median", "quantile"}, "sum": {"sum", "count"}, "avg": {"avg"}}
    averaged = asked == "avg" and marks.has(Running, Ratio)
    return bool(functions & same.get(str(asked), {asked})) or averaged


def _is_as_long(moving: Running, said: float | None) -> bool:
    """Whether it is of the last rows, and of so many as are said: a 3-month moving average."""
    return moving.last is not None and (said is None or moving.last == said)


def _compares_with_average(cue: Cue, marks: Marks) -> bool:
    """Whether it has an average, and as often as is said: 1.5 times it."""
    times = cue.data.get("times")
    said = [each.times for each in marks.nodes if isinstance(each, Fold | Own)]
    if is_other_way(cue, marks):
        return False
    is_as_often = times is None or any(math.isclose(each, times) for each in said)
    return is_as_often and marks.any(Agg, lambda each: each.function == "avg")


_CERTAIN: dict[str, Leaves] = {
    "growth": lambda _, marks: marks.has(Growth, Minus, Ratio),
    "running": lambda _, marks: marks.any(Running, lambda each: each.last is None),
    "moving": lambda cue, marks: marks.any(Running, lambda each: _is_as_long(each, cue.data.get("n"))),
    "share": lambda _, marks: marks.has(Share, Ratio) or marks.any(Agg, lambda each: each.function == "avg"),
    "cmp": lambda _, marks: _compares(marks),
    "between": lambda _, marks: marks.has(Compare, During),
    "cmp_avg": lambda cue, marks: _compares_with_average(cue, marks),
    "super": lambda _, marks: _ranked(marks),
    "popular": lambda _, marks: _ranked(marks),
    "bestselling": lambda _, marks: _ranked(marks),
    "never": lambda _, marks: negated(marks),
}
"""What cues leave behind that mean nothing else."""
_MARK_OF: dict[str, Leaves] = {
    **_CERTAIN,
    "versus": lambda _, marks: _is_pair(marks) or marks.has(Compare),
    "super_adj": lambda _, marks: _ranked(marks) or marks.has(First),
    "sort": lambda _, marks: _ranked(marks),
    "sort_adj": lambda _, marks: _ranked(marks),
    "count": lambda _, marks: marks.any(Agg, lambda each: each.function in ("count", "sum")) or marks.has(Days),
    "agg": _aggregates,
    "group": lambda cue, marks: _is_grouped(marks) or ("each" in cue.data and not marks.has(Agg)),
    "not": lambda _, marks: negated(marks),
}
"""What each kind of cue leaves behind; the others are only joints."""
