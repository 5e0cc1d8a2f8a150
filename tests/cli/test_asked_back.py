"""A question asked back, the option picked of it, and what leans on the answer: from one command to the next."""

import json

import pytest
from tests.cli.running import run
from tests.cli.test_commands import process

TOWERS = """tower_id,tower_name,height,storeys,town
1,Koi,220,50,Oulu
2,Mitikah,210,67,Turku
3,Tall,190,40,Oulu
"""
QUESTION = "What are the 2 biggest towers?"


@pytest.fixture(scope="module")
def root(tmp_path_factory):
    folder = tmp_path_factory.mktemp("asked-back")
    (folder / "tower.csv").write_text(TOWERS)
    done = run("--root", folder / "root", "ingest", folder / "tower.csv")
    assert done.returncode == 0, done.stderr
    return folder / "root"


@pytest.fixture
def said(root, request):
    """`said(message, by=run, part="")`: the final object of the message, in a conversation of the test's own."""

    def _said(message, by=run, part=""):
        done = by("ask", message, "--root", root, "--conversation", request.node.name + part, "--json")
        return json.loads(done.stdout)

    return _said


def _order(final):
    return final["sql"].partition("ORDER BY")[2].split()[0]


def test_what_leans_on_an_answer_keeps_the_option_picked(said):
    asked = said(QUESTION)
    options = asked["clarification"]["options"]
    assert (asked["status"], sorted(options[:2])) == ("needs_input", ["by height", "by storeys"])
    picked = said(str(options.index("by storeys") + 1))
    assert (picked["status"], _order(picked), picked["rows"]) == ("succeeded", "storeys", [["Mitikah"], ["Koi"]])
    fewer = said("only in Oulu")
    assert (fewer["status"], _order(fewer), fewer["rows"]) == ("succeeded", "storeys", [["Koi"], ["Tall"]])
    later = said("and in Turku?", by=process)
    assert (later["status"], _order(later), later["rows"]) == ("succeeded", "storeys", [["Mitikah"]])


def test_a_message_about_drawing_keeps_the_option_picked(said):
    said(QUESTION)
    picked, drawn = said("by storeys"), said("as a table")
    assert (drawn["status"], drawn["sql"]) == ("succeeded", picked["sql"])


def test_what_is_confirmed_after_one_option_answers_nothing_after_another(said, root):
    for message in (QUESTION, "by storeys"):
        said(message)
    confirmed = said("only in Oulu")
    assert run("runs", "confirm", confirmed["run_id"], "--root", root).returncode == 0
    for message in (QUESTION, "by height"):
        said(message, part="-again")
    assert _order(said("only in Oulu", part="-again")) == "height"


def test_a_question_back_outlives_what_has_no_answer(said):
    asked = said(QUESTION)
    again = said("7")
    assert (again["status"], again["clarification"]) == ("needs_input", asked["clarification"])
    assert said("banana")["status"] == "cannot_answer"
    assert f"by {_order(said('the second one'))}" == asked["clarification"]["options"][1]


MOORINGS = """mooring_id,boat,booked_on,arrives_on,fee
1,Ada,2024-01-05,2024-02-10,9
2,Bea,2024-01-09,2024-01-20,8
3,Cid,2023-12-30,2024-01-02,7
4,Dot,2024-01-30,2024-03-02,6
"""
WHEN = "How many moorings were there in January 2024?"
BOOKED = "by the day the mooring was booked (mooring.booked_on)"
ARRIVES = "by the day the mooring arrives (mooring.arrives_on)"


@pytest.fixture(scope="module")
def harbour(tmp_path_factory):
    folder = tmp_path_factory.mktemp("harbour")
    (folder / "mooring.csv").write_text(MOORINGS)
    assert run("--root", folder / "root", "ingest", folder / "mooring.csv").returncode == 0
    return folder / "root"


@pytest.mark.parametrize(
    ("reply", "count"),
    [(BOOKED, 3), ("mooring.booked_on", 3), ("by mooring.booked_on", 3), ("mooring.arrives_on", 2), ("2", 3)],
)
def test_options_are_words_and_the_name_alone_still_picks_one(harbour, reply, count):
    asks = ["--root", harbour, "--conversation", reply, "--json"]
    asked = json.loads(run("ask", WHEN, *asks).stdout)
    assert asked["clarification"]["options"] == [ARRIVES, BOOKED]
    assert json.loads(run("ask", reply, *asks).stdout)["rows"] == [[count]]
