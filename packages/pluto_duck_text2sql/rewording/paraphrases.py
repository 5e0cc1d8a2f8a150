"""Words of a question that name nothing here, said as the data says them: `Germans` as Germany, `bicycles` as bikes.

Called by `analyst` before anything else reads the question, so that the rules and the network meet the data's own
words. In this order a span is looked up: as other words for a stored value (otherwise.py), as a misspelling of one
(misspelt.py), as other words for a table or column (lexicon.py). What names something itself is never touched.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial
from itertools import combinations

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.date_names import ends
from pluto_duck_text2sql.data.held_words import tells_kinds
from pluto_duck_text2sql.data.links import NameIndex
from pluto_duck_text2sql.data.place_columns import place_columns
from pluto_duck_text2sql.data.qualifiers import IS, coded_values, numbered_values, numbered_words
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.abbreviations import other_meanings, short_for, shortens
from pluto_duck_text2sql.language.abbreviations import spelt_out as in_full
from pluto_duck_text2sql.language.edits import Spellings
from pluto_duck_text2sql.language.lexicon import alike, is_of_deed, others_for, spelling, spellings
from pluto_duck_text2sql.language.normal import normal
from pluto_duck_text2sql.language.otherwise import Otherwise, longest, otherwise
from pluto_duck_text2sql.language.slips import meant, spelt_out
from pluto_duck_text2sql.language.words import (
    FILLER,
    MONEY,
    STOP,
    SYNONYMS,
    VOCABULARY,
    name_parts,
    name_stems,
    name_words,
    number_of,
    stem,
    table_parts,
    table_stems,
    table_words,
    tokenise,
)
from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.rewording.misspelt import Misspelt, is_strange
from pluto_duck_text2sql.rewording.stored_states import stored_states
from pluto_duck_text2sql.terms.terms import Terms
from pluto_duck_text2sql.times.calendar_days import MONTHS
from pluto_duck_text2sql.tree import TableKey

_WORD = re.compile(
    r"\"[^\"]*\"|(?<!\w)'[^']*'(?!\w)|(?:[A-Z]\.){2,}|[A-Z][a-z]{,2}(?:\.[A-Z][a-z]{,2})+\b\.?"
    r"|[^\W\d_]+n['’]t(?!\w)|[^\W_]+(?:-[^\W_]+)*"
)
_NUMBERED = re.compile(r"(?<![\w\"'/.-])\d{2,4}[/-]\d{2,4}(?![\w\"'/-])")
_ARTICLE = re.compile(r"(?<![\w\"'])the (?:[A-Z][\w'’]*)(?: [A-Z][\w'’]*)*(?![\w\"'])")
_HYPHENED = re.compile(r"(?<![\w\"'-])[A-Za-z]{2,}-(?!(?:in|out|up|off|on)\b)[A-Za-z]{2,}(?![\w\"'-])")
_DAYS_OF_NAMES = re.compile(r"(?<![\w\"'])[A-Z][a-z]+ (?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)?[Dd]ay(?![\w\"'])")
_GAP = re.compile(r"[ \t]+")
_SELLING = re.compile(r"\b(?:best|top|worst)[- ]sell(?:er|ing)s?\b", re.IGNORECASE)
"""What sells best sells, whoever the sellers are."""
_MARKS = re.compile(r"[^\w ]|\b(?:the|a|an|of|in|on|at|to|from|for|by|and|or|no|not)\b", re.IGNORECASE)
_KEPT = 512
_OF_TIME = frozenset(
    map(stem, "past recent previous prior next current coming following today yesterday night".split())
)
_OF_ASKING = frozenset(
    "according adding counting deducting depending excluding going including leaving nothing taking using".split()
)
_MONTHS_IN_CAPITALS = frozenset(("may", "march"))
"""Months that are another word where they are no name."""
_OF_DEGREE = frozenset(map(stem, "right just even quite still almost".split()))
"""Words that stress others: `right now` is no Right hemicolectomy."""
_COMMON = _OF_DEGREE | STOP | FILLER | MONEY | frozenset(SYNONYMS) | frozenset(map(stem, VOCABULARY)) | _OF_TIME
_LONGEST_VALUE = 6
_LEAST_CODE, _LONGEST_SHORT = 3, 5
_FEW = 60
"""At most so many different values has a column whose values are looked for by other words."""
_FEW_CODES = 12
"""At most so many where words are looked for by three of their letters."""
_MOST_HITS = 100
_LIKE = 0.8
"""How like a name a word must be that misspells it."""
_FORMS = ("ing", "ness", "ation", "ion", "ment", "ed", "es", "s", "e", "al", "")
_MOST_PARTS, _LEAST_PART = 2, 4
"""How many words of a value stand for it, and how many letters each has."""
_LEAST_GIVEN = 3
"""How many letters each of several words of a name has."""
_MOST_OF_PART = 3
"""How many words a value has at most for each that stands for it."""
_NAMED, _CALLED = 0.6, 0.9
"""How well a word must name something to be left, and another word to be put for it."""
_PLACES = "country nation nationality citizenship land origin birthplace market state province territory".split()
_OF_PLACES = frozenset(map(stem, _PLACES))
_BEFORE = "still yet not currently as by via with to in for of from the a an all only and or many that".split()
_CODED = frozenset(map(stem, "code type status kind class category reason cause".split()))
"""What columns of codes are called."""
_SPANS = frozenset(
    "second minute hour day week month quarter year first third fourth fifth last next previous most least".split()
)
"""What spans are told in and what comes when stands for no code: hours are no HR."""
_LETTERS, _PAIR, _LEAST_GLUED = re.compile(r"[a-z0-9]+"), 2, 5
_ARTICLES = frozenset("a an the me us".split())
_ASKING = frozenset("show list give find get display group split break bucket sort rank compare".split())
_GROUPS = ("group", "groups")
_TELL_AFTER = IS | frozenset(_BEFORE) | frozenset("have has had been got get gets getting since".split())

_DOERS = frozenset("we i they you ever".split())
"""Who did what a state tells: `deals that we won`."""
_ONES = ("ones", "one")
_AFTER_DEED = frozenset("and in during per for since last this each between".split())
"""What follows a deed and tells nothing of how it was done."""

_LONGEST_WORD = 40
_RUN_OUT = "expired"
_WHEN = frozenset("in during since last this between before after within on".split())
"""What expired in May did so by its day of ending, whatever became of it."""


@dataclass(frozen=True)
class Paraphrase:
    """The question in the data's words, and what was put for what, as a reading shows it."""

    question: str
    told: tuple[str, ...] = ()


