"""Metrics over windows, to date, with offsets and conversions, asked in plain words: as their definition has them."""

import pytest

from tests.transformation.conftest import answer

UNDERSTOOD = [
    ("takings so far by month", "takings_so_far", {"grain": "month"}),
    ("What are the takings so far?", "takings_so_far", {}),
    ("takings to date by quarter", "takings_so_far", {"grain": "quarter"}),
    ("Show me the cumulative takings per year", "takings_so_far", {"grain": "year"}),
    ("running total of takings by week", "takings_so_far", {"grain": "week"}),
    (
        "takings to date by month in 2024",
        "takings_so_far",
        {"grain": "month", "start": "2024-01-01", "end": "2024-12-31"},
    ),
    ("cumulative takings by month and plan", "takings_so_far", {"grain": "month", "by": ["plan"]}),
    ("cumulative takings by month for Bonn", "takings_so_far", {"grain": "month", "where": ["city = 'Bonn'"]}),
    ("takings of the month to date by day", "takings_of_the_month", {"grain": "day"}),
    ("month to date takings by day", "takings_of_the_month", {"grain": "day"}),
    ("rolling 7 day takings by day", "takings_of_7_days", {"grain": "day"}),
    ("takings of seven days by week", "takings_of_7_days", {"grain": "week"}),
    ("conversion from visits to rides by month", "visit_to_ride", {"grain": "month"}),
    ("What is the conversion rate from visits to rides?", "visit_to_ride", {}),
    ("visit to ride rate by plan", "visit_to_ride", {"by": ["plan"]}),
    (
        "conversion from visit to ride by quarter in 2024",
        "visit_to_ride",
        {"grain": "quarter", "start": "2024-01-01", "end": "2024-12-31"},
    ),
    (
        "takings so far by month last year",
        "takings_so_far",
        {"grain": "month", "start": "2024-01-01", "end": "2024-12-31"},
    ),
    ("growth of takings by month", "takings_growth", {"grain": "month"}),
]


@pytest.mark.parametrize(("question", "metric", "asked"), UNDERSTOOD, ids=[each[0] for each in UNDERSTOOD])
def test_a_question_about_such_a_metric_is_answered_by_its_definition_and_says_so(rides, question, metric, asked):
    final = answer(rides, question)
    with rides.warehouse.read() as session:
        ((until,),) = session.rows("SELECT CAST(max(ride_date) AS VARCHAR) FROM rides")
    ends = {"end": until} if "takings_" in metric and "grain" in asked and metric != "takings_growth" else {}
    expected = rides.queries.wait(rides.query_metrics({"metrics": [metric], **ends, **asked}))
    assert final["status"] == "succeeded", final
    assert sorted(final["rows"], key=str) == sorted(expected.to_dict()["rows"], key=str), final["sql"]
    assert any(f"the metric {metric}" in line and "(dbt: rides)" in line for line in final["reading"])


@pytest.mark.parametrize(
    "question",
    [
        *("takings by month", "takings of the last 7 days", "which month had the highest takings so far"),
        *("takings of 2024", "running total of takings by month in 2024", "cumulative takings by month in 2024"),
    ],
)
def test_what_asks_for_something_else_is_left_to_others(rides, question):
    assert rides.providers._define(question) is None
