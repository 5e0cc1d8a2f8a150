"""Answers in steps, as a model plans them: taken one after the other, each checked, each named in the answer."""

import json

import pytest
from tests.models.conftest import ask, final, of, open_workspace, server
from tests.models.server import Says

__all__ = ["ask", "open_workspace", "server"]

SHOP = """
CREATE TABLE sales AS SELECT range AS id, DATE '2024-01-01' + (range % 90)::INTEGER AS day,
    CASE WHEN range % 3 = 0 THEN 'web' ELSE 'phone' END AS channel, 10 + range % 7 + (range % 3) * 5 AS amount,
    2 * (10 + range % 7 + (range % 3) * 5) + range % 2 AS cost FROM range(900)
"""
QUERY = {"name": "monthly", "kind": "query", "purpose": "amount by month", "text": "SELECT date_trunc('month', day)"
         " AS month, sum(amount) AS amount FROM sales GROUP BY ALL"}  # fmt: skip


def plan(sql, *steps):
    return Says(calls=(("answer_with_sql", {"sql": sql, "steps": list(steps)}),))


@pytest.fixture
def shop(open_workspace):
    """`shop(**settings)`: a workspace with sales, whose model's words are not asked for."""

    def _shop(**settings):
        workspace = open_workspace({"words": "plain", **settings.pop("agent", {})}, **settings)
        with workspace.warehouse.write() as session:
            session.execute(SHOP)
        return workspace

    return _shop


def test_steps_of_every_kind_lead_to_one_answer(shop, ask, server):
    steps = [
        QUERY,
        {"name": "months", "kind": "query", "text": "SELECT count(*) AS n FROM monthly", "purpose": "how many"},
        {"name": "half", "kind": "calculate", "text": "months.n / 2", "purpose": "half of them"},
        {"name": "rows", "kind": "query", "text": "SELECT amount, cost FROM sales", "purpose": "both per sale"},
        {"name": "link", "kind": "statistics", "text": "correlation(rows, amount, cost)", "purpose": "how they go"},
        {"name": "best", "kind": "python", "purpose": "the best month", "text": "import polars as pl\n"
         "result = monthly.sort('amount', descending=True).head(1).with_columns(pl.col('month').dt.date())"},
    ]  # fmt: skip
    server.says(plan("SELECT best.month, half.half, link.pairs FROM best, half, link", *steps))
    events = ask(shop(), "Which month was best, and how do amount and cost go together?")
    answer = final(events)
    assert answer["rows"] == [["2024-01-01", 1.5, 900]]
    assert [each["name"] for each in answer["steps"]] == ["monthly", "months", "half", "rows", "link", "best"]
    assert answer["reading"][0] == "step monthly: amount by month (query, 3 rows)"
    assert answer["reading"][5] == "step best: the best month (python, 1 row)"
    assert all(each["job_id"] for each in answer["steps"])
    ended = [each for each in of(events, "tool.end") if each["tool"] == "steps"]
    assert [each["step"] for each in ended] == [each["name"] for each in answer["steps"]]
    assert [each["step"] for each in of(events, "tool.start") if each["tool"] == "steps"] == [e["name"] for e in steps]
    planned = [each["plan"] for each in of(events, "tool.end") if each["tool"] == "planner"][-1]
    assert [each["metadata"]["kind"] for each in planned] == [*(each["kind"] for each in steps), "query"]
    assert planned[0]["description"] == "monthly: amount by month"


def test_the_last_query_is_complete_in_itself(shop, ask, server):
    server.says(plan("WITH top AS (SELECT * FROM monthly) SELECT count(*) AS n FROM top", QUERY))
    workspace = shop()
    answer = final(ask(workspace))
    assert workspace.queries.probe(answer["sql"]) == [(3,)]
    assert workspace.queries.get(answer["job_id"]).status == "succeeded"


def test_a_plan_in_the_json_lane(shop, ask, server):
    fenced = {"name": "monthly", "text": f"```sql\n{QUERY['text']}\n```"}
    server.says(json.dumps({"sql": "SELECT max(amount) AS most FROM monthly", "steps": [fenced]}))
    answer = final(ask(shop()))
    assert (answer["provider"], answer["row_count"], answer["steps"][0]["kind"]) == ("openai", 1, "query")


