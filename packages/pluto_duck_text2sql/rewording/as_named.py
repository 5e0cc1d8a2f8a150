"""Words as the names of the data have them: `who supplies` of suppliers, `third grade` of a grade, `inactive`."""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_ORDINALS = {
    name: n
    for n, names in enumerate(
        zip(
            "first second third fourth fifth sixth seventh eighth ninth tenth".split(),
            "1st 2nd 3rd 4th 5th 6th 7th 8th 9th 10th".split(),
            strict=True,
        ),
        1,
    )
    for name in names
}
_ORDINAL = Pattern(rf"\b(?P<nth>{'|'.join(_ORDINALS)})[- ](?P<what>[a-z]{{3,}})\b(?! names?\b)", re.IGNORECASE)
_WHO = Pattern(r"^who (?P<verb>[a-z]{4,}(?:s|ed))\b", re.IGNORECASE)
_DENIED = Pattern(r"\b(?P<no>in|un|non[- ]?)(?P<word>[a-z]{4,})\b", re.IGNORECASE)
_NEXT = Pattern(r" [a-z]+", re.IGNORECASE)


_NAMED = 0.9


def with_flags_denied(text: str, names: NameIndex, catalog: Catalog) -> str:
    """`inactive` as not active, where that is what is kept."""
    return _DENIED.sub(lambda match: _said_of(match, names, catalog), text)


def by_agents(text: str, names: NameIndex) -> str:
    """`who supplies` by the name of those who do it."""
    return _WHO.sub(lambda match: _by_agent(match, names), text)


def with_numbers(text: str, names: NameIndex) -> str:
    """`third grade` as grade 3, where numbers are kept."""
    return _ORDINAL.sub(lambda match: _numbered(match, names), text)


def _numbered(match: re.Match[str], names: NameIndex) -> str:
    """`third grade` as `grade 3`, where a column is called so that holds whole numbers up to there."""
    number = _ORDINALS[match["nth"].lower()]
    found = [each for each in names.called((stem(match["what"].lower()),)) if each.score >= _NAMED]
    columns = [each.column for each in found if each.column]
    held = [each for each in columns if isinstance(each.minimum, int) and isinstance(each.maximum, int)]
    is_held = bool(held) and len(held) == len(found) and all(each.minimum <= number <= each.maximum for each in held)
    return f"{match['what']} {number}" if is_held else match[0]


def _by_agent(match: re.Match[str], names: NameIndex) -> str:
    """`who supplies` as `which suppliers supplies`, where a table is called by those who do it."""
    verb = stem(match["verb"].lower())
    agents = ((verb + ending) for ending in ("er", "or", "r"))
    for agent in dict.fromkeys((*agents, f"{verb[:-1]}ier" if verb.endswith("y") else verb)):
        if agent != verb and any(each.column is None and each.score >= _NAMED for each in names.find((stem(agent),))):
            return f"which {agent}s {match['verb']}"
    return match[0]


def _said_of(match: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    """`inactive` as `not active`, where a flag is called so and no value is; `unpaid` where `paid` is stored;
    not where it begins a value, as Unpaid leave."""
    whole = match[0] + (after[0] if (after := _NEXT.compiled.match(match.string, match.end())) else "")
    if names.find((stem(match[0].lower()),)) or any(catalog.values.lookup(each, 1) for each in (match[0], whole)):
        return match[0]
    if match["no"].lower() != "in" and catalog.values.lookup(match["word"], 1):
        return f"not {match['word']}"
    flags = [each for each in names.find((stem(match["word"].lower()),)) if each.column and is_yes_or_no(each.column)]
    return f"not {match['word']}" if flags else match[0]
