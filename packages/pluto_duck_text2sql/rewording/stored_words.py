"""Words for stored values: `the States` of USA, `called off` of cancelled, `frozen` of the code FRZ, `Mozart`."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from functools import partial
from itertools import combinations

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.date_names import ends
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.abbreviations import short_for
from pluto_duck_text2sql.language.lexicon import alike
from pluto_duck_text2sql.language.normal import normal
from pluto_duck_text2sql.language.otherwise import otherwise
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.superlatives import is_superlative
from pluto_duck_text2sql.language.words import (
    FILLER,
    MONEY,
    STOP,
    SYNONYMS,
    VOCABULARY,
    name_stems,
    number_of,
    stem,
    table_stems,
)
from pluto_duck_text2sql.rewording.name_words import LEAST_CODE, LEAST_PART, NAMED, SPANS, NameWords, forms_of, stems_of
from pluto_duck_text2sql.rewording.question_words import QuestionWords
from pluto_duck_text2sql.rewording.stored_states import stored_states
from pluto_duck_text2sql.rewording.value_lookup import PAIR, ValueLookup
from pluto_duck_text2sql.tree import TableKey

_MARKS = Pattern(r"[^\w ]|\b(?:the|a|an|of|in|on|at|to|from|for|by|and|or|no|not)\b", re.IGNORECASE)
_OF_TIME = frozenset(
    map(stem, "past recent previous prior next current coming following today yesterday night".split())
)
_OF_ASKING = frozenset(
    "according adding counting deducting depending excluding going including leaving nothing taking using".split()
)
_OF_DEGREE = frozenset(map(stem, "right just even quite still almost".split()))
"""Words that stress others: `right now` is no Right hemicolectomy."""
_COMMON = _OF_DEGREE | STOP | FILLER | MONEY | frozenset(SYNONYMS) | frozenset(map(stem, VOCABULARY)) | _OF_TIME
_MOST_PARTS = 2
"""How many words of a value stand for it at most."""
_LEAST_GIVEN = 3
"""How many letters each of several words of a name has."""
_MOST_OF_PART = 3
"""How many words a value has at most for each that stands for it."""
_LETTERS = Pattern(r"[a-z0-9]+")
_LEAST_GLUED, MOST_GLUED = 5, 3
_RELATIVES = frozenset("who that which".split())
"""What a clause of a deed begins with: `students who failed`."""
_DONE = Pattern(r"[a-z]{2,}ed|won|lost|sold|paid|sent|kept")
_ROLES = frozenset(map(stem, "role title position job function rank".split()))
"""What columns of roles are called, which are written in capitals as names are."""
_DOERS = frozenset("we i they you ever".split())
"""Who did what a state tells: `deals that we won`."""
_CONSONANTS = Pattern("[b-df-hj-np-tv-z]")
_LONGEST_WORD = 40
_EACH_SPAN = frozenset("hourly daily weekly monthly quarterly yearly annual annually".split())
_OF_CYCLES = frozenset(map(stem, "cycle frequency interval billing period term recurrence plan".split()))
"""What columns are called that hold how often something comes: no other code is meant by `monthly`."""
_RUN_OUT = "expired"


class StoredWords:
    """The stored value of one catalog that words stand for: said otherwise, in a code, in a part of it."""

    def __init__(self, catalog: Catalog, names: NameIndex, called: NameWords) -> None:
        self._catalog, self._names, self._names_said = catalog, names, called
        self._lookup = ValueLookup(catalog)

    def value(self, text: str, words: QuestionWords, known: Sequence[bool], place: int, end: int) -> str:
        """The one stored value that other words for `text` are, as it is stored: first of tables that are named, since
        cancelled orders may be CAN and cancelled shows CNX."""
        if text.casefold() == _RUN_OUT and words.is_dated(end) and self._tells_last_days(words.stems):
            return ""
        stands = words.tell(known, place, end)
        is_deed = end - place == 1 and text.endswith("ed")
        tells = stands or (is_deed and words.tell(known, place, end, _RELATIVES))
        is_word = end - place == 1 and not known[place] and text.casefold().removesuffix("s") not in SPANS
        codes = self._codes(text.casefold()) if is_word and stands and not self._names_said.is_short_rows(text) else []
        others = [each for each in otherwise(text) if not each.place or not self._are_several(text)]
        for kept in (partial(_of_named, stems=words.stems), list):
            for other in others:
                hits = self._lookup.places(other) if other.place else self._lookup.of_few(other)
                value = written(_one_of(kept(hits), text))
                if value and (other.place or tells):
                    return f"those from {value}" if other.people else value
            if code := written(_one_of(kept(codes), text)):
                return code
        return ""

    def is_meant_elsewhere(self, text: str, hits: Sequence[ValueHit]) -> bool:
        """Whether a place is meant by a text that is stored as something else."""
        return self._lookup.is_meant_elsewhere(text, hits)

    def state_said(self, text: str, words: QuestionWords, known: Sequence[bool], place: int) -> str:
        """The state that a plain verb is another word for, where it tells one: the exams that `were passed`. No code is
        meant by its letters: what was played is no PL."""
        is_said = _DONE.fullmatch(text) and words.tell(known, place, place + 1, _RELATIVES)
        others = [each for each in otherwise(text) if is_said and not each.place]
        states = [hit for each in others for hit in self._lookup.of_few(each)]
        return written(_one_of(_of_named(states, stems=words.stems), text) or _one_of(states, text))

    def _are_several(self, text: str) -> bool:
        """Whether a text in lower case is a noun for several of a column's values here: `the states`, no USA."""
        article, _, noun = text.partition(" ")
        is_noun = article == "the" and noun.isalpha() and noun.islower()
        return is_noun and any(each.column and each.score >= NAMED for each in self._names.find(stems_of(noun)))

    def _tells_last_days(self, stems: Collection[str]) -> bool:
        """Whether a table that is named keeps the days on which its rows end."""
        named = (each for each in self._catalog.tables if not {*table_stems(each.name)[-1:]}.isdisjoint(stems))
        return any(column.is_time and ends(each.stems(column.name)) for each in named for column in each.columns)

    def states(self, word: str) -> list[ValueHit]:
        """The values of columns of few that a word for a state, or another for the same, is stored as."""
        own = [hit for hit in self._lookup.hits([word]) if self._lookup.is_of_few(hit)]
        return [*own, *(hit for other in otherwise(word) for hit in self._lookup.of_few(other)), *self._codes(word)]

    def glued(self, text: str) -> str:
        """The one state that is stored without what stands between the words of `no-shows`: NOSHOW."""
        hits = self._lookup.hits(_glued_texts(text))
        return written(_one_of([hit for hit in hits if self._lookup.is_of_few(hit)], text))

    def look_up_glued(self, texts: Sequence[str]) -> None:
        """Look all of these up at once, since each of them will be."""
        self._lookup.hits([each for text in texts for each in _glued_texts(text)])

    def _codes(self, word: str) -> list[ValueHit]:
        """Codes that a word is written as; `monthly` only where it is held how often something comes."""
        hits = self._written_as(word)
        return hits if word not in _EACH_SPAN else [hit for hit in hits if _OF_CYCLES & {*name_stems(hit.column)}]

    def _written_as(self, word: str) -> list[ValueHit]:
        """Codes that a word is written as, of columns that hold few: `ERR` of errors, `WARN` of a warning."""
        look, singular = self._lookup, word.removesuffix("s")
        listed = [hit for hit in look.hits(short_for(singular)) if look.is_of_few(hit) and not look.is_place(hit)]
        if listed or not singular.isalpha() or _is_no_state(singular):
            return listed
        found = [hit for hit in self._begun(singular) or self._by_letters(singular) if not look.is_place(hit)]
        return found or [hit for hit in look.hits(forms_of(word)) if look.tells_kinds(hit)]

    def _begun(self, word: str) -> list[ValueHit]:
        """Codes that a word begins with; `EM` of emergency only where codes of two letters are kept."""
        look, begun = self._lookup, [word[:n] for n in range(LEAST_CODE, len(word) - 1)]
        codes = [hit for hit in look.hits(begun) if hit.value.isupper() and look.is_of_few(hit)]
        is_name = not codes and bool(self._names_said.shortened(word))  # the day it was entered is `ent_dt`
        pairs = [] if codes or is_name else look.hits([word[:PAIR]])
        codes = codes or [hit for hit in pairs if look.is_pair_of(hit)]
        return [hit for hit in codes if not look.is_key(hit)]

    def _by_letters(self, word: str) -> list[ValueHit]:
        """Codes of three of a word's letters: `FRZ` of frozen."""
        look = self._lookup
        short = [hit for hit in look.hits(_skeletons(word)) if _is_code(hit.value) and look.is_of_codes(hit)]
        return [hit for hit in short if not look.is_key(hit)]

    def kind(self, word: str, words: QuestionWords) -> str:
        """`bad` of customers: the value Bad Customer, of a table that is named; nothing where several are."""
        hits = [hit for hit in self._lookup.of_kinds(stems_of(word)) if _is_part(word, hit)]
        named = [
            hit for hit in hits if _rest(hit, word) <= words.stems & {*table_stems(hit.table), *name_stems(hit.column)}
        ]
        return written(_one_of(named, word))

    def label(self, word: str, words: QuestionWords, known: Sequence[bool], place: int) -> str:
        """`won` of deals: the label Closed Won of a column of states that is called Deal Stage, or its first letter
        where such a column holds letters; nothing where several are."""
        stems = stems_of(word)
        if (
            len(word) < LEAST_CODE
            or not words.tell(known, place, place + 1, _DOERS)
            or stems[0] in STOP | _OF_TIME | _OF_DEGREE
        ):
            return ""
        return written(_one_of(stored_states(word.casefold(), words.stems, self._catalog), word))

    def whole(self, text: str, of: Collection[TableKey]) -> str:
        """The one value of several words that these are some of: `multiplayer`; `of` the tables that it is told of, if
        any. What is written as a name is called so in capitals: a podcast is not of Apple Podcasts."""
        stems = stems_of(text)
        hits = self._lookup.of_kinds(stems) if _are_words(stems) else []
        hits = hits if _are_telling(stems) else [hit for hit in hits if _is_head_of(stems, hit)]
        hits = [hit for hit in hits if not of or (hit.schema, hit.table) in of]
        meant = [hit for hit in hits if len(stems_of(hit.value)) <= _MOST_OF_PART * len(stems)]
        meant = [hit for hit in meant if not text.islower() or _is_said_small(hit.value) or _is_head_of(stems, hit)]
        return written(_one_of(meant, text))

    def called_so(self, text: str) -> str:
        """The one name that these are the last words of, or several the first: `Mozart` of Wolfgang Amadeus Mozart,
        `Gull Bay` of Gull Bay Holiday Park."""
        last, words = tuple(text.casefold().split()), text.split()
        least = LEAST_PART if len(words) == 1 else _LEAST_GIVEN
        if not all(each.isalpha() and each.istitle() and len(each) >= least for each in words):
            return ""
        hits = [hit for hit in self._catalog.values.lookup_part(stems_of(text)) if _is_name(hit.value)]
        named = [hit for hit in hits if tuple(hit.value.casefold().split()[-len(last) :]) == last]
        begun = [hit for hit in hits if len(last) > 1 and tuple(hit.value.casefold().split()[: len(last)]) == last]
        named = named or begun
        return written(_one_of(named, text)) if len(named) == len(hits) else ""


