"""Names, what is denied of them and what both of two are to be, of a question that left no mark in its tree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.language.words import root, table_stems
from pluto_duck_text2sql.reading.values_said import is_held, is_named
from pluto_duck_text2sql.tree import Among, Col, Compare, During, Either, Inside, Query, Related, TableKey, all_nodes_in
from pluto_duck_text2sql.trees.marks import UNSAID, Marks

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.joins import Step
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.reading.reader import Pass

_PAIR = 2
NAMED = 0.9


def lost_names(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
    """Names alone; one that is a stored value too may mean that."""
    told_apart = (each.table for each in marks.nodes if isinstance(each, Related) and each.distinct)
    tables = marks.tables | {step.target for key in told_apart for step in roles.reader.joins.neighbours(key)}
    tables |= {
        step.target for here in marks.anchors for key in marks.tables for step in steps_between(roles, here, key)
    }
    columns, values = marks.columns, set(marks.values())
    for item in roles.mentions:
        if not item.term and item.targets and not (is_named(item, tables, columns) or is_held(item, values)):
            yield item.start, item.end


def steps_between(roles: Pass, here: TableKey, there: TableKey) -> list[Step]:
    """What is joined on the way: the tracks between a genre and what was sold of it."""
    return roles.reader.joins.path(here, there) or []


def lost_scope(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
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


def lost_denied(roles: Pass, marks: Marks) -> Iterator[tuple[int, int]]:
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


def lost_both(roles: Pass, query: Query) -> Iterator[tuple[int, int]]:
    """`both … and …` of rows of which a thing has many: one row of the one and one of the other, not either."""
    both = next((each for each in roles.cues if each.kind == "both"), None)
    if both is None or query.group or len(roles.periods) + len(roles.slots.values) < _PAIR:
        return
    for each in all_nodes_in(query, but=UNSAID):
        columns = _alternatives(each)
        if columns and all(roles.reader.joins.belongs(column.table, query.anchor) for column in columns):
            yield both.start, both.end


def lost_or(roles: Pass, query: Query, marks: Marks) -> Iterator[tuple[int, int]]:
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


def is_called(item: Mention) -> bool:
    """Whether words are a name and nothing else."""
    return not item.hits and any(each.score >= NAMED for each in item.targets)


def _alternatives(node: Any) -> list[Col]:
    """The column of which one of several values or periods will do."""
    if isinstance(node, Among) and len(node.values) >= _PAIR and not node.negated:
        return [node.left]
    parts = node.any_of if isinstance(node, Either) else ()
    lefts = [part.left for part in parts if isinstance(part, During | Compare) and isinstance(part.left, Col)]
    return lefts if parts and len(lefts) == len(parts) and len(set(lefts)) == 1 else []
