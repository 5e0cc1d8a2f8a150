"""A question through a server that speaks OpenAI's protocol: what is sent, what streams, what is counted."""

import json

import pytest
from tests.models.conftest import final, names, of
from tests.models.server import Breaks, Says, sql

COUNT = "SELECT count(*) AS n FROM albums"


def test_a_tool_call_becomes_a_verified_answer(open_workspace, ask, server, at_once):
    server.says(sql(COUNT, title="Albums", confidence=0.9), "There are 5 albums in the collection.")
    events = ask(open_workspace())
    answer = final(events)
    assert (answer["status"], answer["rows"], answer["confidence"]) == ("succeeded", [[5]], 0.9)
    assert (answer["provider"], answer["model"], answer["sql"]) == ("openai", "fake", COUNT)
    assert (answer["usage"]["input_tokens"], answer["usage"]["output_tokens"]) == (22, 14)
    assert answer["answer"] == "There are 5 albums in the collection."
    assert len(server.requests) == 2


def test_the_words_of_the_answer_stream(open_workspace, ask, server):
    server.says(sql(COUNT), "There are 5 albums in the collection, counted row by row.")
    chunks = of(ask(open_workspace()), "message.chunk")
    assert len(chunks) > 3
    assert "".join(each["text"] for each in chunks).startswith("There are 5 albums")


def test_who_puts_a_result_in_words_is_told_what_it_shows_and_whether_it_is_whole(open_workspace, ask, server):
    workspace = open_workspace()
    server.says(sql("SELECT title FROM albums", title="Titles of albums"), "The albums are called x0 to x4, all five.")
    ask(workspace, "Which albums are there?")
    told = server.requests[-1]["messages"][1]["content"]
    assert "Its query shows: Titles of albums\nRows of the result: 5, all of them here" in told
    server.says(sql("SELECT range AS n FROM range(5_000)"), "There are 5000 numbers, which begin with 0 and 1 and 2.")
    ask(workspace, "Which numbers are there?")
    assert "Rows of the result: 5,000, the first 100 of them here" in server.requests[-1]["messages"][1]["content"]


def test_a_model_that_thinks_long_about_its_words_says_them(open_workspace, ask, server):
    server.says(sql(COUNT), Says(thought="Let me see. " * 400, text="There are 5 albums in the collection."))
    assert final(ask(open_workspace()))["answer"] == "There are 5 albums in the collection."


def test_thinking_and_writing_stream_before_the_query_runs(open_workspace, ask, server):
    server.says(Says(thought="Counting rows of albums will do. " * 5, calls=(("answer_with_sql", {"sql": COUNT}),)))
    events = ask(open_workspace())
    thoughts = [each["message"] for each in of(events, "reasoning.chunk") if "Counting rows" in each["message"]]
    written = "".join(each["text"] for each in of(events, "tool.chunk"))
    assert thoughts
    assert json.loads(written) == {"sql": COUNT}
    assert names(events).index("tool.chunk") < names(events).index("message.final")


def test_what_was_told_of_a_call_that_broke_off_is_replaced(open_workspace, ask, server):
    broken, workspace = "SELECT count(*) AS n FROM somewhere that is no table of ours at all, never", open_workspace()
    server.says(Breaks("cut", text=broken), sql(COUNT))
    chunks = of(ask(workspace), "tool.chunk")
    void = [n for n, each in enumerate(chunks) if each.get("replaces")]
    assert len(void) == 1 and "somewhere" in "".join(each["text"] for each in chunks[: void[0]])
    assert json.loads("".join(each["text"] for each in chunks[void[0] :])) == {"sql": COUNT}
    server.says(sql(COUNT))
    assert not [each for each in of(ask(workspace), "tool.chunk") if "replaces" in each]


def test_the_model_is_told_the_schema_the_question_and_the_day(open_workspace, ask, server):
    server.says(sql(COUNT))
    ask(open_workspace())
    system, user = (message["content"] for message in server.requests[0]["messages"][:2])
    assert "albums" in user
    assert "title VARCHAR" in user
    assert "How many albums are there?" in user
    assert "DuckDB" in system
    assert {each["function"]["name"] for each in server.requests[0]["tools"]} == {
        "answer_with_sql",
        "ask_user",
        "cannot_answer",
    }


