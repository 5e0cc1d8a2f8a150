"""Who is asked: the table of the router, and the same through runs."""

import re
from dataclasses import replace

import pytest
from tests.models.conftest import final, of
from tests.models.server import Breaks, sql

from pluto_duck_backend.agent.providers.router import Facts, Option, route
from pluto_duck_backend.app.core.errors import InvalidInput, Refused

COUNT = "SELECT count(*) AS n FROM albums"
HOSTED, LOCAL = Option("hosted", is_local=False), Option("local", is_local=True)
SURE, UNSURE = Facts(0.95, True, 0), Facts(0.4, True, 0)

ORDERS = [
    ("prefer-local", [HOSTED, LOCAL], SURE, ("embedded", "local", "hosted")),
    ("prefer-local", [HOSTED, LOCAL], UNSURE, ("local", "hosted", "embedded")),
    ("best", [HOSTED, LOCAL], UNSURE, ("hosted", "local", "embedded")),
    ("local-only", [HOSTED, LOCAL], UNSURE, ("local", "embedded")),
    ("local-only", [HOSTED], UNSURE, ("embedded",)),
    ("best", [HOSTED], Facts(0.85, True, 0), ("hosted", "embedded")),
    ("prefer-local", [HOSTED], Facts(0.85, True, 0), ("embedded", "hosted")),
    ("prefer-local", [HOSTED], Facts(0.85, True, 3), ("hosted", "embedded")),
    ("prefer-local", [HOSTED], Facts(0.95, False, 0), ("hosted", "embedded")),
    ("prefer-local", [Option("slow", True, latency_s=9), HOSTED], UNSURE, ("hosted", "embedded")),
    (
        "prefer-local",
        [Option("dear", False, spent="budget.day_usd=1 is used up"), LOCAL],
        UNSURE,
        ("local", "embedded"),
    ),
    ("best", [Option("keyless", False, missing="no key"), LOCAL], UNSURE, ("local", "embedded")),
]


@pytest.mark.parametrize(("policy", "options", "facts", "order"), ORDERS)
def test_the_order(policy, options, facts, order):
    found = route(policy, 0.8, 5.0, options, facts)
    assert found.order == order
    assert all(name in order or any(name in reason for reason in found.reasons) for name in (o.name for o in options))


def test_where_the_embedded_analyst_is_sure_no_model_is_called(open_workspace, ask, server):
    events = ask(open_workspace({"provider": "auto", "sure": 0.3}))
    assert final(events)["provider"] == "embedded"
    assert server.requests == []
    told = next(each["route"] for each in of(events, "run.chunk") if "route" in each)
    assert told["order"] == ["embedded", "openai"]
    assert "no model is asked" in told["reasons"][0]


def test_where_it_is_not_the_model_is_asked_and_agreement_sets_the_confidence(open_workspace, ask, server):
    server.says(sql("SELECT count(id) AS how_many FROM albums", confidence=0.1))
    events = ask(open_workspace({"provider": "auto", "sure": 1.0, "words": "plain"}))
    answer = final(events)
    assert (answer["provider"], answer["rows"]) == ("openai", [[5]])
    assert answer["confidence"] > 0.9
    assert any("come to the same rows" in each["message"] for each in of(events, "run.chunk"))


def test_where_they_differ_the_confidence_falls_and_the_user_is_told(open_workspace, ask, server):
    server.says(sql("SELECT max(id) AS n FROM albums"))
    answer = final(ask(open_workspace({"provider": "auto", "sure": 1.0, "words": "plain"})))
    assert (answer["rows"], answer["confidence"] < 0.85) == ([[4]], True)
    assert any("would have answered otherwise" in each for each in answer["caveats"])


def test_the_best_policy_asks_twice_where_they_differ_and_the_majority_wins(open_workspace, ask, server):
    server.says(sql("SELECT max(id) AS n FROM albums"), sql(COUNT))
    answer = final(ask(open_workspace({"provider": "auto", "sure": 1.0, "policy": "best", "words": "plain"})))
    assert (answer["rows"], answer["provider"]) == ([[5]], "embedded")
    assert "independently" in server.requests[1]["messages"][-1]["content"]


