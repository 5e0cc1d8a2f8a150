"""How business is spoken of: `how are sales doing`, `the average basket`, `click-through rate`, `grow in 2024`."""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem
from pluto_duck_text2sql.rewording.counts_said import calls_rows

_FARING = r"(?:doing|going|looking|performing|developing|evolving|trending|coming along)"
_IN_TIME = r"(?:in|since|during|over|from|between|this|last|for|by)"
_FARES = Pattern(
    r"^(?:so |and )?how (?:is|are|was|were|has|have) (?P<what>(?:our |the |my )?[^,?]+?) (?:been )?"
    rf"{_FARING}(?: lately| recently| so far| over time)?(?P<rest>(?: {_IN_TIME}\b.*)?)[?. ]*$",
    re.IGNORECASE,
)
_CLICKED = Pattern(r"\b(?:(?:average|overall) )?(?:click[- ]?through rates?|ctr)\b", re.IGNORECASE)
_RETURN = Pattern(r"\breturn on (?:ad|ads|advertising|marketing) (?:spend(?:ing)?|costs?)\b", re.IGNORECASE)
_GREW = Pattern(
    r"^(?P<ask>by (?:what|how much)(?: percentage| percent)?|by how many percent) (?P<did>did|has|have)"
    r" (?P<what>.+?) (?:gr[eo]wn?|increased?|risen?|changed?|go up|gone up)(?: by)? in (?P<year>\d{4})\W*$",
    re.IGNORECASE,
)
_ORDER_VALUE = Pattern(
    r"\b(?P<of>average|typical|mean|median) (?:(?:shopping )?(?P<basket>basket|cart)(?: size| value)?"
    r"|(?P<what>order|transaction|purchase|ticket|sale)s? (?:value|size|amount))\b",
    re.IGNORECASE,
)
_BEST_TIME = Pattern(
    r"^\W*(?:(?:what|which|when) (?:is|was) )?our (?:best|strongest|top) (?P<when>day|week|month|quarter|year)"
    r"(?: (?:ever|so far|yet|of all time|(?:that )?we(?:['’]ve| have)? (?:ever )?had))?"
    r"(?P<rest>(?: (?:in|of) \d{4})?)\W*$",
    re.IGNORECASE,
)
_SALES_COUNTED = Pattern(
    r"\b(?P<lead>how many|number of) sales\b(?! [a-z]*(?:rep|people|person|staff|team)s?\b| (?-i:[A-Z]))", re.IGNORECASE
)
"""No part of a name: `sales people`, or `Sales Advisor` as it is stored."""
_SALES = ("order", "sale", "purchase", "transaction", "invoice", "receipt", "bill", "booking", "reservation")


def as_best_time(text: str, names: NameIndex) -> str:
    """`our best day ever` as the day with the most revenue, where the data calls something so."""
    has_revenue = any(names.called((stem(each),)) for each in ("revenue", "turnover"))
    return _BEST_TIME.sub(r"which \g<when> had the most revenue\g<rest>", text) if has_revenue else text


def as_course(text: str, names: NameIndex, catalog: Catalog) -> str:
    """`how are sales doing` as their course by month."""
    return _FARES.sub(lambda match: _by_month(match, names, catalog), text)


def as_sale_value(text: str, names: NameIndex) -> str:
    """`the average basket` as the average value of a sale, by what that is called here."""
    return _ORDER_VALUE.sub(lambda match: _value_of_one(match, names), text)


def as_sales_made(text: str, names: NameIndex) -> str:
    """`how many sales` as how many orders, where sales are called so."""
    rows = next((each for each in _SALES if calls_rows(each, names)), "sale")
    return _SALES_COUNTED.sub(rf"\g<lead> {rows}s", text) if not calls_rows("sale", names) else text


def as_growth(text: str) -> str:
    """`grow in 2024` as the change from the year before."""
    return _GREW.sub(_since_the_year_before, text)


def as_click_rate(text: str, names: NameIndex) -> str:
    """The click-through rate by what it is made of."""
    return _CLICKED.sub(lambda match: _by_impressions(match, names), text)


def as_return_on_spend(text: str, names: NameIndex) -> str:
    """What advertising brought in for each sum spent: by the name it has here, else as what it is called for short."""
    return _RETURN.sub(lambda match: match[0] if _is_kept(match[0], names) else "ROAS", text)


def _is_kept(words: str, names: NameIndex) -> bool:
    """Whether a column is called so, every word of it."""
    return bool(names.called(tuple(stem(each) for each in words.lower().split())))


def _by_month(match: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    """`how are sales doing` as sales by month, `how is the Alpenhof doing` as what it brings in by month."""
    what = re.sub(r"^(?:our|the|my) ", "", match["what"], flags=re.IGNORECASE)
    is_value = not names.called(tuple(map(stem, what.lower().split()))) and _is_held(what, catalog)
    return f"{'revenue of ' if is_value else ''}{match['what']} by month{match['rest']}"


def _is_held(text: str, catalog: Catalog) -> bool:
    return any(each.score == 1 for each in catalog.values.lookup(text.lower(), 5))


def _by_impressions(match: re.Match[str], names: NameIndex) -> str:
    """`clicks per impression` for the click-through rate, where both are kept and no column is called so."""
    is_kept = all(names.called((stem(each),)) for each in ("clicks", "impressions"))
    is_named = names.called((stem("ctr"),)) or names.called(tuple(map(stem, ("click", "through", "rate"))))
    return "clicks per impression" if is_kept and not is_named else match[0]


def _value_of_one(match: re.Match[str], names: NameIndex) -> str:
    """`average basket`, `average order value` by what a sale is called here."""
    said = "order" if match["basket"] else match["what"].lower()
    called = (each for each in (said, *_SALES) if calls_rows(each, names))
    return f"{match['of']} {next(called, said)} value"


def _since_the_year_before(match: re.Match[str]) -> str:
    """`by what percentage did revenue grow in 2024` as `… change from 2023 to 2024`."""
    year = int(match["year"])
    return f"{match['ask']} {match['did']} {match['what']} change from {year - 1} to {year}"
