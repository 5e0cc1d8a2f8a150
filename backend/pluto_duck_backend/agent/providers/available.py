"""Which provider answers when one is named; each is made when a run starts, so that what is missing is said at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.memory.store import Memory
from pluto_duck_backend.agent.models import endpoints
from pluto_duck_backend.agent.providers.contract import Provider
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryService

if TYPE_CHECKING:
    from pluto_duck_backend.agent.models.model import Model
    from pluto_duck_text2sql import Analyst


class Providers:
    """The providers of one data root. Thread-safe."""

    def __init__(
        self, settings: Settings, analyst: Callable[[Principal], Analyst], queries: QueryService, memory: Memory
    ) -> None:
        self._settings = settings
        self._memory = memory
        self._analyst = analyst
        self._queries = queries
        self._models: dict[endpoints.Endpoint, Model] = {}
        self._lock = threading.Lock()

    def get(self, name: str, model: str | None, who: Principal) -> Provider:
        """The provider `name` for `who`. Raises InvalidInput for one that does not exist, and what it lacks."""
        if name == "embedded":
            return self._embedded(who)
        if name == "scripted" and self._settings.agent.script:
            return self._scripted()
        return self._chat(endpoints.resolve(name, self._settings, model), who)

    def _embedded(self, who: Principal) -> Provider:
        from pluto_duck_backend.agent.providers.embedded import EmbeddedProvider

        return EmbeddedProvider(
            lambda: self._analyst(who),
            lambda sql: self._queries.probe(sql, who=who),
            lambda: self._memory.examples(who),
        )

    def _scripted(self) -> Provider:
        from pluto_duck_backend.agent.providers.scripted import ScriptedProvider

        assert self._settings.agent.script is not None
        return ScriptedProvider.read(self._settings.agent.script)

    def _chat(self, endpoint: endpoints.Endpoint, who: Principal) -> Provider:
        from pluto_duck_backend.agent.providers.chat import ChatProvider
        from pluto_duck_backend.agent.providers.phrasing import Phrasing
        from pluto_duck_backend.agent.providers.privacy import Sight
        from pluto_duck_backend.agent.providers.prompting import Prompts

        model = self.model(endpoint)
        prompts = Prompts(self._settings.paths.prompts)
        sight = Sight.of(self._settings.agent.privacy, endpoint.is_local)
        phrasing = Phrasing(model, prompts, sight, self._settings.agent.words)
        return ChatProvider(model, lambda: self._analyst(who), prompts, sight, phrasing)

    def model(self, endpoint: endpoints.Endpoint) -> Model:
        """The model at an endpoint; kept, with its connections."""
        from pluto_duck_backend.agent.models.abilities import AbilityStore
        from pluto_duck_backend.agent.models.model import Model

        with self._lock:
            if endpoint not in self._models:
                self._models[endpoint] = Model(endpoint, AbilityStore(self._settings.paths.models / "abilities.json"))
            return self._models[endpoint]