def test_a_model_that_says_it_twice_is_believed_and_the_user_told_who_differs(open_workspace, ask, server):
    server.says(sql("SELECT max(id) AS n FROM albums"))
    workspace = open_workspace({"provider": "auto", "sure": 1.0, "policy": "best", "words": "plain"})
    answer = final(ask(workspace))
    assert (answer["rows"], answer["provider"], len(server.requests)) == ([[4]], "openai", 2)
    assert answer["confidence"] < 0.9
    assert any("would have answered otherwise" in each for each in answer["caveats"])


def _slowly(statement, **more):
    return replace(sql(statement, **more), pause_s=0.2)


def test_a_model_that_is_named_is_held_against_what_the_embedded_analyst_read_meanwhile(open_workspace, ask, server):
    server.says(_slowly(COUNT, confidence=0.1), _slowly("SELECT max(id) AS n FROM albums"))
    workspace = open_workspace({"words": "plain"})
    agreed, differs = final(ask(workspace)), final(ask(workspace))
    assert (agreed["provider"], agreed["rows"], agreed["confidence"] > 0.9) == ("openai", [[5]], True)
    assert (differs["rows"], differs["confidence"] < 0.85) == ([[4]], True)
    assert any("would have answered otherwise" in each for each in differs["caveats"])


def test_a_model_that_is_named_and_answers_at_once_waits_for_nobody(open_workspace, ask, server, at_once):
    server.says(sql("SELECT max(id) AS n FROM albums", confidence=0.6))
    answer = final(ask(open_workspace({"words": "plain"})))
    assert (answer["rows"], answer["caveats"]) == ([[4]], [])


STEPS = [{"name": "each", "kind": "query", "text": "SELECT id FROM albums"}]


@pytest.mark.parametrize(("wanted", "sure"), [("count(*)", True), ("max(id)", False)])
def test_an_answer_in_steps_is_held_against_the_embedded_analyst_too(open_workspace, ask, server, wanted, sure):
    server.says(sql(f"SELECT {wanted} AS n FROM each", confidence=0.1, steps=STEPS))
    answer = final(ask(open_workspace({"provider": "auto", "sure": 1.0, "words": "plain"})))
    assert (answer["provider"], [each["name"] for each in answer["steps"]]) == ("openai", ["each"])
    assert (answer["confidence"] > 0.9) == sure
    assert any("would have answered otherwise" in each for each in answer["caveats"]) != sure


def test_steps_that_two_outvote_are_no_part_of_the_answer(open_workspace, ask, server):
    server.says(sql("SELECT max(id) AS n FROM each", steps=STEPS), sql(COUNT))
    answer = final(ask(open_workspace({"provider": "auto", "sure": 1.0, "policy": "best", "words": "plain"})))
    assert (answer["rows"], answer["provider"], answer["steps"]) == ([[5]], "embedded", [])


def test_local_only_refuses_a_hosted_provider_that_is_named(open_workspace, ask):
    workspace = open_workspace({"policy": "local-only"}, limits={"is_local": False, "api_key": "k"})
    with pytest.raises(Refused, match="local-only"):
        ask(workspace)


@pytest.mark.parametrize("provider", ["openai", "auto"])
def test_what_a_person_confirmed_is_answered_before_any_model_until_it_fails(open_workspace, ask, server, provider):
    server.says(sql("SELECT count(*) AS n FROM albums WHERE id > 2"))
    workspace = open_workspace({"provider": provider, "sure": 1.0, "words": "plain"})
    workspace.confirm(ask(workspace, "How many late albums are there?")[0]["run_id"])
    server.requests.clear()
    events = ask(workspace, "how many LATE albums are there")
    assert (final(events)["rows"], final(events)["provider"], server.requests) == ([[2]], "embedded", [])
    told = next(each["route"] for each in of(events, "run.chunk") if "route" in each)
    assert told["order"] == ["embedded", "openai"] and "a person confirmed" in told["reasons"][0]
    confirmed = next(workspace.paths.confirmed.glob("*.md"))
    confirmed.write_text(confirmed.read_text().replace("count(*)", "count(CAST(title AS INTEGER))"))
    server.says(sql("SELECT count(*) AS n FROM albums WHERE id = 4"))
    assert final(ask(workspace, "How many late albums are there?"))["rows"] == [[1]]
    assert len(server.requests) == 1


