"""`pluto-duck agents list|show|deploy|remove|export|import`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import Conflict, EnvironmentFault, InvalidInput
from pluto_duck_backend.app.core.whole_files import write_whole
from pluto_duck_cli import exit_codes, render
from pluto_duck_cli.client import Client, connect
from pluto_duck_cli.files import form_of
from pluto_duck_cli.options import ExistingRoot, Json, command_line

app = command_line("Who answers what: agents as files, deployed, removed, exported and imported.")

Name = Annotated[str, typer.Argument(help="The agent's name.")]
Yes = Annotated[bool, typer.Option("--yes", help="Keep it without asking.")]


@app.command("list")
def every(root: ExistingRoot = None, json: Json = False) -> int:
    """All agents; of a broken file, what is wrong with it."""
    with connect(load_settings(root)) as client:
        agents = client.agents.every()
    if json:
        render.json_line({"agents": agents})
        return exit_codes.DONE
    usable = [each for each in agents if not each["problem"]]
    render.table(["agent", "reads", "answers"], [[each["name"], _reads(each), _first_line(each)] for each in usable])
    for each in agents:
        if each["problem"]:
            render.error(each["problem"], "docs/agents.md lists what an agent's file may say.")
    if not agents:
        render.talk("There are no agents. Write configs/agents/NAME/agent.yaml, see docs/agents.md.")
    return exit_codes.DONE


@app.command()
def show(name: Name, root: ExistingRoot = None, json: Json = False) -> int:
    """An agent's files."""
    with connect(load_settings(root)) as client:
        shown = client.agents.show(name)
    if json:
        render.json_line(shown)
        return exit_codes.DONE
    for file, text in shown["files"].items():
        render.data(f"# {name}/{file}\n{text.rstrip()}\n")
    return exit_codes.DONE


@app.command()
def deploy(
    folder: Annotated[Path, typer.Argument(help="A folder with agent.yaml and Markdown.")],
    name: Annotated[str, typer.Option("--name", help="The agent's name; else the folder's.")] = "",
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Put the files of a folder in place as an agent; a server that runs uses them at once."""
    with connect(load_settings(root)) as client:
        told = client.agents.deploy(name or folder.resolve().name, _texts(folder))
    return _told(told, json)


@app.command()
def remove(name: Name, root: ExistingRoot = None, json: Json = False) -> int:
    """Forget an agent and its files."""
    with connect(load_settings(root)) as client:
        told = client.agents.remove(name)
    if json:
        render.json_line(told)
    else:
        render.talk(f"{name} is removed.")
    return exit_codes.DONE


@app.command()
def export(
    name: Name,
    to: Annotated[Path, typer.Option("--to", help="The file to write, FILE.zip.")],
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Write an agent as one file to send."""
    from pluto_duck_backend.agent.agents.archive import packed

    form_of(to, ("zip",))
    with connect(load_settings(root)) as client:
        files = client.agents.show(name)["files"]
    write_whole(to, [packed(name, files)])
    if json:
        render.json_line({"name": name, "file": str(to), "files": sorted(files)})
    else:
        render.talk(f"{name} is in {to}: {', '.join(sorted(files))}")
    return exit_codes.DONE


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(help="A file that `agents export` wrote.")],
    name: Annotated[str, typer.Option("--name", help="The agent's name; else the archive's.")] = "",
    yes: Yes = False,
    root: ExistingRoot = None,
    json: Json = False,
) -> int:
    """Look at an agent from elsewhere, say what it would be given, and keep it where that is agreed to."""
    from pluto_duck_backend.agent.agents.archive import unpacked

    packed_name, texts = unpacked(_bytes(file), str(file))
    with connect(load_settings(root)) as client:
        wanted = name or packed_name
        _not_over_another(client, wanted, yes)
        checked = client.agents.deploy(wanted, texts, check=True)
        if not yes and not _agreed(checked, texts, json):
            return exit_codes.NEEDS_INPUT
        told = client.agents.deploy(wanted, texts)
    return _told(told, json)


def _not_over_another(client: Client, name: str, yes: bool) -> None:
    if not yes and any(each["name"] == name for each in client.agents.every()):
        raise Conflict(
            f"There is an agent {name!r} already.",
            code="agent_exists",
            hint="Give another --name, or --yes to put this one in its place.",
        )


def _agreed(checked: Mapping[str, Any], texts: Mapping[str, str], as_json: bool) -> bool:
    """Whether a person says yes to what the agent would be given; without one nothing is kept."""
    if as_json:
        render.json_line({**checked, "files": sorted(texts)})
        return False
    render.talk(f"{checked['name']}: {', '.join(sorted(texts))}")
    for each in checked["demands"]:
        render.talk(f"  {each}")
    if not render.is_talking():
        render.talk("Nothing is kept: give --yes to agree.")
        return False
    return typer.confirm("Keep it?", err=True)


def _told(told: Mapping[str, Any], as_json: bool) -> int:
    if as_json:
        render.json_line(dict(told))
    else:
        render.talk(f"{told['name']} is deployed. {' '.join(told['demands'])}")
    return exit_codes.DONE


def _texts(folder: Path) -> dict[str, str]:
    """An agent's files in a folder and its skills', hidden ones and other folders left out."""
    if not folder.is_dir():
        raise InvalidInput(f"There is no folder {folder}.", code="no_folder", hint="It wants a folder with agent.yaml.")
    found = sorted([*folder.iterdir(), *folder.glob("skills/*/*")])
    files = [path for path in found if path.is_file() and not path.name.startswith(".")]
    return {path.relative_to(folder).as_posix(): _bytes(path).decode(errors="replace") for path in files}


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror or error}", code="cannot_read") from error


def _reads(agent: Mapping[str, Any]) -> str:
    return ", ".join(agent["scope"].get("tables", ["*"])) if "scope" in agent else "everything"


def _first_line(agent: Mapping[str, Any]) -> str:
    return str(agent.get("description", "")).strip().partition("\n")[0]
