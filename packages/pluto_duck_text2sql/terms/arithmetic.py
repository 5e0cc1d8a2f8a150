"""Arithmetic said in words: `price times quantity`, `price times one minus discount`, `stock and orders together`.

Tokens in, a computation of one row's columns out (computed.py); none where a part names no number.

All parts are of one table where they can be; else the first is of the table whose rows the others do not repeat.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex, Target
from pluto_duck_text2sql.language.words import MONEY, Token, name_stems, name_words, stem
from pluto_duck_text2sql.tree import Col, Expr, Minus, Number, Plus, Product, Ratio, TableKey, Times, columns_in
from pluto_duck_text2sql.trees.grain import repeats
from pluto_duck_text2sql.trees.resolve import Resolver

Sign = Literal["+", "-", "*", "/"]
_SIGNS: tuple[tuple[tuple[str, ...], Sign], ...] = (
    (("multiplied", "by"), "*"),
    (("multiplied", "with"), "*"),
    (("times",), "*"),
    (("x",), "*"),
    (("divided", "by"), "/"),
    (("per",), "/"),
    (("added", "to"), "+"),
    (("increased", "by"), "+"),
    (("plus",), "+"),
    (("reduced", "by"), "-"),
    (("net", "of"), "-"),
    (("minus",), "-"),
    (("less",), "-"),
)
_TOGETHER = tuple(tuple(each.split()) for each in ("together", "combined", "taken together", "added up", "in total"))
_SUM_OF = (("sum", "of"), ("total", "of"), ("combined",))
_DIFFERENCE = (("difference", "between"), ("gap", "between"), ("difference", "of"))
_SIGN_WORDS = frozenset(words[0] for words, _ in _SIGNS)
_BESIDE_AND = frozenset(words[0] for words in (*_TOGETHER, *_SUM_OF, *_DIFFERENCE))
_ARTICLES = frozenset("the a an its their each every all total".split())
_TRADED = frozenset("sold ordered bought purchased shipped".split())
_LONGEST = 4
_LEAST = 0.6
_NEARLY = 0.9
_MOST_MEANT = 6
_MOST_KINDS, _FOLD = 24, 5


@dataclass(frozen=True)
class _Operand:
    """Words up to `end`, and what they may mean, each with how well it fits."""

    end: int
    meant: tuple[tuple[float, Expr], ...]


class Arithmetic:
    """Reads computations over one catalog."""

    def __init__(self, joins: JoinGraph, names: NameIndex, resolver: Resolver) -> None:
        self._joins, self._names, self._resolver = joins, names, resolver

    def read(self, tokens: Sequence[Token], start: int) -> tuple[int, Expr] | None:
        """The computation that begins at a word, with where it ends."""
        words = [token.lower for token in tokens]
        if not _may_compute(words[start:]):
            return None
        opened = _said(words, start, _SUM_OF)
        apart = _said(words, start, _DIFFERENCE)
        operands, signs = self._chain(tokens, words, start + max(opened, apart))
        if not signs:
            return None
        closed = _said(words, operands[-1].end, _TOGETHER) if "and" in signs else 0
        computed = _signs(signs, bool(apart), bool(opened or apart or closed))
        made = self._computed(operands, computed) if computed else None
        if made is None:
            return None
        end = operands[-1].end + closed
        traded = words[end : end + 1] and words[end] in _TRADED and words[end + 1 : end + 2] != ["by"]
        return end + bool(traded), made

    def operand(self, tokens: Sequence[Token], start: int) -> tuple[int, list[Expr]] | None:
        """The numbers that one of a computation's words may mean, the likeliest first, with where they end."""
        found = self._operand(tokens, [token.lower for token in tokens], start)
        return (found.end, [expression for _, expression in found.meant]) if found else None

    def _chain(self, tokens: Sequence[Token], words: Sequence[str], place: int) -> tuple[list[_Operand], list[str]]:
        """`A times B plus C`: the operands, and what stands between them."""
        first = self._operand(tokens, words, place)
        operands, signs = ([first] if first else []), list[str]()
        while operands:
            end = operands[-1].end
            sign, length = next(((s, len(w)) for w, s in _SIGNS if _said(words, end, (w,))), ("", 0))
            if not sign and words[end : end + 1] == ["and"]:
                sign, length = "and", 1
            after = self._operand(tokens, words, end + length) if sign else None
            if after is None or (words[end] == "per" and not self._is_quotient(tokens, operands[-1], after)):
                break
            operands.append(after)
            signs.append(sign)
        return operands, signs

    def _is_quotient(self, tokens: Sequence[Token], top: _Operand, bottom: _Operand) -> bool:
        """Whether `per` divides: `faculty per campus` has a row for each campus, though there is a campus fee."""
        stems = tuple(token.stem for token in tokens[top.end + 1 : bottom.end])
        named = [each for each in self._names.find(stems) if each.score >= _NEARLY]
        is_number = all(each.column and each.column.kind == "number" for each in named)
        said = " ".join(token.lower for token in tokens[top.end + 1 : bottom.end])
        return _are_exact(top, bottom) and is_number and not any(_tells_kinds(each, said) for each in named)

    def _operand(self, tokens: Sequence[Token], words: Sequence[str], place: int) -> _Operand | None:
        """A number column by its name, money where no column is called so, or `one minus discount`."""
        while place < len(words) and words[place] in _ARTICLES and not self._named(tokens, place):
            place += 1
        if place < len(words) and tokens[place].number is not None:
            return self._of_one(tokens, words, place)
        return self._named(tokens, place)

    def _of_one(self, tokens: Sequence[Token], words: Sequence[str], place: int) -> _Operand | None:
        """`one minus discount`, `1 plus tax`."""
        sign = words[place + 1] if place + 2 < len(words) else ""
        rest = self._named(tokens, place + 2) if sign in ("minus", "less", "plus") else None
        if rest is None or tokens[place].number != 1:
            return None
        kind = Plus if sign == "plus" else Minus
        return _Operand(rest.end, tuple((score, kind(Number(1), each)) for score, each in rest.meant))

    def _named(self, tokens: Sequence[Token], place: int) -> _Operand | None:
        """The longest words from here that name a number as well as any shorter ones do."""
        best: _Operand | None = None
        for end in range(min(place + _LONGEST, len(tokens)), place, -1):
            meant = self._meant(tokens[place:end])
            if meant and (best is None or meant[0][0] > best.meant[0][0] + 0.2):
                best = _Operand(end, tuple(meant[:_MOST_MEANT]))
        return best

    def _meant(self, tokens: Sequence[Token]) -> list[tuple[float, Expr]]:
        if any(token.quoted or token.number is not None for token in tokens):
            return []
        found: list[tuple[float, Expr]] = []
        for stems in _orders(tokens):
            for each in self._names.find(stems):
                column = each.column
                is_number = column is not None and column.kind == "number" and each.score >= _LEAST
                if column and is_number and not self._resolver.is_key(each.table, column.name):
                    found.append((each.score + 0.02 * each.table.preference, Col(each.table.key, column.name)))
        found += self._owned(tokens)
        if len(tokens) == 1 and tokens[0].stem in MONEY and not any(score >= _NEARLY for score, _ in found):
            found += [(0.8, each) for each in self._resolver.money() if isinstance(each, Product)]
        return sorted(found, key=lambda pair: -pair[0])

    def _owned(self, tokens: Sequence[Token]) -> Iterator[tuple[float, Expr]]:
        """`variant price`: a table's name, then one of its numbers."""
        for place in range(1, len(tokens)):
            first, last = (tuple(token.stem for token in some) for some in (tokens[:place], tokens[place:]))
            owners = {each.table.key: each.score for each in self._names.find(first) if each.column is None}
            for each in self._names.find(last):
                is_number = each.column is not None and each.column.kind == "number" and each.score >= _NEARLY
                if each.column and is_number and each.table.key in owners:
                    yield 0.4 + 0.5 * owners[each.table.key] + 0.1 * each.score, Col(each.table.key, each.column.name)

    def _computed(self, operands: Sequence[_Operand], signs: Sequence[str]) -> Expr | None:
        """The computation over the columns that are of the fewest tables, and fit best."""
        best: tuple[tuple[int, float], Expr] | None = None
        for chosen in product(*(each.meant for each in operands)):
            made = self._from_the_finest(_folded([expression for _, expression in chosen], signs))
            if made is None or len({expression for _, expression in chosen}) < len(chosen):
                continue
            cost = (len(_tables(made)), -sum(score for score, _ in chosen))
            if best is None or cost < best[0]:
                best = (cost, made)
        return best[1] if best else None

    def _from_the_finest(self, made: Expr) -> Expr | None:
        """Begun with the table whose rows the others do not repeat; None where there is none."""
        ways = [made]
        if isinstance(made, Product) and made.discount is None:
            ways.append(Product(made.quantity, made.price))
        if isinstance(made, Plus | Times):
            ways.append(type(made)(made.right, made.left))
        return next((each for each in ways if not repeats(self._joins, _tables(each)[0], _tables(each))), None)