class Paraphrases:
    """Puts questions into the words of one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex, terms: Terms) -> None:
        self._catalog, self._names, self._misspelt, self._terms = catalog, names, Misspelt(catalog, names), terms
        self.of = lru_cache(maxsize=_KEPT)(self._of)
        self._short_for = lru_cache(maxsize=_KEPT)(self._written_short)

    def _of(self, question: str) -> Paraphrase:
        """The question in the data's words; itself where all of its words are, or nothing is known of them."""
        question = _DAYS_OF_NAMES.sub(self._day_in_name, _HYPHENED.sub(self._joined, question))
        question = _ARTICLE.sub(self._with_article, _NUMBERED.sub(self._in_quotes, question))
        words = _Words(question)
        known = self._known(words)
        self._hits([text for pair in words.pairs() for text in _glued(pair)])  # all at once; each is asked for below
        text, told, place, done = "", list[str](), 0, 0
        while place < len(words.spans):
            end, instead = self._instead(words, known, place)
            source = "general lexicon"
            if not instead and not known[place]:
                instead, source = self._alone(words, known, place)
            if instead and not _is_whole(instead, question):
                start, stop = words.between(place, end)
                text, done = text + question[done:start] + instead, stop
                told.append(f'"{question[start:stop]}" is {instead} ({source})')
            place = end
        return Paraphrase(text + question[done:], tuple(told))

    def _alone(self, words: _Words, known: Sequence[bool], place: int) -> tuple[str, str]:
        """What a word that names nothing is put for by what is stored, or by its letters, and how."""
        word = words.text(place, place + 1)
        if label := self._label(word, words, known, place):
            return label, "a state that is stored"
        short = self._shortened(word)
        return (short, "written short here") if short else (self._spelt(word), "spelling")

    def _in_quotes(self, found: re.Match[str]) -> str:
        """`2025/26` in quotes where that is stored, since its numbers are no years then."""
        return f'"{found[0]}"' if self._catalog.values.lookup(found[0], 1) else found[0]

    def _day_in_name(self, found: re.Match[str]) -> str:
        """`Black Friday` as the one stored name that begins so, which is no weekday."""
        held = self._catalog.values.lookup_held(_stems(found[0]))
        named = {hit.value for hit in held if hit.value.casefold().startswith(found[0].casefold())}
        return f'"{named.pop()}"' if len(named) == 1 else found[0]

    def _joined(self, found: re.Match[str]) -> str:
        """`sub-categories` as one word where a name is it in two: `Sub-Category`."""
        word = found[0].replace("-", "").lower()
        is_value = bool(self._catalog.values.lookup(found[0], 1))
        named = not is_value and any(
            each.column and each.score >= _CALLED for each in self._names.called((stem(word),))
        )
        return word if named else found[0]

    def _with_article(self, found: re.Match[str]) -> str:
        """`the Keelman` in quotes where it is stored as The Keelman, since an article begins no name else."""
        hits = self._hits([found[0]])
        values = {hit.value for hit in hits if hit.value.casefold() == found[0].casefold()}
        return f'"{values.pop()}"' if len(values) == 1 else found[0]

    def _known(self, words: _Words) -> list[bool]:
        """Which words name something, alone or with those beside them."""
        of_trade = self._of_trade(words)
        known = [each.is_fixed or each in of_trade or self._names_something(_stems(each.text)) for each in words.spans]
        known[:1] = [True] if words.orders() else known[:1]
        known = [each or _is_month(word.text) for each, word in zip(known, words.spans, strict=True)]
        known = [each or words.is_group_made(place) for place, each in enumerate(known)]
        spans = [(s, e) for s in range(len(known)) for e in range(s + 1, s + 1 + _LONGEST_VALUE) if words.is_run(s, e)]
        texts = [words.text(*each) for each in spans]
        numbered = numbered_words((each.text.casefold() for each in words.spans), self._catalog)
        for (start, end), text, hits in zip(spans, texts, self._catalog.values.lookup_all(texts), strict=True):
            word, long = text.casefold(), end - start
            is_coded = long == 1 and (word in numbered or coded_values(word, self._catalog))
            if hits or is_coded or (long == 2 and self._names_something(_stems(text))):
                known[start:end] = [True] * (end - start)
        return known

    def _of_trade(self, words: _Words) -> list[_Span]:
        """The words that mean something of what is stored as they stand: `unfinished` of jobs without an end, and what
        a glossary, dbt or a code table says."""
        tokens = tokenise(words.text(0, len(words.spans))) if words.spans else []
        said = [each for each in self._terms.find(tokens) if each.term.is_of_trade] + self._terms.defined_in(tokens)
        texts = {word for each in said for word in each.text.casefold().split()}
        return [each for each in words.spans if each.text.casefold() in texts]

    def _names_something(self, stems: tuple[str, ...]) -> bool:
        return any(each.score >= _NAMED for each in self._names.called(stems))

    def _instead(self, words: _Words, known: Sequence[bool], place: int) -> tuple[int, str]:
        """What is put for the longest span from `place` that something is known of, and where that ends."""
        for end in range(place + max(longest(), _LONGEST_VALUE), place, -1):
            text = words.text(place, end) if words.is_run(place, end) and not all(known[place:end]) else ""
            if text and end - place == 1 and not known[place] and (kind := self._kind(text, words)):
                return end, kind
            if not text or (end - place == 1 and _is_plain(text)):
                continue
            found = self._in_short(words.texts(place, end)) or self._glued(text)
            found = found or self._value(text, words, known, place, end)
            found = found or _written(self._misspelt.value(words.texts(place, end), known[place:end]))
            found = found or ("" if known[place] or self._heads_rows(words, place, end) else self._name(text))
            is_told = any(known[place:end]) or self._shortened(text)
            found = found or ("" if is_told else self._whole(text, self._rows_after(words, end)))
            found = found or ("" if any(known[place:end]) or not place else self._called(text))
            if found:
                return end, found
        return place + 1, ""

    def _in_short(self, texts: Sequence[str]) -> str:
        """`customer success manager`, where a table or column is called by the first letters: csm; letters that are a
        word are short for nothing, monthly active players are no maps."""
        letters = "".join(each[0] for each in texts).casefold()
        name = next((each for each in (letters, f"{letters}s") if each in self._short), "")
        ends = (texts[0].casefold(), texts[-1].casefold())
        is_plain = not any(each.casefold() in STOP - {"of"} for each in texts) and "of" not in ends
        is_plain = is_plain and not ends[-1].endswith("ed")  # names ordered by
        is_known = len(letters) >= _LEAST_CODE and is_plain and not load().network.pieces.knows(letters)
        is_known = is_known and not shortens(letters, texts[0].casefold())  # the pos of the position of striker
        return _in_number_of(texts[-1], letters) if name and is_known else ""

    def _shortened(self, text: str) -> str:
        """The one word of the names here that a word may be written as: arpt for airports, drv for the driver."""
        word = text.casefold()
        singular = word.removesuffix("s")
        is_word = singular.isalpha() and len(singular) >= _LEAST_PART and not _is_plain(text) and word not in _SPANS
        short = self._short_for(singular) if is_word else ""
        return _in_number_of(text, short) if short else ""

    def _written_short(self, word: str) -> str:
        """The one word of the names here that is short for a word, in lower case; nothing where none or several are."""
        knows = load().network.pieces.knows
        shorts = (each for each in self._short if shortens(each, word) and not knows(each))
        meant = [each for each in shorts if (full := in_full(each)) == each or self._names_something(_stems(full))]
        return meant[0] if len(meant) == 1 else ""

    def _is_short_rows(self, text: str) -> bool:
        """Whether a table's name is written short for a word: donors are the rows of `dnr`, and no DON."""
        short = self._shortened(text).removesuffix("s")
        return bool(short) and any(short in name_parts(table.name) for table in self._catalog.tables)

    @cached_property
    def _short(self) -> frozenset[str]:
        """The words of names that may be the first letters of others."""
        names = [name for table in self._catalog.tables for name in (table.name, *(col.name for col in table.columns))]
        return frozenset(part for name in names for part in name_parts(name) if len(part) <= _LONGEST_SHORT)

    def _spelt(self, word: str) -> str:
        """A word of a name that is misspelt, else an everyday word that is misspelt or written short."""
        short = spelt_out(word) or self._full(word)
        return short or ((self._name_meant(word) or meant(word)) if is_strange(word) else "")

    def _full(self, word: str) -> str:
        """What a word is short for, where names here are called so in full: `support rep`. A word that people know is
        short for nothing that is one of several things: an act is none that is active."""
        folded = word.casefold()
        meant = in_full(folded)
        is_word = folded in STOP or (bool(other_meanings(folded)[:-1]) and load().network.pieces.knows(folded))
        return meant if meant != folded and not is_word and self._names_something(_stems(meant)) else ""

    def _name_meant(self, word: str) -> str:
        """The one word of the names here that `word` misspells."""
        targets = self._names.find_misspelt(stem(word.casefold()))
        names = (name_words(each.column.name) if each.column else table_words(each.table.name) for each in targets)
        found = Spellings(each for some in names for each in some).close(word.casefold(), 2, _LIKE)
        return _in_number_of(word, found[0]) if found else ""

    def _value(self, text: str, words: _Words, known: Sequence[bool], place: int, end: int) -> str:
        """The one stored value that other words for `text` are, as it is stored: first of tables that are named, since
        cancelled orders may be CAN and cancelled shows CNX."""
        if text.casefold() == _RUN_OUT and words.is_dated(end) and self._tells_last_days(words.stems):
            return ""
        tells = words.tell(known, place, end)
        is_word = end - place == 1 and not known[place] and text.casefold().removesuffix("s") not in _SPANS
        codes = self._codes(text.casefold()) if is_word and tells and not self._is_short_rows(text) else []
        others = [each for each in otherwise(text) if not each.place or not self._are_several(text)]
        for kept in (partial(_of_named, stems=words.stems), list):
            for other in others:
                hits = self._places(other) if other.place else self._states(other)
                value = _written(_one_of(kept(hits), text))
                if value and (other.place or tells):
                    return f"those from {value}" if other.people else value
            if code := _written(_one_of(kept(codes), text)):
                return code
        return ""

    def _are_several(self, text: str) -> bool:
        """Whether a text in lower case is a noun for several of a column's values here: `the states`, no USA."""
        article, _, noun = text.partition(" ")
        is_noun = article == "the" and noun.isalpha() and noun.islower()
        return is_noun and any(each.column and each.score >= _NAMED for each in self._names.find(_stems(noun)))

    def _tells_last_days(self, stems: Collection[str]) -> bool:
        """Whether a table that is named keeps the days on which its rows end."""
        named = (each for each in self._catalog.tables if not {*table_stems(each.name)[-1:]}.isdisjoint(stems))
        return any(column.is_time and ends(each.stems(column.name)) for each in named for column in each.columns)

    def states(self, word: str) -> list[ValueHit]:
        """The values of columns of few that a word for a state, or another for the same, is stored as."""
        own = [hit for hit in self._hits([word]) if self._is_of_few(hit)]
        return [*own, *(hit for other in otherwise(word) for hit in self._states(other)), *self._codes(word)]

    def _glued(self, text: str) -> str:
        """The one state that is stored without what stands between the words of `no-shows`: NOSHOW."""
        texts = _glued(text)
        return _written(_one_of([hit for hit in self._hits(texts) if self._is_of_few(hit)], text)) if texts else ""

    def _codes(self, word: str) -> list[ValueHit]:
        """Codes that a word is written as, of columns that hold few: `ERR` of errors, `WARN` of a warning."""
        singular = word.removesuffix("s")
        listed = [hit for hit in self._hits(short_for(singular)) if self._is_of_few(hit)]
        if listed or not singular.isalpha() or _is_no_state(singular):
            return listed
        begun = [singular[:n] for n in range(_LEAST_CODE, len(singular) - 1)]
        codes = [hit for hit in self._hits(begun) if hit.value.isupper() and self._is_of_few(hit)]
        codes = codes or [hit for hit in self._hits([singular[:_PAIR]]) if self._is_pair_of(hit)]
        short = [hit for hit in self._hits(_skeletons(singular)) if _is_code(hit.value) and self._is_of_codes(hit)]
        codes, short = ([hit for hit in some if not self._is_key(hit)] for some in (codes, short))
        return codes or short or [hit for hit in self._hits(_forms(word)) if self._tells_kinds(hit)]

    def _kind(self, word: str, words: _Words) -> str:
        """`bad` of customers: the value Bad Customer, of a table that is named; nothing where several are."""
        hits = self._of_kinds(_stems(word))
        named = [
            hit for hit in hits if _rest(hit, word) <= words.stems & {*table_stems(hit.table), *name_stems(hit.column)}
        ]
        return _written(_one_of(named, word))

    def _label(self, word: str, words: _Words, known: Sequence[bool], place: int) -> str:
        """`won` of deals: the label Closed Won of a column of states that is called Deal Stage, or its first letter
        where such a column holds letters; nothing where several are."""
        stems = _stems(word)
        if (
            len(word) < _LEAST_CODE
            or not words.tell(known, place, place + 1, _DOERS)
            or stems[0] in STOP | _OF_TIME | _OF_DEGREE
        ):
            return ""
        return _written(_one_of(stored_states(word.casefold(), words.stems, self._catalog), word))

    def _rows_after(self, words: _Words, end: int) -> set[TableKey]:
        """The tables that the word after a span names: `camping bookings` are told of bookings."""
        found = self._names.find(_stems(words.text(end, end + 1))) if words.is_run(end - 1, end + 1) else ()
        return {each.table.key for each in found if each.column is None}

    def _whole(self, text: str, of: Collection[TableKey]) -> str:
        """The one value of several words that these are some of: `multiplayer`; `of` the tables that it is told of, if
        any. What is written as a name is called so in capitals: a podcast is not of Apple Podcasts."""
        stems = _stems(text)
        hits = self._of_kinds(stems) if _are_telling(stems) else []
        hits = [hit for hit in hits if not of or (hit.schema, hit.table) in of]
        meant = [hit for hit in hits if len(_stems(hit.value)) <= _MOST_OF_PART * len(stems)]
        return _written(_one_of([hit for hit in meant if not text.islower() or _is_said_small(hit.value)], text))

    def _called(self, text: str) -> str:
        """The one name that these are the last words of, or several the first: `Mozart` of Wolfgang Amadeus Mozart,
        `Gull Bay` of Gull Bay Holiday Park."""
        last, words = tuple(text.casefold().split()), text.split()
        least = _LEAST_PART if len(words) == 1 else _LEAST_GIVEN
        if not all(each.isalpha() and each.istitle() and len(each) >= least for each in words):
            return ""
        hits = [hit for hit in self._catalog.values.lookup_part(_stems(text)) if _is_name(hit.value)]
        named = [hit for hit in hits if tuple(hit.value.casefold().split()[-len(last) :]) == last]
        begun = [hit for hit in hits if len(last) > 1 and tuple(hit.value.casefold().split()[: len(last)]) == last]
        named = named or begun
        return _written(_one_of(named, text)) if len(named) == len(hits) else ""

    def _of_kinds(self, stems: Sequence[str]) -> list[ValueHit]:
        """The values that these words are part of, of columns that tell kinds: few, and each of several rows."""
        return [hit for hit in self._catalog.values.lookup_part(stems) if self._tells_kinds(hit)]

    def _tells_kinds(self, hit: ValueHit) -> bool:
        return tells_kinds(hit, self._catalog)

    def _places(self, other: Otherwise) -> list[ValueHit]:
        """Values of columns that hold places; codes where nothing is spelt out."""
        for texts in (other.texts, other.codes):
            hits = [hit for hit in self._hits(texts) if self._is_of_places(hit)]
            if hits:
                return hits
        return []

    def _is_of_places(self, hit: ValueHit) -> bool:
        """Whether a column is called after places, or holds them whatever it is called."""
        named = bool(_OF_PLACES & {*name_stems(hit.column), *table_stems(hit.table)})
        return named or (hit.schema, hit.table, hit.column) in self._place_columns

    @cached_property
    def _place_columns(self) -> frozenset[tuple[str, str, str]]:
        return frozenset((*table.key, column.name) for table, column, _ in place_columns(self._catalog))

    def _states(self, other: Otherwise) -> list[ValueHit]:
        """Values of columns that hold few."""
        numbered = (numbered_values(each, self._catalog) for each in other.texts if each.isalpha())
        hits = [*self._hits(other.texts), *(hit for some in numbered for hit in some)]
        return [hit for hit in hits if self._is_of_few(hit)]

    def _hits(self, texts: Sequence[str]) -> list[ValueHit]:
        return [hit for some in self._catalog.values.lookup_all(list(texts), limit=_MOST_HITS) for hit in some]

    def _is_pair_of(self, hit: ValueHit) -> bool:
        """Whether it is a code of two letters, in a column of such codes: EM of emergency, EL of elective."""
        coded = not _CODED.isdisjoint(name_stems(hit.column)) and self._is_of_few(hit, _FEW_CODES)
        return coded and hit.value.isupper() and len(hit.value) == _PAIR

    def _is_of_codes(self, hit: ValueHit) -> bool:
        """Whether its column holds few codes and nothing else: no CEO among engineers and accountants."""
        if not self._is_of_few(hit, _FEW_CODES):
            return False
        return all(map(str.isupper, self._catalog.values.held_in(hit.schema, hit.table, hit.column)))

    def _is_key(self, hit: ValueHit) -> bool:
        """Whether it stands for a row, which has a name: FIN of the finance department is no word for final."""
        table = self._catalog.table(hit.schema, hit.table)
        column = table.column(hit.column) if table else None
        if table is None or column is None:
            return False
        keys = [table.primary_key, *(key.columns for key in table.foreign_keys)]
        is_own = bool(column.n_distinct) and column.n_distinct == table.row_count
        return is_own or any(hit.column.casefold() == name.casefold() for key in keys for name in key)

    def _is_of_few(self, hit: ValueHit, most: int = _FEW) -> bool:
        column = self._catalog.column(hit.schema, hit.table, hit.column)
        return column is not None and column.n_distinct is not None and column.n_distinct <= most

    def _name(self, text: str) -> str:
        """Another word for `text` that a table or column is called by, in the same number; else one that has an id."""
        others = others_for(text.casefold()) if not _is_other_form(text) else ()
        if others and (near := self._name_meant(text)) and _stems(near) in others:
            return near
        for tail in ((), ("id",)):
            for other in others:
                if any(each.score >= _CALLED for each in self._names.called((*other, *tail))):
                    return _in_number_of(text, " ".join((spelling()[other], *tail)))
            if head := next((each for each in others if not tail and self._heads_table(each)), None):
                return _in_number_of(text, spelling()[head])
        within = [each for each in others if {*each} <= self._within_names and not self._names_something(each)]
        return spelling()[within[0]] if len(within) == 1 else self._deed_done(text)

    @cached_property
    def _within_names(self) -> frozenset[str]:
        """The stems of the words that stand within tables' names: `taxi` of yellow_taxi_trips."""
        return frozenset(stem(each) for table in self._catalog.tables for each in table_parts(table.name)[1:-1])

    def _deed_done(self, text: str) -> str:
        """The participle that names call a deed by: `inspected` of an inspection, where `last_inspected_on` is kept."""
        word = text.casefold()
        is_deed = word.isalpha() and word.endswith("ion") and not _is_plain(word)
        done = [each for each in _forms(word) if each.endswith("ed")] if is_deed else []
        return next((each for each in done if self._names_something(_stems(each))), "")

    def _heads_rows(self, words: _Words, place: int, end: int) -> bool:
        """Whether a span of several words ends in what rows are called: the number of units is none of quantities."""
        last = self._names.called(_stems(words.text(end - 1, end))) if end - place > 1 else ()
        return any(each.column is None and each.score >= _CALLED for each in last)

    def _heads_table(self, stems: tuple[str, ...]) -> bool:
        """Whether a table's name ends in the word: department stores are stores."""
        return any(each.column is None and each.score >= _NAMED for each in self._names.called(stems))