def _glued_texts(text: str) -> list[str]:
    """The two or three words of a text as one, and that without its plural; nothing where it has not so many."""
    parts = _LETTERS.findall(text.casefold())
    joined = "".join(parts)
    is_glued = PAIR <= len(parts) <= MOST_GLUED and len(joined) >= _LEAST_GLUED
    return [joined, joined.removesuffix("s")] if is_glued else []


def _is_part(word: str, hit: ValueHit) -> bool:
    """Whether a word is one of a value's as it is written, or its plural: who comes is of no booking.com."""
    singular = word.casefold().removesuffix("s")
    return any(part.casefold().removesuffix("s") == singular for part in hit.value.replace(".", " . ").split()) or (
        len(stem(singular)) >= LEAST_PART
    )


def _rest(hit: ValueHit, word: str) -> set[str]:
    """The other words of a value."""
    return {*normal(hit.value).split()} - {*stems_of(word)}


def _are_telling(stems: Sequence[str]) -> bool:
    """Whether words tell of something of its own: none links others, is a number, or is what businesses say anyway."""
    return _are_words(stems) and not any((each,) in alike() for each in stems)


def _are_words(stems: Sequence[str]) -> bool:
    """Whether none of few words links others or is a number."""
    plain = (len(each) >= LEAST_PART and each not in _COMMON and number_of(each) is None for each in stems)
    return len(stems) <= _MOST_PARTS and all(plain)