def _tells_kinds(named: Target, said: str) -> bool:
    """Whether a number is a kind of rows: one of a few, called by the very word, as `class` and `floor` are; how many
    there are of something is called by its plural."""
    kinds = named.column.n_distinct if named.column else None
    is_called_so = named.column is not None and " ".join(name_words(named.column.name)).lower() == said
    are_few = bool(kinds) and (kinds or 0) <= _MOST_KINDS and _FOLD * (kinds or 0) <= (named.table.row_count or 0)
    return is_called_so and are_few


def _tables(made: Expr) -> list[TableKey]:
    return list(dict.fromkeys(each.table for each in columns_in(made)))


def _orders(tokens: Sequence[Token]) -> Iterator[tuple[str, ...]]:
    """The words as they are, and `price of the variant` turned round."""
    yield tuple(token.stem for token in tokens)
    kept = tuple(token.stem for token in tokens if token.lower not in ("of", "the"))
    if any(token.lower == "of" for token in tokens) and tokens[0].lower not in ("of", "the"):
        yield kept[::-1]


def _may_compute(words: Sequence[str]) -> bool:
    """Whether there is a sign after the first word; without one there is no second operand to look for."""
    later = words[1:]
    return not _SIGN_WORDS.isdisjoint(later) or ("and" in later and not _BESIDE_AND.isdisjoint(words))