@dataclass(frozen=True)
class _Span:
    start: int
    end: int
    text: str

    @property
    def is_fixed(self) -> bool:
        """Whether it is a quoted text."""
        return self.text[:1] in ("'", '"')


class _Words:
    """The words of a question with their places; what sells best is one word."""

    def __init__(self, question: str) -> None:
        self._question = question
        sold = [each.span() for each in _SELLING.finditer(question)]
        found = (_Span(each.start(), each.end(), each[0]) for each in _WORD.finditer(question))
        self.spans = [each for each in found if not any(start <= each.start < end for start, end in sold)]

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stem(each.text.casefold()) for each in self.spans)

    def between(self, start: int, end: int) -> tuple[int, int]:
        """Where the words `start` to before `end` begin and end."""
        return self.spans[start].start, self.spans[end - 1].end

    def texts(self, start: int, end: int) -> list[str]:
        return [each.text for each in self.spans[start:end]]

    def text(self, start: int, end: int) -> str:
        return " ".join(self.texts(start, end))

    def pairs(self) -> list[str]:
        """Every two words that stand side by side, and every single one."""
        places = range(len(self.spans))
        ends = ((start, end) for start in places for end in (start + 1, start + _PAIR) if self.is_run(start, end))
        return [self.text(*each) for each in ends]

    def is_run(self, start: int, end: int) -> bool:
        """Whether there are so many words, with nothing but blanks between them."""
        if end > len(self.spans):
            return False
        pairs = zip(self.spans[start : end - 1], self.spans[start + 1 : end], strict=True)
        return all(_GAP.fullmatch(self._question[one.end : other.start]) for one, other in pairs)

    def orders(self) -> bool:
        """Whether it begins with a verb of which an object follows, `Book an appointment`, or one that only asks."""
        first, second = (*(each.text.casefold() for each in self.spans[:2]), "", "")[:2]
        return bool(second) and (second in _ARTICLES or first in _ASKING)

    def is_group_made(self, place: int) -> bool:
        """Whether a word is one of the groups that the question makes itself: `grouped by year, … in each group`."""
        others = (each.text.casefold() for n, each in enumerate(self.spans) if n != place)
        return self.spans[place].text.casefold() in _GROUPS and any(each in ("group", "grouped") for each in others)

    def tell(self, known: Sequence[bool], start: int, end: int, after: Collection[str] = ()) -> bool:
        """Whether words stand where they tell something of a name: before it, after `is` and the like or one of
        `after`, or, of a deed of which nothing more is told, right after it: `flights scrapped`."""
        before = self.spans[start - 1].text.casefold() if start else ""
        is_one = self.is_run(end - 1, end + 1) and self.spans[end].text.casefold() in _ONES
        follows = start > 0 and known[start - 1] and self.spans[end - 1].text.endswith("ed") and self._ends(end)
        return any(known[end : end + 1]) or is_one or not before or before in _TELL_AFTER or before in after or follows

    def is_dated(self, place: int) -> bool:
        """Whether what follows tells when."""
        return self.is_run(place - 1, place + 1) and self.spans[place].text.casefold() in _WHEN

    def _ends(self, place: int) -> bool:
        """Whether nothing follows before a mark, or only what restricts the whole."""
        ends = not self.is_run(place - 1, place + 1)
        return ends or self.spans[place].text.casefold() in _AFTER_DEED


