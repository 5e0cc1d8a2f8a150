"""Which provider answers when one is named; each is made when a run starts, so that what is missing is said at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.memory.store import Memory
from pluto_duck_backend.agent.models import endpoints
from pluto_duck_backend.agent.models.ledger import Ledger
from pluto_duck_backend.agent.models.meter import Meter
from pluto_duck_backend.agent.models.prices import Prices
from pluto_duck_backend.agent.providers import router as routing
from pluto_duck_backend.agent.providers.contract import Provider
from pluto_duck_backend.agent.providers.router import EMBEDDED
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, Refused
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryService

if TYPE_CHECKING:
    from pluto_duck_backend.agent.models.model import Model
    from pluto_duck_backend.agent.providers.chat import ChatProvider
    from pluto_duck_backend.agent.providers.embedded import EmbeddedProvider
    from pluto_duck_backend.agent.providers.known import Known
    from pluto_duck_text2sql import Analyst


AUTO = "auto"


class Providers:
    """The providers of one data root. Thread-safe."""

    def __init__(
        self, settings: Settings, analyst: Callable[[Principal], Analyst], queries: QueryService, memory: Memory
    ) -> None:
        self._settings = settings
        self._memory = memory
        self._analyst = analyst
        self._queries = queries
        self.ledger = Ledger(settings.paths.models / "usage.jsonl")
        self._known: dict[Principal, Known] = {}
        self._models: dict[endpoints.Endpoint, Model] = {}
        self._lock = threading.Lock()

    def meter(self, run_id: str, who: Principal) -> Meter:
        """What counts a run's calls, within the budget."""
        return Meter(self._settings.budget, self.ledger, run_id, who.name)

    def get(self, name: str, model: str | None, who: Principal) -> Provider:
        """The provider `name` for `who`. Raises InvalidInput for one that does not exist, and what it lacks."""
        if name == EMBEDDED:
            return self._embedded(who)
        if name == "scripted" and self._settings.agent.script:
            return self._scripted()
        return self._auto(who) if name == AUTO else self._named(name, model, who)

    def _named(self, name: str, model: str | None, who: Principal) -> Provider:
        """The provider the user chose, and whom to ask where it fails."""
        policy = self._settings.agent.policy
        first = endpoints.resolve(name, self._settings, model)
        if policy == "local-only" and not first.is_local:
            raise Refused(
                f"{name} is not in the house, and agent.policy is local-only.",
                code="not_local",
                hint=f"Choose a local provider, or set providers.{name}.is_local where data stays with you.",
            )
        others = self._options(but=name) if self._settings.agent.chain else []
        order = routing.named(policy, name, self._settings.agent.max_latency_s, others)
        return self._routed(name, {name: first}, order, who)

    def _auto(self, who: Principal) -> Provider:
        """Whoever the router chooses. Raises InvalidInput where there is no model to choose."""
        agent, options = self._settings.agent, self._options()
        if not options:
            raise InvalidInput(
                "agent.provider=auto needs models to choose from, and none is configured.",
                code="no_models",
                hint="`pluto-duck config add NAME` sets one up.",
            )
        decide = partial(routing.route, agent.policy, agent.sure, agent.max_latency_s, options)
        return self._routed(AUTO, {}, decide, who)

    def _options(self, but: str = "") -> list[routing.Option]:
        """The models of the chain as the router sees them."""
        spent = next(iter(Meter(self._settings.budget, self.ledger).spent()), "")
        chain = self._settings.agent.chain or list(self._settings.providers)
        return [self._option(name, spent) for name in chain if name != but]

    def _option(self, name: str, spent: str) -> routing.Option:
        try:
            endpoint = endpoints.resolve(name, self._settings)
        except EnvironmentFault as fault:
            return routing.Option(name, is_local=False, missing=fault.message)
        return routing.Option(name, endpoint.is_local, self.ledger.latency_s(name), spent)

    def _routed(
        self,
        name: str,
        known: dict[str, endpoints.Endpoint],
        decide: Callable[[routing.Facts], routing.Route] | routing.Route,
        who: Principal,
    ) -> Provider:
        from pluto_duck_backend.agent.providers.routed import RoutedProvider
        from pluto_duck_backend.agent.providers.voting import Voting

        def chat(wanted: str) -> ChatProvider:
            return self._chat(known.get(wanted) or endpoints.resolve(wanted, self._settings), who)

        voting = Voting(lambda sql, rows: self._queries.probe(sql, rows, who=who))
        return RoutedProvider(name, self._embedded(who), chat, decide, voting)

    def _embedded(self, who: Principal) -> EmbeddedProvider:
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

    def _chat(self, endpoint: endpoints.Endpoint, who: Principal) -> ChatProvider:
        from pluto_duck_backend.agent.providers.chat import ChatProvider
        from pluto_duck_backend.agent.providers.phrasing import Phrasing
        from pluto_duck_backend.agent.providers.privacy import Sight
        from pluto_duck_backend.agent.providers.prompting import Prompts

        model = self.model(endpoint)
        prompts = Prompts(self._settings.paths.prompts)
        sight = Sight.of(self._settings.agent.privacy, endpoint.is_local)
        phrasing = Phrasing(model, prompts, sight, self._settings.agent.words)
        return ChatProvider(model, lambda: self._known_of(who), prompts, sight, phrasing)

    def _known_of(self, who: Principal) -> Known:
        """What is known of the data as `who` sees it; kept while the catalog stays the same."""
        from pluto_duck_backend.agent.context import Linker
        from pluto_duck_backend.agent.providers.known import Known
        from pluto_duck_backend.agent.repair import Data

        analyst = self._analyst(who)
        with self._lock:
            kept = self._known.get(who)
            if kept is None or kept.analyst is not analyst:
                data = Data.of(self._queries, analyst.catalog, who)
                linker = Linker(analyst.catalog, data.joins)
                kept = Known(analyst, data, linker, self._settings.paths, lambda: self._memory.examples(who))
                self._known[who] = kept
            return kept

    def model(self, endpoint: endpoints.Endpoint) -> Model:
        """The model at an endpoint; kept, with its connections."""
        from pluto_duck_backend.agent.models.abilities import AbilityStore
        from pluto_duck_backend.agent.models.model import Model

        with self._lock:
            if endpoint not in self._models:
                abilities = AbilityStore(self._settings.paths.models / "abilities.json")
                self._models[endpoint] = Model(endpoint, abilities, Prices(self._settings.paths.prices))
            return self._models[endpoint]
