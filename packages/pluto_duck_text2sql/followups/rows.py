"""The rows behind an answer, and some of the rows shown: "show them", "which of those", "who placed them?"."""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.asides.zeros import says_zeros
from pluto_duck_text2sql.corrections.who_did import doer
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.joins import Step
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.followups.asking import asks_names
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.further_columns import SORTING
from pluto_duck_text2sql.followups.listed_phrases import ROW_WORDS, column_named, listed_in, without_row_words
from pluto_duck_text2sql.followups.referents import are_rows, named_row, rows_meant
from pluto_duck_text2sql.followups.telling import listed
from pluto_duck_text2sql.followups.trees import nth_row, restrictions, row_key, shown_rows
from pluto_duck_text2sql.followups.whose import whose
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import LEAD, STOP, name_words, stem, tokenise
from pluto_duck_text2sql.reading.columns import Columns
from pluto_duck_text2sql.tree import Agg, Col, Cond, Expr, Query, Rows, TableKey
from pluto_duck_text2sql.trees.parts import is_aggregate, keys, subject
from pluto_duck_text2sql.trees.whole_groups import whole

_CLAUSE = Pattern(r"\s(?:of|they|that|who|which|from|for|by|with|in|we|those|it)\b", re.IGNORECASE)
_WITH_THEIR = Pattern(r"\bwith (?:their|its|his|her|the)\b", re.IGNORECASE)
_WHO_ARE = Pattern(rf"{LEAD}who(?:['’]re| are| were) (?:they|those|these|the [\w -]+ ones)\b", re.IGNORECASE)
_WHO_DOES = Pattern(rf"{LEAD}who (?P<verb>[a-z]+) (?:them|those|these|it)\b", re.IGNORECASE)
_EACH_OF_THEM = Pattern(r"\beach of (?:them|those|these)\W*$", re.IGNORECASE)
_WHO_OF_ROW = Pattern(rf"{LEAD}who(?:['’]s| is| was| were| are) behind\b", re.IGNORECASE)
"""`who's behind the biggest one` of figures by client asks for the client."""
_AGENTS, _VERB = ("er", "or", "ee"), 3
_TELLS = Pattern(r"(?:have|has|had|are|is|were|was|did|do)\b", re.IGNORECASE)
"""What begins so after `which of those` tells them apart, and shows nothing."""
_PLACES = [*map(stem, "city town place location country region office address".split())]
"""What tells where somebody is, the likeliest first."""


def rows(turn: Turn, draft: Draft) -> list[Draft]:
    """The rows that the follow-up wants to see."""
    made = _with_empty(turn, draft) or _as_framed(turn, draft)
    if made or _keeps_rows(turn):
        return [made or draft]
    frame, grouped = turn.frame, bool(draft.query.group)
    if frame.has("which") and grouped:
        return [_some(turn, draft)]
    if turn.fragment.only_ranks:
        return [draft]
    entity, columns, used = _wanted(turn, draft)
    if is_aggregate(draft.query) or (entity and entity != draft.query.anchor) or frame.has("row"):
        return [_listing(turn, draft, entity, columns, used)]
    return [_further(turn, draft, columns, used)]


def _as_framed(turn: Turn, draft: Draft) -> Draft | None:
    """What its framing words alone say of the rows: where they are, how many of them, who did it, which of them."""
    frame, query = turn.frame, draft.query
    if table := whose(frame.text, turn.fragment):
        return _listing(turn, draft, table, [], set(range(len(turn.fragment.tokens))))
    counts = frame.of_them and frame.has("count")
    if frame.has("where_they"):
        return _placed(turn, draft)
    if counts and are_rows(turn, query):
        return _number(turn, draft)
    if (frame.has("also") or counts) and query.group:
        return draft
    of_some = frame.has("which") and not is_aggregate(query)
    return _people(turn, draft) or (_some(turn, draft) if of_some else None)


def _people(turn: Turn, draft: Draft) -> Draft | None:
    """Who they are, or who did it: `who are they?`, `who placed them?`, `who owns them?`"""
    frame, query = turn.frame, draft.query
    if _asks_who(turn, query):
        return _listing(turn, draft, subject(query), [], set())
    is_of_one = frame.text.lower().endswith(" it") and named_row(query, turn.reader) is not None
    way = _doer(turn, query) if frame.has("doer") and not is_of_one else None
    if way and not is_aggregate(query) and _EACH_OF_THEM.search(frame.text):
        return _beside(turn, draft, way)
    if way:
        made = _listing(turn, draft, way.target, [], set())
        return replace(made, query=replace(made.query, through=(way.ends[0],)))
    agent = _agent(turn, query)
    return _with_agent(turn, draft, agent) if agent else None


def _asks_who(turn: Turn, query: Query) -> bool:
    """`who are they?` of people who were counted."""
    are_counted = query.limit is None or rows_meant(query, turn.reader) == subject(query)
    asks = _WHO_ARE.match(turn.frame.text) and is_aggregate(query) and are_counted
    return bool(asks) and _are_people(turn, subject(query))


