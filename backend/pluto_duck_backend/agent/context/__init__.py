"""What a prompt holds of the data: the tables a question needs, the user's own words and rules, confirmed questions.

    question ─▶ what it names (the analyst's links, words of names and comments) ─▶ tables by score, those between them
             ─▶ in full while there is room, then briefly, then by name ─▶ one text of at most `room` characters
                (of few tables all in full, where that fits)

A chat model's provider calls `context_for` once a question. What must stay true: the text never exceeds `room`;
whatever comes out of the data is quoted and on one line; without `values` no stored value is in it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from pluto_duck_backend.agent.context.describing import Detail
from pluto_duck_backend.agent.context.linking import Linked, Linker
from pluto_duck_backend.agent.context.quoting import line, name, name_of, value
from pluto_duck_backend.agent.context.rules import Rule, relevant
from pluto_duck_backend.agent.memory.example import Example
from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.language.words import tokenise
from pluto_duck_text2sql.tree import TableKey
from pluto_duck_text2sql.trees.term import Term

__all__ = ["Context", "Example", "Linker", "Rule", "context_for"]

_WITHHELD = (
    "What is stored is not told here: no values, no periods, no numbers of rows. "
    "There may well be some; max() finds the last day."
)
_FOR_WORDS = 0.2
_FOR_EXAMPLES = 0.2
_FOR_EARLIER = 0.1
_IN_FULL = 8
_FEW_TABLES = 30
_SURE_OF_ROOM = 3
_FOR_ONE = 0.6
_PLENTY = 4_000
_MOST_MISSES = 5
#   so many tables did not fit that no further one is tried
_MOST_VALUES = 20
_LONGEST_QUERY = 600
_FOR_REST = 14
#   characters of what tells how many more there are
T = TypeVar("T")


@dataclass(frozen=True)
class Context:
    """`text` goes into the prompt; `tables` are those it describes, the likeliest first."""

    text: str
    tables: tuple[Table, ...]
    linked: Linked


def context_for(
    question: str,
    analyst: Analyst,
    linker: Linker,
    room: int,
    *,
    values: bool,
    rules: Sequence[Rule] = (),
    examples: Sequence[Example] = (),
) -> Context:
    """What a model is told before it answers `question`, in at most `room` characters."""
    linked = linker.link(question, analyst)
    note = "" if values else _WITHHELD
    head = _words(question, analyst, rules, int(room * _FOR_WORDS))
    shown = _examples(examples, int(room * _FOR_EXAMPLES), values)
    tail = _values(linked, values)
    left = room - sum(len(part) + 2 for part in (note, head, shown, tail) if part)
    tables, text = _tables(linked, linker, left, values)
    return Context("\n\n".join(part for part in (note, text, tail, head, shown) if part), tables, linked)


def _tables(linked: Linked, linker: Linker, room: int, values: bool) -> tuple[tuple[Table, ...], str]:
    """The likeliest in full, further ones briefly, the rest by name, as far as there is room."""
    if whole := _whole(linked, linker, room, values):
        return linked.tables, "\n\n".join([whole, *_earlier(linked, room - len(whole) - 2)])
    earlier = _earlier(linked, int(room * _FOR_EARLIER))
    room -= sum(len(part) + 2 for part in earlier)
    parts, kept, others = _described(linked, linker, room, values)
    room -= sum(len(part) + 2 for part in parts)
    named = _by_name(others, room)
    parts = _fuller(parts, kept, linked, linker, room - sum(len(each) + 2 for each in named), values)
    return tuple(kept), "\n\n".join([*parts, *earlier, *named]) or "(There are no tables yet.)"


def _described(linked: Linked, linker: Linker, room: int, values: bool) -> tuple[list[str], list[Table], list[Table]]:
    """The tables that there is room for, each as text, and those that there is none for."""
    parts, kept, others = list[str](), list[Table](), list[Table]()
    for place, table in enumerate(linked.tables):
        if len(others) > _MOST_MISSES:
            return parts, kept, [*others, *linked.tables[place:]]
        if text := _fitting(table, linked, linker, place, room, values):
            parts.append(text)
            kept.append(table)
            room -= len(text) + 2
        else:
            others.append(table)
    return parts, kept, others


def _fuller(
    parts: Sequence[str], tables: Sequence[Table], linked: Linked, linker: Linker, room: int, values: bool
) -> list[str]:
    """The tables as they are told, and those that are told briefly in full as far as there is room left."""
    told = list[str]()
    for text, table in zip(parts, tables, strict=True):
        full = linker.described(table, linked.columns(table), Detail.FULL, values=values)
        fits = len(full) - len(text) <= room
        room -= len(full) - len(text) if fits else 0
        told.append(full if fits else text)
    return told


def _whole(linked: Linked, linker: Linker, room: int, values: bool) -> str:
    """All tables in full; empty where there are many, or no room for that."""
    if len(linked.tables) > _FEW_TABLES:
        return ""
    text = "\n\n".join(
        linker.described(table, linked.columns(table), Detail.FULL, values=values) for table in linked.tables
    )
    return text if len(text) <= room else ""


def _fitting(table: Table, linked: Linked, linker: Linker, place: int, room: int, values: bool) -> str:
    """The table in the most detail that there is room for; empty where there is none for it."""
    most = room if place < _SURE_OF_ROOM else room * _FOR_ONE
    for detail in (Detail.FULL, Detail.BRIEF) if place < _IN_FULL or room > _PLENTY else (Detail.BRIEF,):
        text = linker.described(table, linked.columns(table), detail, values=values)
        if len(text) + 2 <= most:
            return text
    return ""


def _earlier(linked: Linked, room: int) -> list[str]:
    """Those that a preferred table was made of, or told again by, with that one's name."""
    title = "Earlier forms of tables, to be read only where the question names them:"
    return _on_one_line(title, linked.earlier, _with_better, room)


