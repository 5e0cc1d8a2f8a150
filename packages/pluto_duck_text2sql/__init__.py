"""The embedded analyst: a catalog and a question in, ranked SQL and its reading out. No model, no network.

`Analyst(catalog).ask("revenue by month")`; see analyst.py for the flow on one page.
"""

from pluto_duck_text2sql.analysis import Analysis, Candidate, Clarification, ColumnLink, Links
from pluto_duck_text2sql.analyst import Analyst
from pluto_duck_text2sql.catalog import Catalog, Column, ForeignKey, Table
from pluto_duck_text2sql.values import ValueHit, ValueIndex

__all__ = [
    "Analysis",
    "Analyst",
    "Candidate",
    "Catalog",
    "Clarification",
    "Column",
    "ColumnLink",
    "ForeignKey",
    "Links",
    "Table",
    "ValueHit",
    "ValueIndex",
]