def _are_exact(*operands: _Operand) -> bool:
    return all(each.meant[0][0] >= _NEARLY for each in operands)


def _said(words: Sequence[str], place: int, any_of: Sequence[tuple[str, ...]]) -> int:
    """How many words of the first of the phrases that stands here there are."""
    return next((len(each) for each in any_of if tuple(words[place : place + len(each)]) == each), 0)


def _folded(operands: Sequence[Expr], signs: Sequence[str]) -> Expr:
    """The computation as it is written: products and quotients before sums."""
    left, rest = [operands[0]], list[str]()
    for sign, operand in zip(signs, operands[1:], strict=True):
        if sign in "*/":
            left[-1] = _times(left[-1], operand) if sign == "*" else Ratio(left[-1], operand)
        else:
            left.append(operand)
            rest.append(sign)
    made = left[0]
    for sign, operand in zip(rest, left[1:], strict=True):
        made = Plus(made, operand) if sign == "+" else Minus(made, operand)
    return made


def _times(left: Expr, right: Expr) -> Expr:
    """Price × quantity, less a discount, is what other readings call so too."""
    if isinstance(left, Col) and isinstance(right, Col):
        turned = stem("price") not in _last(left) and stem("price") in _last(right)
        return Product(right, left) if turned else Product(left, right)
    match left, right:
        case Product(price, quantity, None), Minus(Number(1), Col() as discount):
            return Product(price, quantity, discount)
    return Times(left, right)


def _last(column: Col) -> tuple[str, ...]:
    return name_stems(column.name)


def _signs(signs: list[str], apart: bool, is_said: bool) -> list[str] | None:
    """What stands between operands: an `and` adds, or takes away, where words around all of them say so."""
    if "and" not in signs:
        return None if is_said else signs
    if not is_said or set(signs) != {"and"} or (apart and len(signs) > 1):
        return None
    return ["-" if apart else "+"] * len(signs)