@pytest.mark.parametrize("provider", ["openai", "auto", "embedded"])
def test_what_was_confirmed_of_another_schema_is_not_used_and_the_answer_says_so(open_workspace, ask, server, provider):
    server.says(sql("SELECT title FROM albums WHERE id = 3"))
    workspace = open_workspace({"provider": provider, "sure": 1.0, "words": "plain"})
    question = "Which albums have an id of 3?"
    workspace.confirm(ask(workspace, question)[0]["run_id"])
    with workspace.warehouse.write() as session:
        session.execute("ALTER TABLE albums RENAME title TO label")
    server.says(sql("SELECT label FROM albums WHERE id = 3"))
    told = "What local confirmed for this question is not used: main.albums has no title any more."
    assert told in final(ask(workspace, question))["caveats"]


PRIVATE = "Which album is called x3?"


@pytest.mark.parametrize(("privacy", "hears_value", "hears_rows"), [("schema", 0, 0), ("values", 1, 0), ("rows", 1, 1)])
def test_a_hosted_model_sees_what_it_may(open_workspace, ask, server, privacy, hears_value, hears_rows):
    server.says(sql("SELECT title AS secret FROM albums WHERE title = 'x4'"), "It is the one that is called x4.")
    workspace = open_workspace({"privacy": privacy}, limits={"is_local": False, "api_key": "k"})
    ask(workspace, PRIVATE)
    first = server.requests[0]["messages"][1]["content"]
    assert ("albums.title = 'x3'" in first) == bool(hears_value)
    assert len(server.requests) == 1 + hears_rows


QUOTING = {
    "Conversion Error": sql("SELECT CAST(title AS INTEGER) AS n FROM albums"),
    "Invalid Input Error": sql("SELECT error('Binder Error: ' || title) AS n FROM albums"),
    "The code failed: line 1: ValueError": sql(
        "SELECT * FROM p",
        steps=[
            {"name": "c", "kind": "query", "text": "SELECT title FROM albums"},
            {"name": "p", "kind": "python", "text": "result = float(c['title'][0])"},
        ],
    ),
}


@pytest.mark.parametrize(("kind", "reply"), QUOTING.items(), ids=QUOTING)
@pytest.mark.parametrize(("privacy", "hears_cells"), [("schema", False), ("values", False), ("rows", True)])
def test_errors_quote_cells_only_to_a_model_that_may_see_rows(
    open_workspace, ask, server, kind, reply, privacy, hears_cells
):
    server.says(reply, sql(COUNT))
    agent = {"privacy": privacy, "words": "plain"}
    workspace = open_workspace(agent, limits={"is_local": False, "api_key": "k"})
    assert final(ask(workspace))["rows"] == [[5]]
    told = server.requests[1]["messages"][-1]["content"]
    assert kind in told
    assert ("x0" in told) == hears_cells
    assert ("withheld" in told) != hears_cells


def test_a_provider_without_key_is_passed_over_with_the_reason(open_workspace, ask, server):
    server.says(sql(COUNT))
    workspace = open_workspace({"provider": "auto", "sure": 1.0}, providers={"anthropic": {"model": "m"}})
    told = next(each["route"] for each in of(ask(workspace), "run.chunk") if "route" in each)
    assert any("anthropic cannot be asked: There is no key" in reason for reason in told["reasons"])


def test_budgets_of_the_day_are_kept_by_the_next_process_too(open_workspace, ask, server):
    server.says(sql(COUNT))
    workspace = open_workspace({"words": "plain"}, budget={"day_tokens": 18})
    assert final(ask(workspace))["provider"] == "openai"
    workspace.close()
    again = open_workspace({"words": "plain"}, budget={"day_tokens": 18})
    assert final(ask(again))["provider"] == "embedded"
    assert len(server.requests) == 1


def test_queries_of_a_run_are_limited(open_workspace, ask, server):
    server.says(sql("SELECT CAST(title AS INTEGER) AS n FROM albums"))
    ended = ask(open_workspace(budget={"run_queries": 1}))[-1]["content"]
    assert ended["code"] == "over_budget"
    assert ended["message"] == "This question has had its query (budget.run_queries=1)."