def _is_head_of(stems: Sequence[str], hit: ValueHit) -> bool:
    """Whether words are the last of what a role is called, in capitals too: an advisor is a Sales Advisor."""
    tells_roles = not _ROLES.isdisjoint((*name_stems(hit.column), *table_stems(hit.table)[-1:]))
    return tells_roles and tuple(stems_of(hit.value)[-len(stems) :]) == tuple(stems)


def _is_no_state(word: str) -> bool:
    """Whether a word says how something is asked, and nothing of a row: money, excluding, depending, the longest."""
    return stem(word) in MONEY or word in _OF_ASKING or is_superlative(word)


def _is_name(value: str) -> bool:
    """Whether a value is written as a name: Ludwig van Beethoven."""
    words = value.split()
    return words[0][0].isupper() and (words[-1].istitle() or words[-1].isupper()) and not value.isupper()


def _is_said_small(value: str) -> bool:
    """Whether a value is written as what it is called by: a state or a kind, no name and no code of words."""
    return not _is_name(value) and not value.isupper()


def _of_named(hits: Sequence[ValueHit], stems: Collection[str]) -> list[ValueHit]:
    """Those of tables that are named."""
    return [hit for hit in hits if not {*table_stems(hit.table)[-1:]}.isdisjoint(stems)]


