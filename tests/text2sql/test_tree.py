"""Query trees: what is below a node is found, whatever its parts are declared as."""

import dataclasses
import datetime as dt
import typing

import pytest

from pluto_duck_text2sql import tree
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Inside,
    Order,
    Query,
    Rows,
    all_nodes_in,
    mapped,
    nodes_in,
)

T = ("main", "t")
A, B = Col(T, "a"), Col(T, "b")
INNER = Query(T, (B,), (Compare(B, ">", 1),))
WHOLE = Query(T, (A, Agg("sum", B)), (Inside(A, INNER), Among(B, (1, 2))), (A,), order=(Order(Agg("count", Rows(T))),))
KINDS = [each for each in vars(tree).values() if dataclasses.is_dataclass(each)]
NAMES = {**vars(tree), "Any": typing.Any, "dt": dt}


def _types(hint):
    return {hint}.union(*map(_types, typing.get_args(hint)))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
def test_no_node_is_in_a_part_that_is_passed_over(kind):
    hints = typing.get_type_hints(kind, NAMES)
    passed = {name: hint for name, hint in hints.items() if name not in tree.nodes_below(kind)}
    assert [name for name, hint in passed.items() if any(map(dataclasses.is_dataclass, _types(hint)))] == []
    assert [name for name, hint in passed.items() if typing.Any in _types(hint)] == []


def test_nodes_are_found_with_or_without_those_of_queries_within():
    assert [each for each in nodes_in(WHOLE) if isinstance(each, Col)] == [A, B, A, B, A]
    assert [each for each in all_nodes_in(WHOLE) if isinstance(each, Compare)] == [*INNER.where]
    assert [each for each in nodes_in(WHOLE) if isinstance(each, Rows)] == [Rows(T)]


def test_each_node_is_replaced_wherever_it_is():
    other = Col(T, "c")
    changed = mapped(WHOLE, lambda node: other if node == B else node)
    assert B not in set(all_nodes_in(changed))
    assert [each for each in all_nodes_in(changed) if each == other] == [other] * 4
    assert mapped(WHOLE, lambda node: node) is WHOLE
