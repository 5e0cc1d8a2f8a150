"""From a drawing to its line and its words; and whether a line and its rows are worth a question."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pluto_duck_text2sql.learned.grammar import START, allowed, step
from pluto_duck_text2sql.learned.line import Val, Word
from pluto_duck_text2sql.tree import Col, Rows
from pluto_duck_training.gold import outer
from pluto_duck_training.synthetic.slots import Draw, Unfit
from pluto_duck_training.synthetic.wordings import PLACE, Family

_END_OF_SHOWN = frozenset(("where", "{where}", "group", "asc", "desc", "having", "join", "top1", "limit"))
_HEADS = {
    "share": "share",
    "share%": "percentage",
    "growth": "growth",
    "growth%": "growth in percent",
    "yoy": "growth",
    "yoy%": "growth in percent",
    "running": "running total",
    "moving": "moving average",
    "min": "minimum {}",
    "max": "maximum {}",
    "avg": "average {}",
    "sum": "total {}",
    "median": "median {}",
}
_UNNAMED = frozenset(
    (
        "if",
        "ratio",
        "ratio%",
        "minus",
        "change",
        "change%",
        "*",
        "distinct",
        "(",
        "firstof",
        "days",
        "quantile",
        "stddev",
    )
)


def line_of(draw: Draw, family: Family) -> list[Word]:
    """The family's line with the words of its places; the further conditions are drawn last. Raises Unfit."""
    for word in family.line:
        match = PLACE.fullmatch(word)
        if match and match[1] not in ("where", "and"):
            draw.slot(match[1])
    if {"firstof", "lastof"} & set(family.line) and draw.date and draw.date[1]:
        raise Unfit("a cohort is by the main date")
    words: list[Word] = []
    for word in family.line:
        words += _words(draw, word)
    return words


def _words(draw: Draw, word: str) -> Sequence[Word]:
    match = PLACE.fullmatch(word)
    if match is None:
        return [word]
    if match[1] in ("where", "and"):
        found = draw.words("w", "and" if match[1] == "and" else "")
        return ["where", *found] if match[1] == "where" and found else found
    if (match[2] or "") not in draw.slot(match[1]).words:
        raise Unfit(f"{match[0]} has no words")
    return draw.words(match[1], match[2] or "")


def said_of(draw: Draw, wording: str) -> str:
    """The wording with what its places are called; further conditions after all else. Raises Unfit."""
    said = PLACE.sub(lambda match: match[0] if match[1] == "w" else draw.say(match[1], match[2] or ""), wording)
    if "{w}" not in said and draw.conditions:
        raise Unfit("a condition is not said")
    further = " ".join(draw.rng.choice(each.said) for each in draw.conditions)
    if said.endswith("{w}") and len(draw.conditions) == 1 and draw.conditions[0].is_period and draw.rng.random() < 0.2:
        return f"{further}, {said.removesuffix('{w}')}"
    return said.replace("{w}", further)


def labels_of(draw: Draw, line: Sequence[str]) -> list[str]:
    """What the columns shown are called; nothing where they have no plain names."""
    shown: list[str] = []
    head = before = ""
    for word in line:
        if word in _END_OF_SHOWN:
            break
        match = PLACE.fullmatch(word)
        if match and draw.slot(match[1]).label and match[1] != "d":
            label = draw.slot(match[1]).label if before != "count" else f"number of {draw.say(match[1], 'many')}"
            shown.append(head.format(label) if head else label)
            head = ""
        elif word in _UNNAMED:
            return []
        head = _HEADS.get(word, head)
        before = word
    return shown


def is_telling(rows: Sequence[tuple[Any, ...]], grouped: bool = False) -> bool:
    """Whether rows say something: there are some, not all the same, and the last column is not all NULL or 0."""
    if not rows or all(row[-1] in (None, 0) for row in rows):
        return False
    return len(set(rows)) > 1 if len(rows) > 1 else not grouped


def is_grouped(line: Sequence[Word]) -> bool:
    """Whether several rows are expected: one for each of the groups."""
    words = {each for each in outer(line) if isinstance(each, str)}
    return "group" in words and not words & {"top1", "nth", "having"}


def is_grammatical(line: Sequence[Word]) -> bool:
    """Whether the grammar allows each word of a line, and then its end."""
    state = START
    for word in [*line, "end"]:
        kind = {Col: "<column>", Rows: "<table>", Val: "<value>"}.get(type(word), word)
        if kind not in allowed(state):
            return False
        state = step(state, str(kind))
    return True


def is_straight(draw: Draw, line: Sequence[Word]) -> bool:
    """Whether the joins are those that lead up from the fact, whatever table the line begins at."""
    tables = {word.table for word in outer(line) if isinstance(word, Col | Rows)}
    if len(tables) < 2:
        return True
    first = next(word.table for word in outer(line) if isinstance(word, Col | Rows))
    joins = draw.schema.joins
    low = draw.fact.table.key if draw.fact.table.key in tables else first
    ways = [joins.tree(start, tables) for start in (first, low)]
    edges = [{frozenset((step.source, step.target)) for step in way or ()} for way in ways]
    return edges[0] == edges[1]
