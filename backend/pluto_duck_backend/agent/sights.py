"""The data as somebody sees it: a catalog for each right, an analyst for each right and agent.

Kept as long as neither the data, the files nor the day change, since building one costs more than asking it; the
longest unused are given up, so that thousands of agents need no more memory than a few.
"""

from __future__ import annotations

import datetime as dt
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from pluto_duck_backend.app.core.config import Settings
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.core.recent import Recent
from pluto_duck_backend.app.core.warehouse import Warehouse
from pluto_duck_backend.app.services.execution.catalog import CatalogService
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_backend.app.services.execution.knowledge import GlossaryFiles

if TYPE_CHECKING:
    from pluto_duck_text2sql import Analyst, Catalog
    from pluto_duck_text2sql.language.glossary import Item

_KEPT = 32


@dataclass(frozen=True)
class _Sight:
    """An analyst, with what it was made from."""

    catalog: Catalog
    own: tuple[Item, ...]
    today: dt.date
    analyst: Analyst


class Sights:
    """Thread-safe. `folder_of` is where an agent's Markdown lies."""

    def __init__(
        self, warehouse: Warehouse, settings: Settings, queries: QueryService, folder_of: Callable[[str], Path]
    ) -> None:
        self._warehouse = warehouse
        self._settings = settings
        self._queries = queries
        self._folder_of = folder_of
        self.whole = CatalogService(warehouse, settings)
        self._catalogs: Recent[str, CatalogService] = Recent(_KEPT)
        self._glossaries: Recent[str, GlossaryFiles] = Recent(_KEPT)
        self._analysts: Recent[tuple[str, str], _Sight] = Recent(_KEPT)
        self._catalogs_lock = threading.Lock()
        self._building = threading.Lock()

    def catalog_of(self, who: Principal) -> CatalogService:
        """The catalog of what `who` may see. Raises InvalidInput for rights nobody defined, NotFound for an agent."""
        rights = self._queries.rights_of(who)
        if rights is None:
            return self.whole
        with self._catalogs_lock:
            return self._catalogs.get(rights.name) or self._catalogs.keep(
                rights.name, CatalogService(self._warehouse, self._settings, rights, self._queries.known)
            )

    def analyst(self, who: Principal) -> Analyst:
        """The embedded analyst over the catalog as `who` may see it now, with its agent's own glossary."""
        from pluto_duck_text2sql import Analyst

        with self._building:
            catalog, own = self.catalog_of(who).catalog(), self._own_glossary(who.agent)
            key, today = (who.rights, who.agent), self._settings.agent.day()
            kept = self._analysts.get(key)
            if kept is None or kept.catalog is not catalog or kept.own is not own or kept.today != today:
                seen = replace(catalog, glossary=(*own, *catalog.glossary)) if own else catalog
                kept = self._analysts.keep(key, _Sight(catalog, own, today, Analyst(seen, today=today)))
            return kept.analyst

    def _own_glossary(self, agent: str) -> tuple[Item, ...]:
        if not agent:
            return ()
        files = self._glossaries.get(agent) or self._glossaries.keep(
            agent, GlossaryFiles(self._folder_of(agent), self._settings.paths.root)
        )
        return files.items()

    def close(self) -> None:
        for each in [self.whole, *self._catalogs.values()]:
            each.close()
