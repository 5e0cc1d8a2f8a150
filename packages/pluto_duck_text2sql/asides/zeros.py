"""Those that have nothing count as well: `calls per agent, including agents without any`, `show 0 if there are none`.

What is said of them is an aside (asides.py). The rest is read as ever; its groups are then taken from the table whose
rows they are, with or without rows of what is counted, and what restricts these restricts the figures alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from pluto_duck_text2sql.asides.aside import Aside
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Cond,
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

_NONE = r"(?:none|nothing|nobody|no one|no \w+|zero|0|never|not (?:any|a single)|without|any)"
_LACKING = (
    r"(?:without|with (?:no|none|zero|0)|having (?:no|none)|lacking"
    r"|(?:that|who|which) (?:(?:have|has|had) (?:nobody|nothing|no|none|never|not)"
    r"|(?:do|did|does|have|has|had|was|were)(?: not|n['’]t)|never|(?:got|get|gets|made|saw|took|gave) (?:no|none))"
    r"|(?:that |who |whom |which )?(?:nobody|no one|nothing)\b)"
)
_INCLUDING = r"(?:includ(?:e|ing)|count(?:ing)?|list(?:ing)?|show(?:ing)?|keep(?:ing)?|with)"
_ZERO = r"(?:a )?(?:zero|0)"
_AS_ZERO = rf"(?:,? (?:(?:shown|counted|count|counts|showing|then) )*(?:as|with|at) {_ZERO})"
_SHOWN = (
    r"(?:(?:should|must|may|can|will|are to|also|still|then|please) )*"
    r"(?:show(?:s|ing)?(?: up)?|appear(?:s|ing)?|be (?:shown|listed|included|counted)|count(?:s|ing)?)"
)
_JOINED = r"(?:[,;(] ?)?(?:(?:and|but|please) )*"
_ENDS = r"(?=[.,;:?!()]|$)"
_UNTIL = r"[^.,;:?!()]*"
_WAYS = (
    rf"\b(?:includ(?:e|ing)|incl\.?|counting|(?<=[,;.] )count|add(?:ing)?|plus|even"
    rf"|with(?= (?:those|the ones|all|also)\b)|also(?: {_INCLUDING})?|{_INCLUDING} also"
    r"|(?<=[.?!;,] )keep(?:ing)?(?! (?:only|just)))"
    r"(?: (?:also|even|too|as well|all|any|the|those|ones|our))*"
    rf"(?P<who>(?: [a-z-]+){{0,3}}?) {_LACKING}{_UNTIL}?(?:{_AS_ZERO})?{_ENDS}\)?",
    rf"(?:\b(?:an?|any|the|those|all) )?\b(?P<whose>[a-z-]+(?: [a-z-]+)?) {_LACKING}(?:[^.;:?!()]*? )??"
    rf"{_SHOWN}{_AS_ZERO}",
    rf"(?<=[(,;.]|\?) ?(?P<such>[a-z-]+(?: [a-z-]+)?) {_LACKING}[^.,;:?!()]*? (?:too|as well|also|included){_ENDS}\)?",
    rf"\b{_INCLUDING} (?:the |all |any )?(?:zero(?:e?s)?|0s?)(?: (?:counts?|values?|rows?|too|as well))*{_ENDS}",
    r"\bzeroe?s(?: are)? (?:included|too|as well|to be included)\b",
    rf"\b(?:(?:show|put|give|use|write|print|with|count|say|as)(?:ing)? )?{_ZERO} (?:if|where|when|for)"
    rf" {_UNTIL}?{_NONE}\b{_UNTIL}",
    rf"\beven (?:if|when|though|where) {_UNTIL}?{_NONE}\b{_UNTIL}",
)
_ASIDE = Pattern("|".join(f"{_JOINED}{each}" for each in _WAYS), re.IGNORECASE)
_PRONOUNS = frozenset("those ones these them anyone everyone somebody".split())
_OF_NAME = 0.6
_TOLD = "Those that have none are shown too, with 0."


class Zeros:
    """Reads over one catalog whether groups of nothing are wanted."""

    def __init__(self, reader: Reader) -> None:
        self._joins, self._names = reader.joins, reader.names

    def aside(self, question: str) -> Aside | None:
        """What to take out of the question, and what it changes; None where nothing is said of it."""
        found = _ASIDE.search(question)
        if found is None:
            return None
        text = tidy(f"{question[: found.start()]} {question[found.end() :]}")
        who = (found["who"] or found["whose"] or found["such"] or "").strip()
        return Aside(text, lambda query: self._whole(query, who), (_TOLD,)) if text else None

    def _whole(self, query: Query, who: str) -> Query | None:
        """The query over all groups; None where it has none that could be empty, or others are spoken of."""
        made = whole(query, self._joins)
        return made if made and self._is_of(made, who) else None

    def _is_of(self, query: Query, who: str) -> bool:
        """Whether who is spoken of are the groups."""
        if not who or who.lower() in _PRONOUNS:
            return True
        return any(each.table.key in _anchors(query) for each in self._named(who))

    def _named(self, who: str) -> Iterator[Target]:
        """What the last of the words name."""
        words = [token.stem for token in tokenise(who)]
        for start in range(len(words)):
            yield from (each for each in self._names.find(tuple(words[start:])) if each.score >= _OF_NAME)


def says_zeros(text: str) -> bool:
    """Whether a text says that those which have none are wanted too, and nothing else."""
    found = _ASIDE.search(text)
    return found is not None and not tidy(f"{text[: found.start()]} {text[found.end() :]}")


def without_zeros(text: str) -> str:
    """A text less what it says of those that have none."""
    return tidy(_ASIDE.sub(" ", text))


def _anchors(query: Query) -> set[TableKey]:
    """The tables whose rows are the groups."""
    inner = [each.query for each in nodes_in(query.select) if isinstance(each, Nested)]
    return {each.anchor for each in inner or (query,)}


def whole(query: Query, joins: JoinGraph) -> Query | None:
    """The query with a row for each row of the table that it groups by, also where nothing belongs to it.

    None where it groups by nothing of a table of its own, or what it counts is not of rows that belong to that.
    """
    inner = [each for each in nodes_in(query.select) if isinstance(each, Nested)]
    if inner:
        made = {each: whole(each.query, joins) for each in inner}
        if not all(made.values()):
            return None
        nested: Query = mapped(query, lambda node: replace(node, query=made[node]) if node in made else node)
        return nested
    if query.is_plain and not any(map(is_total, query.select)):
        return _listed(query, joins)
    of = _grouped_by(query, joins)
    return _from(query, of, joins) if of else None


def _listed(query: Query, joins: JoinGraph) -> Query | None:
    """A listing of all rows of its table, each with what belongs to it; None where what belongs to it restricts it."""
    of = next((each.table for each in columns_in(query.select)), query.anchor)
    _, others = _split(query.where, of)
    needed = {each.table for each in columns_in(query.select)} - {of}
    if query.group or any(not _is_known(each) for each in others) or joins.tree(of, needed, query.through) is None:
        return None
    own = tuple(each for each in query.where if each not in others)
    return replace(query, anchor=of, where=own, also=(), flat=bool(needed) or query.flat, outer=bool(needed))


def _grouped_by(query: Query, joins: JoinGraph) -> TableKey | None:
    """The table whose rows the groups are; where there are none, the one whose rows are counted once each."""
    if any(not isinstance(each, Col) for each in query.group):
        return None
    tables = {each.table for each in query.group if isinstance(each, Col)}
    if not query.group:
        owners = (each.of for each in nodes_in(query.select) if isinstance(each, Agg) and each.distinct)
        tables = {joins.pointed(each).table for each in owners if isinstance(each, Col)}
    return next(iter(tables)) if len(tables) == 1 else None


@dataclass(frozen=True)
class _Measured:
    """What is measured, and what of the conditions restricts that alone."""

    of: TableKey
    moved: tuple[Cond, ...]

    def change(self, node: Any, joins: JoinGraph) -> Any:
        """A total under the conditions; how many have any is how many there are."""
        if not isinstance(node, Agg):
            return node
        if node.function == "count" and node.distinct and isinstance(node.of, Col):
            owner = joins.pointed(node.of)
            if owner.table == self.of:
                return replace(node, of=owner)
        if all(each.table == self.of for each in columns_in(node.of)):
            return node
        return replace(node, where=(*node.where, *(each for each in self.moved if each not in node.where)))


def _from(query: Query, of: TableKey, joins: JoinGraph) -> Query | None:
    own, others = _split(query.where, of)
    shown = (query.select, tuple(each.by for each in query.order), query.having)
    measured = {each.table for each in _totals(shown)} - {of}
    needed = {each.table for each in columns_in((shown, others))} - {of}
    if not measured or any(isinstance(each, Related) for each in (*own, *others)):
        return None
    steps = joins.tree(of, needed, query.through)
    if steps is None or not any(step.multiplies for step in steps):
        return None
    if any(joins.belongs(each, table) for table in measured for each in needed - measured):
        return None
    part = _Measured(of, tuple(each for each in others if not _is_known(each)))
    select, order, having = (
        mapped(each, lambda node: part.change(node, joins)) for each in (query.select, query.order, query.having)
    )
    return replace(
        query, anchor=of, select=select, where=own, order=order, having=having, also=(), flat=True, outer=True
    )


def _totals(shown: Any) -> list[Col | Rows]:
    return [column for each in nodes_in(shown) if is_total(each) for column in columns_in(each)]


def _is_known(condition: Cond) -> bool:
    """Whether it only says that something is known, as each row has of its owner."""
    return isinstance(condition, Missing) and condition.negated


def _split(where: Sequence[Cond], of: TableKey) -> tuple[tuple[Cond, ...], tuple[Cond, ...]]:
    """The conditions on the groups' own rows, and the others."""
    own = tuple(each for each in where if {column.table for column in columns_in(each)} <= {of})
    return own, tuple(each for each in where if each not in own)
