"""Writes the reference pages that are derived from the code: `python -m tests.contracts.reference`.

Each function returns one page; tests/contracts/test_docs.py compares them with docs/.
"""

import ast
import json
import re
import textwrap
from collections.abc import Iterator
from configparser import ConfigParser
from functools import partial
from pathlib import Path
from typing import get_args, get_origin

from pydantic import BaseModel
from pydantic_core import PydanticUndefined
from tests.figures.tables import filled

from pluto_duck_backend.agent.actions import registry
from pluto_duck_backend.agent.actions.contract import Action
from pluto_duck_backend.agent.agents.definition import Definition, RunBudget, Scope
from pluto_duck_backend.agent.models.faults import FAULTS
from pluto_duck_backend.agent.outside.server import Server
from pluto_duck_backend.app.api.roles import AT_ROOT, NEEDED
from pluto_duck_backend.app.core import errors
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.principal import ROLES, Principal, Role

ROOT = Path(__file__).parents[2]
FIGURES = ROOT / "tests" / "fixtures" / "suites" / "figures.json"
KEYS = "<!-- What follows is written by `make docs`; a test compares. -->"
GENERATED = "<!-- Written by `make docs`; a test compares. -->\n\n"


def settings_page() -> str:
    """Every setting: its name in config.toml and in the environment, its default, its sentence."""
    lines = [
        "# Settings\n",
        GENERATED
        + "A flag wins over the environment, then `.env`, then `<root>/configs/config.toml`, then the default.\n"
        + "What is misspelt, here or there, is told, and nothing runs. A group or a list is JSON in the environment.\n",
        "| in config.toml | in the environment | default | what it does |",
        "|---|---|---|---|",
        *(f"| `{name}` | `{variable}` | {default} | {text} |" for name, variable, default, text in _settings()),
    ]
    return "\n".join(lines) + "\n"


def _settings() -> Iterator[tuple[str, str, str, str]]:
    for group, field in Settings.model_fields.items():
        named = get_args(field.annotation)
        if get_origin(field.annotation) is dict and hasattr(named[1], "model_fields"):
            yield from _group(f"{group}.NAME", named[1])
            continue
        if not hasattr(field.annotation, "model_fields"):
            yield group, f"PLUTODUCK_{group.upper()}", f"`{field.default}`", field.description or ""
            continue
        yield from _group(group, field.annotation)


def _group(group: str, model: type[BaseModel]) -> Iterator[tuple[str, str, str, str]]:
    for key, inner in model.model_fields.items():
        named = get_args(inner.annotation)
        if get_origin(inner.annotation) is dict and hasattr(named[1], "model_fields"):
            yield from _group(f"{group}.{key}.NAME", named[1])
            continue
        default = "–" if inner.default in (None, "", PydanticUndefined) or inner.default == {} else f"`{inner.default}`"
        variable = f"PLUTODUCK_{group}.{key}".replace(".", "__").upper()
        yield f"{group}.{key}", variable, default, inner.description or ""


def errors_page() -> str:
    """Every error code raised anywhere, by its class, with what is said where the code is raised."""
    lines = [
        "# Errors\n",
        GENERATED
        + "An error has a message that names the thing and the value, a stable `code`, its `kind`, and a `hint`: the\n"
        "next step. HTTP answers with a problem document holding `code`, `kind`, `detail` and `hint`; the command\n"
        "line prints message and hint on stderr and exits with that of its kind, also of a job and through a server.\n"
        "`…` stands for what the message names; a code with `–` is told in words of its own each time.\n",
    ]
    told = _codes()
    for kind, meaning in re.findall(r"^ {6,8}(\w+) {2,}(.+)$", errors.__doc__ or "", re.MULTILINE):
        lines += _errors_of(kind, meaning, {code: said for (code, of), said in told.items() if of == kind})
    return "\n".join(lines)


