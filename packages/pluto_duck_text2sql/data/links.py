"""Which words of a question name which tables, columns and stored values.

Spans are looked up among the catalog's names (name_index.py) and values, the longest and best first, and each span
keeps all its targets: which one is meant is decided by context (reader.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import ALIKE, WEAKEST_EXACT, NameIndex, Target
from pluto_duck_text2sql.data.qualifiers import alongside, at_home, coded_values, numbered_values, qualifying, splits
from pluto_duck_text2sql.data.states import is_state
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.language.words import FILLER, MONEY, STOP, VOCABULARY, Token, commands, is_contrary, root, stem

if TYPE_CHECKING:
    from pluto_duck_text2sql.trees.term import Term

_BEFORE_ROWS = ("on", "in", "at", "by", "for", "with")
_LONGEST_NAME = 4
_LONGEST_VALUE = 6
_LONGEST_MISSPELT = 3
_WEAKEST = 0.5
_MOST_TARGETS = 40
_MOST_HITS = 12
_MOST_MISSPELT = 5
_MOST_READ = 500
_LEADING_PLACES = frozenset("in from for of to the".split())
_PREPOSITIONS = frozenset("in on at out under off up over to not no".split())


@dataclass(frozen=True)
class Mention:
    """Words `start` to before `end`, and what they may name: names in `targets`, stored values in `hits`.

    `term` is what the user's glossary says of them.
    """

    start: int
    end: int
    targets: tuple[Target, ...] = ()
    hits: tuple[ValueHit, ...] = ()
    text: str = ""
    term: Term | None = None

    @property
    def score(self) -> float:
        scores = [*(each.score for each in self.targets), *(each.score for each in self.hits)]
        return max(scores, default=0.0)


def find_mentions(tokens: Sequence[Token], taken: Sequence[bool], names: NameIndex, catalog: Catalog) -> list[Mention]:
    """Spans that do not overlap, the best first to choose; then misspelt names and values for what is left."""
    chosen: list[Mention] = []
    free = [not each for each in taken]
    if commands(tokens):
        free[0] = False
    named = list(_name_spans(tokens, free, names))
    near = _tables_named(named)
    values = list(_value_spans(tokens, free, catalog, near, named))
    spans = [*(_nearest(each, near) for each in named if not splits(each, values, tokens, names)), *values]
    for mention in sorted(spans, key=lambda each: (-_weight(each, tokens), each.start)):
        if all(free[mention.start : mention.end]):
            rivals = [each for each in spans if (each.start, each.end) == (mention.start, mention.end)]
            chosen.append(_merged(rivals))
            free[mention.start : mention.end] = [False] * (mention.end - mention.start)
    held = _apart_from_each_other(list(_held(tokens, free, names, catalog)))
    for mention in held:
        free[mention.start : mention.end] = [False] * (mention.end - mention.start)
    chosen += [*held, *(_nearest(each, near) for each in _misspelt(tokens, free, names, catalog))]
    return at_home(sorted(chosen, key=lambda each: each.start), tokens)


def _weight(mention: Mention, tokens: Sequence[Token]) -> float:
    length = mention.end - mention.start
    quoted = tokens[mention.start].quoted
    return mention.score * (1 + 0.6 * (length - 1)) + (2.0 if quoted else 0.0) - (0.02 if mention.hits else 0.0)


def _merged(rivals: Sequence[Mention]) -> Mention:
    first = rivals[0]
    targets = tuple(target for each in rivals for target in each.targets)
    hits = tuple(hit for each in rivals for hit in each.hits)
    if any(hit.score >= WEAKEST_EXACT for hit in hits):  # bugs that are stored are no other word for issues
        said = set(map(stem, first.text.lower().split()))
        targets = tuple(each for each in targets if not _is_other_word(each, said))
    return Mention(first.start, first.end, targets, hits, first.text)


def _is_other_word(target: Target, said: set[str]) -> bool:
    """Whether words only stand for a name that has none of them: an account called Wages is not what was paid."""
    if target.column is None:
        return target.score <= ALIKE
    return target.score < WEAKEST_EXACT and said.isdisjoint(target.table.stems(target.column.name))


def _name_spans(tokens: Sequence[Token], free: Sequence[bool], names: NameIndex) -> Iterator[Mention]:
    for start, end in _spans(tokens, free, _LONGEST_NAME):
        edge = tokens[start].lower in STOP or tokens[end - 1].lower in STOP
        if tokens[start].quoted or (edge and end - start == 1):
            continue
        stems = tuple(token.stem for token in tokens[start:end] if token.lower not in ("of", "the", "in"))
        if not stems or (edge and len(stems) < end - start):
            continue
        whole = tuple(token.stem for token in tokens[start:end])
        order = whole if whole == stems or names.begins(whole) else stems[::-1]
        if tokens[start].lower in _BEFORE_ROWS and not names.begins(order):
            continue  # `on paid checks` are not those of a day on which they were paid
        targets = [each for each in names.find(order) if each.score >= _WEAKEST]
        if targets and not _is_plain_verb(tokens[start:end], targets):
            yield Mention(start, end, tuple(targets), text=_text(tokens, start, end))


def _is_plain_verb(words: Sequence[Token], targets: Sequence[Target]) -> bool:
    """`invoices we issued`: a verb that says nothing of its own names no rows that only other words would: issues."""
    alone = words[0] if len(words) == 1 else None
    is_verb = alone is not None and alone.stem in FILLER and alone.lower.endswith("ed")
    return is_verb and all(each.column is None and each.score <= ALIKE for each in targets)


def _tables_named(named: Sequence[Mention]) -> dict[tuple[str, str], float]:
    """How well the question names each table, anywhere in it."""
    found: dict[tuple[str, str], float] = {}
    for mention in named:
        for target in mention.targets:
            if target.column is None:
                weight = target.score * (mention.end - mention.start)
                found[target.table.key] = max(weight, found.get(target.table.key, 0.0))
    return found


def _nearest(mention: Mention, near: Mapping[tuple[str, str], float]) -> Mention:
    """Of very many that a word may name, those of the tables that the question names are kept."""
    targets, hits = mention.targets, mention.hits
    if len(targets) <= _MOST_TARGETS and len(hits) <= _MOST_MISSPELT:
        return mention
    if len(targets) > _MOST_TARGETS:
        nearest = sorted(targets, key=lambda each: near.get(each.table.key, 0.0), reverse=True) if near else targets
        targets = tuple(sorted(nearest, key=attrgetter("score"), reverse=True))
    exact = any(each.score >= WEAKEST_EXACT for each in hits)
    most = _MOST_HITS if exact else _MOST_MISSPELT
    if len(hits) > most:
        weights = {each: near.get((each.schema, each.table), 0.0) for each in hits}
        hits = tuple(sorted(hits, key=lambda each: (0.0 if exact else -each.score, -weights[each])))
    return replace(mention, targets=targets[:_MOST_TARGETS], hits=hits[:most])


def _value_spans(
    tokens: Sequence[Token],
    free: Sequence[bool],
    catalog: Catalog,
    near: Mapping[tuple[str, str], float],
    named: Sequence[Mention],
) -> Iterator[Mention]:
    spans = [(start, end) for start, end in _spans(tokens, free, _LONGEST_VALUE) if _may_be_value(tokens, start, end)]
    texts = [_text(tokens, start, end) for start, end in spans]
    looked_up = catalog.values.lookup_all(texts, limit=_MOST_READ)
    told: dict[tuple[int, int], Sequence[ValueHit]] = {}
    common: dict[int, Sequence[ValueHit]] = {}
    for (start, end), found in zip(spans, looked_up, strict=True):
        hits = found or (_coded(tokens[start], catalog) if end - start == 1 else ())
        hits = _but_verbs(tokens[start], hits, catalog) if end - start == 1 else hits
        if hits and _is_common_alone(tokens[start:end]):
            common[start] = hits
            hits = qualifying(tokens, start, hits, named)
        told[start, end] = hits
    told |= {(place, place + 1): hits for place, hits in alongside(tokens, told, common).items()}
    for (start, end), text in zip(spans, texts, strict=True):
        if told[start, end]:
            yield _nearest(Mention(start, end, hits=tuple(told[start, end]), text=text), near)


def _but_verbs(token: Token, hits: Sequence[ValueHit], catalog: Catalog) -> Sequence[ValueHit]:
    """The values that a word is: what somebody did, `released`, is no name in another form, as a song called Release,
    but may be a state."""
    if token.quoted or token.lower != token.text or not token.lower.endswith("ed"):
        return hits
    others = (each for each in hits if root(stem(each.value.casefold())) == root(token.stem))
    names = {each for each in others if each.value.casefold() != token.lower and not is_state(each, catalog)}
    return [each for each in hits if each not in names] if names else hits


def _coded(token: Token, catalog: Catalog) -> Sequence[ValueHit]:
    """The values that a word is the code of, or that are numbered by it."""
    return coded_values(token.lower, catalog) or numbered_values(token.lower, catalog)


def _is_common_alone(span: Sequence[Token]) -> bool:
    """A single word, in no quotes, that is a common one, or a letter."""
    word = span[0]
    is_common = word.stem in FILLER | MONEY and not word.text[:1].isupper()
    return len(span) == 1 and not word.quoted and (is_common or len(word.lower) == 1)


def _may_be_value(tokens: Sequence[Token], start: int, end: int) -> bool:
    if end - start == 1 and tokens[start].quoted:
        return True
    if end - start == 1 and len(tokens[start].text) == 1:
        return start > 0 and tokens[start].text.isupper()
    is_code = end - start == 1 and len(tokens[start].text) > 1 and tokens[start].text.isupper()
    is_led = start > 0 and tokens[start - 1].lower in _LEADING_PLACES
    if is_code and (is_led or tokens[start].text == "US") and not all(token.text.isupper() for token in tokens):
        return True  # the US are not us
    if tokens[end - 1].lower in STOP or (tokens[start].lower in STOP and not may_begin_value(tokens[start:end])):
        return False
    return end - start > 1 or (tokens[start].number is None and len(tokens[start].lower) > 1)


def may_begin_value(span: Sequence[Token]) -> bool:
    """`on the way`, `in progress`, `The Eugene`: a state by its preposition, a name with its article."""
    first = span[0].lower
    named = first == "the" and span[0].text[:1].isupper() and span[-1].text[:1].isupper()
    return len(span) > 1 and (first in _PREPOSITIONS or named)


def _spans(tokens: Sequence[Token], free: Sequence[bool], longest: int) -> Iterator[tuple[int, int]]:
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + longest, len(tokens)) + 1):
            if not free[end - 1]:
                break
            yield start, end


def _apart_from_each_other(held: list[Mention]) -> list[Mention]:
    """Those of which no other is a part side by side: `Anna Lee` is neither every Anna nor every Lee."""
    ends, starts = {each.end for each in held}, {each.start for each in held}
    return [each for each in held if each.start not in ends and each.end not in starts]


def _held(tokens: Sequence[Token], free: Sequence[bool], names: NameIndex, catalog: Catalog) -> Iterator[Mention]:
    """Words that name nothing, which the names or kinds of one column hold: `Tesco` of TESCO STORES 2231. Of several
    tables only what is written as a name, since other words are of something else there: `camping bookings`."""
    from pluto_duck_text2sql.data.held_words import held_values

    place, is_alone = 0, len(catalog.tables) == 1
    unknown = [_is_unknown(tokens, free, each) for each in range(len(tokens))]
    while place < len(tokens):
        found = None
        for end in range(min(place + _LONGEST_MISSPELT, len(tokens)), place, -1):
            if not all(unknown[place:end]):
                continue
            span = tokens[place:end]
            is_proper = place > 0 and all(token.text[:1].isupper() for token in span)
            is_told = is_proper or (is_alone and not any(_is_common(each.lower) or each.number for each in span))
            if is_told and not any(_misspelt_name(tokens, each, names) for each in range(place, end)):
                hits = held_values([token.lower for token in span], catalog, is_proper=is_proper)
                found = Mention(place, end, hits=tuple(hits), text=_text(tokens, place, end)) if hits else None
            if found:
                yield found
                break
        place = found.end if found else place + 1


def _misspelt(tokens: Sequence[Token], free: Sequence[bool], names: NameIndex, catalog: Catalog) -> Iterator[Mention]:
    place = 0
    while place < len(tokens):
        found = None
        if _is_unknown(tokens, free, place):
            found = _misspelt_name(tokens, place, names) or _misspelt_value(tokens, free, place, catalog)
        if found:
            yield found
        place = found.end if found else place + 1


def _is_unknown(tokens: Sequence[Token], free: Sequence[bool], place: int) -> bool:
    return free[place] and tokens[place].lower not in STOP and tokens[place].stem not in FILLER


def _misspelt_name(tokens: Sequence[Token], place: int, names: NameIndex) -> Mention | None:
    token = tokens[place]
    targets = tuple(names.find_misspelt(token.stem)) if token.number is None else ()
    return Mention(place, place + 1, targets, text=token.text) if targets else None


def _misspelt_value(tokens: Sequence[Token], free: Sequence[bool], place: int, catalog: Catalog) -> Mention | None:
    """The longest of the spans from here that a value may be meant by; a word of the language is no misspelling."""
    for end in range(min(place + _LONGEST_MISSPELT, len(tokens)), place, -1):
        alone = end - place == 1
        if not all(_is_unknown(tokens, free, each) for each in range(place, end)):
            continue
        if alone and (tokens[place].number is not None or _is_common(tokens[place].lower)):
            continue
        text = _text(tokens, place, end)
        found = catalog.values.lookup_fuzzy(text, limit=_MOST_READ)
        kept = _but_verbs(tokens[place], found, catalog) if alone else found
        hits = tuple(hit for hit in kept if not is_contrary(text, hit.value))
        if hits:
            return Mention(place, end, hits=hits, text=text)
    return None


def _is_common(word: str) -> bool:
    return word in VOCABULARY or word.removesuffix("s") in VOCABULARY


def _text(tokens: Sequence[Token], start: int, end: int) -> str:
    return " ".join(token.text for token in tokens[start:end])
