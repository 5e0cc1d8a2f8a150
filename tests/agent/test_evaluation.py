"""Asking a suite, scoring the answers, and the figures and pages of a report."""

import json
from html.parser import HTMLParser

import pytest

from pluto_duck_backend.agent.evaluation import Case, Outcome, Report, Scored, evaluate, report_html
from pluto_duck_backend.app.core.errors import InvalidInput, QueryTimeout

CASES = [
    Case("a", "How many orders?", db="shop", sql="select count(*) from orders", rows=((3,),)),
    Case("b", "Sales by land?", db="shop", sql="select land, sum(x) from t group by 1", rows=(("NL", 1.5), ("DE", 2))),
    Case("c", "Oldest first?", db="bank", sql="select n from t order by age", rows=((1,), (2,)), ordered=True),
    Case(
        "d",
        "Top two?",
        db="bank",
        sql="select n from t order by x limit 2",
        rows=((1,), (2,)),
        ordered=True,
        limited=True,
    ),
]


def answered(*rows, confidence=0.9, ms=10.0):
    return Outcome("succeeded", rows, confidence=confidence, elapsed_ms=ms, sql="select 1")


def evaluated(outcomes, cases=CASES, **more):
    return evaluate(cases, lambda case: outcomes[case.id], **more)


def rated(*pairs):
    """A report of answers with these (confidence, right) pairs."""
    return Report(
        tuple(Scored(str(i), "q", "succeeded", right, right, confidence=c) for i, (c, right) in enumerate(pairs))
    )


def test_verdicts_follow_the_rule_of_the_suite():
    report = evaluated(
        {
            "a": answered(("3", "extra")),
            "b": answered((2.0, "DE"), (1.5000000001, "NL")),
            "c": answered((2,), (1,)),
            "d": answered((2,), (1,)),
        }
    )
    assert report.rights() == {"a": False, "b": True, "c": False, "d": True}
    assert [each.id for each in report.results if each.lenient] == ["a", "b", "d"]
    assert (report.total.strict_share, report.total.lenient_share) == (0.5, 0.75)


def test_only_an_answer_can_be_right():
    right_rows = Outcome("needs_input", ((3,),))
    report = evaluated({"a": right_rows}, CASES[:1])
    assert (report.total.right, report.total.lenient, report.asked_back) == (0, 0, 1.0)


def test_shares_of_endings():
    statuses = dict(zip("abcd", ["cannot_answer", "needs_input", "failed", "cancelled"], strict=True))
    report = evaluated({key: Outcome(status) for key, status in statuses.items()})
    assert (report.refused, report.asked_back, report.failed) == (0.25, 0.25, 0.5)


def test_our_errors_fail_the_question_and_others_go_up():
    def times_out(case):
        raise QueryTimeout("took too long")

    def has_a_bug(case):
        raise ZeroDivisionError

    report = evaluate(CASES[:1], times_out)
    assert (report.results[0].status, report.results[0].error) == ("failed", "query_timeout: took too long")
    with pytest.raises(ZeroDivisionError):
        evaluate(CASES[:1], has_a_bug)


def test_each_verdict_is_told_as_it_falls():
    told = []
    report = evaluate(CASES[:2], lambda case: answered((len(told) + 2,)), told.append)
    assert tuple(told) == report.results
    assert [each.actual for each in told] == [((2,),), ((3,),)]


def test_expected_rows_are_run_where_the_suite_lacks_them():
    cases = [Case("x", "q", sql="select 1", rows=None), Case("y", "q", sql="select 2", rows=((1,),), row_count=2)]
    outcomes = {"x": answered((1,)), "y": answered((2,), (1,))}
    ran = {"x": [[1]], "y": [[1], [5]]}
    assert evaluated(outcomes, cases, run_sql=lambda case: ran[case.id]).rights() == {"x": True, "y": False}
    with pytest.raises(InvalidInput, match="'x'"):
        evaluated(outcomes, cases)


def test_rows_cut_short_are_looked_for_among_the_full_count():
    case = Case("y", "q", rows=((1,),), row_count=2)
    assert evaluated({"y": answered((2,), (1,))}, [case]).total.right == 1
    assert evaluated({"y": answered((1,))}, [case]).total.right == 0