def _errors_of(kind: str, meaning: str, codes: dict[str, str]) -> list[str]:
    cls = getattr(errors, kind)
    rows = [f"| `{code}` | {said or '–'} |" for code, said in sorted(codes.items())]
    head = [f"## {kind}\n", f"HTTP {cls.status}, kind `{cls.code}`, exit code {cls.exit_code}: {meaning}.\n"]
    return [*head, "| code | what is said |", "|---|---|", *rows, ""] if rows else []


def _codes() -> dict[tuple[str, str], str]:
    """Each code with its class, and what is said where it is raised first; '' where that is put together elsewhere."""
    found = {(kind.code, name): "" for name, kind in vars(errors).items() if hasattr(kind, "exit_code")}
    found |= {(f"model_{kind}", "EnvironmentFault"): f"… {fault.says}." for kind, fault in FAULTS.items()}
    for path in sorted([*(ROOT / "backend").rglob("*.py"), *(ROOT / "packages").rglob("*.py")]):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and hasattr(errors, node.func.id):
                for code in _code_of(node):
                    found[code, node.func.id] = found.get((code, node.func.id)) or _said(node)
    return {each: said for each, said in found.items() if each[1] != "PlutoDuckError"}


def _said(call: ast.Call) -> str:
    """The message of an error that is raised, `…` for what is put into it."""
    message = call.args[0] if call.args else None
    parts = message.values if isinstance(message, ast.JoinedStr) else [message]
    if not all(isinstance(part, (ast.Constant, ast.FormattedValue)) for part in parts):
        return ""
    words = "".join(str(part.value) if isinstance(part, ast.Constant) else "…" for part in parts)
    return " ".join(words.replace("|", "\\|").split()) if words.strip("… .:") else ""


def _code_of(call: ast.Call) -> list[str]:
    values = [word.value for word in call.keywords if word.arg == "code"]
    return [value.value for value in values if isinstance(value, ast.Constant) and value.value]


def types_page() -> str:
    """What becomes of each type of a database: the cases of tests/fixtures/types, which tests load for real."""
    lines = [
        "# Types of databases\n",
        GENERATED
        + "Each line is loaded from a real server in the tests, alone in its table and beside all others; value\n"
        "and type in the warehouse are as shown. What has no type in DuckDB comes as the server's text.\n",
    ]
    for kind, title in (("postgres", "PostgreSQL"), ("mysql", "MySQL and MariaDB")):
        rows = [line.split(" | ") for line in (ROOT / f"tests/fixtures/types/{kind}.txt").read_text().splitlines()]
        lines += [f"## {title}\n", f"| {title} | value | DuckDB | value there |", "|---|---|---|---|"]
        lines += ["| " + " | ".join(f"`{cell}`" for cell in row) + " |" for row in rows] + [""]
    return "\n".join(lines)


def roles_page() -> str:
    """Every call with the roles that may make it: what the tests of roles hold each call to."""
    lines = [
        "# Roles\n",
        GENERATED + "Each role may do what those before it may. Paths are below `/api/v1`, but for those of\n"
        "[A2A](a2a.md) and the like, whose place others chose; a token is made by\n"
        "`pluto-duck tokens create NAME --role ROLE` ([http-api.md](http-api.md#who-may-call)). A viewer asks and\n"
        "looks, an analyst writes SQL, boards and confirmed answers, an engineer loads data and runs dbt, an admin\n"
        "sees everybody's questions, what they cost, and the settings. All but an admin see their own questions and\n"
        "queries only.\n",
        f"| call | {' | '.join(ROLES)} |",
        "|---" * (len(ROLES) + 1) + "|",
        *(f"| `{call}` | {' | '.join(_marks(role))} |" for call, role in NEEDED.items()),
        "",
        "At the root of the server:\n",
        f"| call | {' | '.join(ROLES)} |",
        "|---" * (len(ROLES) + 1) + "|",
        *(f"| `{call}` | {' | '.join(_marks(role))} |" for call, role in AT_ROOT.items()),
    ]
    return "\n".join(lines) + "\n"


def _marks(needed: Role) -> list[str]:
    return ["yes" if Principal(role=role).is_at_least(needed) else "–" for role in ROLES]