def test_queries_of_a_day_are_limited_in_the_next_process_too(open_workspace, ask, server):
    server.says(sql(COUNT))
    workspace = open_workspace({"words": "plain"}, budget={"day_queries": 1})
    workspace.queries.run("SELECT 1")  # nobody's question
    assert final(ask(workspace))["rows"] == [[5]]
    workspace.close()
    ended = ask(open_workspace(budget={"day_queries": 1}))[-1]["content"]
    assert ended["code"] == "over_budget"
    assert ended["hint"] == "Ask again when a new day begins in UTC, or raise budget.day_queries."


def test_cost_comes_from_the_users_prices_and_adds_up(open_workspace, ask, server):
    server.says(Breaks("status", 503, headers={"Retry-After": "0"}), sql(COUNT))
    workspace = open_workspace({"words": "plain"}, limits={"is_local": False, "api_key": "k"})
    workspace.paths.prices.write_text('[openai]\n"fa" = { input = 1_000_000, output = 2_000_000 }\n')
    events = ask(workspace)
    assert final(events)["usage"]["cost_usd"] == 11 + 2 * 7
    assert events[-1]["content"]["usage"]["calls"] == 2
    assert workspace.providers.ledger.summary()[0]["cost_usd"] == 25
    assert workspace.runs.list()[0]["usage"]["cost_usd"] == 25


@pytest.mark.parametrize(
    ("table", "why"),
    [
        ("openai = 3\n", "openai = 3 is no provider with its models"),
        ('[openai]\n"fa" = 3\n', "openai.fa must have input and output, and nothing else"),
        ('[openai]\n"fa" = { input = 1, outputs = 2 }\n', "openai.fa must have input and output, and nothing else"),
        ('[openai]\n"fa" = { input = nan, output = 2 }\n', "openai.fa.input = nan is no amount of dollars"),
        ('[openai]\n"fa" = { input = 1, output = inf }\n', "openai.fa.output = inf is no amount of dollars"),
        ('[openai]\n"fa" = { input = -1, output = 2 }\n', "openai.fa.input = -1 is no amount of dollars"),
        ('[openai]\n"fa" = { input = "1", output = 2 }\n', "openai.fa.input = '1' is no amount of dollars"),
        ("[openai\n", "Expected ']'"),
    ],
)
def test_a_table_of_prices_that_is_none_is_told_before_anything_is_spent(open_workspace, ask, server, table, why):
    workspace = open_workspace({"words": "plain"}, limits={"is_local": False, "api_key": "k"})
    workspace.paths.prices.write_text(table)
    with pytest.raises(InvalidInput, match=re.escape(why)):
        ask(workspace)
    assert server.requests == []


def test_dollars_that_are_used_up_leave_the_models_in_the_house(open_workspace, ask, server):
    server.says(sql(COUNT))
    house = {"base_url": f"{server.url}/v1", "model": "small", "kind": "openai"}
    agent = {"provider": "auto", "sure": 1.0, "policy": "best", "words": "plain"}
    priced = {"is_local": False, "api_key": "k"}
    workspace = open_workspace(agent, priced, budget={"day_usd": 1e-9}, providers={"house": house})
    workspace.paths.prices.write_text('[openai]\n"fa" = { input = 1, output = 2 }\n')
    answered = [final(ask(workspace)) for _ in range(3)]
    assert [each["provider"] for each in answered] == ["openai", "house", "house"]
    assert [each["caveats"] for each in answered] == [[], [], []]


def test_where_nobody_is_left_to_ask_the_answer_says_why(open_workspace, ask, server):
    server.says(sql(COUNT))
    agent = {"provider": "auto", "sure": 1.0, "words": "plain"}
    workspace = open_workspace(agent, budget={"day_tokens": 1})
    assert final(ask(workspace))["provider"] == "openai"
    answer = final(ask(workspace))
    assert (answer["provider"], len(server.requests)) == ("embedded", 1)
    assert answer["caveats"] == ["No model was asked: openai is not asked: budget.day_tokens=1 is used up."]


def test_the_embedded_analyst_may_be_named_in_the_chain(open_workspace, ask, server):
    server.says(sql(COUNT))
    agent = {"provider": "auto", "sure": 1.0, "words": "plain", "chain": ["openai", "embedded"]}
    assert final(ask(open_workspace(agent)))["provider"] == "openai"
