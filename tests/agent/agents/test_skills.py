"""Skills: kept with their agent, listed by their heads, read when they are asked for; what is wrong is told."""

import json

import pytest
from tests.cli.running import run

from pluto_duck_backend.agent.agents.archive import packed, unpacked
from pluto_duck_backend.agent.workspace import Workspace
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.principal import Principal

HEAD = "---\nname: refunds\ndescription: How refunds are booked.\n---\n"
FILES = {
    "agent.yaml": "description: Sales\n",
    "skills/refunds/SKILL.md": f"{HEAD}A refund is an order with a negative total. See [more](codes.md).\n",
    "skills/refunds/codes.md": "R1: broken.\n",
}


@pytest.fixture
def workspace(tmp_path):
    opened = Workspace.open(load_settings(tmp_path / "root"), wait_s=0)
    yield opened
    opened.close()


def read(workspace, who=None, **arguments):
    return workspace.actions.call("skills", arguments, who=who or Principal()).to_dict()


def test_a_skill_is_deployed_listed_read_and_sent_with_its_agent(workspace):
    workspace.agents.deploy("sales", FILES)
    assert workspace.agents.show("sales")["files"] == FILES
    assert unpacked(packed("sales", FILES), "f.zip") == ("sales", FILES)
    listed = read(workspace, agent="sales")["details"]["skills"]
    assert [(each["name"], each["description"], each["files"]) for each in listed] == [
        ("refunds", "How refunds are booked.", ["SKILL.md", "codes.md"])
    ]
    found = read(workspace, agent="sales", name="refunds")
    assert found["content"] == found["details"]["text"] == FILES["skills/refunds/SKILL.md"].removeprefix(HEAD)
    assert read(workspace, agent="sales", name="refunds", file="codes.md")["content"] == "R1: broken.\n"
    bot = Principal("bot", role="viewer").within("sales")
    assert read(workspace, bot, name="refunds")["content"] == found["content"]


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"agent": "sales", "name": "refund"}, "skill_not_found"),
        ({"agent": "sales", "name": "refunds", "file": "../../agent.yaml"}, "skill_not_found"),
        ({"agent": "sales", "name": "../sales"}, "skill_not_found"),
        ({"agent": "nobody"}, "agent_not_found"),
        ({}, "agent_needed"),
    ],
)
def test_what_is_not_there_is_told(workspace, arguments, code):
    workspace.agents.deploy("sales", FILES)
    assert read(workspace, **arguments)["error"]["code"] == code


def test_another_agents_skills_are_not_a_bound_tokens(workspace):
    for name in ("sales", "other"):
        workspace.agents.deploy(name, FILES)
    bot = Principal("bot", role="viewer").within("other")
    assert read(workspace, bot, agent="sales")["error"]["code"] == "other_agent"


@pytest.mark.parametrize(
    ("file", "text", "told"),
    [
        ("skills/refunds/SKILL.md", "Refunds.", "SKILL.md:1: a skill begins with the lines"),
        ("skills/refunds/SKILL.md", "---\ndescription: ''\n---\n", "a skill begins with the lines"),
        ("skills/refunds/SKILL.md", "---\ndescription: [\n---\n", "no valid YAML"),
        ("skills/refunds/other.md", "x", "holds no SKILL.md"),
        ("skills/refunds/run.sh", "rm", "skills/NAME"),
        ("skills/../x.md", "x", "skills/NAME"),
        ("skills/Refunds/SKILL.md", HEAD, "skills/NAME"),
        ("skills/a/b/SKILL.md", HEAD, "skills/NAME"),
    ],
)
def test_a_broken_skill_is_refused_before_anything_is_kept(workspace, file, text, told):
    with pytest.raises(InvalidInput, match=told):
        workspace.agents.deploy("sales", {"agent.yaml": "", file: text})
    assert workspace.agents.files.names() == []


def test_a_skill_broken_by_hand_is_told_where_skills_are_listed_and_disturbs_no_other(workspace):
    workspace.agents.deploy("sales", {**FILES, "skills/other/SKILL.md": HEAD})
    (workspace.paths.agents / "sales" / "skills" / "other" / "SKILL.md").write_text("no head")
    other, refunds = read(workspace, agent="sales")["details"]["skills"]
    assert ("begins with" in other["problem"], refunds["problem"]) == (True, None)


def test_a_folder_with_skills_is_deployed_exported_and_imported(tmp_path):
    root, folder = tmp_path / "root", tmp_path / "sales"
    for name, text in FILES.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text)
    assert run("init", "--root", root).returncode == 0
    assert run("agents", "deploy", folder, "--root", root).returncode == 0
    assert run("agents", "export", "sales", "--to", tmp_path / "sales.zip", "--root", root).returncode == 0
    assert run("agents", "remove", "sales", "--root", root).returncode == 0
    assert run("agents", "import", tmp_path / "sales.zip", "--yes", "--root", root).returncode == 0
    assert json.loads(run("agents", "show", "sales", "--root", root, "--json").stdout)["files"] == FILES