def tools_page() -> str:
    """Every action of ours, below what a person wrote of them."""
    page = (ROOT / "docs" / "tools.md").read_text()
    written, mark, _ = page.partition(KEYS)
    rows = [
        f"| `{each.name}` | {each.role} | {', '.join(_taken(each)) or '–'} | {each.description} |"
        for each in registry.installed().values()
    ]
    return "\n".join([f"{written}{mark}", "", "| action | role | takes | gives |", "|---|---|---|---|", *rows]) + "\n"


def _taken(each: Action) -> list[str]:
    required = each.input_schema.get("required", ())
    return [f"`{name}`" if name in required else f"`{name}?`" for name in each.parameters]


def agents_page() -> str:
    """What an agent's file may say, below what a person wrote of it."""
    page = (ROOT / "docs" / "agents.md").read_text()
    written, mark, _ = page.partition(KEYS)
    rows = [f"| `{key}` | {text} |" for key, text in _keys(Definition)]
    return "\n".join([f"{written}{mark}", "", "| key | what it says |", "|---|---|", *rows]) + "\n"


def _keys(model: type[BaseModel], before: str = "") -> Iterator[tuple[str, str]]:
    below = {"scope": (Scope, ""), "budget": (RunBudget, ""), "servers": (Server, "NAME.")}
    for name, each in model.model_fields.items():
        yield f"{before}{name}", each.description or ""
        if name in below and not before:
            inner, named = below[name]
            yield from _keys(inner, f"{name}.{named}")


def rooms_page() -> str:
    """The embedded analyst's rooms from the import contract, the highest first, each with a sentence and its files."""
    contract = ConfigParser()
    contract.read(ROOT / ".importlinter")
    levels = contract["importlinter:contract:rooms"]["layers"].split("\n")
    lines = [
        "# The rooms of the embedded analyst\n",
        GENERATED
        + "What a room imports lies below it, which `make check` holds the code to. Begin with `analyst.py`. What\n"
        "each file does is told with its part: [what it understands](embedded-analyst-phrases.md), "
        "[your data](embedded-analyst-data.md),\n"
        "[follow-ups](embedded-analyst-followups.md), [refusals](embedded-analyst-refusals.md), "
        "[how a reading is judged](embedded-analyst-training.md).\n",
        *(_room(name) for level in levels for name in level.split(" | ") if name),
    ]
    return "\n".join(lines) + "\n"


def _room(name: str) -> str:
    folder = ROOT / "packages" / "pluto_duck_text2sql" / name
    path = folder / "__init__.py" if folder.is_dir() else folder.with_suffix(".py")
    sentence = (ast.get_docstring(ast.parse(path.read_text())) or "").partition("\n\n")[0].replace("\n", " ")
    within = sorted(each.stem for each in folder.rglob("*.py") if each.stem != "__init__")
    if not within:
        return _filled(f"- **`{name}.py`**: {sentence}", "  ")
    files = " ".join(f"`{each}`" for each in within)
    return _filled(f"- **`{name}/`**: {sentence}", "  ") + "\n" + _filled(f"  - {files}", "    ")


def _filled(text: str, indent: str) -> str:
    return textwrap.fill(text, 118, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False)


def figures_page(name: str) -> str:
    """A page whose tables of figures are as the suites were last counted (`make figures`)."""
    return filled((ROOT / "docs" / name).read_text(), json.loads(FIGURES.read_text()))


PAGES = {
    "agents.md": agents_page,
    "tools.md": tools_page,
    "settings.md": settings_page,
    "errors.md": errors_page,
    "types.md": types_page,
    "roles.md": roles_page,
    "analyst-rooms.md": rooms_page,
    "embedded-analyst.md": partial(figures_page, "embedded-analyst.md"),
    "embedded-analyst-figures.md": partial(figures_page, "embedded-analyst-figures.md"),
}

if __name__ == "__main__":
    for name, page in PAGES.items():
        (ROOT / "docs" / name).write_text(page())
        print(f"docs/{name}")
