"""What could be asked next: only what is understood."""

import pytest

from pluto_duck_backend.agent.charting import KINDS, chart_of
from pluto_duck_backend.agent.charting.asked import is_only_about_kind, kind_asked
from pluto_duck_backend.agent.suggesting import SAID, next_messages
from pluto_duck_backend.app.services.execution.executor import QueryResult

COLUMNS = [{"name": "city", "type": "VARCHAR"}, {"name": "sum_n", "type": "BIGINT"}]
TABLES = [{"table": "main.orders", "columns": [{"name": "day", "type": "DATE"}]}]


def _next(rows, tables=("main.orders",)):
    result = QueryResult("query-1", "succeeded", "SELECT 1", COLUMNS, rows, len(rows), tables=tables)
    return next_messages(result, chart_of("", COLUMNS, rows, len(rows)), TABLES)


@pytest.mark.parametrize("kind", SAID)
def test_each_drawing_offered_is_understood_as_nothing_else(kind):
    assert (kind_asked(SAID[kind]), is_only_about_kind(SAID[kind])) == (kind, True)


def test_every_kind_but_a_number_can_be_said():
    assert set(KINDS) - set(SAID) == {"number"}


def test_a_ranking_offers_its_top_its_time_and_another_drawing():
    many = [[f"c{n}", 9 - n] for n in range(7)]
    assert _next(many) == ["only the top 5", "by month", "as a column chart"]
    assert _next(many[:3], tables=("main.customers",)) == ["as a column chart", "as a pie chart"]
    assert _next([["a", None]]) == []
