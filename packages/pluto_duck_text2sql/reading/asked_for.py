"""What a question asks for, where the words for it name nothing: `how many warehouses`, `how much milk`.

Called by `reader` with the places of the words that nothing explains. An answer would be about something else.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import IMPERATIVES, root, stem, table_stems

if TYPE_CHECKING:
    from pluto_duck_text2sql.data.links import Mention
    from pluto_duck_text2sql.reading.reader import Pass

_EXACT, _SPELT = 1.0, 0.9
"""What a stored value scores that is written as it is stored, and one that differs by its number or signs alone."""
_NAMED = 0.9
"""How well a word names a table whose rows it stands for."""
_COUNTED = ("count", "agg", "howmuch")
_BEFORE_WHICH = frozenset("at in on to from by for with".split())
_LEADING = frozenset("what who where when is are was were me all the our".split()) | IMPERATIVES
_BEING = frozenset(("is", "are"))
_AFTER = frozenset("by with in at on for from during to so".split())
_THERE = frozenset(map(stem, "listed stored kept known saved held counted shown affected involved".split()))
_HAVING = frozenset("have has had having with without".split())
_BY = frozenset(("by", "via", "about"))
_THE = frozenset("the our their its".split())
_AT = frozenset("on in at within near inside outside from".split())
_NOW = (("right", "now"), ("at", "the", "moment"), ("at", "present"), ("now",), ("today",), ("currently",))
_ARTICLES = frozenset("a an any".split())
_NOT_NAMED = frozenset("who where when".split())
"""They ask for what no word names: in `who was born before 1950` the word after `was` tells which are meant."""
_DEGREES = frozenset("long old tall big high heavy large deep wide far fast".split())
_DO = frozenset("do does did".split())
_IS = frozenset("is are was were".split())
_UNITS = frozenset(map(stem, ("hours", "days", "weeks", "months", "quarters", "years")))
_TIMES = Pattern(r"how (?:many times|often)\b", re.IGNORECASE)
_PAST = Pattern(r"[^\W\d_]+ed")
_MOST = Pattern(r"the (?:most|least|fewest)|(?:the )?(?:most|least) (?:often|frequently)")


def asked_in_vain(roles: Pass, left: set[int]) -> str:
    """The words for what is asked, where they name nothing; else nothing."""
    spans = (*_things(roles, left), *_deeds(roles, left), *_ranked(roles, left))
    return next((roles.words_at(*span) for span in spans), "")


def told_in_vain(roles: Pass, left: set[int]) -> str:
    """`how many organic farms`: the word that tells which of the rows are meant, where nothing is called so."""
    tables = {each.start for each in roles.mentions if any(t.column is None for t in each.targets)}
    names = [table.name.casefold() for table in roles.reader.catalog.tables]
    spans = [*(span for span in _unknown(roles, left) if span[1] in tables), *_had(roles, left), *_been(roles, left)]
    spans += _placed(roles, left)
    words = (roles.words_at(*span) for span in spans)
    return next((each for each in words if not any(each.casefold() in name for name in names)), "")


def _had(roles: Pass, left: set[int]) -> Iterator[tuple[int, int]]:
    """`how many flats have a sauna`, `were shipped by drone`: what the rows meant have, came by or are about."""
    words = [token.lower for token in roles.tokens]
    for n, word in enumerate(words):
        articles = _ARTICLES if word in _HAVING else _THE | _ARTICLES
        has_article = word in _HAVING | _BY and words[n + 1 : n + 2] and words[n + 1] in articles
        start = n + 1 + bool(has_article)
        if (has_article or word in _BY) and start in left:
            yield start, next(end for end in range(start, len(words) + 1) if end not in left)


def _ranked(roles: Pass, left: set[int]) -> Iterator[tuple[int, int]]:
    """`the happiest workers`, `the best looking pilot`, `most streamed`: what a rank is said to be by."""
    ends = {cue.end for cue in roles.cues if cue.kind == "super"}
    for n in sorted(left):
        word = roles.tokens[n].lower
        if word.endswith("ly"):
            continue  # `most widely used` is used the most
        if n in ends or (word.endswith("est") and n and roles.tokens[n - 1].lower in _THE):
            yield n, n + 1


def _placed(roles: Pass, left: set[int]) -> Iterator[tuple[int, int]]:
    """`live on campus`, `were shipped late`: where or how the rows meant are, at the end of the question or `now`."""
    words = [token.lower for token in roles.tokens]
    n = len(words) - 1 - next((len(each) for each in _NOW if tuple(words[-len(each) :]) == each), 0)
    if n in left and (roles.tokens[n - 1].lower in _AT or _PAST.fullmatch(roles.tokens[n - 1].lower)):
        yield n, n + 1


def listed_in_vain(phrases: Sequence[str], mentions: Sequence[Mention]) -> str:
    """`Supplier and trucks.`: a column asked for that was taken for a stored value, which is written otherwise."""
    values = {stem(each.text.casefold()) for each in mentions if not each.targets and _is_inexact(each, _EXACT)}
    return next((each for each in phrases if stem(each.casefold()) in values), "")


def _been(roles: Pass, left: set[int]) -> Iterator[tuple[int, int]]:
    """`how many customers are married`: what the rows meant are. What was done to them may be why they are there, as is
    what those did who are kept here: `supported by the clients`."""
    words = [token.lower for token in roles.tokens]
    for n in sorted(left):
        if n and words[n - 1] in _BEING and roles.tokens[n].stem not in _THERE:
            end = next(each for each in range(n, len(words) + 1) if each not in left)
            if end == len(words) or (words[end] in _AFTER and not _is_doer(roles, end)):
                yield n, end


def _is_doer(roles: Pass, place: int) -> bool:
    """Whether `by` what a table is called stands there."""
    words = [token.lower for token in roles.tokens]
    start = next((n for n in range(place + 1, len(words)) if words[n] not in _THE | _ARTICLES), len(words))
    return words[place] == "by" and any(each.start == start and _names_rows(each) for each in roles.mentions)


def _names_rows(item: Mention) -> bool:
    return any(each.column is None and each.score >= _NAMED for each in item.targets)


def _is_inexact(item: Mention, least: float) -> bool:
    return bool(item.hits) and max(hit.score for hit in item.hits) < least


def _unknown(roles: Pass, left: set[int]) -> Iterator[tuple[int, int]]:
    """The unexplained words where what is asked is said; nobody asks for what would be a misspelt value."""
    guessed = (each for each in roles.mentions if not each.targets and _is_inexact(each, _SPELT))
    left = left.union(*(range(each.start, each.end) for each in guessed))
    for place in _places(roles):
        end = place
        while end < len(roles.tokens) and end in left:
            end += 1
        if end > place:
            yield place, end


def _things(roles: Pass, left: set[int]) -> Iterator[tuple[int, int]]:
    """`how many warehouses`, `which textbooks`: unless a name goes on, so that the words only tell which."""
    starts = {*(each.start for each in roles.mentions), *(each.start for each in roles.grains)}
    for place, end in _unknown(roles, left):
        after = roles.tokens[end] if end < len(roles.tokens) else None
        is_verb = after is not None and after.lower.endswith("ed")
        goes_on = after is not None and after.stem in _UNITS
        if not goes_on and (is_verb or end not in starts):
            yield place, end


def _places(roles: Pass) -> list[int]:
    """Where the word for what is asked may stand: after `how many`, `at which`, `what are the`, `how long is the`."""
    words = [token.lower for token in roles.tokens]
    places = [cue.end for cue in roles.cues if cue.kind in _COUNTED]
    lead = 1 if words[0] in _BEFORE_WHICH else 0
    if words[lead : lead + 1] in (["which"], ["what"]):
        places.append(lead + 1)
    first = 2 if words[0] == "how" and words[1:2] and words[1] in _DEGREES and set(words[2:3]) <= _IS else 0
    skipped = next((n for n, word in enumerate(words) if n >= first and word not in _LEADING), len(words))
    if words[0] in _NOT_NAMED and words[skipped - 1] in _IS:
        return places
    return [*places, skipped] if skipped > 1 + first // 2 else places


def _deeds(roles: Pass, left: set[int]) -> Iterator[tuple[int, int]]:
    """`how many times was it streamed`, `which wineries export the most`, `who composed the music`: a deed of which
    there are no rows."""
    words = [token.lower for token in roles.tokens]
    if words[0] == "who" and 1 in left and _PAST.fullmatch(words[1]) and not _names_deed(roles, 1):
        yield 1, 2
    yield from _done_last(roles, left)
    is_counted = bool(_TIMES.match(" ".join(words)))
    for place in sorted(left):
        is_most = _MOST.fullmatch(" ".join(words[place + 1 :]))
        is_last = place == len(words) - 1
        if is_most or (is_counted and (is_last or _PAST.fullmatch(words[place]))):
            yield place, place + 1


def _done_last(roles: Pass, left: set[int]) -> Iterator[tuple[int, int]]:
    """`how many people did each ferry injure`: what was done, unless something here is called after it (`supply`), or
    rows are counted that are called so: what an employee did with orders is that they are theirs."""
    last = len(roles.tokens) - 1
    words = [token.lower for token in roles.tokens[:last]]
    did = next((place for place, word in enumerate(words) if word in _DO), 0)
    if last not in left or words[:1] != ["how"] or not did or _are_rows(roles, did):
        return
    if not _names_deed(roles, last):
        yield last, last + 1


def _are_rows(roles: Pass, before: int) -> bool:
    """Whether a word before this place is the name of a table."""
    return any(_names_rows(each) for each in roles.mentions if each.end <= before)


def _names_deed(roles: Pass, place: int) -> bool:
    """Whether a table or column is called after a verb: suppliers supply, the chair has chaired."""
    tables = roles.reader.catalog.tables
    names = {root(each) for table in tables for each in table_stems(table.name)}
    names |= {root(each) for table in tables for column in table.columns for each in table.stems(column.name)}
    return root(roles.tokens[place].stem) in names
