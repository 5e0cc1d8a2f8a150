"""Denials and exceptions that a tree makes and its question does not, or the other way round."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.yes_no import is_yes_or_no, says_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import CONTRARY, name_stems, table_stems
from pluto_duck_text2sql.reading.unasked_columns import column_of
from pluto_duck_text2sql.tree import Col, Compare, Cond, Inside, Missing, Query, Related, all_nodes_in

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Pass

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
_UNSET = ("false", "unset", "zero")
_NEAR = 4
_NOT_DONE = Pattern(r"\b(?:did|do|does|have|has|had)(?: not|n['’]t)\b", re.IGNORECASE)
_ANY_MORE = ("any more", "anymore", "any longer")


def wrongly_denied(roles: Pass, query: Query) -> Iterator[str]:
    """`athletes who get a scholarship`, `active members who never came`: the flag is set where nothing denies it, and
    not where the word before does; those that are taken away are denied as they are."""
    words = [token.lower for token in roles.tokens]
    plain = set(query.where) if query.then is None else set()
    for each in all_nodes_in(query, but=("said", "anchored")):
        if isinstance(each, Compare) and isinstance(each.left, Col) and each.operator == "=":
            column, stems = column_of(each.left, roles), set(name_stems(each.left.name))
            places = [n for n, token in enumerate(roles.tokens) if token.stem in stems]
            is_flag = column is not None and is_yes_or_no(column) and str(each.right).casefold() not in words
            is_no = says_no(each.right)
            if is_flag and places and (is_no or each in plain) and not _is_as_said(is_no, places, words):
                yield each.left.name


def lacking(roles: Pass, query: Query) -> Iterator[str]:
    """`students who did not show up` are not those without a number that no word of the question names."""
    if not _NOT_DONE.search(roles.words_at(0, len(roles.tokens))):
        return
    said = {token.stem for token in roles.tokens}
    for each in all_nodes_in(query, but=("said", "anchored")):
        if isinstance(each, Missing) and not each.negated and isinstance(each.left, Col):
            column, joins = column_of(each.left, roles), roles.reader.joins
            owner = joins.pointed(each.left).table
            called = {*name_stems(each.left.name), *(table_stems(owner[1]) if owner != each.left.table else ())}
            named = any(_names_column(item, each.left) for item in roles.mentions)
            if column is not None and not column.is_time and said.isdisjoint(called) and not named:
                yield each.left.name


def _names_column(item: Mention, column: Col) -> bool:
    return any(t.column and (t.table.key, t.column.name) == (column.table, column.name) for t in item.targets)


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


def excepted(roles: Pass, query: Query) -> Iterator[str]:
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
