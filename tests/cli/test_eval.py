"""`pluto-duck eval` as people and scripts meet it: figures, flips since the last run, bars, bad suites."""

import json
import subprocess
import sys
import time

import pytest

from pluto_duck_backend.app.core.owner import find_server
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_cli.main import execute

COUNT = {"id": "count", "question": "how many customers are there", "sql": "SELECT count(*) FROM customers"}
LAND = {"id": "land", "question": "number of customers by country", "rows": [["Germany", 2], ["France", 1]]}
WRONG = {"id": "wrong", "question": "how many orders are there", "rows": [[99]], "kind": "basics", "split": "dev"}
CHURN = {"id": "churn", "question": "churn by region", "answerable": False}
FIRST = {"id": "d-1", "question": "how many orders in 2025", "rows": [[2]], "dialogue": "d", "kind": "turn"}
SECOND = {**FIRST, "id": "d-2", "question": "and in 2024", "history": [FIRST["question"]], "rows": [[1]]}
SUITE = [COUNT, LAND, WRONG, CHURN, FIRST, SECOND]


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A folder of two small files."""
    folder = tmp_path_factory.mktemp("files")
    (folder / "customers.csv").write_text("customer_id,name,country\n1,Ann,Germany\n2,Bob,France\n3,Cid,Germany\n")
    (folder / "orders.csv").write_text(
        "order_id,customer_id,order_date,total\n1,1,2024-05-01,10\n2,1,2025-11-05,20\n3,2,2025-12-24,5\n"
    )
    return folder


@pytest.fixture(scope="module")
def loaded(files):
    """A root that holds them."""
    root = files / "root"
    assert execute(["ingest", str(files / "customers.csv"), str(files / "orders.csv"), "--root", str(root)]) == 0
    return root


@pytest.fixture
def eval_(loaded, tmp_path, capsys):
    """`eval_(cases, *options)`: exit code, the figures, stderr. The root's last reports are forgotten first."""
    for path in Paths(loaded).evaluations.glob("*.json"):
        path.unlink()

    def _eval(cases, *options, name="suite.jsonl"):
        suite = tmp_path / name
        suite.write_text("\n".join(each if isinstance(each, str) else json.dumps(each) for each in cases))
        capsys.readouterr()
        code = execute(["eval", str(suite), "--json", "--root", str(loaded), *map(str, options)])
        said = capsys.readouterr()
        return code, json.loads(said.out) if said.out else None, said.err

    return _eval


def kept(root, name="suite-embedded.json"):
    return {each["id"]: each["right"] for each in json.loads((Paths(root).evaluations / name).read_text())["results"]}


def test_six_questions_give_every_figure(eval_, loaded):
    code, figures, _ = eval_(SUITE)
    assert (code, figures["cases"], figures["strict"], figures["lenient"]) == (0, 6, 5 / 6, 5 / 6)
    assert figures["unanswerable"] == {"cases": 1, "strict": 1.0, "lenient": 1.0, "refused_or_asked": 1.0}
    assert (figures["answerable"]["strict"], figures["answerable"]["refused_or_asked"]) == (0.8, 0.0)
    assert {kind: each["cases"] for kind, each in figures["by_kind"].items()} == {
        "plain": 1,
        "basics": 1,
        "turn": 2,
        "unanswerable": 1,
        "unknown": 1,
    }
    assert figures["by_split"] == {"dev": {"cases": 1, "strict": 0.0, "lenient": 0.0}}
    assert figures["dialogues"] == {
        "count": 1,
        "right": 1.0,
        "turns": 2,
        "turns_right": 1.0,
        "follow_ups": 1,
        "follow_ups_right": 1.0,
    }
    assert sum(each["answers"] for each in figures["reliability"]) == 5
    assert all(0 <= figures[name] <= 1 for name in ("ece", "brier", "auroc", "accuracy_of_surest_half"))
    assert 0 < figures["median_ms"] <= figures["p95_ms"]
    assert (figures["input_tokens"], figures["cost_usd"]) == (0, 0)
    assert kept(loaded)["d-2"] is True


