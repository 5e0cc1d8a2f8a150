"""What repairing may look at: the catalog, whether SQL binds, and a few stored rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from pluto_duck_backend.app.core.errors import PlutoDuckError, QueryFailed, Refused
from pluto_duck_backend.app.core.principal import Principal
from pluto_duck_backend.app.services.execution.executor import QueryService
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph

Rows = list[tuple[Any, ...]]


@dataclass(frozen=True)
class Data:
    """One user's view of the data. `bind` and `rows` are guarded and raise PlutoDuckError; neither leaves a trace."""

    catalog: Catalog
    bind: Callable[[str], object]
    #   raises where the guard refuses the SQL or DuckDB can make no plan of it
    rows: Callable[[str], Rows]
    #   the first rows of a small query

    @classmethod
    def of(cls, queries: QueryService, catalog: Catalog, who: Principal) -> Data:
        """The data as `who` may see it; `catalog` is of that view too."""
        return cls(catalog, lambda sql: queries.bind(sql, who), lambda sql: queries.probe(sql, who=who))

    @cached_property
    def joins(self) -> JoinGraph:
        return JoinGraph(self.catalog)

    def refusal(self, sql: str) -> PlutoDuckError | None:
        """The rule that forbids `sql`, or what DuckDB cannot make of it; None where it can run."""
        try:
            self.bind(sql)
        except (Refused, QueryFailed) as error:
            return error
        return None
