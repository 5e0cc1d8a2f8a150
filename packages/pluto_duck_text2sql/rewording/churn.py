"""Who was lost, told by what they had that ended: `how many customers churned last quarter`, `clients we lost in 2024`.

Called by `by_rows`, where the rows of those people or companies have no end of their own, and one kind of row that
belongs to them has: subscriptions, memberships, contracts.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, name_words, row_stems, stem, table_words
from pluto_duck_text2sql.rewording.busiest import belongs, one_of
from pluto_duck_text2sql.trees.durations import rooted

_ASK = r"(?P<ask>\bhow many|\bnumber of|\bwhich|\bwhat|\blist|\bshow(?: me)?)"
_WHO = rf"{_ASK} (?:(?:of our|of the|the|our) )?(?P<who>[a-z]+)"
_END = r"(?=\W*$| (?:us|in|during|last|this|since|per|by|each|every|between|from|after|before|over)\b)"
"""What follows where nothing else was left or lost: nobody is lost who left a review."""
_LOST = tuple(
    Pattern(pattern + _END, re.IGNORECASE)
    for pattern in (
        rf"{_WHO} (?:that |who )?(?:have |has )?(?:churned|lapsed|left(?: us)?)",
        rf"{_WHO} (?:did|do|have|has|that) (?:we|i|they) (?:lose|lost)",
        rf"{_WHO} (?:we (?:have )?|were )?lost",
    )
)
_LOSES = Pattern(
    r"\b(?P<ask>which|what) (?P<who>[a-z]+) (?:(?:churns?|churned)(?: the)? (?P<most>most|least)"
    r"|(?:loses?|lost) the (?P<lost>most|fewest) (?:customers|members|subscribers|clients|users|subscriptions))"
    r"(?=\W*$| (?:in|during|last|this|since|between)\b)",
    re.IGNORECASE,
)
_OVER = ("cancelled", "canceled", "terminated", "closed")
_MONTHLY = (("mrr",), ("monthly", "recurring", "revenue"), *(("monthly", each) for each in ("fee", "price", "amount")))
_PLANS = frozenset(map(stem, "subscription membership contract policy lease plan enrolment enrollment tenancy".split()))
_ENDED = rooted(
    map(
        stem,
        """end left leave cancel cancelled canceled terminate termination exit resign resigned close churn lapse
        deactivate quit""".split(),
    )
)


def with_ended(question: str, catalog: Catalog, names: NameIndex) -> str:
    """The question about those of whom something ended; as it is where no such is asked."""
    if loser := _LOSES.search(question):
        return _with_most_ended(question, loser, catalog, names)
    found = next((match for each in _LOST if (match := each.search(question))), None)
    owner = names.rows(found["who"]) if found else None
    plan = plan_of(owner, catalog) if owner and not ends_of(owner) else None
    if found is None or plan is None:
        return question
    had = f"{found['ask']} {found['who']} had {one_of(plan)} that ended"
    return f"{question[: found.start()]}{had}{question[found.end() :]}"


def _with_most_ended(question: str, said: re.Match[str], catalog: Catalog, names: NameIndex) -> str:
    """`which plan churns the most` as the plan with the most subscriptions that ended."""
    owner = names.rows(said["who"])
    plan = plan_of(owner, catalog) if owner else None
    if plan is None:
        return question
    most = (said["most"] or said["lost"]).lower().replace("least", "fewest")
    had = f"{said['ask']} {said['who']} had the {most} {' '.join(table_words(plan.name))} that ended"
    return f"{question[: said.start()]}{had}{question[said.end() :]}"


def ends_of(table: Table) -> list[str]:
    """Its dates of when it was over."""
    return [each.name for each in table.columns if each.is_time and rooted(name_stems(each.name)) & _ENDED]


def how_over(table: Table) -> str:
    """How its rows are over, as their date of it has it: `were cancelled`, else `have ended`."""
    words = {word for each in ends_of(table) for word in name_words(each)}
    said = next((each for each in _OVER if each in words), "")
    return f"were {said}" if said else "have ended"


def plan_of(owner: Table, catalog: Catalog) -> Table | None:
    """The one kind of plan with an end that points at the owner."""
    found = [
        each
        for each in catalog.tables
        if belongs(each, owner) and _PLANS & row_stems(each.name) and len(ends_of(each)) == 1
    ]
    return found[0] if len(found) == 1 else None


def monthly_fee(table: Table) -> str | None:
    """Its one number that is so much a month: `mrr`, `monthly_fee`."""
    numbers = [each.name for each in table.columns if each.kind == "number"]
    found = [each for each in numbers if tuple(name_words(each)) in _MONTHLY]
    return found[0] if len(found) == 1 else None