def test_the_error_of_a_failed_query_goes_back_to_the_model(open_workspace, ask, server):
    server.says(sql("SELECT price FROM albums"), sql(COUNT), "There are exactly 5 albums here.")
    events = ask(open_workspace())
    assert final(events)["rows"] == [[5]]
    repair = server.requests[1]["messages"][-1]["content"]
    assert "price" in repair
    assert "albums.title" in repair
    assert "1 earlier attempt" in " ".join(final(events)["caveats"])


def test_repairs_are_limited_and_then_the_embedded_analyst_answers(open_workspace, ask, server):
    server.says(sql("SELECT nope FROM albums"))
    answer = final(ask(open_workspace({"max_attempts": 3})))
    assert len(server.requests) == 3
    assert (answer["provider"], answer["model"], answer["rows"]) == ("embedded", None, [[5]])
    assert "The SQL of openai failed. The embedded analyst was asked instead." in answer["caveats"]


def test_a_model_that_would_change_the_data_is_refused_and_the_question_ends_as_such(open_workspace, ask, server):
    server.says(sql("DROP TABLE albums"))
    events = ask(open_workspace(), "Delete the table of albums")
    assert [each["error"]["code"] for each in of(events, "tool.end") if each["tool"] == "verifier"] == [
        "draft_refused",
        "draft_refused",
        "draft_refused",
    ]
    assert (final(events)["status"], len(server.requests)) == ("cannot_answer", 3)
    assert events[-1]["content"]["status"] == "cannot_answer"


def test_a_model_may_ask_back_and_the_answer_reaches_it(open_workspace, ask, server):
    server.says(Says(calls=(("ask_user", {"question": "Which?", "options": ["released", "sold"]}),)), sql(COUNT))
    workspace = open_workspace()
    first = ask(workspace, "How many albums?")
    assert final(first)["clarification"] == {"question": "Which?", "options": ["released", "sold"]}
    ask(workspace, "2", conversation_id=first[0]["content"]["conversation_id"])
    assert "sold" in server.requests[1]["messages"][-1]["content"]


def test_a_model_may_say_that_the_data_lacks_it(open_workspace, ask, server):
    server.says(Says(calls=(("cannot_answer", {"reason": "There are no prices."}),)))
    assert final(ask(open_workspace()))["answer"] == "There are no prices."


def test_a_server_that_does_not_stream_is_asked_for_the_whole(open_workspace, ask, server):
    server.streams = False
    server.says(sql(COUNT))
    workspace = open_workspace()
    assert final(ask(workspace))["rows"] == [[5]]
    before = len(server.requests)
    assert final(ask(workspace))["rows"] == [[5]]
    assert next(each.get("stream") for each in server.requests[before:]) in (None, False)


def test_the_only_model_of_a_local_server_is_found(open_workspace, ask, server):
    server.says(sql(COUNT))
    answer = final(ask(open_workspace(limits={"model": None})))
    assert (answer["model"], server.requests[0]["model"]) == ("the-only-model", "the-only-model")


def test_halves_of_characters_are_left_out_of_a_reply_and_end_no_run(open_workspace, ask, server):
    halved = {"sql": "SELECT '\ud83d' AS half, count(*) AS n FROM albums", "reading": ["\udfff"], "title": "\U0001f986"}
    server.says(Says(calls=(("answer_with_sql", halved),)))
    answer = final(ask(open_workspace({"words": "plain"})))
    assert (answer["provider"], answer["rows"], answer["reading"][0]) == ("openai", [["?", 5]], "?")
    assert "\U0001f986" in answer["answer"]


def test_text_with_halves_of_characters_is_told_to_the_model_again(open_workspace, ask, server):
    server.says("\ud800 ```sql\nSELECT nothing FROM nowhere\n```", sql(COUNT))
    answer = final(ask(open_workspace({"words": "plain"})))
    assert (answer["provider"], answer["rows"]) == ("openai", [[5]])


@pytest.mark.parametrize("tokens", [(-1_000_000, -5), (10**30, 10**30)])
def test_a_count_of_tokens_that_is_none_counts_as_what_was_written(open_workspace, ask, server, tokens):
    workspace = open_workspace({"words": "plain"})
    server.says(Says(calls=(("answer_with_sql", {"sql": COUNT}),), tokens=tokens))
    answer = final(ask(workspace))
    assert answer["rows"] == [[5]]
    assert 1_000 < answer["usage"]["input_tokens"] < 10_000
    assert 0 < answer["usage"]["output_tokens"] < 100
