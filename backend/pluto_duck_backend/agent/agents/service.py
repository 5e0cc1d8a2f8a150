"""Who answers: an agent that was named, the one of the conversation, the one that bids best, or nobody in particular.

RunManager asks before a run begins, and once more from its worker where no agent is named.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING, Any

from pluto_duck_backend.agent.agents.archive import demands
from pluto_duck_backend.agent.agents.bids import Choice, choose
from pluto_duck_backend.agent.agents.definition import Definition, check_name
from pluto_duck_backend.agent.agents.files import Agent, AgentFiles, Broken, check_texts
from pluto_duck_backend.agent.agents.held import Held
from pluto_duck_backend.agent.conversation import Ask
from pluto_duck_backend.agent.outside.server import Server
from pluto_duck_backend.app.core.config import OutsideSettings, RightsSettings, Settings
from pluto_duck_backend.app.core.errors import Refused
from pluto_duck_backend.app.core.principal import OWNER, Principal
from pluto_duck_backend.app.services.execution.guard.rights import full_pattern

if TYPE_CHECKING:
    from pluto_duck_text2sql import Analyst

_FOR_ALL = {"description", "examples"}
#   what is told to whoever may ask an agent; its scope and servers name what not everybody may know of


@dataclass(frozen=True)
class Assigned:
    """What a run has: who asks, seeing no more than the agent's scope shows, and the settings that hold for it."""

    who: Principal
    settings: Settings

    @property
    def agent(self) -> str:
        return self.who.agent


class Agents:
    """The agents of one data root. Thread-safe."""

    def __init__(
        self,
        files: AgentFiles,
        settings: Settings,
        analyst: Callable[[Principal], Analyst],
        tables: Callable[[], Sequence[str]],
    ) -> None:
        """`tables` tells all there are, as `schema.table`."""
        self.files = files
        self._settings = settings
        self._analyst = analyst
        self._tables = tables

    def scope_of(self, name: str) -> RightsSettings:
        """What an agent works on. Raises NotFound, InvalidInput for a broken file."""
        return self.files.get(name).scope

    def assign(self, name: str | None, who: Principal) -> Assigned:
        """The agent `name`, or who is settled already. Raises NotFound, InvalidInput, Refused."""
        if who.agent and name and name != who.agent:
            raise Refused(
                f"{who.name!r} works with the agent {who.agent!r} alone, not with {name!r}.",
                code="other_agent",
                hint="Leave the agent out, or use a token that was made without --agent.",
            )
        wanted = name or who.agent
        if not wanted:
            return Assigned(who, self._settings)
        agent = self.files.get(wanted)
        return Assigned(_bound(who, agent), agent.definition.settings(self._settings))

    def check_tool(self, tool: str, who: Principal) -> None:
        """Raises Refused where the agent that `who` is bound to lets no one call the action `tool`."""
        if not who.agent:
            return
        allowed = self.files.get(who.agent).definition.tools
        if allowed is not None and not any(fnmatchcase(tool, each) for each in allowed):
            raise Refused(
                f"{who.name!r} works with the agent {who.agent!r}, which has no tool {tool!r}.",
                code="tool_not_granted",
                hint=f"Its tools: {', '.join(allowed) or 'none'}. An admin adds one in its agent.yaml.",
            )

    def choose(self, ask: Ask, who: Principal) -> Choice | None:
        """Who bids best for a question; None where there are no agents to choose from."""
        scopes = self.files.scopes()
        if not any(scopes.values()):
            return None
        analyst = self._analyst(who)
        seen = [f"{table.schema}.{table.name}" for table in analyst.catalog.tables]
        return choose(scopes, analyst.ask(ask.question, history=ask.history, choice=ask.choice), seen)

    def every(self, who: Principal = OWNER) -> list[dict[str, Any]]:
        """The agents that `who` may ask; what their files say, and broken ones, are told to who may see everything."""
        every = [each for each in self.files.every() if not who.agent or each.name == who.agent]
        if who.sees_all_work:
            return [_shown(each) for each in every]
        return [_shown(each, _FOR_ALL) for each in every if isinstance(each, Agent)]

    def show(self, name: str) -> dict[str, Any]:
        """One agent with the texts of its files. Raises NotFound, InvalidInput for a broken file."""
        return {**_shown(self.files.get(name)), "files": self.files.texts(name)}

    def deploy(self, name: str, files: Mapping[str, str], check: bool = False) -> dict[str, Any]:
        """Put an agent in place, or `check` it alone; what it would be given. Raises InvalidInput."""
        definition = check_texts(files, self.files.place(check_name(name)))
        for server in definition.servers.values():
            _check_may_be_sent(server, self._settings.outside)
        if not check:
            self.files.deploy(name, files)
        told = [*demands(definition, self._settings), *_fits_nothing(definition, self._tables())]
        return {"name": name, "deployed": not check, "demands": told}

    def remove(self, name: str) -> dict[str, Any]:
        """Forget an agent and its files. Raises NotFound."""
        self.files.remove(name)
        return {"name": name}


def _check_may_be_sent(server: Server, settings: OutsideSettings) -> None:
    """What is sent here may start and be handed only what this machine's owner has named. Raises Refused."""
    program = server.command[0] if server.command else None
    if program and program not in settings.commands and "*" not in settings.commands:
        raise Refused(
            f"An agent that is deployed may not start {program!r}.",
            code="program_not_allowed",
            hint="Add it to the setting outside.commands, or put the agent's folder in configs/agents by hand.",
        )
    for name in server.variables():
        if name not in settings.variables:
            raise Refused(
                f"An agent that is deployed may not be handed the variable {name}.",
                code="variable_not_allowed",
                hint="Add it to the setting outside.variables, or put the agent's folder in configs/agents by hand.",
            )


def _fits_nothing(definition: Definition, tables: Sequence[str]) -> list[str]:
    """What of a scope names no table there is now, in a sentence each; it may come later."""
    scope = definition.scope or RightsSettings()
    named, held = dict.fromkeys([*scope.tables, *scope.columns, *scope.rows]), Held(tables)
    return [f"There is no table {each} now." for each in named if not held.by((full_pattern(each),))]


def _bound(who: Principal, agent: Agent) -> Principal:
    """A token that is bound to an agent sees its scope at every door, so it stays as it is."""
    if who.agent:
        return who
    return who.within(agent.name) if agent.definition.scope else replace(who, agent=agent.name)


def _shown(each: Agent | Broken, only: set[str] | None = None) -> dict[str, Any]:
    if isinstance(each, Broken):
        return {"name": each.name, "problem": each.error.message}
    said = each.definition.model_dump(include=only, exclude_none=True, exclude_defaults=True)
    return {"name": each.name, **said, "problem": None}
