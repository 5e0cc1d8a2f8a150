"""What an agent's file says: `configs/agents/<name>/agent.yaml`, with Markdown beside it.

Read by `files.py`. Every key is declared once here with a sentence; docs/agents.md is written from them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import Any, cast

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from pluto_duck_backend.agent.agents.lines import line_of, parsed
from pluto_duck_backend.agent.outside.server import NAME as SERVER_NAME
from pluto_duck_backend.agent.outside.server import Server
from pluto_duck_backend.app.core.config import (
    AgentSettings,
    BudgetSettings,
    Policy,
    Privacy,
    RightsSettings,
    Settings,
    Words,
)
from pluto_duck_backend.app.core.errors import InvalidInput, did_you_mean

NAME = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")
_STRICT = ConfigDict(extra="forbid")
_POLICIES: Sequence[Policy] = ("best", "prefer-local", "local-only")  # from the most that may leave to the least
_PRIVACY: Sequence[Privacy] = ("rows", "values", "schema")


class Scope(RightsSettings):
    """The part of the data that an agent works on; nobody sees more through it than they do without."""

    model_config = _STRICT


class RunBudget(BaseModel):
    """What one question may cost; of the installation's own limits the smaller ones hold."""

    model_config = _STRICT

    tokens: int = Field(0, ge=0, description="Tokens that models may use; 0: any number.")
    usd: float = Field(0, ge=0, description="US dollars that models may cost; 0: any.")
    calls: int = Field(0, ge=0, description="Calls of models; 0: any number.")
    queries: int = Field(0, ge=0, description="Queries; 0: any number.")
    seconds: float = Field(0, ge=0, description="Seconds of calls; 0: any.")


class Definition(BaseModel):
    """One agent. What is not said is as the settings say."""

    model_config = _STRICT

    description: str = Field("", max_length=2_000, description="What it answers, for people and other programs.")
    examples: list[str] = Field([], max_length=20, description="Questions it answers.")
    provider: str | None = Field(None, description="Who answers: embedded, a chat model's provider, or auto.")
    model: str | None = Field(None, description="The provider's model.")
    policy: Policy | None = Field(None, description="Who may answer; never more than the setting agent.policy lets.")
    privacy: Privacy | None = Field(None, description="What a hosted model may see; never more than agent.privacy.")
    words: Words | None = Field(None, description="Who puts a result in words.")
    max_rows: int | None = Field(None, ge=0, le=10_000, description="Rows of the result shown in the answer.")
    max_steps: int | None = Field(None, ge=0, le=50, description="Steps of one answer; 0: one query answers.")
    timeout_s: float | None = Field(None, gt=0, le=86_400, description="Seconds a run may take.")
    scope: Scope | None = Field(None, description="The part of the data it works on; empty: all of it.")
    tools: list[str] | None = Field(
        None, max_length=100, description="Actions that a token bound to it may call; left out: all of its role."
    )
    servers: dict[str, Server] = Field(
        {}, max_length=16, description="MCP servers whose tools it has, by a name for each."
    )
    budget: RunBudget = Field(RunBudget(), description="What one question may cost.")

    @field_validator("servers")
    @classmethod
    def _are_named(cls, given: dict[str, Server]) -> dict[str, Server]:
        for name in given:
            if not SERVER_NAME.fullmatch(name):
                raise ValueError(f"{name!r} is no name for a server: small letters, digits and -, at most 32")
        return given

    def settings(self, whole: Settings) -> Settings:
        """The settings a run of this agent has: its own where it says something, and never laxer ones."""
        return whole.model_copy(update={"agent": self._agent(whole.agent), "budget": self._budget(whole.budget)})

    def _agent(self, given: AgentSettings) -> AgentSettings:
        plain = ("provider", "model", "words", "max_rows", "max_steps", "timeout_s")
        said = {name: getattr(self, name) for name in plain if getattr(self, name) is not None}
        if self.provider and self.provider != given.provider:
            said = {"model": None, "base_url": "", "api_key": None} | said
        if self.policy:
            said["policy"] = max(given.policy, self.policy, key=_POLICIES.index)
        if self.privacy:
            said["privacy"] = max(given.privacy, self.privacy, key=_PRIVACY.index)
        return given.model_copy(update=said)

    def _budget(self, given: BudgetSettings) -> BudgetSettings:
        own = {
            "run_tokens": self.budget.tokens,
            "run_usd": self.budget.usd,
            "run_calls": self.budget.calls,
            "run_queries": self.budget.queries,
            "run_s": self.budget.seconds,
        }
        return given.model_copy(update={name: _smaller(getattr(given, name), limit) for name, limit in own.items()})


def read_definition(text: str, place: str) -> Definition:
    """The definition that YAML `text` holds. Raises InvalidInput naming `place`, the line and what is wrong there."""
    found = parsed(text, place)
    try:
        return Definition.model_validate(found.value)
    except ValidationError as error:
        said = [_problem(cast("dict[str, Any]", each), found.lines) for each in error.errors()]
        raise bad_definition("; ".join(f"{place}:{line}: {problem}" for line, problem in said)) from error


def check_name(name: str) -> str:
    """A name that can be a folder's, a token's and an address's. Raises InvalidInput."""
    if not NAME.fullmatch(name):
        raise InvalidInput(
            f"{name!r} is no name for an agent.",
            code="bad_agent_name",
            hint="Lower-case letters, digits, `_` and `-`, at most 64, such as sales or north-region.",
        )
    return name


def bad_definition(problem: str) -> InvalidInput:
    """What a definition that cannot be used is told as."""
    return InvalidInput(problem, code="bad_agent", hint="docs/agents.md lists what an agent's file may say.")


def _problem(error: dict[str, Any], lines: dict[tuple[str | int, ...], int]) -> tuple[int, str]:
    """The line and what is wrong there, with the names that would do."""
    where = tuple(error["loc"])
    said = ".".join(map(str, where)) or "the file"
    line = line_of(where, lines)
    if error["type"] == "extra_forbidden":
        known = _keys(where[:-1])
        likely = did_you_mean(str(where[-1]), known)
        return line, f"there is no key {said!r}. {likely or 'Known: ' + ', '.join(known) + '.'}".rstrip(".")
    if where[0] == "servers":  # a value may be a secret that ought not to stand there
        return line, f"{said}: {error['msg']}"
    return line, f"{said}={error.get('input')!r}: {error['msg']}"


def _keys(where: Iterable[str | int]) -> list[str]:
    holders: dict[str, type[BaseModel]] = {"scope": Scope, "budget": RunBudget, "servers": Server}
    return list(holders.get(str(next(iter(where), "")), Definition).model_fields)


def _smaller(given: float, own: float) -> float:
    """Of two limits, where 0 is none."""
    return min(given, own) if given and own else given or own
