"""What sales people say of deals (data/deal_stages.py): `win rate by owner`, `weighted pipeline`, `deals still
open`, `how many did Sara win`, `average sales cycle`.

A win rate is of the deals that are over. Tokens in, terms out (computed.py); a pipeline is put into the words of its
deals by business_figures.py.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.deal_stages import Deals, deals
from pluto_duck_text2sql.data.name_index import NameIndex, Target
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, stem, table_words
from pluto_duck_text2sql.tree import Agg, Days, Expr, Number, Ratio, Rows, Times
from pluto_duck_text2sql.trees.term import Said, told_by_columns

_RATE = r"(?P<rate>(?:(?:win|close|closing|success)(?: |-)rates?|win ratio))"
_WEIGHTED = r"(?:(?:total )?(?:probability[- ])?weighted (?:pipeline|amount|value|forecast)(?: value| amount)?)"
_CYCLE = r"(?:(?:average |mean )?(?:sales|deal) cycle(?: length| time| duration)?)"
_OPEN = r"(?:(?:that |which )?(?:(?:are|is) )?(?:still |currently )?open|(?:still |currently )?in the pipeline)"
_WON = r"(?:(?:that |which )?(?:did )?(?:we )?(?:win|wins|won|winning))"
_LOST = r"(?:(?:that |which )?(?:did )?(?:we )?(?:lose|loses|lost|losing))(?! reasons?)"
_DONE = ("won", "lost")
"""As they are stored, but for what somebody `has won`."""
_HAVE = frozenset(("has", "have", "had"))
_NEAR = 4
_DEALS = frozenset(map(stem, ("deal", "opportunity")))
_ANY = Pattern(
    r"\b(?:win|wins|won|winning|lose|loses|lost|losing|open|pipeline|cycle|close|closing|success|weighted)\b"
)
_CALLED = 0.9


class Pipeline:
    """Reads what is said of deals over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        self._catalog, self._names, self._deals = catalog, names, deals(catalog)

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of them."""
        words = Words(tokens)
        of = self._deals
        if of is None or not _ANY.search(words.text):
            return
        for pattern, measure, told in self._measures(of):
            for start, end, match in words.find(pattern):
                if not self._is_called(match[0].split()[0]):
                    yield told_by_columns(tokens, start, end, told, measure=measure)
        is_open = () if self._stores(of, "open") else ((_OPEN, of.is_open(), "open"),)
        states = (*is_open, (_WON, of.is_won(), "won"), (_LOST, of.is_lost(), "lost"))
        for pattern, condition, told in states:
            for match in words.peek(pattern):
                start, end = words.span(match)
                is_stored = tokens[end - 1].lower in _DONE and not _is_done(tokens, start)
                if is_stored or self._is_said_of_others(tokens, of):
                    continue
                words.take(start, end)
                told = f"{of.stage.name} says {told}"
                rows = self._target(tokens, of)
                yield told_by_columns(tokens, start, end, told, options=((condition,),), targets=rows)

    def _measures(self, of: Deals) -> Iterator[tuple[str, Expr, str]]:
        """What is computed of deals, by the words for it."""
        won, over = (Agg("count", Rows(of.stage.table), where=(each,)) for each in (of.is_won(), of.is_over()))
        yield _RATE, Ratio(won, over), "won of those that are won or lost"
        if of.amount and of.probability:
            likely: Expr = Ratio(of.probability, Number(100)) if self._is_percent(of) else of.probability
            weighted = Times(of.amount, likely)
            yield (
                _WEIGHTED,
                Agg("sum", weighted, where=(of.is_open(),)),
                f"{of.amount.name} by {of.probability.name} of open ones",
            )
        if of.created and of.closed:
            yield _CYCLE, Agg("avg", Days(of.created, of.closed), where=(of.is_won(),)), "days until it was won"

    def _is_said_of_others(self, tokens: Sequence[Token], of: Deals) -> bool:
        """Whether deals are spoken of that are no table's name, but a part of its columns'."""
        spoken = {token.stem for token in tokens} & _DEALS
        return bool(spoken) and spoken.isdisjoint(map(stem, table_words(of.stage.table[1])))

    def _stores(self, of: Deals, word: str) -> bool:
        """Whether a stage is the word itself."""
        values = self._catalog.values.held_in(*of.stage.table, of.stage.name)
        return any(each.casefold() == word for each in values)

    def _is_percent(self, of: Deals) -> bool:
        """Whether probabilities run to 100."""
        column = self._catalog.column(*of.probability.table, of.probability.name) if of.probability else None
        return column is not None and isinstance(column.maximum, int | float) and column.maximum > 1

    def _is_called(self, word: str) -> bool:
        """Whether a table or a column is called so."""
        return any(each.score >= _CALLED for each in self._names.called((stem(word),)))

    def _target(self, tokens: Sequence[Token], of: Deals) -> tuple[Target, ...]:
        """The deals, where no word names them."""
        table = self._catalog.table(*of.stage.table)
        named = {token.stem for token in tokens}
        is_named = table is not None and any(stem(each) in named for each in table_words(table.name))
        return () if is_named or table is None else (Target(table, None, 1.0),)


def _is_done(tokens: Sequence[Token], place: int) -> bool:
    """Whether a participle is what somebody has done."""
    return any(token.lower in _HAVE for token in tokens[max(place - _NEAR, 0) : place])
