"""Draws each question's graph, and the sketch of its SQL as nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.catalog import Catalog
from pluto_duck_text2sql.joins import JoinGraph
from pluto_duck_text2sql.learned.graph import Graph, Grapher
from pluto_duck_text2sql.learned.sketch import Word
from pluto_duck_training import negatives
from pluto_duck_training.gold import Beyond, to_sketch
from pluto_duck_training.packed import Drawn, is_legal
from pluto_duck_training.targets import Missed, to_targets


def drawn(name: str, catalog: Catalog, questions: Sequence[dict[str, Any]]) -> list[Drawn]:
    """Graph and targets of each question about one database; targets are None where no sketch says its SQL.

    A question goes with its database into a fold, or with its `group` where it has one.
    """
    joins = JoinGraph(catalog)
    grapher = Grapher(catalog, joins)
    found = []
    for question in questions:
        graph = grapher.graph(question["question"])
        try:
            line: list[Word] = question.get("line") or to_sketch(question["sql"], catalog, joins)
            targets: list[int] | None = checked(graph, to_targets(line, graph))
        except (Beyond, Missed):
            targets = None
        group = question.get("group", name)
        found.append((question["id"], group, _light(graph), targets, question.get("invented", False)))
        if targets and negatives.is_chosen(question["id"]):
            found += _unanswerable(question, group, line, catalog)
    return found


def _unanswerable(question: dict[str, Any], group: str, line: list[Word], catalog: Catalog) -> list[Drawn]:
    """The question where something that it needs is not there."""
    less = negatives.lesser(question["id"], line, catalog)
    if less is None:
        return []
    graph = Grapher(less.catalog, JoinGraph(less.catalog)).graph(question["question"])
    try:
        targets = checked(graph, to_targets(less.line, graph))
    except Missed:
        return []
    return [(f"{question['id']}-lacking", group, _light(graph), targets, question.get("invented", False))]


def _light(graph: Graph) -> Graph:
    """The graph with its values' places alone, which is all that training needs of them once targets are known."""
    return replace(graph, values=[replace(each, value="", stored={}) for each in graph.values])


def checked(graph: Graph, targets: list[int]) -> list[int] | None:
    """The targets, where the grammar allows each of them."""
    return targets if is_legal(targets, graph.sizes) else None
