"""Which provider answers when one is named; each is made when a run starts, so that what is missing is said at once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from copy import copy
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.agents.service import Assigned
from pluto_duck_backend.agent.memory.store import Memory
from pluto_duck_backend.agent.models import endpoints
from pluto_duck_backend.agent.models.abilities import AbilityStore
from pluto_duck_backend.agent.models.ledger import Ledger
from pluto_duck_backend.agent.models.meter import Meter
from pluto_duck_backend.agent.models.prices import Prices
from pluto_duck_backend.agent.providers import router as routing
from pluto_duck_backend.agent.providers.by_definition import ByDefinition, Define
from pluto_duck_backend.agent.providers.contract import Provider
from pluto_duck_backend.agent.providers.router import AUTO, EMBEDDED
from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput, Refused
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.core.recent import Recent
from pluto_duck_backend.app.services.execution.executor import QueryService

if TYPE_CHECKING:
    from pluto_duck_backend.agent.models.model import Model
    from pluto_duck_backend.agent.providers.chat import ChatProvider
    from pluto_duck_backend.agent.providers.embedded import EmbeddedProvider
    from pluto_duck_backend.agent.providers.known import Known
    from pluto_duck_backend.agent.repair.data import Data
    from pluto_duck_text2sql import Analyst, Catalog


_KEPT = 32


class Providers:
    """The providers of one data root. Thread-safe."""

    def __init__(
        self,
        settings: Settings,
        analyst: Callable[[Principal], Analyst],
        queries: QueryService,
        memory: Memory,
        define: Define,
    ) -> None:
        """`define` answers questions about metrics by their definitions."""
        self._settings = settings
        self._memory = memory
        self._analyst = analyst
        self._queries = queries
        self._define = define
        self.ledger = Ledger(settings.paths.models / "usage.jsonl")
        self._abilities = AbilityStore(settings.paths.models / "abilities.json")
        self._known: Recent[Principal, Known] = Recent(_KEPT)
        self._data: Recent[Principal, Data] = Recent(_KEPT)
        self._models: dict[endpoints.Endpoint, Model] = {}
        self._lock = threading.Lock()

    def under(self, settings: Settings) -> Providers:
        """These providers as other settings want them, with the same models, ledger and knowledge."""
        if settings is self._settings:
            return self
        other = copy(self)
        other._settings = settings
        return other

    def meter(self, run_id: str, assigned: Assigned) -> Meter:
        """What counts a run's calls, within its budget."""
        budget, name = assigned.settings.budget, assigned.who.name
        return Meter(budget, self.ledger, run_id, name, queries_today=self._queries.of_runs_today)

    def of(self, name: str | None, model: str | None, assigned: Assigned) -> Provider:
        """The provider of one run: what was asked for, else the agent's, else the installation's."""
        return self.under(assigned.settings).get(name or assigned.settings.agent.provider, model, assigned.who)

    def get(self, name: str, model: str | None, who: Principal) -> Provider:
        """The provider `name` for `who`. Raises InvalidInput for one that does not exist, and what it lacks."""
        if name == "scripted" and self._settings.agent.script:
            return self._scripted()
        provider = self._chosen(name, model, who)
        return provider if who.is_confined else ByDefinition(provider, self._define)

    def _chosen(self, name: str, model: str | None, who: Principal) -> Provider:
        if name == EMBEDDED:
            return self._embedded(who)
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
        today = Meter(self._settings.budget, self.ledger)
        chain = self._settings.agent.chain or list(self._settings.providers)
        return [self._option(name, today) for name in chain if name not in (but, EMBEDDED)]

    def _option(self, name: str, today: Meter) -> routing.Option:
        try:
            endpoint = endpoints.resolve(name, self._settings)
        except EnvironmentFault as fault:
            return routing.Option(name, is_local=False, missing=fault.message)
        spent = next(today.spent(endpoint.is_local), "")
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
            lambda: self._queries.probing(who),
            lambda: self._memory.own(who),
            lambda: self._data_of(who),
            lambda: self._blind(who),
        )

    def _blind(self, who: Principal) -> str:
        """What is said to who is confined to tables that are not there."""
        if not who.is_confined or self._analyst(who).catalog.tables:
            return ""
        whose = f"the scope of the agent {who.agent}" if who.agent else f"the rights of {who.name}"
        return (
            f"No table that there is now may be seen here: {whose} holds none. It names them as `schema.table`; "
            "`pluto-duck schema` lists those there are."
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

        analyst = self._analyst(who)
        data = self._data_over(analyst.catalog, who)
        with self._lock:
            kept = self._known.get(who)
            if kept is None or kept.analyst is not analyst:
                linker = Linker(analyst.catalog, data.joins)
                folders = _folders(self._settings.paths, who.agent)
                made = Known(analyst, data, linker, folders, lambda: self._memory.examples(who))
                kept = self._known.keep(who, made)
            return kept

    def _data_of(self, who: Principal) -> Data:
        return self._data_over(self._analyst(who).catalog, who)

    def _data_over(self, catalog: Catalog, who: Principal) -> Data:
        """The data as `who` sees it; kept while the catalog stays the same."""
        from pluto_duck_backend.agent.repair.data import Data

        with self._lock:
            kept = self._data.get(who)
            if kept is None or kept.catalog is not catalog:
                kept = self._data.keep(who, Data.of(self._queries, catalog, who))
            return kept

    def model(self, endpoint: endpoints.Endpoint) -> Model:
        """The model at an endpoint; kept, with its connections."""
        from pluto_duck_backend.agent.models.model import Model

        with self._lock:
            if endpoint not in self._models:
                self._models[endpoint] = Model(endpoint, self._abilities, Prices(self._settings.paths.prices))
            return self._models[endpoint]


def _folders(paths: Paths, agent: str) -> tuple[Path, ...]:
    """Where the rules in prose stand: the agent's own first."""
    return (paths.agents / agent, paths.knowledge) if agent else (paths.knowledge,)