def test_time_is_measured_where_the_outcome_does_not_say():
    report = evaluate(CASES[:1], lambda case: Outcome("succeeded", ((3,),)))
    assert 0 < report.median_ms < 1000


def test_times_are_median_and_95th_percentile():
    cases = [Case(str(i), "q", rows=((i,),)) for i in range(1, 101)]
    report = evaluate(cases, lambda case: answered(ms=float(case.id)))
    assert (report.median_ms, report.p95_ms) == (50.5, 95.0)


def test_kinds_and_databases_break_the_score_down():
    report = evaluated({"a": answered((3,)), "b": answered(), "c": answered((1,), (2,)), "d": answered((9,))})
    assert {kind: (each.cases, each.right) for kind, each in report.by_kind.items()} == {
        "plain": (1, 1),
        "group": (1, 0),
        "order": (2, 1),
    }
    assert {name: each.strict_share for name, each in report.by_db.items()} == {"shop": 0.5, "bank": 0.5}


def test_calibration_of_a_sure_and_right_analyst_is_perfect():
    report = rated((1.0, True), (0.0, False))
    assert (report.ece, report.brier, report.coverage_at_precision) == (0.0, 0.0, 0.5)


def test_calibration_by_hand():
    report = rated((0.95, True), (0.95, False), (0.15, False), (0.15, False))
    assert report.ece == pytest.approx(0.5 * 0.45 + 0.5 * 0.15)
    assert report.brier == pytest.approx((0.05**2 + 0.95**2 + 2 * 0.15**2) / 4)


def test_coverage_never_splits_equal_confidences():
    assert rated((0.9, True), (0.9, False)).coverage_at_precision == 0.0
    assert rated(*[(0.9, True)] * 9, (0.5, False), (0.1, False)).coverage_at_precision == pytest.approx(10 / 11)


def test_without_confidences_calibration_is_not_known():
    report = evaluated({"a": answered((3,), confidence=None)}, CASES[:1])
    assert (report.ece, report.brier, report.coverage_at_precision) == (None, None, None)
    assert "not known" in report.to_markdown()


def test_flips_name_what_changed_and_only_that():
    outcomes = {"a": answered((3,)), "b": answered(), "c": answered(), "d": answered((2,), (1,))}
    previous = {"a": False, "b": True, "c": False, "gone": True}
    report = evaluated(outcomes, previous=previous)
    assert (report.flips.gained, report.flips.lost) == (("a",), ("b",))
    assert "now right: a; no longer right: b" in report.to_markdown()


def test_a_report_survives_json():
    report = evaluated({key: answered((3, None), ("x", 0.5)) for key in "abcd"}, previous={"a": True})
    assert Report.from_dict(json.loads(json.dumps(report.to_dict()))) == report


@pytest.mark.parametrize("data", [{}, {"results": [{"id": "a"}]}, {"results": 3}])
def test_what_is_no_report_is_refused(data):
    with pytest.raises(InvalidInput, match="Not an evaluation report"):
        Report.from_dict(data)


def test_an_empty_report_has_figures():
    report = Report(())
    assert report.total.strict_share == 0.0
    assert "questions | 0" in report.to_markdown()
    assert "0 questions" in report_html(report)


class _Page(HTMLParser):
    """Collects texts, open tags and anything that would load from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.texts, self.loads = [], [], []

    def handle_starttag(self, tag, attrs):
        if tag != "meta":
            self.open.append(tag)
        self.loads += [value for name, value in attrs if name in ("src", "href")] + [tag] * (tag == "script")

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append(data)


def test_the_page_stands_alone_and_escapes_what_it_shows():
    case = Case("<a>", "<script>alert(1)</script>", sql="select '<b>'", rows=(("<i>", None),))
    page = _Page()
    page.feed(report_html(evaluated({"<a>": answered(("<u>", 7))}, [case])))
    assert (page.open, page.loads) == ([], [])
    assert {"<a>", "<script>alert(1)</script>", "select '<b>'", "<i>", "–", "<u>", "7"} <= set(page.texts)


def test_the_page_lists_only_wrong_answers():
    page = report_html(evaluated({"a": answered((3,)), "b": answered(("NL", 7))}, CASES[:2]))
    assert page.count("<details>") == 1
    assert "Sales by land?" in page
    assert "How many orders?" not in page
