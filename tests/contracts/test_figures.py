"""The docs' figures: what a report counts as, and that tables stand where a page names them."""

import pytest
from tests.figures.counting import counted
from tests.figures.suites import LOOKED_AT, NEVER
from tests.figures.tables import filled


def _result(right, *, split="dev", status="succeeded", kinds=("plain",), confidence=0.9):
    return {"right": right, "split": split, "status": status, "kinds": list(kinds), "confidence": confidence}


def _report(*results):
    return {"about": {"at": "2026-11-30T10:00:00+00:00"}, "results": list(results)}


def _reports(**named):
    """What is counted by kind or taken together, beside what a test names."""
    one = _report(_result(True), _result(True, split="held"))
    return dict.fromkeys(("trades", "cold", "fresh", "samples", "newcomers"), one) | named


def test_only_what_a_suite_holds_back_was_never_looked_at():
    found = counted(_reports(analysts=_report(_result(True), _result(False, split="held"))))["suites"]
    assert found["trades"] == {LOOKED_AT: [1, 1], NEVER: [1, 1]}
    assert found["fresh"] == {NEVER: [2, 2]}
    assert found["analysts"] == {LOOKED_AT: [1, 2]}


def test_a_refusal_is_right_or_wrong_but_no_answer():
    held = (_result(True, split="held", status="cannot_answer"), _result(False, split="held", confidence=0.7))
    sure = counted(_reports(trades=_report(*held)))["sure"]["trades"]
    assert (sure["answers"], sure["right"], sure["said"]) == (1, 0.0, 0.7)
    assert sure["error"] == pytest.approx(0.7)


def test_a_table_stands_between_its_marks_and_nothing_else_changes():
    figures = {
        "sure": {
            name: {"answers": 2, "right": 0.5, "said": 0.6, "error": 0.1, "surest_half": 1.0}
            for name in ("trades", "newcomers", "samples", "flat", "threads", "strangers", "together")
        }
    }
    page = "before\n<!-- figures: sure (said) -->\nearlier\n<!-- end of figures -->\nafter\n"
    written = filled(page, figures)
    assert written.startswith("before\n<!-- figures: sure (said) -->\n| | answers |")
    assert written.endswith("| 100.0 % |\n<!-- end of figures -->\nafter\n")
    assert "earlier" not in written
    assert filled(written, figures) == written


def test_a_table_that_nobody_makes_is_told():
    with pytest.raises(KeyError, match="nothing"):
        filled("<!-- figures: nothing -->\n<!-- end of figures -->\n", {})