def _glued(text: str) -> list[str]:
    """The two words of a text as one, and that without its plural; nothing where it has not just two."""
    parts = _LETTERS.findall(text.casefold())
    joined = "".join(parts)
    return [joined, joined.removesuffix("s")] if len(parts) == _PAIR and len(joined) >= _LEAST_GLUED else []


def _stems(text: str) -> tuple[str, ...]:
    return tuple(stem(each.casefold()) for each in text.split())


def _rest(hit: ValueHit, word: str) -> set[str]:
    """The other words of a value."""
    return {*normal(hit.value).split()} - {*_stems(word)}


def _are_telling(stems: Sequence[str]) -> bool:
    """Whether words tell of something of its own: none links others, is a number, or is what businesses say anyway."""
    return len(stems) <= _MOST_PARTS and all(
        len(each) >= _LEAST_PART and each not in _COMMON and (each,) not in alike() and number_of(each) is None
        for each in stems
    )


def _is_no_state(word: str) -> bool:
    """Whether a word says how something is asked, and nothing of a row: money, excluding, depending."""
    return stem(word) in MONEY or word in _OF_ASKING


def _is_name(value: str) -> bool:
    """Whether a value is written as a name: Ludwig van Beethoven."""
    words = value.split()
    return words[0][0].isupper() and (words[-1].istitle() or words[-1].isupper()) and not value.isupper()


