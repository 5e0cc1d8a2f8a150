"""Words that no question uses but to name something, and that name nothing here: `how many overdue unicycles`.

Called by `decision` with the reading chosen. Everyday words (plain.txt, of the training questions) tell nothing that
the data would have to hold; neither does a word that means nearly what a name of the reading means, by the vectors
of the pretrained layers (`advertising` and marketing). What is left tells of something else than the answer would.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from itertools import pairwise

import numpy as np

from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.plain_words import plain_stems
from pluto_duck_text2sql.language.words import (
    IMPERATIVES,
    STOP,
    Token,
    name_parts,
    stem,
    tokenise,
)
from pluto_duck_text2sql.learned.network import Called, Floats
from pluto_duck_text2sql.tree import Query, all_nodes_in, columns_in

Vectors = Callable[[Sequence[Called]], Floats]
_SHORTEST, _LEAST_PART = 3, 4
_NEAR = 0.28
"""The cosine at which a word means nearly what a name does."""


def unheard(left: Sequence[str], question: str, query: Query, vectors: Vectors) -> list[str]:
    """The words of `left`, which nothing explains, that are unheard of here; `vectors` are those of names."""
    names = {name for each in columns_in(query) for name in (each.table[1], getattr(each, "name", ""))}
    near = sorted({*names, query.anchor[1]} - {""})
    held = {word for text in all_nodes_in(query) if isinstance(text, str) for word in text.casefold().split()}
    words = [each for each in _unexplained(left, question) if each.casefold() not in held]
    words = [each for each in words if not _begins(each.casefold(), near)]
    return [each for each in words if _is_proper(each, question) or not _is_near(each, near, vectors)]


def never_named(left: Sequence[str], mentions: Sequence[Mention]) -> list[str]:
    """The words of `left` that name nothing elsewhere in the question either."""
    named = {stem(word) for each in mentions for word in each.text.lower().split()}
    return [each for each in left if not named.issuperset(map(stem, each.lower().split()))]


def in_short(word: str, query: Query) -> bool:
    """Whether a part of the reading's names may be written for a word: the kilometres of `km`, a repair of `rep`."""
    names = {name for each in columns_in(query) for name in (each.table[1], getattr(each, "name", ""))}
    parts = (part for name in (*names, query.anchor[1]) for part in name_parts(name.casefold()))
    return any(1 < len(each) < _LEAST_PART and _is_drawn(each, word.casefold()) for each in parts)


def _is_drawn(short: str, word: str) -> bool:
    """Whether letters are those of a word in their order, from its first on."""
    letters = iter(word)
    return word[:1] == short[0] and all(each in letters for each in short)


def short_figure(left: Sequence[str], question: str) -> list[str]:
    """The letters that a figure is called by and that nothing explains: `ROAS by platform`."""
    tokens = tokenise(question)
    is_short = _leads(tokens) and tokens[0].text.isupper() and tokens[0].text.isalpha()
    return [tokens[0].text] if is_short and tokens[0].stem in {stem(each.lower()) for each in left} else []


def _unexplained(left: Sequence[str], question: str) -> list[str]:
    """The words of `left` that say something of their own; the first of the question where it names a figure."""
    tokens = [token for token in tokenise(question) if not token.quoted and token.number is None]
    stems = {stem(word) for each in left for word in each.lower().split()}
    free = [tokens[0]] if _leads(tokens) and tokens[0].stem in stems else []
    free += [each for before, each in pairwise(tokens) if each.stem in stems and not _goes_on(each, before, stems)]
    return [each.text for each in free if _tells(each.lower, each.stem)]


def _leads(tokens: Sequence[Token]) -> bool:
    """Whether the first word is what is asked for, and no verb that asks: `ROAS by platform`."""
    return len(tokens) > 1 and tokens[1].lower in ("by", "per") and tokens[0].lower not in IMPERATIVES


def _begins(word: str, names: Sequence[str]) -> bool:
    """Whether a part of a name is the beginning of the word: the preparing nurse is a PrepNurse."""
    return any(len(part) >= _LEAST_PART and word.startswith(part) for name in names for part in name_parts(name))


def _goes_on(token: Token, before: Token, unexplained: Collection[str]) -> bool:
    """Whether it goes on with a name that is known: the Isles of the British ones."""
    return before.text.istitle() and token.text.istitle() and before.stem not in unexplained


def _tells(word: str, of: str) -> bool:
    """Whether it says something of its own; deeds are others' to judge (unnamed.py, asked_for.py)."""
    is_deed = word.endswith("ed")
    return len(word) >= _SHORTEST and word.isalpha() and not is_deed and of not in plain_stems() and word not in STOP


def _is_proper(word: str, question: str) -> bool:
    """Whether it is written as a name in the midst of a question: of somebody or something unknown."""
    return word[:1].isupper() and not (question.istitle() or question.isupper())


def _is_near(word: str, names: Sequence[str], vectors: Vectors) -> bool:
    if not names:
        return False
    found = _unit(vectors([(each, "") for each in (word.lower(), *names)]))
    return float((found[1:] @ found[0]).max()) >= _NEAR


def _unit(vectors: Floats) -> Floats:
    return vectors / (np.linalg.norm(vectors, axis=1, keepdims=True) + 1e-6)