def _beside(turn: Turn, draft: Draft, way: Step) -> Draft:
    """`who placed each of them?`: the rows listed, each with the one that it points at."""
    table = turn.reader.catalog.table(*way.target)
    shown = turn.reader.resolver.label(table) if table else []
    made = replace(draft.query, select=(*draft.query.select, *shown), through=(*draft.query.through, way.ends[0]))
    return draft.changed(made, f"shown → also {listed(shown)}", range(len(turn.fragment.tokens)))


def _agent(turn: Turn, query: Query) -> Col | None:
    """The one column of the rows that is called after who does it: the owner of `who owns them?`"""
    said = _WHO_DOES.match(turn.frame.text)
    table = turn.reader.catalog.table(*subject(query))
    if said is None or table is None:
        return None
    verb = stem(said["verb"].lower())
    named = ((each, name_words(each.name)[-1].lower()) for each in table.columns if each.kind == "text")
    found = [each for each, word in named if len(verb) >= _VERB and word.startswith(verb) and word.endswith(_AGENTS)]
    return Col(table.key, found[0].name) if len(found) == 1 else None


def _with_agent(turn: Turn, draft: Draft, agent: Col) -> Draft:
    """Those who do it: beside the rows shown, or each once for rows that were counted."""
    query, used = draft.query, set(range(len(turn.fragment.tokens)))
    if not is_aggregate(query):
        return draft.changed(replace(query, select=(*query.select, agent)), f"shown → also {listed([agent])}", used)
    where = restrictions(query, agent.table, turn.reader)
    made = Query(agent.table, (agent,), tuple(where), distinct=True)
    return draft.changed(made, f"rows → {agent.table[1]}: {listed([agent])}", used)


def _keeps_rows(turn: Turn) -> bool:
    """Whether nothing is said of which rows are shown."""
    frame = turn.frame
    asks = frame.has("show", "which", "behind", "row")
    if frame.has("which") and frame.of_them and not turn.earlier.group and is_aggregate(turn.earlier):
        return False  # `which of those have exactly two bathrooms?` counts nothing
    return not asks or turn.fragment.asks_a_total or frame.has("breakdown", "share", "unlimited")


def _with_empty(turn: Turn, draft: Draft) -> Draft | None:
    """`include those without any`: the groups that have none too."""
    if not says_zeros(turn.frame.text):
        return None
    query = whole(draft.query, turn.reader.joins)
    used = range(len(turn.fragment.tokens))
    return draft.changed(query, "also → those that have none", used) if query else None


def _placed(turn: Turn, draft: Draft) -> Draft:
    """`where are they based?`: the rows just shown by their names, each with its place."""
    of = rows_meant(draft.query, turn.reader)
    table = turn.reader.catalog.table(*of)
    place = _place(table) if table else None
    if table is None or place is None:
        return draft
    shown = (*turn.reader.resolver.label(table), Col(of, place))
    if not draft.query.group and not is_aggregate(draft.query):
        select = (*draft.query.select, *(each for each in shown[-1:] if each not in draft.query.select))
        return draft.changed(replace(draft.query, select=select), f"shown → also {listed(shown[-1:])}")
    where = restrictions(draft.query, of, turn.reader)
    inside = shown_rows(draft.query, turn.reader)
    among = (inside,) if inside and inside.left.table == of else where
    return draft.changed(Query(of, shown, tuple(among)), f"rows → {of[1]}: {listed(shown)}")


def _place(table: Table) -> str | None:
    """The column that says best where a row of the table is."""
    columns = table.columns
    return next((each.name for word in _PLACES for each in columns if word in table.stems(each.name)), None)


def _are_people(turn: Turn, key: TableKey) -> bool:
    table = turn.reader.catalog.table(*key)
    return table is not None and is_of_people(table, turn.reader.resolver.label(table))


def _doer(turn: Turn, query: Query) -> Step | None:
    """The way to those whose the rows are: `who placed them?`; of classes by their bookings: `who taught them?`"""
    reader = turn.reader
    key = row_key(query, reader) if query.group else None
    rows = reader.joins.pointed(key).table if key and reader.joins.pointed(key) != key else subject(query)
    rows = subject(query) if _are_people(turn, rows) else rows
    return doer(rows, turn.frame.text, reader.catalog, reader.joins, reader.resolver)


def _number(turn: Turn, draft: Draft) -> Draft:
    """`how many of them …`: the rows just shown, counted."""
    inside, key = shown_rows(draft.query, turn.reader), row_key(draft.query, turn.reader)
    if inside is None or key is None:
        return draft
    return draft.changed(Query(key.table, (Agg("count", Rows(key.table)),), (inside,)), "of the rows just shown")


