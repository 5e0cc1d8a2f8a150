"""What goes into one table of the warehouse: the unit in which the service loads."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pluto_duck_backend.app.services.ingestion.contract import SourceTable
from pluto_duck_backend.app.services.ingestion.names import Target


@dataclass(frozen=True)
class Assignment:
    """One table of the warehouse and its sources."""

    target: Target
    sources: tuple[SourceTable, ...]
    unread: Mapping[str, str] = field(default_factory=dict)
    """Files that hold nothing new: their marks by origin."""

    @property
    def is_one(self) -> bool:
        """Whether this is all that was named; of several files each is looked at by itself."""
        return len(self.sources) == 1 and not self.unread

    @property
    def origin(self) -> str:
        return "; ".join([*self.unread, *(each.origin for each in self.sources)])

    def place_of(self, column: str, value: str) -> str:
        """The file and line of a value, as far as its source can tell."""
        lines = ((each, each.line_of(column, value)) for each in self.sources)
        return next((f"{each.origin}, line {line}" for each, line in lines if line), self.origin)
