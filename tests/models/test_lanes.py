"""Models of every strength: tools, one JSON object, a fence, prose; which it is turns out by asking."""

import contextlib
import json
import time
from dataclasses import replace
from pathlib import Path

import pytest
from langchain_core.messages import AIMessageChunk
from tests.models.conftest import final, of
from tests.models.server import Breaks, Says, sql

from pluto_duck_backend.agent.models.faults import ModelFault
from pluto_duck_backend.agent.models.reply import Gathering
from pluto_duck_backend.agent.providers.decisions import read

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


LOOSE = [json.loads(line) for line in (Path(__file__).parents[1] / "fixtures/models/loose.jsonl").open()]


@pytest.mark.parametrize("case", LOOSE, ids=lambda case: case["title"])
def test_a_decision_is_read_though_its_json_is_none(open_workspace, ask, server, case):
    server.says(case["text"])
    answer = final(ask(open_workspace({"words": "plain"})))
    assert answer["rows"] == case.get("rows", [])
    assert (answer["clarification"] or {}).get("options") == case.get("options")
    assert answer["answer"] == case.get("says", answer["answer"])
    assert len(server.requests) == 1


CUT = Says('{"sql": "SELECT count(*) AS n FROM albums WHERE id', finish="length")
TOO_LARGE = Breaks("status", 400, body={"error": {"message": "4300 tokens + 4000 exceed the context length of 8192"}})


@pytest.mark.parametrize(("fault", "tokens"), [(CUT, [4_000, 16_000]), (TOO_LARGE, [4_000, 1_000])])
def test_how_many_tokens_a_reply_wants_is_found_by_asking_and_remembered(open_workspace, ask, server, fault, tokens):
    server.says(lambda request: sql(COUNT) if request["max_tokens"] == tokens[1] else fault)
    for _ in range(2):
        workspace = open_workspace({"words": "plain"})
        assert final(ask(workspace))["rows"] == [[5]]
        workspace.close()
    assert [each["max_tokens"] for each in server.requests] == [*tokens, tokens[1]]


def test_objects_in_objects_without_end_are_nothing_usable(open_workspace, ask, server):
    server.says('{"a":' * 10_000)
    assert "replied with nothing usable" in final(ask(open_workspace()))["caveats"][0]


@pytest.mark.parametrize(
    ("said", "is_taken_for"),
    [(0.8, 0.8), ("0.8", 0.8), (80, 0.8), ("80 %", 0.8), ("80%", 0.8), ("high", 0.6), (8, 0.6), (-1, 0.6), (None, 0.6)],
)
def test_confidence_is_a_share_however_it_is_said(open_workspace, ask, server, at_once, said, is_taken_for):
    server.says(sql(COUNT, confidence=said))
    assert final(ask(open_workspace({"words": "plain"})))["confidence"] == is_taken_for


def test_thinking_in_tags_is_reasoning_and_no_part_of_the_reply(open_workspace, ask, server):
    thought = "I count the rows of albums; SELECT 99 would be wrong. " * 2
    server.says(f"<think>\n{thought}</think>\n\n{COUNT}", f"<think>{thought}</think>There are 5 albums, all in all.")
    events = ask(open_workspace())
    assert thought in "".join(each["message"] for each in of(events, "reasoning.chunk"))
    assert "".join(each["text"] for each in of(events, "tool.chunk")) == COUNT
    assert (final(events)["rows"], final(events)["answer"]) == ([[5]], "There are 5 albums, all in all.")


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


def test_a_model_that_calls_tools_and_once_does_not_keeps_them(open_workspace, ask, server):
    workspace = open_workspace({"words": "plain"})
    for reply in (sql(COUNT), COUNT, sql(COUNT)):
        server.says(reply)
        assert final(ask(workspace))["rows"] == [[5]]
    assert ["tools" in each for each in server.requests] == [True, True, True]


REJECTED = Breaks("status", 400, body={"error": {"message": "as the test wants"}})


def test_a_request_that_is_rejected_whatever_is_left_out_of_it_shows_nothing_of_the_model(open_workspace, ask, server):
    workspace = open_workspace({"words": "plain"})
    server.says(REJECTED)
    assert "openai rejected the request: HTTP 400" in final(ask(workspace))["caveats"][0]
    server.requests.clear()
    server.says(sql(COUNT))
    assert final(ask(workspace))["provider"] == "openai"
    assert ["tools" in each and "stream_options" in each for each in server.requests] == [True]


def test_what_one_model_lacks_is_remembered_beside_what_another_does(open_workspace, ask, server):
    house = {"kind": "openai", "base_url": f"{server.url}/v1", "model": "small"}

    def replies(request):
        lacked = "tools" if request["model"] == "small" else "stream_options"
        no = Breaks("status", 400, body={"error": {"message": f"no {lacked}"}})
        return no if lacked in request else f'{{"sql": "{COUNT}"}}' if lacked == "tools" else sql(COUNT)

    server.says(replies)
    for _ in range(2):
        server.requests.clear()
        workspace = open_workspace({"words": "plain"}, providers={"house": house})
        answers = [final(ask(workspace, provider=name)) for name in ("openai", "house")]
        assert [each["rows"] for each in answers] == [[[5]], [[5]]]
        workspace.close()
    assert len(server.requests) == 2


def test_a_model_found_by_asking_its_server_is_known_to_the_next_process_too(open_workspace, ask, server):
    no_tools = Breaks("status", 400, body={"error": {"message": "tools are not supported"}})
    server.says(lambda request: no_tools if "tools" in request else f'{{"sql": "{COUNT}"}}')
    for _ in range(2):
        server.requests.clear()
        workspace = open_workspace({"words": "plain"}, limits={"model": None})
        assert final(ask(workspace))["model"] == "the-only-model"
        workspace.close()
    assert ["tools" in each for each in server.requests] == [False]


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


ENDLESS = ["\n" * 60_000, '{"sql": // ' + "// " * 20_000 + '"', "<think>" * 8_000, '{"sql":"' * 7_000]


@pytest.mark.parametrize("text", ENDLESS, ids=["blanks", "remarks", "tags", "keys"])
def test_a_reply_of_any_kind_is_read_in_time(text):
    began = time.process_time()
    gathering = Gathering()
    for at in range(0, len(text), 100):
        gathering.add(AIMessageChunk(text[at : at + 100]))
    gathering.rest()
    with contextlib.suppress(ModelFault):
        read(replace(gathering.reply(), finish="stop"), "openai")
    assert time.process_time() - began < 10
