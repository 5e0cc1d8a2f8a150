"""Questions about metrics in plain words, on the demo shop: right by the metric's definition, and naming it."""

import json
from pathlib import Path

from pluto_duck_backend.agent.evaluation import matches
from tests.demo.conftest import answer

FILE = Path(__file__).parents[1] / "fixtures" / "demo" / "metrics.jsonl"
QUESTIONS = [json.loads(line) for line in FILE.read_text().splitlines()]
LEAST_RIGHT = 0.9


def _verdict(workspace, asked):
    final = answer(workspace, asked["question"])
    with workspace.warehouse.read() as session:
        expected = session.rows(asked["sql"])
    if final.get("status") != "succeeded" or not matches(expected, final["rows"], ordered=False):
        return f"wrong: {final.get('status')} {final.get('sql') or final.get('answer')}"
    named = any(f"the metric {asked['metric']}" in line for line in final["reading"])
    return "right" if named else f"unnamed: {final['reading']}"


def test_nine_of_ten_questions_about_metrics_are_right_and_name_the_metric(shop):
    assert len(QUESTIONS) >= 40
    verdicts = {each["question"]: _verdict(shop, each) for each in QUESTIONS}
    failed = {question: verdict for question, verdict in verdicts.items() if verdict != "right"}
    assert len(failed) <= (1 - LEAST_RIGHT) * len(QUESTIONS), "\n".join(map(str, failed.items()))
