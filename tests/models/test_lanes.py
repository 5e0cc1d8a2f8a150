"""Models of every strength: tools, one JSON object, a fence, prose; which it is turns out by asking."""

import pytest
from tests.models.conftest import final
from tests.models.server import Breaks, Says, sql

COUNT = "SELECT count(*) AS n FROM albums"
WEAK = {
    "json": f'{{"sql": "{COUNT}", "confidence": 0.8}}',
    "json in a fence": f'```json\n{{"sql": "{COUNT}"}}\n```',
    "json among prose": f'Sure! Here it is:\n{{"sql": "{COUNT}"}}\nHope this helps {{:}}',
    "json with line breaks in a string": '{"sql": "SELECT count(*) AS n\nFROM albums"}',
    "query for sql": f'{{"query": "{COUNT}"}}',
    "a fence": f"Let me count them.\n\n```sql\n{COUNT};\n```\nThis counts every row.",
    "a fence without a name": f"```\n{COUNT}\n```",
    "bare": COUNT,
    "bare with prose after": f"{COUNT};\n\nThis returns the number of albums.",
    "a fence within json": f'{{"sql": "```sql\\n{COUNT}\\n```"}}',
    "thinking in tags": f"<think>count rows, SELECT maybe</think>\n{COUNT}",
}


@pytest.mark.parametrize("text", WEAK.values(), ids=WEAK)
def test_sql_is_found_however_it_is_written(open_workspace, ask, server, text):
    server.says(text, "The answer is five, as 5 rows.")
    assert final(ask(open_workspace({"words": "plain"})))["rows"] == [[5]]
    assert len(server.requests) == 1


def test_a_server_that_rejects_tools_is_asked_for_json_from_then_on(open_workspace, ask, server):
    no_tools = Breaks("status", 400, body={"error": {"message": "tools are not supported"}})
    server.says(lambda request: no_tools if "tools" in request else f'{{"sql": "{COUNT}"}}')
    workspace = open_workspace({"words": "plain"})
    assert final(ask(workspace))["rows"] == [[5]]
    assert ["tools" in each for each in server.requests] == [True, False]
    ask(workspace)
    workspace.close()
    ask(open_workspace({"words": "plain"}))
    assert ["tools" in each for each in server.requests[2:]] == [False, False]


def test_a_model_that_ignores_tools_is_asked_for_json_from_then_on(open_workspace, ask, server):
    server.says(f"```sql\n{COUNT}\n```")
    workspace = open_workspace({"words": "plain"})
    ask(workspace)
    ask(workspace)
    assert ["tools" in each for each in server.requests] == [True, False]
    assert "exactly one JSON object" in server.requests[1]["messages"][0]["content"]


def test_questions_back_and_refusals_are_read_from_json_too(open_workspace, ask, server):
    workspace = open_workspace()
    server.says('{"question": "Which?", "options": ["a", "b"]}')
    assert final(ask(workspace))["clarification"]["options"] == ["a", "b"]
    server.says('{"reason": "No prices are stored."}')
    assert final(ask(workspace))["status"] == "cannot_answer"


def test_a_stranger_tool_with_sql_in_it_counts(open_workspace, ask, server):
    server.says(Says(calls=(("run_query", {"sql": COUNT}),)))
    assert final(ask(open_workspace({"words": "plain"})))["rows"] == [[5]]


def test_prompts_fit_the_room_they_are_given(open_workspace, ask, server):
    workspace = open_workspace()
    with workspace.warehouse.write() as session:
        for n in range(300):
            session.execute(f"CREATE TABLE wide_{n} (id INTEGER, album_{n} VARCHAR, price DOUBLE, day DATE)")
    server.says(Says(calls=(("answer_with_sql", {"sql": COUNT}),)))
    ask(workspace)
    assert sum(len(each["content"]) for each in server.requests[0]["messages"]) <= 14_000
    assert "albums" in server.requests[0]["messages"][1]["content"]


def test_a_users_own_prompt_replaces_ours(open_workspace, ask, server):
    workspace = open_workspace()
    workspace.paths.prompts.mkdir()
    (workspace.paths.prompts / "write_sql.md").write_text("Answer like a $pirate.")
    server.says(Says(calls=(("answer_with_sql", {"sql": COUNT}),)))
    ask(workspace)
    assert server.requests[0]["messages"][0]["content"].startswith("Answer like a $pirate.")


@pytest.mark.parametrize("length", [2_000, 20_000])
def test_what_failed_before_leaves_the_prompt_within_its_size(open_workspace, ask, server, length):
    workspace = open_workspace({"words": "plain"})
    with workspace.warehouse.write() as session:
        for number in range(150):
            session.execute(f"CREATE TABLE album_list_{number} (id INTEGER, album_{number} VARCHAR, price DOUBLE)")
    long = ", ".join(f"CASE WHEN id = {n} THEN title END AS c{n}" for n in range(length // 36))
    failing = [sql(f"SELECT CAST(title AS {kind}) AS q, {long} FROM albums") for kind in ("INT", "BIGINT")]
    server.says(*failing, sql("SELECT count(*) AS n FROM albums"))
    assert final(ask(workspace))["rows"] == [[5]]
    sizes = [sum(map(_size, each["messages"])) for each in server.requests]
    assert len(sizes) == 3
    assert max(sizes) <= 14_000


def _size(message):
    return len(message["content"] or "") + sum(
        len(each["function"]["arguments"]) for each in message.get("tool_calls", ())
    )
