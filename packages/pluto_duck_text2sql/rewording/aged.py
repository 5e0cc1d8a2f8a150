"""People told by how old they are, as an age: `kids` as patients younger than 18, `adult members`, `are pensioners`.

Called by `rewordings`, where the one table of people that keeps dates of birth, or the one of several that a question
names, is not told so by a name of its own. Somebody's own children are none of them. What counts as of age or retired
is said in the answer's reading. What is not born is as old as it has been there: `policies older than 2 years`.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, table_words, tokenise
from pluto_duck_text2sql.terms.ages import birth

_OF_AGE, _RETIRED = 18, 65
_BOUNDS = {
    **dict.fromkeys(("kid", "kids", "child", "children", "minor", "minors", "underage"), f"younger than {_OF_AGE}"),
    **dict.fromkeys(("adult", "adults", "grown-ups"), f"at least {_OF_AGE} years old"),
    **dict.fromkeys(
        ("pensioner", "pensioners", "retiree", "retirees", "senior citizens", "seniors", "elderly", "oaps"),
        f"at least {_RETIRED} years old",
    ),
}
_WORD = "|".join(sorted(_BOUNDS, key=len, reverse=True))
_SAID = Pattern(
    r"(?<!\bhave )(?<!\bhas )(?<!\bhad )(?<!\bwith )(?<!\bwithout )(?<!\bno )(?<!\bany )(?<!\btheir )"
    rf"\b(?P<is>(?:is|are|was|were|aren['’]t|not) (?:an? )?)?(?P<word>{_WORD})"
    r"\b(?![-'’]| of\b)(?: (?P<after>[a-z]+))?",
    re.IGNORECASE,
)

_NUMBERED = Pattern(
    r"\b(?P<who>[a-z]+)(?P<is>(?: who| that)? (?:is|are|aren['’]t|isn['’]t))?(?P<not> not)?"
    r" (?P<bound>over|above|under|below) (?:the age of )?(?P<age>[1-9]\d)"
    r"(?=\W*$|[,;:]| (?:in|on|at|by|from|with|without|and|or|who|that|per|do|did|does|have|has|had|are|were|live)\b)",
    re.IGNORECASE,
)
"""A number after people, with nothing after it that it could count."""
_OLDER = Pattern(
    r"\b(?P<rows>[a-z]+)(?P<is>(?: that| which)?(?: are| is)?) older than (?P<years>[1-9]\d?) years?\b(?: old\b)?",
    re.IGNORECASE,
)
_TELLS_AGES = frozenset(map(stem, "age year birth".split()))
_MONTHS = 12
_YOUNGER = ("under", "below")


def with_ages(question: str, catalog: Catalog, names: NameIndex) -> str:
    """The question with bounds of age; itself where no such words are in it, or they name something."""
    question = _OLDER.sub(lambda said: _in_months(said, catalog), question)
    people = _born(question, catalog) if _SAID.search(question) or _NUMBERED.search(question) else None
    if people is None:
        return question
    text = _NUMBERED.sub(lambda said: _in_years(said, people), question)
    return _SAID.sub(lambda said: _bound(said, people, names), text)


def _born(question: str, catalog: Catalog) -> Table | None:
    """The one table of people with dates of birth, or the one of several that the question names."""
    born = [each for each in catalog.tables if birth(each) and is_of_people(each, ())]
    stems = {token.stem for token in tokenise(question)}
    named = [each for each in born if stems & set(table_stems(each.name)[-1:])]
    found = born if len(born) == 1 else named
    return found[0] if len(found) == 1 else None


def _in_months(said: re.Match[str], catalog: Catalog) -> str:
    """`policies older than 2 years` in months, as any time gone by: of rows that are not born and keep no ages."""
    rows = stem(said["rows"].lower())
    table = next((each for each in catalog.tables if each.has_times and table_stems(each.name)[-1] == rows), None)
    stems = {word for column in table.columns for word in table.stems(column.name)} if table else _TELLS_AGES
    if table is None or is_of_people(table, ()) or _TELLS_AGES & stems:
        return said[0]
    return f"{said['rows']}{said['is']} older than {_MONTHS * int(said['years'])} months"


def _in_years(said: re.Match[str], people: Table) -> str:
    """`patients under 25` as patients younger than 25, `who is over 60` as who is older than 60."""
    is_who = said["who"].lower() in ("who", "whoever", "everyone", "everybody") and said["is"]
    if not is_who and stem(said["who"].lower()) not in table_stems(people.name)[-1:]:
        return said[0]
    is_young = said["bound"].lower() in _YOUNGER
    who = " ".join(table_words(people.name)) if is_who else said["who"]
    if said["not"] or (said["is"] or "").lower().endswith("t"):
        return f"{who} {'at least' if is_young else 'at most'} {said['age']} years old"
    return f"{who}{said['is'] or ''} {'younger' if is_young else 'older'} than {said['age']}"


def _bound(said: re.Match[str], people: Table, names: NameIndex) -> str:
    """`kids` as patients younger than 18, `adult patients` as patients at least 18 years old."""
    if names.called((stem(said["word"].lower()),)):
        return said[0]
    bound, after = _BOUNDS[said["word"].lower()], said["after"] or ""
    if said["is"]:
        return f"{said['is']}{bound} {after}".rstrip()
    if after and stem(after.lower()) in table_stems(people.name)[-1:]:
        return f"{after} {bound}"
    rows = " ".join(table_words(people.name))
    return f"{rows} {bound} {after}".rstrip()
