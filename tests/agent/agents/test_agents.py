"""Agents as files: what they may see, whose settings hold, who is chosen, and what is wrong with a file."""

import json
import time
from pathlib import Path

import pytest
from tests.agent.shop import SHOP

from pluto_duck_backend import __version__
from pluto_duck_backend.agent.agents import files as files_module
from pluto_duck_backend.agent.agents.definition import Definition, read_definition
from pluto_duck_backend.agent.agents.files import AgentFiles, Broken
from pluto_duck_backend.agent.agents.held import Held
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, Refused
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.principal import Principal

BROKEN = json.loads((Path(__file__).parents[2] / "fixtures" / "agents" / "broken.json").read_text())
AGENTS = {
    "sales": {
        "agent.yaml": "description: Orders of the shop.\nscope: {tables: [orders, customers]}\nmax_rows: 2\n",
        "words.md": "- **punter**: customers\n",
    },
    "brits": {"agent.yaml": "scope:\n  tables: [customers]\n  rows: {customers: \"country = 'United Kingdom'\"}\n"},
    "sport": {"agent.yaml": "scope: {tables: [teams, games]}\nbudget: {queries: 5}\n"},
    "writer": {"agent.yaml": "description: Sees everything.\n", "instructions.md": "Be brief.\n"},
    "torn": {"agent.yaml": "scop: {}\n"},
}
GERMAN = {"others": {"tables": ["customers"], "rows": {"customers": "country <> 'Brazil'"}}}


@pytest.fixture(scope="module")
def workspace(tmp_path_factory):
    root = tmp_path_factory.mktemp("agents")
    for name, texts in AGENTS.items():
        (root / "configs" / "agents" / name).mkdir(parents=True)
        for file, text in texts.items():
            (root / "configs" / "agents" / name / file).write_text(text)
    opened = Workspace.open(load_settings(root, rights=GERMAN), wait_s=0)
    with opened.warehouse.write() as session:
        session.execute(SHOP)
    yield opened
    opened.close()


def asked(workspace, question, **options):
    """`(final, events)` of a run."""
    handle = workspace.runs.start(question, **options)
    events = list(workspace.runs.log(handle.run_id).follow())
    final = next((each["content"] for each in events if (each["type"], each["subtype"]) == ("message", "final")), None)
    return final, events


def chosen(events):
    return next(each["content"] for each in events if "agent" in each["content"] and each["type"] == "run")


@pytest.mark.parametrize(
    ("agent", "who", "count"),
    [("sales", Principal(), 4), ("brits", Principal(), 2), ("brits", Principal("anna", "others", "viewer"), 2)],
)
def test_an_agent_sees_its_scope_and_no_more_than_its_asker(workspace, agent, who, count):
    final, _ = asked(workspace, "How many customers are there?", agent=agent, who=who)
    assert final["rows"] == [[count]]


def test_what_is_out_of_scope_is_not_there(workspace):
    final, _ = asked(workspace, "How many games are there?", agent="sales")
    assert final["status"] == "cannot_answer"


def test_a_scope_of_tables_that_are_not_there_is_told_as_such(workspace):
    workspace.agents.deploy("moved", {"agent.yaml": "scope: {tables: [shop.orders]}\n"})
    final, _ = asked(workspace, "how many orders", agent="moved")
    workspace.agents.remove("moved")
    assert final["status"] == "cannot_answer"
    assert "the scope of the agent moved holds none" in final["answer"], final["answer"]


def test_its_own_words_hold_for_it_alone(workspace):
    assert asked(workspace, "How many punters are there?", agent="sales")[0]["rows"] == [[4]]
    assert asked(workspace, "How many punters are there?", agent="writer")[0]["status"] != "succeeded"


def test_its_settings_hold(workspace):
    final, _ = asked(workspace, "List all orders", agent="sales")
    assert (len(final["rows"]), final["row_count"]) == (2, 4)


