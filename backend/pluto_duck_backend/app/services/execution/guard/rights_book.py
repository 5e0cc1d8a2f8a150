"""Rights by name: `eu` is an entry of the settings, `@sales` an agent's scope, `eu@sales` what both show."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import lru_cache

from pluto_duck_backend.app.core.config import RightsSettings
from pluto_duck_backend.app.core.errors import InvalidInput
from pluto_duck_backend.app.core.principal import AGENT_MARK
from pluto_duck_backend.app.services.execution.guard import tree
from pluto_duck_backend.app.services.execution.guard.rights import Rights

ScopeOf = Callable[[str], RightsSettings]
_KEPT = 1_000


class RightsBook:
    """What is defined now. `scope_of` raises NotFound, or InvalidInput, for an agent that has no usable file."""

    def __init__(self, defined: Mapping[str, RightsSettings], scope_of: ScopeOf | None = None) -> None:
        self._defined = {name: rights_from(name, each) for name, each in defined.items()}
        self._scope_of = scope_of
        self._scoped = lru_cache(_KEPT)(self._make_scoped)

    def find(self, name: str) -> Rights | None:
        """The rights of that name; None for the empty one, which hides nothing. Raises InvalidInput."""
        own, mark, agent = name.partition(AGENT_MARK)
        if own and own not in self._defined:
            raise InvalidInput(f"There are no rights {own!r}.", code="bad_rights", hint="Define rights.* first.")
        if mark and self._scope_of:
            return self._scoped(self._scope_of(agent).model_dump_json(), own)
        return self._defined[own] if own else None

    def _make_scoped(self, scope: str, own: str) -> Rights:
        """Named by what the scope says: whatever is kept under that name is made anew when the file is another."""
        said = RightsSettings.model_validate_json(scope)
        for condition in said.rows.values():
            tree.parse(f"SELECT 1 WHERE {condition}")  # whole by itself, so that it cannot reach over another one
        name = f"{own}{AGENT_MARK}{hashlib.sha256(scope.encode()).hexdigest()[:16]}"
        return rights_from(name, said, self._defined[own] if own else None)


def rights_from(name: str, each: RightsSettings, within: Rights | None = None) -> Rights:
    """The rights that settings or an agent's scope define."""
    columns = {table: tuple(columns) for table, columns in each.columns.items()}
    return Rights(name, tuple(each.tables), columns, each.rows, within)