def test_a_turn_goes_on_where_the_one_before_it_ended(eval_, loaded):
    runs = Paths(loaded).runs
    before = len(list(runs.glob("*.jsonl")))
    assert eval_([FIRST, SECOND])[1]["strict"] == 1.0
    assert len(list(runs.glob("*.jsonl"))) == before + 2
    assert eval_([SECOND])[1]["strict"] == 1.0
    assert len(list(runs.glob("*.jsonl"))) == before + 4, "alone it needs its history asked first"


def test_the_next_run_shows_what_flipped(eval_, tmp_path):
    code, figures, _ = eval_(SUITE)
    assert figures["flips"] == {"gained": [], "lost": []}
    changed = [COUNT, {**LAND, "rows": [["Germany", 7]]}, {**WRONG, "rows": [[3]]}, CHURN, FIRST, SECOND]
    code, figures, said = eval_(changed, "--fail-on-flips", "--report", tmp_path / "report.html")
    assert (code, figures["flips"]) == (1, {"gained": ["wrong"], "lost": ["land"]})
    assert "no longer right, with --fail-on-flips: land" in said
    assert '<span class="tag lost">no longer right</span>' in (tmp_path / "report.html").read_text()
    assert eval_(changed, "--fail-on-flips")[:1] == (0,), "the last run is the one compared with"


def test_previous_overrides_the_last_run(eval_, tmp_path):
    eval_(SUITE, "--output", tmp_path / "first.json")
    better = [COUNT, LAND, {**WRONG, "rows": [[3]]}, CHURN, FIRST, SECOND]
    assert eval_(better)[1]["flips"]["gained"] == ["wrong"]
    assert eval_(better)[1]["flips"]["gained"] == []
    assert eval_(better, "--previous", tmp_path / "first.json")[1]["flips"]["gained"] == ["wrong"]


def test_a_part_replaces_only_what_it_asked(eval_, loaded):
    eval_(SUITE)
    code, figures, _ = eval_([{**WRONG, "rows": [[3]]}, *SUITE[:2]], "--split", "dev")
    assert (code, figures["cases"], figures["flips"]["gained"]) == (0, 1, ["wrong"])
    assert kept(loaded) == {"wrong": True, "count": True, "land": True}, "what left the suite is forgotten"


def test_a_kind_is_the_suites_own_or_read_from_the_sql(eval_):
    assert eval_(SUITE, "--kind", "turn")[1]["cases"] == 2
    assert eval_(SUITE, "--kind", "plain")[1]["cases"] == 1
    code, _, said = eval_(SUITE, "--kind", "basic")
    assert code == 2
    assert "'basic'" in said
    assert "Did you mean basics?" in said


def test_another_suite_or_provider_has_a_last_run_of_its_own(eval_, loaded):
    eval_(SUITE)
    eval_([LAND], name="other one.jsonl")
    names = sorted(path.name for path in Paths(loaded).evaluations.iterdir())
    assert names == ["other_one-embedded.json", "suite-embedded.json"]


def test_a_spoilt_last_report_is_told_and_replaced(eval_, loaded):
    eval_([LAND])
    (Paths(loaded).evaluations / "suite-embedded.json").write_text("{half")
    code, figures, said = eval_([LAND])
    assert (code, figures["flips"]["lost"]) == (0, [])
    assert "suite-embedded.json is not an evaluation report" in said
    assert kept(loaded) == {"land": True}


@pytest.mark.parametrize(
    ("options", "code", "says"),
    [
        (["--min-accuracy", 0.8], 0, ""),
        (["--min-accuracy", 0.9], 1, "accuracy 0.833 is below --min-accuracy 0.9"),
        (["--max-ece", 1], 0, ""),
        (["--max-ece", 0], 1, "is above --max-ece 0"),
        (["--min-refused", 1], 0, ""),
        (["--fail-on-flips"], 0, ""),
        (["--min-accuracy", 80], 2, "--min-accuracy"),
        (["--split", "held"], 2, "There are: dev."),
        (["--provider", "embeded"], 2, "Did you mean embedded"),
        (["--previous", "nowhere.json"], 2, "nowhere.json"),
        (["--output", "no/such/folder/out.json"], 2, "does not exist"),
        (["--limit", 0], 2, "limit"),
    ],
)
def test_exit_codes(eval_, options, code, says):
    ended, _, said = eval_(SUITE, *options)
    assert ended == code, said
    assert says in said


