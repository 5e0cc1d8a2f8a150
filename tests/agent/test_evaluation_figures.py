"""The figures of a report: questions without an answer, dialogues, calibration, cost; and the last report kept."""

import json

import pytest

from pluto_duck_backend.agent import evaluation_last
from pluto_duck_backend.agent.evaluation import Case, Outcome, Report, Scored, Stop, chosen, evaluate, report_html
from pluto_duck_backend.app.core.errors import Cancelled, EnvironmentFault, InvalidInput, NotFound, QueryFailed
from pluto_duck_backend.app.core.paths import Paths

ROWS = ((1,), (2,))


def answered(*rows, **more):
    return Outcome("succeeded", rows, elapsed_ms=1.0, sql="select 1", **more)


def one(case, outcome):
    return evaluate([case], lambda _: outcome).results[0]


def rated(*pairs):
    return Report(
        tuple(Scored(str(i), "q", "succeeded", right, right, confidence=c) for i, (c, right) in enumerate(pairs))
    )


@pytest.mark.parametrize(
    ("status", "right", "outcome"),
    [
        ("cannot_answer", True, "right"),
        ("needs_input", True, "right"),
        ("succeeded", False, "answered"),
        ("failed", False, "failed"),
        ("cancelled", False, "failed"),
    ],
)
def test_what_has_no_answer_is_right_where_none_was_given(status, right, outcome):
    scored = one(Case("u", "q", answerable=False), Outcome(status, ((1,),), confidence=0.9))
    assert (scored.right, scored.lenient, scored.outcome, scored.kinds) == (right, right, outcome, ("unanswerable",))


def test_refusals_are_counted_apart_by_whether_there_is_an_answer():
    cases = [Case(name, "q", rows=((1,),)) for name in "abcd"] + [Case(n, "q", answerable=False) for n in "uv"]
    ends = {"a": Outcome("needs_input"), "u": Outcome("cannot_answer")}
    report = evaluate(cases, lambda case: ends.get(case.id, answered((1,), confidence=0.8)))
    assert (report.declined_of_answerable, report.declined_of_unanswerable) == (0.25, 0.5)
    assert (report.answerable.right, report.unanswerable.right, report.total.right) == (3, 1, 4)
    assert report.reliability[0].right == 0.75, "an answer to what has none is a wrong answer"
    assert "unanswerable: refused or asked back | 50.0 % of 2" in report.to_markdown()


@pytest.mark.parametrize(
    ("case", "rows", "why"),
    [
        (Case("a", "q", rows=ROWS), ((1,),), "2 rows expected, 1 given."),
        (Case("a", "q", rows=((1, 2),)), ((1,),), "2 columns expected, 1 given."),
        (Case("a", "q", rows=ROWS, ordered=True), ((2,), (1,)), "The right rows, in another order."),
        (Case("a", "q", rows=ROWS), ((1, 0), (2, 0)), "The expected columns are there, among more."),
        (Case("a", "q", rows=ROWS), ((1,), (3,)), "As many rows and columns, other values."),
        (Case("a", "q", rows=((1,),), row_count=5), ((2,),) * 5, "As many rows and columns, other values."),
        (Case("a", "q", answerable=False), ((1,),), "Answered, though the data cannot answer."),
        (Case("a", "q", rows=ROWS), ROWS, ""),
    ],
)
def test_what_is_wrong_is_said(case, rows, why):
    assert one(case, answered(*rows)).why == why


def test_a_dialogue_is_right_with_all_its_turns():
    turns = [
        Case("a1", "q", rows=((1,),), dialogue="a"),
        Case("a2", "q", rows=((1,),), dialogue="a", history=("q",)),
        Case("b1", "q", rows=((1,),), dialogue="b"),
        Case("b2", "q", rows=((9,),), dialogue="b", history=("q",)),
        Case("alone", "q", rows=((1,),), history=("before",)),
        Case("none", "q", rows=((9,),)),
    ]
    found = evaluate(turns, lambda _: answered((1,))).dialogues
    assert (found.count, found.whole, found.turns.right, found.turns.cases) == (3, 2, 4, 5)
    assert (found.follow_ups.right, found.follow_ups.cases) == (2, 3)
    assert evaluate(turns[-1:], lambda _: answered((1,))).dialogues is None


def test_a_suites_own_kinds_stand_beside_those_of_its_sql():
    cases = [Case("a", "q", sql="select 1", rows=((1,),)), Case("b", "q", rows=((1,),), kind="growth")]
    cases += [Case("c", "q", answerable=False), Case("d", "q", rows=((1,),))]
    assert list(evaluate(cases, lambda _: answered((1,))).by_kind) == ["plain", "growth", "unanswerable", "unknown"]
    assert [case.id for case in chosen(cases, kind="growth")] == ["b"]
    with pytest.raises(InvalidInput, match="'grwth'") as raised:
        chosen(cases, kind="grwth")
    assert "Did you mean growth?" in raised.value.hint
    with pytest.raises(InvalidInput) as raised:
        chosen(cases, split="dev")
    assert "No question has the field 'split'." in raised.value.hint


def test_auroc_counts_pairs_and_ties_half():
    assert rated((0.9, True), (0.1, False)).auroc == 1.0
    assert rated((0.1, True), (0.9, False)).auroc == 0.0
    assert rated((0.9, True), (0.5, True), (0.5, False), (0.7, False)).auroc == pytest.approx(2.5 / 4)
    assert rated((0.9, True), (0.8, True)).auroc is None