@pytest.mark.parametrize(
    ("question", "agent", "why"),
    [
        ("How many orders are there?", "sales", "sales's scope holds main.orders (confidence 0."),
        ("How many customers are there?", "brits", "the narrowest of 2 that do"),
        ("How many teams are there?", "sport", "sport's scope holds main.teams"),
        ("How many order items are there?", None, "No agent's scope holds all of main.order_items."),
    ],
)
def test_a_question_without_an_agent_goes_to_the_scope_that_fits_best(workspace, question, agent, why):
    final, events = asked(workspace, question)
    told = next(each["content"] for each in events if each["type"] == "run" and each["subtype"] == "chunk")
    assert (told.get("agent"), why in told["message"], final["status"]) == (agent, True, "succeeded"), told
    assert workspace.runs.get(events[0]["run_id"])["agent"] == agent


def test_a_conversation_stays_with_its_agent(workspace):
    _, events = asked(workspace, "How many teams are there?")
    conversation = events[0]["content"]["conversation_id"]
    _, events = asked(workspace, "How many customers are there?", conversation_id=conversation)
    assert events[0]["content"]["agent"] == "sport"


def test_a_token_that_is_bound_asks_its_agent_alone(workspace):
    bound = Principal("bot", "", "analyst").within("sport")
    _, events = asked(workspace, "How many games are there?", who=bound)
    assert events[0]["content"]["agent"] == "sport"
    with pytest.raises(Refused, match="works with the agent 'sport' alone"):
        workspace.runs.start("How many customers are there?", agent="sales", who=bound)
    with pytest.raises(Refused, match="customers"):
        workspace.queries.run("SELECT * FROM customers", who=bound)
    assert [each["name"] for each in workspace.agents.every(bound)] == ["sport"]


def test_what_is_confirmed_of_an_agents_answer_serves_that_scope(workspace):
    _, events = asked(workspace, "How many customers are there?", agent="brits")
    kept = workspace.confirm(events[0]["run_id"])
    assert asked(workspace, "How many customers are there?", agent="sales")[0]["rows"] == [[4]]
    assert [each.to_dict()["sql"] for each in workspace.memory.every()] == [kept["sql"]]
    workspace.memory.forget(kept["file"].rpartition("/")[2])
    assert workspace.memory.every() == []


@pytest.mark.parametrize("case", BROKEN, ids=lambda case: case["told"][1])
def test_a_broken_file_is_told_with_its_line(case):
    with pytest.raises(InvalidInput) as told:
        read_definition(case["text"], "agent.yaml")
    assert [each for each in case["told"] if each not in told.value.message] == [], told.value.message


def test_a_broken_agent_disturbs_no_other(workspace):
    found = {each.name: each for each in workspace.agents.files.every()}
    assert [name for name, each in found.items() if isinstance(each, Broken)] == ["torn"]
    with pytest.raises(InvalidInput, match=r"configs/agents/torn/agent\.yaml:1: there is no key 'scop'"):
        workspace.runs.start("How many orders?", agent="torn")
    with pytest.raises(NotFound, match="Did you mean sales"):
        workspace.runs.start("How many orders?", agent="sale")


def test_a_changed_file_holds_at_once_and_few_are_kept(tmp_path):
    files = AgentFiles(Paths(tmp_path), kept=3)
    for number in range(9):
        files.deploy(f"a{number}", {"agent.yaml": f"description: number {number}\n"})
    assert [each.definition.description for each in files.every()] == [f"number {number}" for number in range(9)]
    assert len(files._kept) == 3
    (tmp_path / "configs" / "agents" / "a8" / "agent.yaml").write_text("description: another\n")
    assert files.get("a8").definition.description == "another"
    files.remove("a8")
    with pytest.raises(NotFound):
        files.get("a8")


