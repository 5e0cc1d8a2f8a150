"""What an agent reads up when it is needed: `skills/NAME/SKILL.md` in its folder, with Markdown beside it.

A skill's head says what it is about; the rest is read when a question or a program asks for it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pluto_duck_backend.agent.agents.definition import NAME, bad_definition
from pluto_duck_backend.agent.agents.lines import parsed
from pluto_duck_backend.app.core.errors import InvalidInput, NotFound, did_you_mean
from pluto_duck_backend.app.core.folders import names_in

MAIN = "SKILL.md"
FILE = re.compile(rf"skills/({NAME.pattern})/([A-Za-z0-9][\w. -]{{0,79}}\.md)")
_HEAD = re.compile(r"---\n(.*?\n)---\n", re.DOTALL)
_LARGEST_HEAD = 10_000


@dataclass(frozen=True)
class Skill:
    """`problem`: why its head cannot be read; empty: it can."""

    name: str
    description: str
    folder: Path
    problem: str = ""

    def files(self) -> list[str]:
        return sorted(path.name for path in self.folder.glob("*.md"))


def skills_of(folder: Path) -> Iterator[Skill]:
    """The skills of an agent's folder, by name; only their heads are read."""
    for name in names_in(f"{folder}/skills"):
        path = folder / "skills" / name / MAIN
        if NAME.fullmatch(name) and path.exists():
            yield _skill(name, path)


def body(folder: Path, name: str, file: str = MAIN) -> str:
    """A file of a skill, without its head. Raises NotFound."""
    known = {skill.name: skill for skill in skills_of(folder)}
    if name not in known:
        said = f"There is no skill {name[:64]!r}. {did_you_mean(name, known)}".rstrip()
        raise NotFound(said, code="skill_not_found", hint=f"There are: {', '.join(known) or 'none'}.")
    files = known[name].files()
    if file not in files:
        hint = f"It has {', '.join(files)}."
        raise NotFound(f"The skill {name} has no file {file[:80]!r}.", code="skill_not_found", hint=hint)
    return _HEAD.sub("", (known[name].folder / file).read_text(errors="replace"), count=1)


def check_skills(texts: Mapping[str, str], place: str) -> None:
    """Raises InvalidInput for a skill among an agent's files that has no head, or no SKILL.md."""
    found = [match for match in map(FILE.fullmatch, texts) if match]
    for name in {match[1] for match in found}:
        main = f"skills/{name}/{MAIN}"
        if main not in texts:
            raise bad_definition(f"{place}/skills/{name} holds no {MAIN}.")
        _description(texts[main], f"{place}/{main}")


def _skill(name: str, path: Path) -> Skill:
    try:
        with path.open(errors="replace") as file:
            return Skill(name, _description(file.read(_LARGEST_HEAD), f"skills/{name}/{MAIN}"), path.parent)
    except InvalidInput as error:
        return Skill(name, "", path.parent, error.message)


def _description(text: str, place: str) -> str:
    head = _HEAD.match(text)
    said = parsed(head[1], place).value.get("description") if head else None
    if not isinstance(said, str) or not said.strip():
        raise bad_definition(f"{place}:1: a skill begins with the lines `---`, `description: what it is about`, `---`.")
    return said.strip()
