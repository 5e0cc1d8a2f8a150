"""`one-star reviews`, `reviews with 4 stars or more`, `five stars`: the mark that reviews give, where nothing is called
stars.

Called by `by_rows`.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, name_words, stem
from pluto_duck_text2sql.rewording.best_marks import marks_of

_ROWS = r"(?P<rows>reviews?|ratings?|feedbacks?|votes?)"
_STARS = rf"(?P<n>{A_NUMBER})[- ]stars?"
_BEFORE = Pattern(rf"\b{_STARS} {_ROWS}\b", re.IGNORECASE)
_AFTER = Pattern(
    r"(?<!out )\b(?P<verb>with|of"
    r"|gave|gives|got|had|has|have|were|was|are|is|at least|at most|more than|less than|fewer than|exactly"
    r"|under|below|over|above)"
    rf" {_STARS}\b",
    re.IGNORECASE,
)
_IS = Pattern(r"were|was|are|is", re.IGNORECASE)


def with_stars(question: str, catalog: Catalog, _names: NameIndex) -> str:
    """The question with the mark in place of stars; as it is where the mark is called so, or several kinds are kept."""
    mark = marks_of("review", catalog) if "star" in question.lower() else None
    called = " ".join(name_words(mark.name)).lower() if mark else ""
    if not called or "star" in called:
        return question
    text = _BEFORE.sub(lambda said: f"{_many(said['rows'])} with a {called} of {said['n']}", question)
    return text if _are_stored(catalog) else _AFTER.sub(lambda said: _marked(said, called), text)


def _are_stored(catalog: Catalog) -> bool:
    """Whether something is called stars: hotels have five of them, however they are rated."""
    names = (table.stems(each.name) for table in catalog.tables for each in table.columns)
    return any(stem("star") in each for each in names)


def _many(rows: str) -> str:
    return rows if rows.lower().endswith("s") else f"{rows}s"


def _marked(said: re.Match[str], called: str) -> str:
    """`with five stars` as `with a rating of five`, `at least 4 stars` as `a rating of at least 4`."""
    verb, number = said["verb"], said["n"]
    if verb.lower() in ("with", "of", "gave", "gives", "got", "had", "has", "have"):
        return f"{verb} a {called} of {number}"
    return f"had a {called} of {number}" if _IS.fullmatch(verb) else f"a {called} of {verb} {number}"
