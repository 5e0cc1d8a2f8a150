"""What a whole verified answer costs beyond its model and its SQL: a model in this process that answers at once.

Beside it, in the same turns, a bare LangGraph run of five nodes. At 3 tables and at 1,000.
"""

import statistics
import tempfile
import time
from pathlib import Path
from typing import TypedDict

from langgraph.graph import END, START, StateGraph

from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from tests.benchmarks._warehouses import table_name, thousand_tables

TIMES = 60
FEW = "sales.retail_orders"


def main():
    bare = _five_nodes()
    with tempfile.TemporaryDirectory() as folder:
        few = _opened(Path(folder) / "few", _three_tables, FEW)
        many = _opened(Path(folder) / "many", thousand_tables, table_name("sales", "order"))
        try:
            _report(bare, few, many)
        finally:
            few.close()
            many.close()


def _report(bare, few, many):
    question = "How many retail orders are there?"
    works = {
        "bare": bare,
        "query": lambda: few.queries.run(f"SELECT count(*) AS n FROM {FEW}"),
        "few": lambda: _answered(few, question),
        "many": lambda: _answered(many, question),
    }
    took = _in_turns(works)
    print(f"bare LangGraph run of five nodes {took['bare']:.2f} ms; the query as a job {took['query']:.2f} ms")
    beyond = took["few"] - took["query"]
    print(f"whole answer {took['few']:.2f} ms; beyond its query {beyond:.2f} ms, {beyond / took['bare']:.1f} bare runs")
    print(f"1,000 tables {took['many']:.2f} ms, {took['many'] / took['few']:.2f} times as long as 3")
    first = _in_turns({"first": lambda: few.runs.start(question)})["first"]
    print(f"the first event is on disk after {first:.2f} ms")


def _answered(workspace, question):
    handle = workspace.runs.start(question)
    events = list(workspace.runs.log(handle.run_id).follow())
    assert events[-1]["content"]["status"] == "succeeded"
    assert events[-1]["content"]["usage"]["calls"] == 1


def _opened(root, fill, table):
    reply = f"```sql\nSELECT count(*) AS n FROM {table}\n```"
    options = {"class": "tests.models.in_process:Instant", "reply": reply}
    instant = {"kind": "langchain", "model": "instant", "is_local": True, "options": options}
    agent = {"provider": "instant", "words": "plain"}
    workspace = Workspace.open(load_settings(root, agent=agent, providers={"instant": instant}), wait_s=0)
    with workspace.warehouse.write() as session:
        fill(session)
    workspace.warm()
    return workspace


def _three_tables(session):
    session.execute("CREATE SCHEMA sales")
    for name in ("retail_orders", "retail_customers", "retail_items"):
        session.execute(f"CREATE TABLE sales.{name} AS SELECT range AS id, 'x' || range AS name FROM range(100)")


def _five_nodes():
    class State(TypedDict):
        n: int

    graph = StateGraph(State)
    names = ["one", "two", "three", "four", "five"]
    for name in names:
        graph.add_node(name, lambda state: {"n": state["n"] + 1})
    for before, after in zip([START, *names], [*names, END], strict=True):
        graph.add_edge(before, after)
    made = graph.compile()
    return lambda: made.invoke({"n": 0})


def _in_turns(works):
    took = {name: [] for name in works}
    for _ in range(TIMES):
        for name, work in works.items():
            began = time.perf_counter()
            work()
            took[name].append(1000 * (time.perf_counter() - began))
    return {name: statistics.median(each[3:]) for name, each in took.items()}
