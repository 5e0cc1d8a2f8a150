"""Which columns a question lists: in a sentence of its own, after a colon, a dash, or `with` (spec.py).

What follows a dash or `with` is a list only where each part names a column or says a measure; else it restricts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import MONEY, STOP, Token, stem, tokenise
from pluto_duck_text2sql.reading.spec import Within, lists_within, split_spec
from pluto_duck_text2sql.trees.phrases import AMOUNT_WORDS

_COUNTS = ("number of ", "count of ", "total ", "average ", "how many ")
_LONGEST = 3
"""What names a column has so many words at most."""
_OF_ROWS = Pattern(
    r"\b(?:order|alphabetical(?:ly)?|chronological(?:ly)?|descending|ascending|counted|excluded|included|only|once)$"
    r"|^(?:sorted|ordered|in|by|not|no|all|every|only|of|for|per)\b|\w \b(?:first|last)$",
    re.IGNORECASE,
)
"""What says which rows there are, or in which order, names no column."""
_FIRST_LAST = {"first", "last", "number"}
_NAMED, _ALIKE = 0.9, 0.6
_RANKS = Pattern(r"\b(?:top|bottom|most|least|\w{3,}est)\b", re.IGNORECASE)
_TELLING = frozenset("name names title titles id ids number numbers code codes key keys".split())
"""What tells rows apart: `customers, with country` are told with their names, `with last name and city` are as said."""
_ADDS = Pattern(r"[.?!;]\s+(?:please )?(?:also )?(?:include|add)\b|[.?!;]\s+(?:please )?also\b", re.IGNORECASE)
"""What is listed after it comes beside what is asked for."""
_LED = Pattern(
    r"^(?:(?:please )?(?:list|show|give)(?: me)? )?(?:the )?(?P<one>[a-z ]+?)(?:,| and) (?:the )?(?P<other>[a-z ]+?)"
    r"(?:,| and| of| for) ",
    re.IGNORECASE,
)
_RESTRICTS = Pattern(
    r"\b(?:most|least|fewest|highest|lowest|largest|smallest|biggest|greatest|best|worst|more|less|fewer|over|under|above"
    r"|below|at|no|any|not|same|than|between|only|an?|both|either|all|every)\b|\d",
    re.IGNORECASE,
)

_PIECES_SOLD = Pattern(r"(?:units|pieces|quantit(?:y|ies))(?: (?:sold|ordered|shipped|bought))?", re.IGNORECASE)
_HAVE_BOTH = Pattern(r"\b(?:have|has|had|with) both\b", re.IGNORECASE)
"""What has both of two is told apart by them: `cities that have both halls with a stage and halls with a bar`."""
_PART_OF_YEAR = Pattern(r"(?:month|quarter)(?: number)?", re.IGNORECASE)


@dataclass(frozen=True)
class Listed:
    """The question proper, and the phrases it lists; `adds`: they come beside what is asked for anyway, `is_apart`: a
    sentence of its own lists them."""

    main: str
    phrases: tuple[str, ...] = ()
    adds: bool = False
    is_apart: bool = False

    @property
    def least_shown(self) -> int:
        """So many columns an answer shows at least: one for each phrase of a list of its own that holds nothing else,
        as `Number, course and length, in order of length.`"""
        named = [each for each in self.phrases if not _OF_ROWS.search(each)]
        if any(_PART_OF_YEAR.fullmatch(each) for each in named):
            named = [each for each in named if each.lower() != "year"]  # a quarter is told with its year as one period
        is_plain = self.is_apart and all(len(each.split()) <= _LONGEST for each in named)
        return len(named) if is_plain else 0


def split_lists(question: str, names: NameIndex) -> Listed:
    """What a question asks, and what it lists."""
    main, phrases = split_spec(question)
    if phrases:
        return Listed(main, tuple(phrases), _ADDS.search(question) is not None, is_apart=True)
    read = (_read(within, names) for within in lists_within(main))
    return next((each for each in read if each), Listed(main))


def _read(within: Within, names: NameIndex) -> Listed | None:
    """A list within a question, where all that it lists are columns or measures."""
    phrases = within.phrases
    if not phrases or _RESTRICTS.search(" ".join(phrases)) or _HAVE_BOTH.search(within.rest):
        return None
    ranks = _RANKS.search(within.rest)
    of_amounts = ranks and all(_is_amount(each, names, _ALIKE) for each in phrases)
    least = _ALIKE if within.is_owned or of_amounts else _NAMED
    measures = [_is_measure(phrase) for phrase in phrases]
    columns = (_is_column(each, names, least) or (within.is_with and _is_of_one(each, names)) for each in phrases)
    fit = all(column or measure for column, measure in zip(columns, measures, strict=True))
    amounts = all(made or _is_amount(each, names, least) for made, each in zip(measures, phrases, strict=True))
    if not fit or not (within.is_apart or len(phrases) > 1 or (amounts and ranks)):
        return None
    tells = any(_TELLING & {token.lower for token in tokenise(each)} for each in phrases)
    says_more = within.is_with and (not tells or _lists_columns(within.rest, names))
    return Listed(within.rest, tuple(phrases), within.is_owned or amounts or says_more)


def _lists_columns(question: str, names: NameIndex) -> bool:
    """Whether a question begins with columns: `room numbers and rates of all suites`."""
    found = _LED.match(question)
    return found is not None and all(_is_column(found[each], names, _NAMED) for each in ("one", "other"))


def _is_column(phrase: str, names: NameIndex, least: float) -> bool:
    """Whether the words are a column's name, or end in one after a word that names nothing (`job title`)."""
    tokens = _named(phrase)
    if not tokens or any(token.quoted or token.number is not None for token in tokenise(phrase)):
        return False
    stems = tuple(token.stem for token in tokens)
    if any(each.column and each.score >= least for each in names.find(stems)):
        return True
    owner = stems[:-1] if stems[-1] == stem("name") else ()
    if owner and any(each.column is None and each.score >= _NAMED for each in names.find(owner)):
        return True
    unknown = len(stems) == 2 and not names.find(stems[:1])
    return unknown and any(each.column and each.score >= _NAMED for each in names.find(stems[1:]))


def _is_of_one(phrase: str, names: NameIndex) -> bool:
    """`with category`: the one thing of another table that each row has; `with orders` says which rows are meant."""
    stems = tuple(token.stem for token in _named(phrase))
    tables = [each for each in names.find(stems) if each.column is None and each.score >= _NAMED]
    return bool(tables) and not phrase.lower().endswith("s")


def _is_amount(phrase: str, names: NameIndex, least: float) -> bool:
    """`with the quantity`: what is only measured of the rows asked for, and tells none of them."""
    found = [each.column for each in names.find(tuple(token.stem for token in _named(phrase))) if each.score >= least]
    return bool(found) and all(column is not None and column.kind == "number" for column in found)


def _is_measure(phrase: str) -> bool:
    """`sales`, `that amount`, `number of orders`, `units sold`."""
    tokens = _named(phrase)
    money = bool(tokens) and all(token.stem in MONEY or token.lower in AMOUNT_WORDS for token in tokens)
    return money or phrase.lower().startswith(_COUNTS) or _PIECES_SOLD.fullmatch(phrase) is not None


def _named(phrase: str) -> list[Token]:
    return [token for token in tokenise(phrase) if token.lower not in STOP - _FIRST_LAST]
