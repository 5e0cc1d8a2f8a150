"""Questions as flat arrays: what stands where, and what the grammar lets stand there."""

import numpy as np
import pytest

from pluto_duck_text2sql.learned.grammar import WORDS
from pluto_duck_text2sql.learned.model import WEIGHTS
from pluto_duck_text2sql.learned.parts import settings
from pluto_duck_text2sql.learned.pieces import Pieces
from pluto_duck_training.asked import line_of
from pluto_duck_training.packed import G, is_legal, legal, packed
from pluto_duck_training.prepare import drawn
from pluto_duck_training.synthetic.databases import made_up


@pytest.fixture(scope="module")
def clinic():
    return next(made_up(1, 21))


@pytest.fixture(scope="module")
def asked(clinic):
    """Two questions about the first two tables of a made-up database, drawn."""
    first, second = clinic.catalog.tables[:2]
    lines = [
        f"count {first.name}.*",
        f"{second.name}.{second.columns[1].name} desc {second.name}.{second.columns[0].name}",
    ]
    texts = [f"how many {first.name}", f"{second.columns[1].name} of each {second.name}, please"]
    some = [
        {"id": str(n), "question": text, "line": line_of(line, clinic.catalog), "sql": ""}
        for n, (text, line) in enumerate(zip(texts, lines, strict=True))
    ]
    return [each for each in drawn("clinic", clinic.catalog, some) if not each[0].endswith("-lacking")]


@pytest.fixture(scope="module")
def pieces():
    return Pieces(settings(WEIGHTS)["vocabulary"])


def test_every_part_of_every_question_is_there_in_order(asked, pieces):
    found = packed(asked, pieces)
    graphs = [each[2] for each in asked]
    assert found.ids == ["0", "1"]
    assert found.databases == ["clinic"] * 2
    assert found.sizes.tolist() == [list(each.sizes) for each in graphs]
    nodes = [sum(each.sizes) for each in graphs]
    np.testing.assert_allclose(found.features[nodes[0] :], graphs[1].features, atol=1e-3)
    assert (found.relations[: nodes[0] ** 2].reshape(nodes[0], -1) == graphs[0].relations).all()
    assert found.targets.tolist() == [target for each in asked for target in each[3]]
    assert found.counts[:, 1].tolist() == [len(each[3]) for each in asked]
    named = sum(graphs[0].sizes[1:3])
    assert found.named[:named].tolist() == found.named[named : 2 * named].tolist()
    assert max(found.words[: found.counts[0, 0]]) == graphs[0].sizes[0] - 1


def test_what_is_to_be_written_is_legal_and_little_else_is(asked, pieces):
    found = packed(asked, pieces)
    places = [_place(target, graph.sizes) for _, _, graph, targets, _ in asked for target in targets]
    assert found.legal[range(len(places)), places].all()
    assert found.legal.mean() < 0.5


def _place(target, sizes):
    _, columns, tables, _ = sizes
    return target if target < G else G + (target >= G + columns) + (target >= G + columns + tables)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        (["count", 2, "end"], True),
        (["count", 0, "end"], True),
        (["count", "end"], False),
        (["where", 0, "end"], False),
        ([0, "where", 1, "=", 3, "end"], True),
        ([0, "where", 1, "=", 4, "end"], False),
    ],
)
def test_only_what_the_grammar_allows_of_nodes_that_are_there_is_legal(line, expected):
    targets = [WORDS.index(each) if isinstance(each, str) else G + each for each in line]
    assert is_legal(targets, (5, 2, 1, 1)) is expected


def test_nothing_to_be_written_has_no_rows():
    assert legal([], (5, 2, 1, 1)).shape == (0, G + 3)
