"""What an agent's file says of an MCP server: where it is, what it is handed, which of its tools count.

Secrets never stand in the file: a value names variables of the environment, which are read when it is connected.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from fnmatch import fnmatchcase
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

from pluto_duck_backend.app.core.errors import EnvironmentFault

Approval = Literal["auto", "always", "never"]
NAME = re.compile(r"[a-z][a-z0-9-]{0,31}")
_REFERENCE = re.compile(r"\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}")


class Server(BaseModel):
    """One server: a `command` that speaks over stdin and stdout, or a `url` (streamable HTTP)."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    command: list[str] = Field([], max_length=100, description="The program to start, and its arguments.")
    url: str = Field("", max_length=2_000, description="In the place of a command: where it listens.")
    env: dict[str, str] = Field(
        {}, description="What the program is handed: `NAME: ${env:VARIABLE}`, from the environment of Pluto-Duck."
    )
    headers: dict[str, str] = Field({}, description="With a url: sent with each call; `Bearer ${env:VARIABLE}`.")
    allow: list[str] = Field(["*"], max_length=100, description="Its tools that count, by name; `find_*` is a pattern.")
    timeout_s: float = Field(30, gt=0, le=3_600, description="Seconds that one call may take.")
    approval: Approval = Field(
        "auto", description="Which calls a person must approve: always, never, auto: all but those it says only read."
    )

    @model_validator(mode="after")
    def _is_in_one_place(self) -> Server:
        if bool(self.command) == bool(self.url):
            raise ValueError("it wants either a command or a url")
        if self.url and not self.url.startswith(("http://", "https://")):
            raise ValueError(f"url={self.url!r} begins with neither http:// nor https://")
        if (self.env and self.url) or (self.headers and self.command):
            raise ValueError("env goes with a command, headers with a url")
        return self

    @field_validator("env", "headers")
    @classmethod
    def _are_references(cls, given: dict[str, str]) -> dict[str, str]:
        for name, value in given.items():
            if not _REFERENCE.search(value):
                raise ValueError(f"{name} names no variable of the environment; write {name}: ${{env:VARIABLE}}")
        return given

    def allows(self, tool: str) -> bool:
        return any(fnmatchcase(tool, each) for each in self.allow)

    def variables(self) -> list[str]:
        """The variables of the environment that it is handed."""
        return sorted({name for value in self._handed().values() for name in _REFERENCE.findall(value)})

    def handed(self, environment: Mapping[str, str] = os.environ) -> dict[str, str]:
        """`env` or `headers` with their values. Raises EnvironmentFault naming a variable that is not set."""
        for name in self.variables():
            if name not in environment:
                raise EnvironmentFault(
                    f"The variable {name} is not set.", code="variable_not_set", hint="Set it, then start again."
                )
        return {
            name: _REFERENCE.sub(lambda found: environment[found[1]], value) for name, value in self._handed().items()
        }

    def _handed(self) -> dict[str, str]:
        return {**self.env, **self.headers}

    def demands(self, name: str) -> Iterator[str]:
        """What it may do, in sentences for who agrees to it."""
        place = f"starts {' '.join(self.command)!r} on this machine" if self.command else f"calls {self.url}"
        handed = f", and hands it {', '.join(self.variables())}" if self.variables() else ""
        yield f"As the MCP server {name} it {place}{handed}; tools: {', '.join(self.allow)}."
        if self.approval == "never":
            yield f"Nobody is asked before a tool of {name} is called, whatever it changes."
