"""What became of each row, where one flag tells it and people say it otherwise: `Churn` of those who left or stayed,
`Attrition` of those who quit, `Survived` of those who died, `is_fraud` of what was fraudulent.

Tokens in, terms out (computed.py). A table with several flags of one kind, or with a word of the question as a stored
value of its rows, is left to the others.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.yes_no import denied, is_yes_or_no, yes_of
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.words import Token, stem
from pluto_duck_text2sql.terms.homes import Homes
from pluto_duck_text2sql.tree import Col, Compare, Cond
from pluto_duck_text2sql.trees.term import Said, told_by_columns

_WHO = r"(?:(?:who|that|which) )?"
_HAVE = r"(?:(?:have|has|had|already|actually|then|since|do|does|did) )*"
_NOT = r"(?:(?:have|has|had|did|do|does|will|would)(?: not|n['’]t)|never|not)(?: yet)?"
_US = r"(?: (?:us|the (?:company|firm|business|bank|organi[sz]ation|team|job)|their job|for good))?"
_LEAVE = "leav(?:e|es|ing)|left|quit(?:s|ting)?|resign(?:s|ed|ing)?|churn(?:s|ed|ing)?|cancel(?:s|led|ed|ling)"
_DIE = "die[sd]?|dying|perish(?:ed)?|drown(?:ed)?"


@dataclass(frozen=True)
class _Kind:
    """The stems of what such flags are called, and how yes and no are said; `opposite` flags say it the other way."""

    kind: str
    names: frozenset[str]
    opposite: frozenset[str]
    yes: tuple[str, ...]
    no: tuple[str, ...]


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


_BEING, _REMAINING = frozenset("are is be was were".split()), frozenset(("left", "gone"))
"""What is left remains."""
_BEFORE_NAMES = frozenset(("by", "per"))
LEAVING = "leaving"
_KINDS = (
    _Kind(
        LEAVING,
        _stems("churn churned attrition exited exit left quit resigned leaver terminated departed"),
        _stems("stayed retained retain"),
        (
            rf"{_WHO}{_HAVE}(?:{_LEAVE}|gone){_US}",
            "leavers",
            "quitters",
            r"lost(?= (?:customer|client|employee|user)s?)",
        ),
        (
            rf"{_WHO}{_NOT} (?:{_LEAVE}|gone){_US}",
            rf"{_WHO}(?:stay(?:ed|s)?|remain(?:ed|s)?){_US}",
            "stayers",
            "retained",
        ),
    ),
    _Kind(
        "survival",
        _stems("survived survive survival alive"),
        _stems("died dead death deceased perished"),
        (rf"{_WHO}{_HAVE}(?:survive[sd]?|made it|lived)", "survivors"),
        (rf"{_WHO}{_HAVE}(?:{_DIE}|lost their li(?:fe|ves)|(?:was|were) killed)", rf"{_WHO}{_NOT} (?:survive|make it)"),
    ),
    _Kind(
        "fraud",
        _stems("fraud fraudulent"),
        _stems("legitimate genuine"),
        (rf"{_WHO}(?:(?:is|are|was|were) )?fraudulent", "frauds"),
        (rf"{_WHO}(?:(?:is|are|was|were) )?(?:legitimate|genuine|legit|not fraudulent)",),
    ),
    _Kind(
        "default",
        _stems("default defaulted"),
        _stems("repaid"),
        (rf"{_WHO}{_HAVE}(?:defaulted|failed to (?:repay|pay back))", "defaulters"),
        (rf"{_WHO}{_NOT} default(?:ed)?", rf"{_WHO}{_HAVE}(?:repaid|paid back)"),
    ),
)


class Outcomes:
    """Reads what became of rows over one catalog."""

    def __init__(self, catalog: Catalog, homes: Homes) -> None:
        self._catalog, self._homes = catalog, homes
        self._known = [(kind, found) for kind in _KINDS if (found := dict(_flags(kind, catalog)))]

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of it."""
        words = Words(tokens)
        for kind, found in self._known:
            for n, patterns in enumerate((kind.no, kind.yes)):
                for pattern in patterns:
                    for match in words.peek(pattern):
                        start, end = words.span(match)
                        said = self._said(tokens, start, end, {key: pair[n] for key, pair in found.items()})
                        if said:
                            words.take(start, end)
                            yield said

    def _said(self, tokens: Sequence[Token], start: int, end: int, found: dict[tuple[str, str], Cond]) -> Said | None:
        some, rest = tokens[start:end], [*tokens[:start], *tokens[end:]]
        able = [key for key in self._homes.of(rest, found) if not self._stores(key, some[-1].lower)]
        remains = start > 0 and tokens[start - 1].lower in _BEING and some[0].lower in _REMAINING
        if remains or not able or (end == start + 1 and start and tokens[start - 1].lower in _BEFORE_NAMES):
            return None
        table = self._catalog.table(*able[0])
        targets = () if self._homes.named(rest) or table is None else (Target(table, None, 1.0),)
        told = _told(found[able[0]])
        return told_by_columns(tokens, start, end, told, options=((found[able[0]],),), targets=targets)

    def _stores(self, key: tuple[str, str], word: str) -> bool:
        """Whether the rows say it in the question's own word."""
        return any((hit.schema, hit.table) == key for hit in self._catalog.values.lookup(word, 20))


def flags_of(catalog: Catalog) -> Iterator[tuple[str, Table, str]]:
    """The kinds of outcomes that flags tell, with the table and the flag."""
    for kind in _KINDS:
        for key, (_, condition) in _flags(kind, catalog):
            table = catalog.table(*key)
            if table and isinstance(condition, Compare) and isinstance(condition.left, Col):
                yield kind.kind, table, condition.left.name


def said_as(kind: str, side: str) -> str:
    """The pattern of how `yes` or `no` is said of a kind of outcome."""
    found = next(each for each in _KINDS if each.kind == kind)
    return f"(?:{'|'.join(found.yes if side == 'yes' else found.no)})"


def _told(condition: Cond) -> str:
    assert isinstance(condition, Compare)
    assert isinstance(condition.left, Col)
    return f"{condition.left.name} {condition.operator} {condition.right}"


def _flags(kind: _Kind, catalog: Catalog) -> Iterator[tuple[tuple[str, str], tuple[Cond, Cond]]]:
    """The tables with one flag of a kind: that it is not so, and that it is."""
    for table in catalog.tables:
        found = [pair for column in table.columns if (pair := _said_by(kind, table, column.name))]
        if len(found) == 1:
            yield table.key, found[0]


def _said_by(kind: _Kind, table: Table, name: str) -> tuple[Cond, Cond] | None:
    column, stems = table.column(name), set(table.stems(name)) - {"is", "has", "flag"}
    if column is None or len(stems) != 1 or not is_yes_or_no(column) or stems.isdisjoint(kind.names | kind.opposite):
        return None
    at = Col(table.key, name)
    is_no, is_yes = denied(at, column), Compare(at, "=", yes_of(column))
    return (is_yes, is_no) if stems & kind.opposite else (is_no, is_yes)