def _is_other_form(text: str) -> bool:
    """Whether a word is a form of a listed one, and another sort of word: a title is a heading, who titled is none."""
    word, listed = text.casefold(), spellings(_stems(text))
    return is_of_deed(word) and bool(listed) and not any(map(is_of_deed, listed))


def _is_said_small(value: str) -> bool:
    """Whether a value is written as what it is called by: a state or a kind, no name and no code of words."""
    return not _is_name(value) and not value.isupper()


def _is_month(word: str) -> bool:
    """Whether a word is a month, which stands for no code: September is no SE."""
    return word.casefold() in MONTHS and (word.casefold() not in _MONTHS_IN_CAPITALS or word.istitle())


def _is_plain(word: str) -> bool:
    """Whether a single word is one that links others, or a number; a code in capitals is neither."""
    folded = word.casefold()
    return word in (folded, folded.capitalize()) and (
        folded in STOP or stem(folded) in FILLER or number_of(folded) is not None
    )


def _is_whole(value: str, question: str) -> bool:
    """Whether a question says all words of a value, whatever marks stand between: `admins` of `Sys. Admins`."""
    return value.startswith('"') and " " in value and value.strip('"').casefold() in question.casefold()


def _of_named(hits: Sequence[ValueHit], stems: Collection[str]) -> list[ValueHit]:
    """Those of tables that are named."""
    return [hit for hit in hits if not {*table_stems(hit.table)[-1:]}.isdisjoint(stems)]