def _with_better(earlier: tuple[Table, TableKey]) -> str:
    table, better = earlier
    return f"{name_of(table)} (as {name(better[0])}.{name(better[1])})"


def _by_name(tables: Sequence[Table], room: int) -> list[str]:
    return _on_one_line("Other tables, not described here:", tables, name_of, room)


def _on_one_line(title: str, things: Sequence[T], called: Callable[[T], str], room: int) -> list[str]:
    """As many as fit, by what they are called."""
    names, left = list[str](), room - len(title) - _FOR_REST
    for each in map(called, things):
        left -= len(each) + 2
        if left < 0:
            break
        names.append(each)
    if not names:
        return []
    rest = len(things) - len(names)
    return [f"{title} {', '.join(names)}" + (f" and {rest} more" if rest else "")]


def _values(linked: Linked, allowed: bool) -> str:
    if not allowed or not linked.values:
        return ""
    named = [f"  {name_of(hit)}.{name(hit.column)} = {value(hit.value, 60)}" for hit in linked.values[:_MOST_VALUES]]
    return "\n".join(["Stored values that the question may mean:", *dict.fromkeys(named)])


def _words(question: str, analyst: Analyst, rules: Sequence[Rule], room: int) -> str:
    """What the user's files say of words in the question, then rules that fit it."""
    lines = [_term(each.term, analyst) for each in analyst.terms.defined_in(tokenise(question))]
    lines += [f"  {line(rule.text, 400)}" for rule in relevant(question, rules)]
    return _listed("The user's own words and rules:", lines, room)


def _term(term: Term, analyst: Analyst) -> str:
    """What a term means; of a metric also the query that computes it."""
    query = analyst.terms.definition(term) if term.is_metric else ""
    computed = f", computed by {line(query, _LONGEST_QUERY)}" if query else ""
    return f"  {line(term.said, 80)} means {line(term.meaning, 300)}{computed}"


def _examples(examples: Sequence[Example], room: int, values: bool) -> str:
    """Questions that a person confirmed the SQL of."""
    shown = [f"  {line(_asked(each), 300)}\n  {' '.join(each.sql.split())}" for each in examples if values]
    return _listed("Questions asked before, with SQL that a person confirmed:", shown, room)


def _asked(example: Example) -> str:
    after = f" (after: {' / '.join(example.after)})" if example.after else ""
    return f"{example.question}{after}{f' (meant: {example.reading})' if example.reading else ''}"


def _listed(title: str, lines: Sequence[str], room: int) -> str:
    kept, room = list[str](), room - len(title)
    for each in dict.fromkeys(lines):
        room -= len(each) + 1
        if room < 0:
            break
        kept.append(each)
    return "\n".join([title, *kept]) if kept else ""
