"""Rates and costs of the steps from being shown something to buying it, by the quantities that rows keep of each step:
an open rate is what was opened divided by what was delivered, a CPC the money spent divided by the clicks, a ROAS the
money earned divided by that spent.

Asked by business_figures.py. Only quantities of one table are put together; what the data calls so itself is left.
"""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.language.words import name_words, stem, tokenise

_BEFORE = {
    "open": ("delivered", "sent", "recipients", "sends"),
    "click": ("impressions", "delivered", "sent", "recipients"),
    "unsubscribe": ("delivered", "sent", "recipients"),
    "unsubscription": ("delivered", "sent", "recipients"),
    "bounce": ("sent", "recipients", "delivered"),
    "delivery": ("sent", "recipients"),
    "complaint": ("delivered", "sent", "recipients"),
    "conversion": ("clicks", "visits", "sessions", "impressions", "leads", "visitors", "users"),
    "engagement": ("sessions", "visits", "impressions", "views"),
}
"""What comes before each step, the likeliest first."""
_CONVERTED = ("transactions", "orders", "purchases", "sales", "signups")
"""What a conversion is called where nothing is called so, the likeliest first."""
_COUNTED = {"unsubscription": "unsubscribe", "engagement": "engage", "delivery": "delivered"}
_ORDERS = ("orders", "transactions", "purchases")
_KEYS = frozenset(map(stem, "id key no nr code".split()))
_SPENT = frozenset(map(stem, "spend spent cost".split()))
_EARNED = tuple(map(stem, ("value", "revenue", "income", "sales")))
_PER = {"cpc": ("click",), "cpa": ("conversion", "acquisition", "action"), "cpl": ("lead",)}


def step_rate(step: str, question: str, catalog: Catalog) -> str:
    """`opens divided by delivered`; nothing where no table keeps both, or several do and none is spoken of."""
    step = step.lower()
    said = (_COUNTED.get(step, step), *(_CONVERTED if step == "conversion" else ()))
    for counted in map(stem, said):
        made = ((table, _divided(table, counted, _BEFORE.get(step, ()))) for table in catalog.tables)
        if found := _spoken_of([each for each in made if each[1]], question, counted):
            return found
    return ""


def order_value(catalog: Catalog) -> str:
    """`total revenue divided by total transactions`, of the one table of rows that keep both of many orders each."""
    made = (_worth(table) for table in catalog.tables)
    found = [each for each in made if each]
    return found[0] if len(found) == 1 else ""


def _worth(table: Table) -> str:
    money = next((each for word in _EARNED if (each := _quantity(table, word))), None)
    many = next((each for word in _ORDERS if (each := _quantity(table, stem(word)))), None)
    is_whole = many is not None and "INT" in many.type.upper()
    return f"total {_said(money)} divided by total {_said(many)}" if money and is_whole else ""


def step_cost(short: str, question: str, catalog: Catalog) -> str:
    """`amount spent divided by clicks`, of the one table that keeps both."""
    made = ((table, _spent_by(table, _PER[short.lower()])) for table in catalog.tables)
    return _spoken_of([each for each in made if each[1]], question, "")


def return_on_spend(question: str, catalog: Catalog) -> str:
    """`total conversion value divided by total spend`, of the one table that keeps both."""
    made = ((table, _earned_by(table)) for table in catalog.tables)
    return _spoken_of([each for each in made if each[1]], question, "")


def _spoken_of(found: Sequence[tuple[Table, str]], question: str, counted: str) -> str:
    """Of the one table, or of the one that other words of the question name."""
    said = {token.stem for token in tokenise(question)} - {counted}
    named = [made for table, made in found if said & _words_of(table)] if len(found) > 1 else []
    if len(found) == 1:
        return found[0][1]
    return named[0] if len(named) == 1 else ""


def _words_of(table: Table) -> set[str]:
    return {word for name in (table.name, *(each.name for each in table.columns)) for word in table.stems(name)}


def _divided(table: Table, counted: str, wholes: Sequence[str]) -> str:
    part = _quantity(table, counted)
    whole = next((each for word in wholes if (each := _quantity(table, stem(word)))), None)
    return f"{_said(part)} divided by {_said(whole)}" if part and whole and part != whole else ""


def _spent_by(table: Table, words: Sequence[str]) -> str:
    spent = _spent(table)
    whole = next((each for word in words if (each := _quantity(table, stem(word)))), None)
    return f"{_said(spent)} divided by {_said(whole)}" if spent and whole else ""


def _earned_by(table: Table) -> str:
    spent = _spent(table)
    earned = next((each for word in _EARNED if (each := _quantity(table, word))), None)
    return f"total {_said(earned)} divided by total {_said(spent)}" if spent and earned and earned != spent else ""


def _spent(table: Table) -> Column | None:
    """The one number that is called after spending."""
    spent = [each for each in table.columns if each.kind == "number" and _SPENT & set(table.stems(each.name))]
    return spent[0] if len(spent) == 1 else None


def _quantity(table: Table, counted: str) -> Column | None:
    """The one number that is called so, and by as little else as any; a key is none."""
    numbers = [each for each in table.columns if each.kind == "number" and _KEYS.isdisjoint(table.stems(each.name))]
    named = [each for each in numbers if counted in table.stems(each.name)]
    plain = [each for each in named if len(table.stems(each.name)) == 1]
    found = plain or named
    return found[0] if len(found) == 1 else None


def _said(column: Column | None) -> str:
    return " ".join(name_words(column.name)) if column else ""