def _one_of(hits: Sequence[ValueHit], text: str) -> str:
    """The one value that is hit, or the one of them in the form of the words: refunded for reimbursed, not refund."""
    values = {hit.value.casefold(): hit.value for hit in hits}
    same = {folded: value for folded, value in values.items() if folded[-2:] == text.casefold()[-2:]}
    one = values if len(values) == 1 else same
    return next(iter(one.values())) if len(one) == 1 else ""


def _in_number_of(like: str, name: str) -> str:
    """A name in the number of what it is put for."""
    if not like.endswith("s") or like.endswith("ss") or name.endswith("s"):
        return name
    return f"{name[:-1]}ies" if name.endswith("y") and name[-2] not in "aeiou" else f"{name}s"


def _skeletons(word: str) -> list[str]:
    """What a word may be written as in three of its letters, the first one first: `FRZ` of frozen, `STE` of suite."""
    is_word = _LEAST_CODE + 1 < len(word) <= _LONGEST_WORD and not word.endswith("est")
    rest = range(1, len(word)) if is_word else range(0)
    return [word[0] + word[one] + word[other] for one, other in combinations(rest, 2)]


def _is_code(value: str) -> bool:
    return value.isupper() and len(value) == _LEAST_CODE


def _forms(word: str) -> list[str]:
    """Other forms of a word: `relocation` of relocating, `transferred` of a transfer."""
    base = next((word.removesuffix(each) for each in _FORMS if each and word.endswith(each)), word)
    return [base + each for each in _FORMS if len(base) >= _LEAST_PART and base + each != word]


def _written(value: str) -> str:
    """As it goes into a question: in quotes where its words alone would be read as others, CAN as what one can."""
    is_plain = len(value) == 1 or value.casefold() in STOP or bool(_MARKS.search(value))
    return f'"{value}"' if is_plain and '"' not in value else value
