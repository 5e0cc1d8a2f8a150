"""Another column that the same words name as well: `the estimate` is the low one or the high one.

Called by `doubts` with the best reading's tree. A column of it has rivals: others of its kind that the same words name
no worse, where no other word of the question names the one alone. They are of its table, or of any where the tree knows
no other column and no word names that table. Keys have no rivals, nor have the columns that rows are called by, nor
what a stored value is looked for in: a bound or a period (`a weight above 5000`, `delivered in May`) may be of either.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence, Set
from dataclasses import dataclass

from pluto_duck_text2sql.asking_back.ambiguity import is_nearer
from pluto_duck_text2sql.asking_back.left_open import days
from pluto_duck_text2sql.data.catalog import Catalog, Column
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.told_apart import roots_said
from pluto_duck_text2sql.language.words import STOP, Token, name_parts, root, stem, table_stems, tokenise
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Col, Compare, Cond, During, Query, TableKey, all_nodes_in, nodes_in
from pluto_duck_text2sql.trees.parts import moved
from pluto_duck_text2sql.trees.resolve import Resolver

_AS_GOOD = 0.06
"""How much worse a name may fit and still be as good: the last word of a name fits a little better than its first."""
_TAKEN_OFF = frozenset(map(stem, "tax vat discount insurance deposit refund tip".split()))
"""What is kept beside an amount is not the amount that is meant, unless it is said."""
_ANY_DATE = frozenset(map(stem, ("date", "time", "day")))
_BOUNDS = frozenset(("<", "<=", ">", ">="))


@dataclass(frozen=True)
class Rival:
    """Words, the column that they mean in a tree, another that they may mean, and the tree with that one."""

    words: str
    meant: Col
    other: Col
    query: Query


class Rivals:
    """Finds the rivals of one catalog's columns."""

    def __init__(self, catalog: Catalog, resolver: Resolver) -> None:
        self._catalog, self._resolver = catalog, resolver

    def of(self, mentions: Sequence[Mention], question: str, unclaimed: Collection[str], query: Query) -> list[Rival]:
        """What else the words may mean that name what the tree shows; `unclaimed` are those that nothing explains."""
        tokens = tokenise(question)
        used = _columns((query.select, query.where, query.group, query.having))
        plain = [each for each in mentions if not _is_qualified(each, tokens, unclaimed)]
        pairs = [*self._named(plain, mentions, _columns(query)), *self._halves(question, mentions, _summed(query))]
        pairs += self._of_one_deed(question, days(query))
        fixed, said = _looked_in(query), roots_said(question)
        return [
            Rival(words, one, other, moved(query, one.table, other.table, {one: other}))
            for words, one, other in pairs
            if not _is_said_again(words, question)
            and one not in fixed
            and other not in used
            and not is_nearer(one, other)
            and self._are_alike(one, other, said)
        ]

    def _named(
        self, plain: Sequence[Mention], mentions: Sequence[Mention], used: Collection[Col]
    ) -> Iterator[tuple[str, Col, Col]]:
        """Words, a column they mean in the tree, and each that they name no worse."""
        tables = {each.table.key for item in mentions for each in item.targets if each.column is None}
        for item in plain:
            fits = {Col(each.table.key, each.column.name): each.score for each in item.targets if each.column}
            for one in sorted(used & fits.keys(), key=_place):
                for other, score in fits.items():
                    is_near = other.table == one.table or (set(used) == {one} and one.table not in tables)
                    is_as_good = score >= fits[one] - _AS_GOOD or (not tables and self._are_kinds(item, one, other))
                    if is_near and other != one and is_as_good:
                        yield item.text, one, other

    def _halves(self, question: str, mentions: Sequence[Mention], summed: Set[Col]) -> Iterator[tuple[str, Col, Col]]:
        """Amounts that are called alike but for one word each, neither of which is said, of words that name none by
        themselves: `the order total`, gross or net."""
        said = {token.stem: token.text for token in tokenise(question)}
        named = {Col(each.table.key, each.column.name) for item in mentions for each in item.targets if each.column}
        for one in sorted(summed - named, key=_place):
            table = self._catalog.table(*one.table)
            for other in table.columns if table else ():
                shared = _shared(self._called(one), self._called(Col(one.table, other.name)))
                if shared and shared <= said.keys():
                    yield " ".join(said[each] for each in sorted(shared)), one, Col(one.table, other.name)

    def _of_one_deed(self, question: str, dates: Collection[Col]) -> Iterator[tuple[str, Col, Col]]:
        """Dates of the deed that a word says: delivered to the depot, and to the door."""
        said = {root(token.stem): token.text for token in tokenise(question) if token.lower not in STOP}
        for one in sorted(dates, key=_place):
            table = self._catalog.table(*one.table)
            of_rows = {*map(root, table_stems(one.table[1])), *map(root, _ANY_DATE)}
            deed = {*map(root, self._called(one))} & said.keys() - of_rows
            for other in table.columns if table and deed else ():
                if other.is_time and deed <= {*map(root, table.stems(other.name) if table else ())}:
                    yield said[min(deed)], one, Col(one.table, other.name)

    def _are_kinds(self, item: Mention, one: Col, other: Col) -> bool:
        """`each type`: where no table is named, that of the loans is no nearer than that of the accounts."""
        said = tuple(map(stem, item.text.lower().split()))
        ends = all(self._called(each)[-len(said) :] == said for each in (one, other))
        last, other_last = (stem(name_parts(each.name)[-1]) for each in (one, other))
        return ends and last == other_last  # the hr of a rate is no hours

    def _are_alike(self, one: Col, other: Col, said: Collection[str]) -> bool:
        """Whether both hold the same kind of thing, and no word of the question is in one of their names alone."""
        left, right = self._stored(one), self._stored(other)
        if left is None or right is None or not _hold_alike(left, right):
            return False
        if not (self._is_plain(one) and self._is_plain(other)):
            return False
        apart = (self._stems(one) ^ self._stems(other)) - _ANY_DATE
        if _TAKEN_OFF & apart and not _TAKEN_OFF & (self._stems(one) & self._stems(other)):
            return False
        return set(said).isdisjoint(map(root, apart))

    def _is_plain(self, column: Col) -> bool:
        """Whether it is no key, and not what rows are called by."""
        table = self._catalog.table(*column.table)
        if table is None or self._resolver.is_key(table, column.name):
            return False
        return column not in self._resolver.label(table)

    def _stored(self, column: Col) -> Column | None:
        return self._catalog.column(*column.table, column.name)

    def _stems(self, column: Col) -> set[str]:
        return set(self._called(column))

    def _called(self, column: Col) -> tuple[str, ...]:
        table = self._catalog.table(*column.table)
        return table.stems(column.name) if table else ()


