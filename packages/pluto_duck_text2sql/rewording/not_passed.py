"""What failed, where rows only say whether they passed: `failed attempts`, `how many inspections failed`.

Called by `rewordings`, where a flag is called passed and nothing here is called failed.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem

_FAILED_ROWS = Pattern(r"\b(?:failed|failing) (?P<rows>(?!in|at|by|for|per|to|and|or|of)[a-z]+s)\b", re.IGNORECASE)
_FAILED = Pattern(
    r"\b(?:(?:that|which) )?(?:(?:has|have|had|did|do|does) )?(?P<never>not |never )?(?:failed|fails|fail)\b(?! to\b)",
    re.IGNORECASE,
)


def as_not_passed(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question with rows that failed as those that are not passed; itself where no flag says so."""
    if "fail" not in question.lower() or not _is_told_by_passing(names, catalog):
        return question
    said = _FAILED_ROWS.sub(r"\g<rows> that are not passed", question)
    return _FAILED.sub(lambda match: "are passed" if match["never"] else "are not passed", said)


def _is_told_by_passing(names: NameIndex, catalog: Catalog) -> bool:
    named = names.find((stem("pass"),))
    is_flag = any(each.column is not None and is_yes_or_no(each.column) for each in named)
    is_stored = any(catalog.values.lookup(word, 1) for word in ("fail", "failed"))
    return is_flag and not is_stored and not names.find((stem("fail"),))
