"""Which chart a result gets: tests/fixtures/charts/shapes.txt says what is right, and was there before the rules."""

import pytest
from tests.agent.charting import shapes

from pluto_duck_backend.agent.charting import chart_of
from pluto_duck_backend.agent.charting.adding import additive
from pluto_duck_backend.agent.charting.asked import is_only_about_kind, kind_asked, without_kind
from pluto_duck_backend.agent.charting.choice import choose
from pluto_duck_backend.agent.charting.shape import shape_of

SHAPES = shapes.read()


def _channels(choice):
    on = {name: getattr(choice, name) for name in ("x", "y", "color", "size")}
    fields = {name: each if isinstance(each, tuple) else (each,) for name, each in on.items() if each}
    return {name: "+".join(field.name for field in each) for name, each in fields.items()}


def test_there_are_enough_shapes():
    assert len(SHAPES) >= 100
    assert len({each.kind for each in SHAPES}) == 13


@pytest.mark.parametrize("result", SHAPES, ids=lambda each: f"{each.line}: {each.question}")
def test_a_result_gets_the_chart_that_fits_it(result):
    shape = shape_of(result.question, result.columns, result.rows)
    fitting = choose(result.question, shape, additive(shape.measures, None), kind_asked(result.question))
    best = next(iter(fitting.values()), None)
    assert (best.kind if best else "none", _channels(best) if best else {}) == (result.kind, result.channels)


REGIONS = [{"name": "region", "type": "VARCHAR"}, {"name": "channel", "type": "VARCHAR"}]
ROWS = [[region, channel, 10 * n + 1.5] for n, region in enumerate("abc") for channel in ("web", "shop")]


@pytest.mark.parametrize(
    ("sql", "kind"),
    [
        ("SELECT region, channel, SUM(x) AS worth FROM t GROUP BY ALL", "stacked"),
        ("SELECT region, channel, ROUND(SUM(x), 2) AS worth FROM t GROUP BY ALL", "stacked"),
        ("SELECT region, channel, AVG(x) AS worth FROM t GROUP BY ALL", "grouped"),
        ("SELECT region, channel, SUM(x) / COUNT(*) AS worth FROM t GROUP BY ALL", "grouped"),
        ("SELECT region, channel, COUNT(DISTINCT x) AS worth FROM t GROUP BY ALL", "grouped"),
        ("SELECT region, channel, worth FROM t", "grouped"),
    ],
)
def test_only_what_may_be_added_up_is_stacked(sql, kind):
    columns = [*REGIONS, {"name": "worth", "type": "DOUBLE"}]
    assert chart_of("worth by region and channel", columns, ROWS, 6, sql=sql)["usermeta"]["kind"] == kind


@pytest.mark.parametrize(
    ("said", "left", "alone"),
    [
        ("revenue by month as a bar chart", "revenue by month", False),
        ("draw a bar chart of orders by status", "orders by status", False),
        ("revenue by region and channel, grouped bars", "revenue by region and channel", False),
        ("a heatmap of revenue by region", "revenue by region", False),
        ("as a pie chart", "", True),
        ("now show it as bars", "now show it", True),
        ("same as a line chart please", "same please", True),
        ("number of orders by bar", "number of orders by bar", False),
        ("Which products are in line 5?", "Which products are in line 5?", False),
    ],
)
def test_words_about_drawing_are_told_from_those_about_data(said, left, alone):
    assert (without_kind(said), is_only_about_kind(said)) == (left, alone)