def _one_of(hits: Sequence[ValueHit], text: str) -> str:
    """The one value that is hit, or the one of them in the form of the words: refunded for reimbursed, not refund."""
    values = {hit.value.casefold(): hit.value for hit in hits}
    same = {folded: value for folded, value in values.items() if folded[-2:] == text.casefold()[-2:]}
    one = values if len(values) == 1 else same
    return next(iter(one.values())) if len(one) == 1 else ""


def _skeletons(word: str) -> list[str]:
    """What a word may be written as in three of its letters, the first one first, then no vowel: `FRZ` of frozen, `STE`
    of suite, no `SEA` of speakers."""
    is_word = LEAST_CODE + 1 < len(word) <= _LONGEST_WORD and not word.endswith("est")
    places = combinations(range(1, len(word)), 2) if is_word else ()
    drawn = ((word[one], word[other]) for one, other in places if _are_near(word, one, other))
    return list(dict.fromkeys(word[0] + one + other for one, other in drawn if one not in "aeiou"))


def _are_near(word: str, one: int, other: int) -> bool:
    """Whether no more than one consonant is left out before two letters of a word: `employed` is no ELE."""
    between = f"{word[1:one]} {word[one + 1 : other]}"
    return len(_CONSONANTS.findall(between.replace(word[one], "").replace(word[other], ""))) <= 1


def _is_code(value: str) -> bool:
    return value.isupper() and len(value) == LEAST_CODE


def written(value: str) -> str:
    """As it goes into a question: in quotes where its words alone would be read as others, CAN as what one can."""
    is_plain = len(value) == 1 or value.casefold() in STOP or bool(_MARKS.search(value))
    return f'"{value}"' if is_plain and '"' not in value else value