def test_the_surest_half_shares_what_is_equally_sure():
    assert rated((0.9, True), (0.8, True), (0.2, False), (0.1, False)).surest_half == 1.0
    assert rated((0.9, True), (0.5, True), (0.5, False), (0.5, False)).surest_half == pytest.approx((1 + 1 / 3) / 2)
    assert rated((0.9, False), (0.5, True), (0.4, True)).surest_half == 0.5


def test_coverage_falls_with_the_precision_asked():
    report = rated(*[(0.99, True)] * 10, *[(0.9, True)] * 8, *[(0.9, False)] * 2, (0.1, False))
    assert (report.coverage_at_precision, report.coverage_at_higher_precision) == (20 / 21, 10 / 21)


def test_reliability_has_a_row_for_each_bin_that_holds_an_answer():
    bins = rated((0.0, False), (0.05, True), (0.95, True), (1.0, True)).reliability
    assert [(each.low, each.high, each.answers, each.right) for each in bins] == [(0, 0.1, 2, 0.5), (0.9, 1, 2, 1.0)]
    assert [each.confidence for each in bins] == [pytest.approx(0.025), pytest.approx(0.975)]


def test_tokens_and_cost_add_up():
    cases = [Case(name, "q", rows=((1,),)) for name in "abc"]
    report = evaluate(cases, lambda _: answered((1,), input_tokens=1000, output_tokens=10, cost_usd=0.1))
    assert (report.tokens, report.cost_usd) == ((3000, 30), pytest.approx(0.3))
    assert "cost | 0.3000 USD" in report.to_markdown()


def test_every_figure_is_json_also_of_nothing():
    for report in (Report(()), rated((0.9, True)), Report((), {"a": True}, {"suite": "s"})):
        assert json.loads(json.dumps(report.summary())) == report.summary()


def test_a_stop_ends_the_evaluation_with_its_reason():
    def ask(case):
        raise Stop(InvalidInput("no such provider"))

    with pytest.raises(InvalidInput, match="no such provider"):
        evaluate([Case("a", "q", rows=((1,),))], ask)


@pytest.mark.parametrize(("raised", "kind"), [(QueryFailed("bad"), InvalidInput), (Cancelled("stop"), Cancelled)])
def test_a_truth_that_does_not_run_names_its_case(raised, kind):
    def run_sql(case):
        raise raised

    with pytest.raises(kind) as error:
        evaluate([Case("a", "q", sql="select x")], lambda _: answered((1,)), run_sql=run_sql)
    assert kind is Cancelled or "case 'a'" in error.value.message


def test_the_page_shows_both_sides_and_how_the_question_was_read():
    case = Case("a", "And now?", rows=tuple((n,) for n in range(9)), columns=("n",), history=("Before?",), kind="x")
    outcome = answered((5,), columns=("m",), reading=("now → t.a",))
    page = report_html(evaluate([case], lambda _: outcome, previous={"a": True}, about={"suite": "<s>"}))
    for text in (
        "Before?",
        "now → t.a",
        "<th>n</th>",
        "<th>m</th>",
        "the first 5 of 9 rows",
        "9 rows expected, 1 given.",
    ):
        assert text in page
    assert '<span class="tag lost">no longer right</span>' in page
    assert "&lt;s&gt;" in page
    assert "<script" not in page


def test_the_page_filters_by_outcome_and_kind_without_a_script():
    cases = [Case("a", "q", rows=((9,),), kind="x y"), Case("b", "q", rows=((1,),), kind="z")]
    ends = {"a": answered((1,)), "b": Outcome("cannot_answer", answer="There is no such column.")}
    page = report_html(evaluate(cases, lambda case: ends[case.id]))
    assert 'id="o-wrong-rows"' in page
    assert "body:has(#o-wrong-rows:checked) article:not(.o-wrong-rows) { display: none; }" in page
    assert "body:has(#o-wrong-rows:checked):has(#k-1:checked) .none { display: block; }" in page
    assert '<article class="o-refused k-1">' in page
    assert "There is no such column." in page


def test_the_last_report_is_kept_by_suite_provider_and_model(tmp_path):
    paths = Paths(tmp_path)
    assert evaluation_last.place(paths, tmp_path / "my suite.jsonl", "embedded").name == "my_suite-embedded.json"
    assert evaluation_last.place(paths, tmp_path / "s.jsonl", "p", "org/m:1").name == "s-p-org_m_1.json"


def test_a_kept_report_remembers_what_was_not_asked_now(tmp_path):
    place = tmp_path / "artifacts" / "eval" / "s-p.json"
    before = rated((0.9, True), (0.8, False), (0.7, True))
    evaluation_last.keep(place, before, None, {"0", "1", "2"})
    assert evaluation_last.read(place) == before
    now = Report(rated((0.9, True), (0.6, True)).results[1:])
    evaluation_last.keep(place, now, before, {"0", "1"})
    assert evaluation_last.read(place).rights() == {"1": True, "0": True}
    assert [path.name for path in place.parent.iterdir()] == ["s-p.json"]


@pytest.mark.parametrize("text", ["", "{half", "[]", "3", '{"results": [{"id": "a"}]}', "\xff"])
def test_what_is_no_report_is_named(tmp_path, text):
    (tmp_path / "r.json").write_text(text, encoding="latin-1")
    with pytest.raises(InvalidInput, match=r"r\.json"):
        evaluation_last.read(tmp_path / "r.json")
    with pytest.raises(NotFound, match=r"no\.json"):
        evaluation_last.read(tmp_path / "no.json")


def test_a_report_that_cannot_be_written_is_named(tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(EnvironmentFault, match=r"file/x\.json"):
        evaluation_last.keep(tmp_path / "file" / "x.json", Report(()), None, set())
    with pytest.raises(EnvironmentFault, match="gone"):
        evaluation_last.write(tmp_path / "gone" / "x.html", "")
