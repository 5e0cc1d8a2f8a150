"""Rates of quantities: a `rejection rate` is `qty_rejected` as a percentage of the `qty_received` beside it.

Asked by outcome_rates.py for a noun that no state or date is called by: that of a verb whose participle the name of one
quantity has, where its row keeps one other quantity, of what came about as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from pluto_duck_text2sql.corrections.mass_nouns import QUANTITY
from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.date_names import is_meant
from pluto_duck_text2sql.data.states import participles
from pluto_duck_text2sql.language.words import name_words, stem

_FORMS = ("ed", "en")


def rate_of_quantities(noun: str, catalog: Catalog) -> str:
    """`qty rejected as a percentage of qty received`; nothing where no quantity, or more than one, is called so."""
    deeds = set(map(stem, participles(noun)))
    found = [made for table in catalog.tables if (made := _rate(table, deeds))]
    return found[0] if len(found) == 1 else ""


def _rate(table: Table, deeds: set[str]) -> str:
    quantities = list(_quantities(table))
    parts = [each for each in quantities if not deeds.isdisjoint(table.stems(each))]
    wholes = [each for each in quantities if each not in parts]
    if len(parts) != 1 or len(wholes) != 1:
        return ""
    part, whole = (" ".join(name_words(each)) for each in (parts[0], wholes[0]))
    return f"{part} as a percentage of {whole}"


def _quantities(table: Table) -> Iterator[str]:
    """The quantities of what came about: `qty_received`, no `qty_planned`."""
    for each in table.columns:
        stems, words = table.stems(each.name), name_words(each.name)
        is_done = any(word.endswith(_FORMS) for word in words) and not is_meant(stems)
        if each.kind == "number" and not QUANTITY.isdisjoint(stems) and is_done:
            yield each.name
