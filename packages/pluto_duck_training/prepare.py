"""Draws each question's graph, and the sketch of its SQL as nodes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql import Analyst
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.learned.graph import Graph, Grapher
from pluto_duck_text2sql.learned.sketch import Word
from pluto_duck_training import negatives
from pluto_duck_training.candidates import TODAY
from pluto_duck_training.gold import Beyond, to_sketch
from pluto_duck_training.packed import Drawn, is_legal
from pluto_duck_training.targets import Missed, to_targets


class Asker:
    """Draws what the network reads of questions over one catalog: their words as the analyst hands them on."""

    def __init__(self, catalog: Catalog, joins: JoinGraph) -> None:
        self._analyst = Analyst(catalog, today=TODAY)
        self._grapher = Grapher(catalog, joins, aliases=self._analyst.aliases)

    def graph(self, question: str) -> Graph:
        """The graph of a question as it is read."""
        return self._grapher.graph(self._analyst.as_read(question))

    def asked(self, question: str, line: list[Word]) -> tuple[Graph, list[int] | None]:
        """The graph of a question and its targets; of the question as typed where what is read misses one of them.

        Raises Missed where no words stand for something in the line.
        """
        graph = self.graph(question)
        try:
            return graph, checked(graph, to_targets(line, graph))
        except Missed:
            graph = self._grapher.graph(question)
            return graph, checked(graph, to_targets(line, graph))


def drawn(name: str, catalog: Catalog, questions: Sequence[dict[str, Any]]) -> list[Drawn]:
    """Graph and targets of each question about one database; targets are None where no sketch says its SQL.

    A question goes with its database into a fold, or with its `group` where it has one.
    """
    joins = JoinGraph(catalog)
    asker = Asker(catalog, joins)
    found = []
    for question in questions:
        targets: list[int] | None = None
        try:
            line: list[Word] = question.get("line") or to_sketch(question["sql"], catalog, joins)
            graph, targets = asker.asked(question["question"], line)
        except (Beyond, Missed):
            graph = asker.graph(question["question"])
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
    try:
        graph, targets = Asker(less.catalog, JoinGraph(less.catalog)).asked(question["question"], less.line)
    except Missed:
        return []
    return [(f"{question['id']}-lacking", group, _light(graph), targets, question.get("invented", False))]


def _light(graph: Graph) -> Graph:
    """The graph with its values' places alone, which is all that training needs of them once targets are known."""
    return replace(graph, values=[replace(each, value="", stored={}) for each in graph.values])


def checked(graph: Graph, targets: list[int]) -> list[int] | None:
    """The targets, where the grammar allows each of them."""
    return targets if is_legal(targets, graph.sizes) else None
