"""The embedded analyst: a catalog and a question in, ranked SQL and its reading out. No model, no network.

`Analyst(catalog).ask("revenue by month")`; see analyst.py for the flow on one page. Who only describes a catalog does
not wait for what reads questions: `Analyst` is loaded when it is first asked for.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from pluto_duck_text2sql.analysis import Analysis, Candidate, Clarification, ColumnLink, Links
from pluto_duck_text2sql.data.catalog import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.data.values import ValueHit, ValueIndex
from pluto_duck_text2sql.earlier import Earlier

if TYPE_CHECKING:
    from pluto_duck_text2sql.analyst import Analyst

__all__ = [
    "Analysis",
    "Analyst",
    "Candidate",
    "Catalog",
    "Clarification",
    "Column",
    "ColumnLink",
    "Earlier",
    "ForeignKey",
    "Links",
    "Table",
    "ValueHit",
    "ValueIndex",
]


def __getattr__(name: str) -> object:
    """`Analyst`, the one name above that costs something."""
    if name == "Analyst":
        from pluto_duck_text2sql.analyst import Analyst

        return Analyst
    raise AttributeError(f"module 'pluto_duck_text2sql' has no attribute {name!r}; it has {', '.join(__all__)}")
