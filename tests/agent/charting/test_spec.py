"""What a specification holds: valid Vega-Lite that draws without a network, honest scales, what is left out said."""

import json
import re
import struct

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.agent.charting import shapes

from pluto_duck_backend.agent.charting import chart_of, chart_or_raise
from pluto_duck_backend.agent.charting.images import image_of
from pluto_duck_backend.agent.charting.themes import themed
from pluto_duck_backend.app.core.errors import NotFound

DRAWN = [(each, chart_of(each.question, each.columns, each.rows, len(each.rows))) for each in shapes.read()]
DRAWN = [(result, spec) for result, spec in DRAWN if spec]
OF_EACH_KIND = list({spec["usermeta"]["kind"]: spec for _, spec in DRAWN}.values())
NAME = {"name": "city", "type": "VARCHAR"}


def _number(name="sum_n", kind="BIGINT"):
    return {"name": name, "type": kind}


def _layers(spec):
    return [spec, *spec.get("layer", [])]


def _mark(layer):
    mark = layer.get("mark", "")
    return mark if isinstance(mark, str) else mark["type"]


@pytest.mark.parametrize("spec", OF_EACH_KIND, ids=lambda spec: spec["usermeta"]["kind"])
def test_it_is_drawn_here_as_png_and_svg(spec):
    png = image_of(spec, "png")
    width, height = struct.unpack(">II", png[16:24])
    assert png.startswith(b"\x89PNG")
    assert width > 300 and height > 100
    svg = image_of(spec, "svg", "dark").decode()
    assert svg.startswith("<svg") and "NaN" not in svg and "undefined" not in svg


@pytest.mark.parametrize(("result", "spec"), DRAWN, ids=lambda each: getattr(each, "question", ""))
def test_bars_begin_at_zero_and_the_rows_are_all_there(result, spec):
    kind = spec["usermeta"]["kind"]
    amounts = [
        each
        for layer in _layers(spec)
        if _mark(layer) in ("bar", "area")
        for each in layer["encoding"].values()
        if isinstance(each, dict) and each.get("type") == "quantitative" and "bin" not in each
    ]
    assert all(each["scale"]["zero"] for each in amounts if "scale" in each and kind != "histogram")
    said = spec.get("title", {}).get("subtitle", [])
    folded = kind in ("line", "grouped") and "measure" in spec["data"]["values"][0]
    n_rows = len(spec["data"]["values"]) / (
        len(result.channels.get("y", result.channels["x"]).split("+")) if folded else 1
    )
    assert n_rows == len(result.rows) or any(str(len(result.rows)) in line.replace(",", "") for line in said) or folded
    json.dumps(spec, allow_nan=False)


