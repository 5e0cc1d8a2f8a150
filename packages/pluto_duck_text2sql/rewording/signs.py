"""Numbers told by their sign: `trips with a negative total amount` have a total amount below 0, `lines with a positive
margin` one above it, and `regions with negative profit` are groups, so that their total profit is below 0.

Called by `analyst` before anything else reads the question. Where something stored is called negative, as results of
tests are, it is meant.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.name_index import NameIndex, Target
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, tokenise

_SAID = Pattern(
    r"(?<!how many )(?<!number of )(?<!count of )\b(?P<sign>negative|positive)(?P<what>(?: [^\W\d_][\w-]*){1,3})",
    re.IGNORECASE,
)
_THAN = {"negative": "below 0", "positive": "above 0"}
_OF = Pattern(
    r"\b(?P<of>[a-z]+) (?:(?:with|having)|(?:that |which |who )?(?:have|had|has|made|make|shows?|showed))(?: an?)? $",
    re.IGNORECASE,
)
_MOST, _NAMED, _SHARED = 5, 0.75, 10


def by_sign(question: str, catalog: Catalog, names: NameIndex) -> str:
    """The question with such numbers as those below or above 0; as it is where no number is called so, or where the
    sign is stored."""
    found = _SAID.search(question)
    if found is None or _is_stored(found["sign"].lower(), catalog):
        return question
    words = found["what"].split()
    if any(_called([found["sign"], *words[:count]], names) for count in (1, 2)):
        return question
    total = ["total"] if words[0].lower() != "total" and _is_of_groups(question[: found.start()], names) else []
    for count in range(len(words), 0, -1):
        if _is_number(words[:count], names):
            bound = " ".join((*total, *words[:count], _THAN[found["sign"].lower()], *words[count:]))
            return f"{question[: found.start()]}{bound}{question[found.end() :]}"
    return question


def _is_of_groups(before: str, names: NameIndex) -> bool:
    """Whether the words before tell of groups that a column of texts names, and of no rows."""
    said = _OF.search(before)
    found = names.called((stem(said["of"].lower()),)) if said else []
    named = [each for each in found if each.score >= _NAMED]
    columns = [each for each in named if each.column and each.column.kind == "text" and _is_shared(each)]
    return bool(columns) and len(columns) == len(named)


def _is_shared(target: Target) -> bool:
    """Whether many rows have the same of a column."""
    distinct = (target.column.n_distinct or 0) if target.column else 0
    return 0 < distinct * _SHARED < (target.table.row_count or 0)


def _is_number(words: list[str], names: NameIndex) -> bool:
    return any(each.kind == "number" for each in _called(words, names))


def _called(words: list[str], names: NameIndex) -> list[Column]:
    """The columns that words are the name of."""
    stems = tuple(token.stem for token in tokenise(" ".join(words)))
    return [each.column for each in names.called(stems) if each.column is not None and each.score >= _NAMED]


def _is_stored(sign: str, catalog: Catalog) -> bool:
    return any(each.score == 1 for each in catalog.values.lookup(sign, _MOST))