def _some(turn: Turn, draft: Draft) -> Draft:
    """`which of them …`: among the rows just shown."""
    query = draft.query
    is_one = query.limit == 1 or query.nth
    inside = shown_rows(query, turn.reader) if query.limit is not None and not is_one else None
    if inside is None:
        alone = (
            query.group
            and asks_names(turn.frame.text)
            and not turn.fragment.cues_of(*SORTING, "popular", "bestselling")
        )
        named = replace(query, select=tuple(keys(query))) if alone else query
        return draft.changed(named, "of the rows just shown")
    bare = replace(query, limit=None, having=(), where=(*query.where, inside), order=query.order)
    return draft.changed(bare, "of the rows just shown")


def _wanted(turn: Turn, draft: Draft) -> tuple[TableKey | None, list[Expr], set[int]]:
    """The table whose rows are wanted, the columns named, and the words that say so."""
    fragment = turn.fragment
    if turn.frame.has("which") and _TELLS.match(turn.frame.rest):
        return None, [], set()
    phrases = [*listed_in(turn.frame.rest), *listed_in(turn.frame.part("spec", "columns"))]
    entity, columns = None, list[Expr]()
    base = _base(turn, fragment.table or subject(draft.query))
    chooser = Columns(turn.reader, base)
    for phrase in phrases:
        table = _table_of(turn, phrase)
        if table and entity is None:
            entity = table
            chooser = Columns(turn.reader, _base(turn, table))
            continue
        found = column_named(chooser, phrase)
        columns += [found] if isinstance(found, Col) and found not in columns else []
    rest = len(tokenise(turn.frame.rest))
    whole = entity or columns or not without_row_words(turn.frame.rest)
    return entity, columns, set(range(rest)) if whole else set()


def _base(turn: Turn, table: TableKey) -> Query:
    label = turn.reader.catalog.table(*table)
    return Query(table, tuple(turn.reader.resolver.label(label)) if label else (Rows(table),))


def _table_of(turn: Turn, phrase: str) -> TableKey | None:
    """The table that a phrase is the name of, perhaps with a clause about it: `the products they supply`."""
    head = _CLAUSE.split(phrase, maxsplit=1)[0] or phrase
    stems = tuple(token.stem for token in tokenise(head) if token.lower not in STOP)
    for length in (len(stems), 2, 1):
        targets = turn.reader.names.find(stems[:length]) if stems else []
        tables = [each for each in targets if each.column is None and each.score >= 0.9]
        columns = [each for each in targets if each.column and each.score >= 0.95]
        if tables and not columns:
            best = turn.reader.resolver.best(tables, turn.fragment.near, None)
            rest = stems[length:]
            return best[0][1].table.key if length == len(stems) or not turn.reader.names.find(rest[:1]) else None
    return None


def _listing(turn: Turn, draft: Draft, entity: TableKey | None, columns: list[Expr], used: set[int]) -> Draft:
    """The rows of a table that went into the answer."""
    query = draft.query
    meant = rows_meant(query, turn.reader) if _WHO_OF_ROW.match(turn.frame.text) else subject(query)
    table = entity or (columns[0].table if columns and isinstance(columns[0], Col) else meant)
    found = turn.reader.catalog.table(*table)
    label: list[Expr] = list(turn.reader.resolver.label(found)) if found else []
    whole = bool({token.lower for token in tokenise(turn.frame.text)} & ROW_WORDS) or (
        turn.frame.has("behind") and not entity
    )
    shown = columns or ([Rows(table)] if whole else label)
    if columns and _WITH_THEIR.search(turn.frame.text):
        shown = list(dict.fromkeys([*label, *columns]))
    where = _one_of(turn, query) if turn.frame.has("row") else restrictions(query, table, turn.reader)
    made = Query(table, tuple(shown), tuple(where), distinct=_asks_kinds(turn, columns))
    return draft.changed(made, f"rows → {table[1]}: {listed(shown)}", used)


def _asks_kinds(turn: Turn, columns: list[Expr]) -> bool:
    """`which pilots flew them?`: each once, where what is named does not tell the rows apart."""
    if not turn.frame.has("kinds") or not columns:
        return False
    return not any(isinstance(each, Col) and turn.fragment.is_key(each) for each in columns)


def _one_of(turn: Turn, query: Query) -> tuple[Cond, ...]:
    """The row that `the first one` or `the second one` is."""
    inside = nth_row(query, turn.frame.part("row", "which").lower(), turn.reader)
    return (inside,) if inside else ()


def _further(turn: Turn, draft: Draft, columns: list[Expr], used: set[int]) -> Draft:
    """A listing with more columns, or others."""
    query = draft.query
    new = [each for each in columns if each not in query.select]
    if {token.lower for token in tokenise(turn.frame.text)} & ROW_WORDS and not columns:
        return draft.changed(replace(query, select=(Rows(query.anchor),)), "shown → whole rows", used)
    if not columns:
        return draft.using(used)
    only = turn.frame.has("only", "instead", "spec")
    select = tuple(columns) if only else (*query.select, *new)
    return draft.changed(replace(query, select=select), f"shown → {listed(select)}", used)
