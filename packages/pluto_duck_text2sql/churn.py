"""Who was lost, told by what they had that ended: `how many customers churned last quarter`, `clients we lost in 2024`.

Called by `by_rows`, where the rows of those people or companies have no end of
their own, and one kind of row that belongs to them has: subscriptions, memberships, contracts.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.catalog import Catalog, Table
from pluto_duck_text2sql.durations import rooted
from pluto_duck_text2sql.links import NameIndex
from pluto_duck_text2sql.words import name_stems, stem, table_stems, table_words

_ASK = r"(?P<ask>\bhow many|\bnumber of|\bwhich|\bwhat|\blist|\bshow(?: me)?)"
_WHO = rf"{_ASK} (?:(?:of our|of the|the|our) )?(?P<who>[a-z]+)"
_LOST = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_WHO} (?:that |who )?(?:have |has )?(?:churned|lapsed|left us|left)\b(?! to| for| behind| over| out)",
        rf"{_WHO} (?:did|do|have|has|that) (?:we|i|they) (?:lose|lost)\b(?! to| on| by)",
        rf"{_WHO} we (?:have )?lost\b(?! to| on| by)",
        rf"{_WHO} (?:were )?lost(?= (?:per|by|in|during|last|this|each|every|since)\b)",
    )
)
_PLANS = frozenset(map(stem, "subscription membership contract policy lease plan enrolment enrollment tenancy".split()))
_ENDED = rooted(map(stem, "end left leave cancel terminate close churn lapse deactivate quit".split()))
_NAMED = 0.9


def with_ended(question: str, catalog: Catalog, names: NameIndex) -> tuple[str, tuple[str, ...]]:
    """The question about those of whom something ended, and what is told of it; as it is where no such is asked."""
    found = next((match for each in _LOST if (match := each.search(question))), None)
    owner = _called(found["who"], names) if found else None
    plan = _plan_of(owner, catalog) if owner else None
    if found is None or plan is None:
        return question, ()
    kept = " ".join(table_words(plan.name)).removesuffix("s")
    text = f"{question[: found.start()]}{found['ask']} {found['who']} had a {kept} that ended{question[found.end() :]}"
    return text, (f'"{found[0]}" is told by the end of {plan.name}',)


def _called(word: str, names: NameIndex) -> Table | None:
    tables = [each.table for each in names.called((stem(word.lower()),)) if not each.column and each.score >= _NAMED]
    return tables[0] if len(tables) == 1 and not _ends(tables[0]) else None


def _ends(table: Table) -> list[str]:
    """Its dates of when it was over."""
    return [each.name for each in table.columns if each.is_time and rooted(name_stems(each.name)) & _ENDED]


def _plan_of(owner: Table, catalog: Catalog) -> Table | None:
    """The one kind of plan with an end that points at the owner."""
    found = [
        each
        for each in catalog.tables
        if any((key.ref_schema, key.ref_table) == owner.key for key in each.foreign_keys)
        and _PLANS & set(table_stems(each.name))
        and len(_ends(each)) == 1
    ]
    return found[0] if len(found) == 1 else None