def test_a_deployment_that_fails_leaves_what_was_there(tmp_path):
    files = AgentFiles(Paths(tmp_path))
    files.deploy("a", {"agent.yaml": "description: first\n", "rules.md": "One.\n"})
    for texts in ({"agent.yaml": "nonsense: 1\n"}, {"rules.md": "x"}, {"agent.yaml": "", "../up.md": "x"}):
        with pytest.raises(InvalidInput):
            files.deploy("a", texts)
    assert files.texts("a") == {"agent.yaml": "description: first\n", "rules.md": "One.\n"}
    files.deploy("a", {"agent.yaml": "description: second\n"})
    assert files.texts("a") == {"agent.yaml": "description: second\n"}
    assert [each.name for each in (tmp_path / "configs" / "agents").iterdir()] == ["a"]


@pytest.mark.parametrize(
    ("given", "own", "held"),
    [
        ({"policy": "local-only"}, {"policy": "best"}, "local-only"),
        ({"policy": "best"}, {"policy": "local-only"}, "local-only"),
        ({"policy": "prefer-local"}, {}, "prefer-local"),
        ({"privacy": "schema"}, {"privacy": "rows"}, "schema"),
        ({"privacy": "rows"}, {"privacy": "values"}, "values"),
    ],
)
def test_an_agent_lets_no_more_out_than_the_settings(tmp_path, given, own, held):
    agent = Definition(**own).settings(load_settings(tmp_path, agent=given)).agent
    assert getattr(agent, next(iter(given))) == held


@pytest.mark.parametrize(("given", "own", "held"), [(0, 5, 5), (3, 5, 3), (5, 0, 5), (0, 0, 0)])
def test_of_two_budgets_the_smaller_holds(tmp_path, given, own, held):
    definition = Definition(budget={"queries": own})
    assert definition.settings(load_settings(tmp_path, budget={"run_queries": given})).budget.run_queries == held


def scoped(paths, **tables):
    for name, said in tables.items():
        (paths.agents / name).mkdir(parents=True, exist_ok=True)
        (paths.agents / name / "agent.yaml").write_text(said)
    time.sleep(0.06)  # what was written this very moment is looked at again


def test_what_was_read_of_all_scopes_is_read_again_only_where_a_file_has_changed(tmp_path, monkeypatch):
    paths = Paths(tmp_path)
    scoped(paths, a="scope: {tables: [orders]}\n", b="scope: {tables: [CRM.*]}\n", c="scop: 1\n", d="")
    before = {"a": ("main.orders",), "b": ("crm.*",), "c": (), "d": ()}
    assert AgentFiles(paths).scopes() == before
    read = []
    monkeypatch.setattr(files_module, "read_definition", lambda *given: read.append(given) or read_definition(*given))
    next_process = AgentFiles(paths)
    assert (next_process.scopes(), read) == (before, [])
    scoped(paths, a="scope: {tables: [games]}\n", c="scope: {tables: [x]}\n")
    next_process.remove("b")
    assert next_process.scopes() == {"a": ("main.games",), "c": ("main.x",), "d": ()}
    assert len(read) == 2


@pytest.mark.parametrize("damage", ["", "{", "[]", '{"version": "0"}', '{"version": "now", "agents": {"a": 1}}'])
def test_what_is_kept_of_scopes_may_be_lost_or_damaged(tmp_path, damage):
    paths = Paths(tmp_path)
    scoped(paths, a="scope: {tables: [orders]}\n")
    AgentFiles(paths).scopes()
    assert paths.agents_known.exists()
    paths.agents_known.write_text(damage.replace("now", __version__))
    assert AgentFiles(paths).scopes() == {"a": ("main.orders",)}
    assert AgentFiles(paths).scopes() == {"a": ("main.orders",)}


@pytest.mark.parametrize(
    ("scope", "tables"),
    [
        ((), set()),
        (("main.orders", "main.gone"), {"main.orders"}),
        (("*",), {"main.orders", "main.order_items", "crm.contacts"}),
        (("main.order*", "crm.?ontacts"), {"main.orders", "main.order_items", "crm.contacts"}),
        (("main.order[s]", "crm.x*"), {"main.orders"}),
    ],
)
def test_what_a_scope_holds(scope, tables):
    assert Held(["main.Orders", "main.order_items", "crm.contacts"]).by(scope) == tables
