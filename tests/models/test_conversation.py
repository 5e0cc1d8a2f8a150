"""Follow-ups and answers to questions back, in this process and in the next one."""

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

from tests.models.conftest import final
from tests.models.server import Says, sql

QUESTION = "How many albums are good?"
ASKS = Says(calls=(("ask_user", {"question": "What is good?", "options": ["a high id", "a short title"]}),))
GOOD = replace(sql("SELECT count(*) AS n FROM albums WHERE id > 2"), pause_s=0.2)
#   so slow that the embedded analyst's reading is waited for, whatever else the machine does


def _by_question(request):
    """Asks back, until a reading is chosen."""
    return GOOD if "(The reading meant: a high id)" in request["messages"][-1]["content"] else ASKS


def test_a_run_killed_while_waiting_goes_on_in_a_new_process_with_the_same_result(open_workspace, ask, server):
    server.says(_by_question)
    workspace = open_workspace({"words": "plain"})
    ask(workspace, QUESTION, conversation_id="here")
    here = final(ask(workspace, "1", conversation_id="here"))
    root = workspace.paths.root
    workspace.close()
    command = [sys.executable, "-m", "tests.models.waiting", str(root), f"{server.url}/v1", QUESTION, "there"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2]) as other:
        assert other.stdout.readline() == "needs_input\n"
        other.kill()
    there = final(ask(open_workspace({"words": "plain"}), "1", conversation_id="there"))
    same = ("status", "sql", "rows", "confidence", "provider", "caveats")
    assert [there[name] for name in same] == [here[name] for name in same]
    assert there["rows"] == [[2]]


def test_follow_ups_see_earlier_questions_sql_and_results(open_workspace, ask, server):
    server.says(sql("SELECT title FROM albums WHERE id = 3"))
    workspace = open_workspace({"words": "plain"})
    conversation = ask(workspace, "Which album has id 3?")[0]["content"]["conversation_id"]
    ask(workspace, "And 4?", conversation_id=conversation)
    told = server.requests[-1]["messages"][1]["content"]
    assert "Which album has id 3?" in told
    assert "SELECT title FROM albums WHERE id = 3" in told
    assert "x3" in told.partition("# Earlier")[2]


def test_a_hosted_model_sees_no_earlier_rows_unless_allowed(open_workspace, ask, server):
    server.says(sql("SELECT title FROM albums WHERE id = 3"))
    workspace = open_workspace(limits={"is_local": False, "api_key": "k"})
    conversation = ask(workspace, "Which album has id 3?")[0]["content"]["conversation_id"]
    ask(workspace, "And 4?", conversation_id=conversation)
    told = server.requests[-1]["messages"][1]["content"].partition("# Earlier")[2]
    assert 'gave: "title"' in told
    assert "x3" not in told


def test_an_answer_in_other_words_reaches_the_model_with_what_was_asked(open_workspace, ask, server):
    server.says(ASKS, GOOD)
    workspace = open_workspace({"words": "plain"})
    conversation = ask(workspace, QUESTION)[0]["content"]["conversation_id"]
    assert final(ask(workspace, "those beyond two", conversation_id=conversation))["rows"] == [[2]]
    told = server.requests[-1]["messages"][1]["content"]
    assert QUESTION in told
    assert '"a high id"; "a short title"' in told


def test_long_conversations_are_cut_to_the_room_there_is(open_workspace, ask, server):
    server.says(sql("SELECT count(*) AS n FROM albums"))
    workspace = open_workspace({"words": "plain"})
    for n in range(12):
        ask(workspace, f"Question {n}: how many albums are there, {'really ' * 60}?", conversation_id="long")
    size = sum(len(each["content"]) for each in server.requests[-1]["messages"])
    assert size <= 14_000
    assert "Question 10" in server.requests[-1]["messages"][1]["content"]


LONG = f"SELECT count(*) AS n FROM albums WHERE id IN ({', '.join(str(n) for n in range(3, 2_000))})"


def test_of_an_earlier_answer_whose_sql_has_no_room_its_ends_are_told(open_workspace, ask, server):
    server.says(sql(LONG), sql("SELECT count(*) AS n FROM albums"))
    workspace = open_workspace({"words": "plain"})
    conversation = ask(workspace, "How many late albums are there?")[0]["content"]["conversation_id"]
    ask(workspace, "And early ones?", conversation_id=conversation)
    told = server.requests[-1]["messages"][1]["content"].partition("# Earlier")[2]
    assert "How many late albums are there?" in told
    assert LONG[:200] in told and "characters left out" in told and LONG[-100:] in told
    assert sum(len(each["content"]) for each in server.requests[-1]["messages"]) <= 14_000


def test_earlier_turns_have_the_room_that_the_data_leaves(open_workspace, ask, server):
    some = LONG[: LONG.index(", 500,")] + ")"
    server.says(sql(some))
    workspace = open_workspace({"words": "plain"})
    ask(workspace, "How many late albums are there?", conversation_id="here")
    ask(workspace, "And early ones?", conversation_id="here")
    assert some in server.requests[-1]["messages"][1]["content"]


def test_of_a_question_asked_back_the_tables_are_told_with_the_reply_in_other_words(open_workspace, ask, server):
    workspace = open_workspace({"words": "plain"})
    with workspace.warehouse.write() as session:
        for n in range(200):
            session.execute(f"CREATE TABLE aaa_{n} (id INTEGER, thing_{n} VARCHAR, price DOUBLE, day DATE)")
    server.says(ASKS, GOOD)
    conversation = ask(workspace, QUESTION)[0]["content"]["conversation_id"]
    assert final(ask(workspace, "those beyond two", conversation_id=conversation))["rows"] == [[2]]
    assert "title VARCHAR" in server.requests[-1]["messages"][1]["content"]