def test_names_in_a_step_are_mended_like_those_of_one_query(shop, ask, server):
    step = {"name": "web", "kind": "query", "text": "SELECT sum(amuont) AS amount FROM sale WHERE channel = 'Web'"}
    server.says(plan("SELECT web.amount FROM web", step))
    answer = final(ask(shop()))
    assert answer["rows"] == [[3899]]
    assert "channel = 'web'" in answer["steps"][0]["sql"]
    assert len(server.requests) == 1


UNUSABLE = [
    ([QUERY, QUERY], "'monthly' is the name of a table or of another step"),
    ([{**QUERY, "name": "sales"}], "'sales' is the name of a table"),
    ([{**QUERY, "name": "Drop table"}], "no name for a step"),
    ([{**QUERY, "kind": "shell"}], "of the kind 'shell'"),
    ([{**QUERY, "name": f"s{n}"} for n in range(9)], "9 steps, at most 8"),
    ([QUERY, {"name": "a", "kind": "calculate", "text": "monthly.amount + 1"}], "monthly has several rows"),
    ([QUERY, {"name": "a", "kind": "statistics", "text": "magic(monthly)"}], "'magic' is no statistic"),
    ([QUERY, {"name": "a", "kind": "statistics", "text": "summary(monthly, price)"}], "no column 'price'"),
    ([{"name": "a", "kind": "python", "text": "import os\nresult = 1"}], "may not import 'os'"),
    ([QUERY, {"name": "a", "kind": "python", "text": "result = monthly.select('price')"}], "price"),
    ([{"name": "a", "kind": "query", "text": "SELECT wholly_unlike FROM sales"}], "(step a)"),
    ([{"name": "a", "kind": "query", "text": "COPY sales TO '/tmp/stolen.csv'"}], "SELECT"),
    ([{"name": "a", "kind": "query", "text": "SELECT * FROM read_csv('/etc/passwd')"}], "read_csv"),
]


@pytest.mark.parametrize(("steps", "says"), UNUSABLE, ids=[says[:30] for _, says in UNUSABLE])
def test_a_step_that_fails_goes_back_to_the_model_by_name(shop, ask, server, steps, says):
    server.says(plan("SELECT 1 AS n", *steps), plan("SELECT count(*) AS n FROM sales"))
    answer = final(ask(shop(), "How many sales are there?"))
    assert (answer["provider"], answer["rows"]) == ("openai", [[900]])
    told = server.requests[1]["messages"]
    assert says in told[-1]["content"]
    assert steps[-1]["name"] in told[-2]["tool_calls"][0]["function"]["arguments"]


def test_what_is_suspicious_about_a_step_is_told(shop, ask, server):
    step = {"name": "shop", "kind": "query", "purpose": "by shop", "text": "SELECT * FROM sales WHERE id > 5000"}
    server.says(plan("SELECT count(*) + 7 AS n FROM shop", step))
    answer = final(ask(shop()))
    assert any(each.startswith("Step shop: No rows match: no row meets id > 5000") for each in answer["caveats"])


def test_the_queries_of_steps_count(shop, ask, server):
    server.says(plan("SELECT count(*) AS n FROM b", *({**QUERY, "name": name} for name in "ab")))
    workspace = shop(budget={"run_queries": 1}, agent={"max_attempts": 1, "chain": []})
    events = ask(workspace, "How many sales are there?")
    failed = [each["error"] for each in of(events, "tool.end") if each.get("error")]
    assert failed[0]["code"] == "over_budget"
    assert events[-1]["content"]["code"] == "over_budget"


def test_cancelling_ends_a_step_of_python(shop, server):
    server.says(plan("SELECT 1 AS n", {"name": "a", "kind": "python", "text": "while True:\n    pass\nresult = 1"}))
    workspace = shop(agent={"python_s": 600})
    handle = workspace.runs.start("How many sales are there?")
    log = workspace.runs.log(handle.run_id)
    for event in log.follow():
        if event["content"].get("step") == "a":
            workspace.runs.cancel(handle.run_id)
    assert workspace.runs.get(handle.run_id)["status"] == "cancelled"
