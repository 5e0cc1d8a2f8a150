"""Two columns of one row compared: `stock below the reorder level`, `shipped after the required date`.

The first may be computed (`stock and units on order together`). Tokens in, a condition out (computed.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import chain

from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER, STOP, Token, number_of, stem
from pluto_duck_text2sql.terms.arithmetic import Arithmetic
from pluto_duck_text2sql.tree import Col, Compare, Expr, Number, Operator, TableKey, Times, columns_in

_NUMBERS: tuple[tuple[str, Operator], ...] = (
    (r"(?:falls? |fell |falling |runs? |is |are )?short of|(?:does|do|did) not (?:reach|cover|meet)", "<"),
    (r"(?:at most|no (?:more|greater|higher) than|not (?:above|over|more than))", "<="),
    (
        r"(?:at least|no (?:less|lower|fewer) than|not (?:below|under|less than)|reach(?:es|ed)?)",
        ">=",
    ),
    (r"below|under|beneath|(?:less|lower|smaller|fewer) than", "<"),
    (r"above|over|exceed(?:s|ed|ing)?|(?:more|greater|higher|larger|bigger) than", ">"),
    (r"(?:not equal to|different from|other than|differs? from|unequal to)", "!="),
    (r"(?:exactly )?(?:equal to|equals?|the same as|matches)", "="),
)
_TIMES: tuple[tuple[str, Operator], ...] = (
    (r"(?:on or before|no later than|not (?:later than|after|past)|by|until)", "<="),
    (r"(?:on or after|no earlier than|not (?:earlier than|before))", ">="),
    (r"(?:before|earlier than|prior to|ahead of)", "<"),
    (r"(?:after|later than|past|beyond)", ">"),
    (r"(?:on|the same day as|on the same day as)", "="),
)
_ANY_OF_NUMBERS, _ANY_OF_TIMES = (
    Pattern(rf"(?<= )(?:{'|'.join(pattern for pattern, _ in some)})(?= )") for some in (_NUMBERS, _TIMES)
)
#   without one of them between two words there are no two columns to look for
_VERBS = (
    r"(?:(?:that|which|who) )?"
    r"(?:(?:is|are|was|were|be|been|being|has|have|had|fall|falls|fell|lies|lie|only|still|now) )*"
)
_ARTICLES = (
    r"(?: (?:the|their|its|his|her|a|an|own|respective))*"
    r"(?: (?:date|day|time)(?:(?: (?:when|that|on which))?(?: (?:it|they|this|these))?"
    r" (?:is|are|was|were|had been|should be)|(?= \w+ed )))?"
)
_FACTORS = {"twice": 2.0, "double": 2.0, "triple": 3.0, "half": 0.5}
_FACTOR = Pattern(
    rf"(?:(?P<word>{'|'.join(_FACTORS)})(?: of)?|(?P<n>{A_NUMBER}) (?:times|(?P<part>%|percent) of)){_ARTICLES}(?= )"
)
_PARTICIPLE = Pattern(r"\w+ed|sent|paid|sold|left|bought|made|done|given|taken")
_LONGEST = 4
_LEAST = 0.4
_DATES = frozenset(map(stem, "date day time".split()))


class Comparisons:
    """Reads comparisons of columns over one catalog."""

    def __init__(self, names: NameIndex, arithmetic: Arithmetic) -> None:
        self._names, self._arithmetic = names, arithmetic

    def read(self, tokens: Sequence[Token], start: int) -> tuple[int, Compare] | None:
        """The comparison whose first column is named here, with where it ends."""
        text = " ".join(token.lower for token in tokens[start:])
        numbers = self._of_numbers(tokens, start) if _ANY_OF_NUMBERS.search(text) else ()
        times = self._of_times(tokens, start) if _ANY_OF_TIMES.search(text) else ()
        return next(chain(numbers, times), None)

    def _of_numbers(self, tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Compare]]:
        computed = self._arithmetic.read(tokens, start)
        operand = self._arithmetic.operand(tokens, start)
        lefts = [computed] if computed else [(operand[0], each) for each in operand[1]] if operand else []
        for end, left in lefts:
            for place, operator in _compared(tokens, end, _NUMBERS):
                begins, factor = _factor(tokens, place)
                right = self._arithmetic.operand(tokens, begins)
                home = next(columns_in(left)).table
                same = [each for each in (right[1] if right else []) if _home(each) == home and each != left]
                if right and same:
                    yield right[0], Compare(left, operator, Times(factor, same[0]) if factor else same[0])

    def _of_times(self, tokens: Sequence[Token], start: int) -> Iterator[tuple[int, Compare]]:
        for end, left in self._times(tokens, start, _LEAST):
            for place, operator in _compared(tokens, end, _TIMES):
                if operator in ("<=", "=") and not _PARTICIPLE.fullmatch(tokens[end - 1].lower):
                    continue
                for last, right in self._times(tokens, place, _LEAST):
                    if right.table == left.table and right != left:
                        yield last, Compare(left, operator, right)

    def _times(self, tokens: Sequence[Token], start: int, least: float) -> Iterator[tuple[int, Col]]:
        """The dates that words from here name, the longest names first."""
        for end in range(min(start + _LONGEST, len(tokens)), start, -1):
            some = tokens[start:end]
            unnamed = some[0].lower in STOP or all(token.stem in _DATES for token in some)
            if unnamed or any(token.quoted or token.number is not None for token in some):
                continue
            for each in self._names.find(tuple(token.stem for token in some)):
                if each.column and each.column.is_time and each.score >= least:
                    yield end, Col(each.table.key, each.column.name)


def _factor(tokens: Sequence[Token], place: int) -> tuple[int, Number | None]:
    """What the second column is multiplied by, said before it, with where its name begins: `twice the estimate`."""
    said = _FACTOR.match(" ".join(token.lower for token in tokens[place:]))
    if said is None:
        return place, None
    many = float(number_of(said["n"]) or 0) / (100 if said["part"] else 1) if said["n"] else _FACTORS[said["word"]]
    return place + len(said[0].split()), Number(many)


def _home(expression: Expr) -> TableKey:
    return next(columns_in(expression)).table


def _compared(
    tokens: Sequence[Token], place: int, words: Sequence[tuple[str, Operator]]
) -> Iterator[tuple[int, Operator]]:
    """Where the second column would begin after what compares, and how it compares."""
    text = " ".join(token.lower for token in tokens[place:])
    for pattern, operator in words:
        found = re.match(rf"{_VERBS}(?:{pattern})(?![^ ]){_ARTICLES}(?= )", text)
        if found:
            yield place + len(found[0].split()), operator
            return