def test_the_rest_of_a_ranking_is_one_bar_or_a_sentence():
    steep = [[f"c{n}", 1000 // (n + 1)] for n in range(40)]
    spec = chart_of("", [NAME, _number()], steep, 40)
    assert [each["city"] for each in spec["data"]["values"]][-1] == "25 others"
    assert sum(each["sum_n"] for each in spec["data"]["values"]) == sum(value for _, value in steep)
    level = [[f"c{n}", 100 - n] for n in range(40)]
    said = chart_of("", [NAME, _number()], level, 40)["title"]["subtitle"]
    assert said == ["The first 15 of 40; the 25 others together: 1,825"]
    averages = chart_of("", [NAME, _number("avg_n")], level, 40)
    assert averages["title"]["subtitle"] == ["The first 15 of 40"]


def test_of_a_cut_result_only_a_ranking_is_drawn():
    rows = [[f"c{n}", 100 - n] for n in range(50)]
    assert chart_of("", [NAME, _number()], rows, 9_000)["title"]["subtitle"] == ["The first 15 of 9,000"]
    rows[7][1] = 500
    assert chart_of("", [NAME, _number()], rows, 9_000) is None


def test_a_kind_that_does_not_fit_is_refused_with_those_that_do():
    rows = [["a", -5], ["b", 7]]
    assert "does not fit a pie chart" in str(chart_of("as a pie chart", [NAME, _number()], rows, 2)["title"])
    with pytest.raises(NotFound, match="does not fit a pie chart") as raised:
        chart_or_raise("", [NAME, _number()], rows, 2, kind="pie")
    assert "bar" in raised.value.hint
    with pytest.raises(NotFound, match="nothing in this result"):
        chart_or_raise("", [NAME], [["a"], ["b"]], 2)


def test_names_that_vega_would_read_as_paths_are_drawn():
    columns = [{"name": "a.b[0]", "type": "VARCHAR"}, {"name": "sum('x')", "type": "DOUBLE"}]
    svg = image_of(chart_of("", columns, [["p", 1.5], ["q", 2.5]], 2), "svg").decode()
    assert ">p<" in svg and ">q<" in svg and "2.5" in svg


def test_a_theme_changes_colours_alone():
    spec = OF_EACH_KIND[0]
    light, dark = themed(spec, "light"), themed(spec, "dark")
    assert {key for key in light if light[key] != dark[key]} == {"background", "config"}


@pytest.mark.parametrize("least", [0, -90])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_heat_map_stands_out_from_its_ground_where_there_is_most(theme, least):
    columns = [NAME, {"name": "shop", "type": "VARCHAR"}, _number()]
    spec = chart_of("", columns, [["a", "x", least], ["a", "y", 5], ["b", "x", 50], ["b", "y", 90]], 4, kind="heatmap")
    drawn = image_of(spec, "svg", theme).decode()
    ground = 255 * 3 if theme == "light" else 0
    by_value = {n: abs(_light_of(drawn, n) - ground) for n in (least, 5, 50, 90)}
    assert min(by_value, key=by_value.__getitem__) == (5 if least else 0)
    assert by_value[5] < by_value[50] < by_value[90]


def _light_of(svg, value):
    """How bright the cell of a value is: its red, green and blue together."""
    ((red, green, blue),) = re.findall(
        rf'Total n: {str(value).replace("-", "[-−]")};[^>]*fill="rgb\((\d+), (\d+), (\d+)\)', svg
    )
    return int(red) + int(green) + int(blue)


_CELLS = {
    "VARCHAR": st.one_of(
        st.none(), st.text(max_size=12), st.sampled_from(["2024-01", "mon", "18-25", "<5", "2024-01-01"])
    ),
    "BIGINT": st.one_of(st.none(), st.integers(-(2**53), 2**53), st.integers(0, 12), st.just("9007199254740993")),
    "DOUBLE": st.one_of(st.none(), st.floats(allow_nan=False, allow_infinity=False)),
    "DATE": st.one_of(st.none(), st.dates().map(str)),
    "TIMESTAMP": st.one_of(st.none(), st.datetimes().map(lambda each: each.isoformat()), st.just("infinity")),
    "BOOLEAN": st.one_of(st.none(), st.booleans()),
    "INTEGER[]": st.lists(st.integers(), max_size=2),
}
_NAMES = ["year", "month", "lat", "lon", "id", "n", "sum_x", "first_name", "last_name", "weekday", "rate", "x"]


@st.composite
def _results(draw):
    names = draw(st.lists(st.sampled_from(_NAMES), min_size=1, max_size=5, unique=True))
    kinds = [draw(st.sampled_from(sorted(_CELLS))) for _ in names]
    rows = draw(st.lists(st.tuples(*(_CELLS[kind] for kind in kinds)), max_size=30))
    return [{"name": name, "type": kind} for name, kind in zip(names, kinds, strict=True)], rows


@settings(deadline=None, max_examples=150)
@given(_results(), st.sampled_from([None, "bar", "line", "stacked", "map", "scatter", "heatmap", "pie", "area"]))
def test_no_result_breaks_it(result, kind):
    columns, rows = result
    spec = chart_of("anything at all", columns, [list(row) for row in rows], len(rows), kind=kind)
    json.dumps(spec, allow_nan=False)


def test_what_has_no_measure_is_told_and_long_labels_keep_their_ends():
    stem = "A rather long label that goes on and on about product number "
    rows = [[f"{stem}{n}", n or None] for n in range(4)]
    spec = chart_of("units by product", [{"name": "product", "type": "VARCHAR"}, _number("units")], rows, len(rows))
    assert "1 not drawn, without units" in spec["title"]["subtitle"]
    drawn = image_of(spec, "svg").decode()
    assert all(f"product number {n}<" in drawn for n in (1, 2, 3))