def _hold_alike(one: Column, other: Column) -> bool:
    """Whether two columns hold the same kind of thing: amounts are no numbers of instalments."""
    are_whole = ["INT" in each.type.upper() for each in (one, other)]
    return one.kind == other.kind and (one.kind != "number" or are_whole[0] == are_whole[1])


def _place(column: Col) -> tuple[TableKey, str]:
    return column.table, column.name


def _is_qualified(item: Mention, tokens: Sequence[Token], unclaimed: Collection[str]) -> bool:
    """Whether the word before it, which names nothing, may tell which is meant: `send dates`."""
    return 0 < item.start <= len(tokens) and tokens[item.start - 1].text in unclaimed


def _is_said_again(words: str, question: str) -> bool:
    """Whether words are said twice, of the one and of the other: `units asked for minus units delivered`; not where
    they are but listed again as what to show."""
    said = [token.stem for token in tokenise(split_spec(question)[0])]
    return all(said.count(token.stem) > 1 for token in tokenise(words))


def _summed(query: Query) -> set[Col]:
    """The columns that a tree adds up or averages."""
    found = (each for each in nodes_in(query) if isinstance(each, Agg) and each.function in ("sum", "avg"))
    return {each.of for each in found if isinstance(each.of, Col)}


def _shared(one: Sequence[str], other: Sequence[str]) -> set[str]:
    """The words that two names share which differ in one word each; none where they differ otherwise."""
    apart = [left != right for left, right in zip(one, other, strict=False)]
    is_half = len(one) == len(other) and sum(apart) == 1
    return {each for each, differs in zip(one, apart, strict=True) if not differs} if is_half else set()


def _looked_in(query: Query) -> set[Col]:
    """The columns of its conditions that no bound and no period is of."""
    return _columns(query.where) - {col for each in query.where if (col := _bounded(each))}


def _bounded(condition: Cond) -> Col | None:
    """The column that a bound or a period is of."""
    if isinstance(condition, During):
        return condition.left if isinstance(condition.left, Col) else None
    if isinstance(condition, Compare) and condition.operator in _BOUNDS and isinstance(condition.right, int | float):
        return condition.left if isinstance(condition.left, Col) else None
    return None


def _columns(part: object) -> set[Col]:
    return {each for each in all_nodes_in(part) if isinstance(each, Col)}
