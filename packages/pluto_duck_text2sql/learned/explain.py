"""Which words of the question became which tables, columns and values of a sketch: the lines people read."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from pluto_duck_text2sql.learned.graph import Graph
from pluto_duck_text2sql.learned.sketcher import Sketch
from pluto_duck_text2sql.tree import Col, Query, columns_in, sign_shown
from pluto_duck_text2sql.trees.facts import Facts

_SHOWN_WORDS = 5
_LINKING = frozenset("last first on at by in of to from for with and or the a an up".split())


def explained(graph: Graph, sketch: Sketch, query: Query) -> list[str]:
    """Lines like `names → singer.Name`, then `56 → singer.Age > 56`, of the tree that was made of a sketch."""
    facts = Facts.of(sketch.query)
    words, columns, tables, _ = graph.sizes
    drawn = {node: graph.column(node - words) for node in set(sketch.nodes) if words <= node < words + columns}
    kept = {each for each in columns_in(query) if isinstance(each, Col)}
    used = [n for n in sorted(set(sketch.nodes) - set(range(words))) if n not in drawn or drawn[n] in kept]
    lines = [_line(graph, node) for node in used if node < words + columns + tables]
    put = [f"uses {_full(each)}" for each in sorted(kept - set(drawn.values()), key=_full)]
    return list(dict.fromkeys([*(line for line in lines if line), *put, *_compared(graph, facts)]))


def _line(graph: Graph, node: int) -> str:
    """What a table or column is called in the question; that it is used, where no word names it."""
    words, columns, *_ = graph.sizes
    place = node - words
    name = _full(graph.column(place)) if place < columns else graph.tables[place - columns].name
    said = _said(graph, node)
    return f"{said} → {name}" if said else f"uses {name}"


def _said(graph: Graph, node: int) -> str:
    words = graph.sizes[0]
    return said_words(graph, np.flatnonzero(graph.relations[:words, node]))


def said_words(graph: Graph, places: NDArray[np.intp]) -> str:
    """The first of the question's words at `places`."""
    return " ".join(graph.tokens[place].text for place in places[:_SHOWN_WORDS])


def naming_words(graph: Graph, places: NDArray[np.intp]) -> str:
    """As `said_words`; nothing where all of them only link others or say when: `last year` asks for no last name."""
    said = said_words(graph, places)
    return "" if _LINKING.issuperset(said.lower().split()) else said


def _full(column: Col) -> str:
    return f"{column.table[1]}.{column.name}"


def _compared(graph: Graph, facts: Facts) -> Iterator[str]:
    for left, operator, right in facts.compared:
        if isinstance(left, Col) and isinstance(right, str | int | float):
            said = next((_span(graph, n) for n, each in enumerate(graph.values) if each.spelt(left) == right), "")
            shown = repr(right) if isinstance(right, str) else f"{right:g}"
            compared = f"{_full(left)} {sign_shown(operator, right)} {shown}"
            yield f"{said} → {compared}" if said else compared


def _span(graph: Graph, value: int) -> str:
    literal = graph.values[value]
    return " ".join(token.text for token in graph.tokens[literal.start : literal.end])
