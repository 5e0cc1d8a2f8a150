"""The one shown, called by its noun: `the artist's lots`, `how many lots of the artist`, after who sold most."""

from __future__ import annotations

import re

from pluto_duck_text2sql.followups.referents import is_called
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import Col, Query
from pluto_duck_text2sql.trees.parts import keys

_THE_NOUN = Pattern(
    r"\bthe (?P<owner>[a-z]+)(?=['’]s\b)"
    r"|\b(?:of|for|from|in|at|with) the (?P<noun>[a-z]+)(?=\W*$| (?:is|are|was|were|did|do|does|has|have|had)\b)"
    r"|\b(?:is|was|does|did|has) the (?P<doer>[a-z]+)\b(?! (?:with|who|whose|that|which|of)\b|['’])",
    re.IGNORECASE,
)


def as_that_one(question: str, before: Query, reader: Reader) -> str:
    """The question with `that artist` for `the artist`, where a single one was shown just before."""
    said = _THE_NOUN.search(question)
    shown = {each.table for each in keys(before) if isinstance(each, Col)} if before.limit == 1 else set()
    noun = (said["owner"] or said["noun"] or said["doer"]).lower() if said else ""
    if said is None or noun.endswith("s") or not any(is_called(noun, each, reader) for each in shown):
        return question
    place = question.lower().rindex("the ", 0, said.end())
    return f"{question[:place]}that {question[place + 4 :]}"