def test_a_bar_that_cannot_be_measured_is_not_reached(eval_):
    code, _, said = eval_([CHURN], "--max-ece", 0.5)
    assert (code, "(not known)" in said) == (1, True)
    code, _, said = eval_([COUNT], "--min-refused", 0.5)
    assert code == 2
    assert "answerable" in said


@pytest.mark.parametrize(
    ("line", "field", "next_step"),
    [
        ("{", "not JSON", "one JSON object"),
        ({"id": "x", "question": "y"}, "field 'rows'", "answerable"),
        ({**CHURN, "rows": [[1]]}, "field 'answerable'", "Give 'rows' or 'sql'"),
        ({**COUNT, "kind": 3}, "field 'kind'", "docs/evaluation.md"),
        ({**COUNT, "history": ["how many?", " "]}, "field 'history'", "docs/evaluation.md"),
        ({**COUNT, "question": "x" * 10_001}, "field 'question'", "docs/evaluation.md"),
        (LAND, "field 'id'", "its own id"),
    ],
)
def test_a_bad_line_is_named_before_anything_is_asked(eval_, loaded, line, field, next_step):
    before = len(list(Paths(loaded).runs.glob("*.jsonl")))
    code, figures, said = eval_([LAND, line])
    assert (code, figures) == (2, None)
    assert "suite.jsonl, line 2: " in said
    assert field in said
    assert next_step in said
    assert len(list(Paths(loaded).runs.glob("*.jsonl"))) == before


def test_a_truth_that_does_not_run_is_named_by_its_question(eval_):
    code, _, said = eval_([{**COUNT, "sql": "SELECT nope FROM customers"}])
    assert code == 2
    assert "case 'count'" in said


def test_a_missing_suite_is_wrong_usage(loaded, capsys):
    assert execute(["eval", "/no/such/suite.jsonl", "--root", str(loaded)]) == 2
    assert "/no/such/suite.jsonl" in capsys.readouterr().err


def test_databases_are_loaded_once_and_a_root_is_taken_as_it_is(eval_, files, loaded, tmp_path):
    shop = tmp_path / "databases" / "shop"
    shop.mkdir(parents=True)
    for name in ("customers.csv", "orders.csv"):
        (shop / name).write_text((files / name).read_text())
    case = {**COUNT, "db": "shop"}
    code, _, said = eval_([case])
    assert (code, "--databases" in said) == (2, True)
    code, _, said = eval_([case], "--databases", tmp_path)
    assert (code, "'db'" in said) == (2, True)
    places = ["--databases", tmp_path, "--databases", tmp_path / "databases", "--work", tmp_path / "work"]
    code, figures, said = eval_([LAND, case], *places)
    assert (code, figures["strict"], figures["by_db"]["shop"]["cases"]) == (0, 1.0, 1), said
    assert eval_([case], "--work", tmp_path / "work")[:1] == (0,), "what was loaded needs no source"


def test_a_database_that_could_not_be_loaded_is_loaded_when_it_is_mended(eval_, files, tmp_path):
    case = {**COUNT, "db": "shop"}
    places = ("--databases", tmp_path, "--work", tmp_path / "work")
    (tmp_path / "shop").mkdir()
    (tmp_path / "shop" / "a.csv").write_text("a,b\n1,2\n")
    (tmp_path / "shop" / "customers.csv").write_bytes(b"\x00\x01\x02\x03" * 100)
    code, _, said = eval_([case], *places)
    assert code == 2 and "customers.csv" in said
    (tmp_path / "shop" / "customers.csv").write_text((files / "customers.csv").read_text())
    code, figures, said = eval_([case], *places)
    assert (code, figures["strict"]) == (0, 1.0), said


def test_the_same_through_a_server(eval_, loaded):
    server = subprocess.Popen([sys.executable, "-m", "pluto_duck_cli", "--root", str(loaded), "serve", "--port", "0"])
    try:
        deadline = time.monotonic() + 60
        while find_server(Paths(loaded)) is None and time.monotonic() < deadline:
            time.sleep(0.1)
        code, figures, said = eval_(SUITE)
        assert (code, figures["strict"], figures["dialogues"]["right"]) == (0, 5 / 6, 1.0), said
        assert eval_(SUITE, "--provider", "embeded")[0] == 2
    finally:
        server.terminate()
        server.wait(30)
