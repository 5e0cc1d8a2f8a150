"""The agents of one data root: `configs/agents/<name>/agent.yaml` and Markdown beside it; a folder an agent.

Read when first asked for, kept while its file stays the same, the longest unused given up first. What must stay true: a
broken file is told with its path and line and disturbs no other; a folder is put in place whole or not at all.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from pluto_duck_backend.agent.agents.definition import (
    NAME,
    Definition,
    bad_definition,
    check_name,
    read_definition,
)
from pluto_duck_backend.agent.agents.scopes import Mark, Patterns, ScopeIndex, mark_of
from pluto_duck_backend.agent.agents.skills import FILE, check_skills
from pluto_duck_backend.app.core.config import RightsSettings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, NotFound, PlutoDuckError, did_you_mean
from pluto_duck_backend.app.core.folders import names_in
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.recent import Recent

MAIN = "agent.yaml"
KEPT = 256
MOST_FILES = 50
LARGEST = 200_000
_PROSE = re.compile(r"[A-Za-z0-9][\w. -]{0,79}\.md")


@dataclass(frozen=True)
class Agent:
    """One agent; `folder` holds its Markdown: what it is told in prose, and its own glossary."""

    name: str
    definition: Definition
    folder: Path

    @property
    def scope(self) -> RightsSettings:
        return self.definition.scope or RightsSettings()


@dataclass(frozen=True)
class Broken:
    """A folder that holds no usable agent, and why."""

    name: str
    error: PlutoDuckError


class AgentFiles:
    """Thread-safe. At most `kept` definitions stay in memory."""

    def __init__(self, paths: Paths, kept: int = KEPT) -> None:
        self._folder = paths.agents
        self._root = paths.root
        self._kept: Recent[str, tuple[Mark, Agent]] = Recent(kept)
        self._scopes = ScopeIndex(paths.agents_known, lambda name: self._read(name).definition.scope)
        self._lock = threading.RLock()

    def names(self) -> list[str]:
        """The agents there are, broken ones too."""
        return [name for name in names_in(self._folder) if NAME.fullmatch(name)]

    def get(self, name: str) -> Agent:
        """One agent as its file says now. Raises NotFound, InvalidInput for a broken file."""
        mark = self._mark_of(name) if NAME.fullmatch(name) else None
        if mark is None:
            raise self._not_found(name)
        with self._lock:
            kept = self._kept.get(name)
        if kept is None or kept[0] != mark:
            kept = mark, self._read(name)
            with self._lock:
                self._kept.keep(name, kept)
        return kept[1]

    def every(self) -> Iterator[Agent | Broken]:
        """All of them by name, the broken ones too."""
        for name in self.names():
            try:
                yield self.get(name)
            except (InvalidInput, EnvironmentFault, NotFound) as error:
                yield Broken(name, error)

    def scopes(self) -> dict[str, Patterns]:
        """The tables of each usable agent's scope; none for one without."""
        return self._scopes.patterns(self._marks)

    def _marks(self) -> Iterator[tuple[str, Mark]]:
        """What can be looked at; of the rest it is told where it is named or listed."""
        for name in self.names():
            with contextlib.suppress(EnvironmentFault):
                if mark := self._mark_of(name):
                    yield name, mark

    def _mark_of(self, name: str) -> Mark | None:
        return mark_of(f"{self._folder}/{name}/{MAIN}")

    def _read(self, name: str) -> Agent:
        path = self._folder / name / MAIN
        return Agent(name, read_definition(_text(path), self.shown(path)), path.parent)

    def texts(self, name: str) -> dict[str, str]:
        """An agent's files by name, as they stand. Raises NotFound."""
        folder = self._folder / name
        if not NAME.fullmatch(name) or self._mark_of(name) is None:
            raise self._not_found(name)
        files = [*folder.iterdir(), *folder.glob("skills/*/*")]
        named = {path.relative_to(folder).as_posix(): path for path in sorted(files)}
        return {file: _text(path) for file, path in named.items() if file == MAIN or _is_prose(file)}

    def deploy(self, name: str, texts: Mapping[str, str]) -> Agent:
        """Put an agent in place, also of one of that name. Raises InvalidInput for files that make no agent."""
        place = self._folder / check_name(name)
        check_texts(texts, self.place(name))
        new, old = place.with_name(f".{name}.new"), place.with_name(f".{name}.old")
        with self._lock:
            try:
                for each in (new, old):
                    shutil.rmtree(each, ignore_errors=True)
                new.mkdir(mode=0o700, parents=True)
                for file, text in texts.items():
                    (new / file).parent.mkdir(parents=True, exist_ok=True)
                    (new / file).write_text(text)
                if place.exists():
                    place.rename(old)
                new.rename(place)
                shutil.rmtree(old, ignore_errors=True)
            except OSError as error:
                raise _cannot_write(place, error) from error
        return self.get(name)

    def remove(self, name: str) -> None:
        """Forget an agent and its files. Raises NotFound."""
        place = self._folder / name
        with self._lock:
            if not NAME.fullmatch(name) or not place.is_dir():
                raise self._not_found(name)
            try:
                shutil.rmtree(place)
            except OSError as error:
                raise _cannot_write(place, error) from error
            self._kept.forget(name)

    def place(self, name: str) -> str:
        """An agent's folder as people name it."""
        return self.shown(self._folder / name)

    def shown(self, path: Path) -> str:
        """A path as people name it: below the root."""
        return path.relative_to(self._root).as_posix()

    def _not_found(self, name: str) -> NotFound:
        has_folder = bool(NAME.fullmatch(name)) and (self._folder / name).is_dir()
        likely = did_you_mean(name, [each for each in self.names() if each != name])
        why = f"{self.place(name)} holds no {MAIN}." if has_folder else likely
        return NotFound(
            f"There is no agent {name[:64]!r}. {why}".rstrip(),
            code="agent_not_found",
            hint=f"`pluto-duck agents list` shows them; a new one is a file {self.shown(self._folder)}/NAME/{MAIN}.",
        )


def check_texts(texts: Mapping[str, str], place: str) -> Definition:
    """The definition among an agent's files. Raises InvalidInput where it lacks or is broken, and for other files."""
    if MAIN not in texts:
        raise bad_definition(f"{place} holds no {MAIN}.")
    if len(texts) > MOST_FILES:
        raise bad_definition(f"{place} holds {len(texts)} files; an agent has at most {MOST_FILES}.")
    for name, text in texts.items():
        if name != MAIN and not _is_prose(name):
            raise bad_definition(
                f"{place}/{name[:80]}: an agent is {MAIN}, Markdown (*.md) beside it, and skills/NAME/*.md."
            )
        if len(text) > LARGEST:
            raise bad_definition(f"{place}/{name}: it has {len(text):,} characters; at most {LARGEST:,} are read.")
    check_skills(texts, place)
    return read_definition(texts[MAIN], f"{place}/{MAIN}")


def _is_prose(name: str) -> bool:
    return bool(_PROSE.fullmatch(name) or FILE.fullmatch(name))


def _text(path: Path) -> str:
    try:
        return path.read_text()
    except OSError as error:
        raise EnvironmentFault(f"{path} cannot be read: {error.strerror or error}", code="cannot_read") from error
    except UnicodeDecodeError as error:
        raise bad_definition(f"{path}: it is no UTF-8 text.") from error


def _cannot_write(place: Path, error: OSError) -> EnvironmentFault:
    return EnvironmentFault(f"{place} cannot be written: {error.strerror or error}", code="cannot_write")
