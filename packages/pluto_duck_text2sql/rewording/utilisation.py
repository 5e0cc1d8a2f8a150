"""Utilisation, where rows of hours say which of them are billable: the share of hours that are."""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words, stem

UTILISATION = Pattern(r"\b(?:billable |chargeable )?utili[sz]ations?(?: rates?| ratio| %)?(?![a-z])", re.IGNORECASE)
_BILLABLE, _HOURS = frozenset(("billable", "chargeable")), (stem("hours"),)


def share_of_hours(catalog: Catalog) -> str:
    """`share of hours that are billable`, in the words of the only table that tells them apart; else nothing."""
    found = [made for table in catalog.tables if (made := _said(table))]
    return found[0] if len(found) == 1 else ""


def _said(table: Table) -> str:
    flags = [word for each in table.columns for word in _flag(each)]
    hours = [each for each in table.columns if each.kind == "number" and table.stems(each.name)[-1:] == _HOURS]
    return (
        f"share of {' '.join(name_words(hours[0].name))} that are {flags[0]}" if len(flags) == len(hours) == 1 else ""
    )


def _flag(column: Column) -> frozenset[str]:
    return _BILLABLE.intersection(name_words(column.name)) if is_yes_or_no(column) else frozenset()
