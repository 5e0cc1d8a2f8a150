"""Net promoter scores, of answers from 0 to 10 to how likely somebody is to recommend: `NPS by plan`, `how many
detractors`.

Promoters answer 9 or 10, detractors 6 or less; the score is the percentage of the ones less that of the others
(Reichheld 2003). A column that keeps such a score is left as it is. Tokens in, terms out (computed.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Column, Table
from pluto_duck_text2sql.data.name_index import NameIndex, Target
from pluto_duck_text2sql.language.found_words import Words
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import Token, stem
from pluto_duck_text2sql.tree import Agg, Col, Compare, Every, Minus, Missing, Ratio, Rows
from pluto_duck_text2sql.trees.term import Said, told_by_columns

_SCORE = r"(?:(?:net promoter score|nps)(?: score)?)"
_ANY = Pattern(r"\b(?:nps|promoters?|detractors?|passives?)\b")
_RECOMMEND = stem("recommend")
_TOP, _PROMOTES, _DETRACTS = 10, 9, 6


class Promoters:
    """Reads who recommends over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex) -> None:
        found = list(recommending(catalog))
        is_kept = any(each.column for word in ("nps", "promoter") for each in names.called((stem(word),)))
        self._table = found[0][0] if len(found) == 1 and not is_kept else None
        self._of = Col(self._table.key, found[0][1].name) if self._table else None

    def find(self, tokens: Sequence[Token]) -> Iterator[Said]:
        """What a question says of them."""
        words = Words(tokens)
        of, table = self._of, self._table
        if of is None or table is None or not _ANY.search(words.text):
            return
        many = Compare(of, ">=", _PROMOTES), Compare(of, "<=", _DETRACTS)
        counts = [Agg("count", Rows(of.table), where=(each,)) for each in many]
        for start, end, _ in words.find(_SCORE):
            answers = Agg("count", Rows(of.table), where=(Missing(of, negated=True),))
            measure = Ratio(Minus(*counts), answers, 100)
            yield told_by_columns(tokens, start, end, "promoters less detractors, in percent", measure=measure)
        middle = Every((Compare(of, ">", _DETRACTS), Compare(of, "<", _PROMOTES)))
        for noun, condition in (("promoters?", many[0]), ("detractors?", many[1]), ("passives?", middle)):
            for start, end, _ in words.find(noun):
                told, rows = f"{of.name} says {noun.rstrip('?')}", (Target(table, None, 1.0),)
                yield told_by_columns(tokens, start, end, told, options=((condition,),), targets=rows)


def recommending(catalog: Catalog) -> Iterator[tuple[Table, Column]]:
    """The columns of answers from 0 to 10 to how likely somebody is to recommend."""
    for table in catalog.tables:
        for column in table.columns:
            is_scale = column.kind == "number" and column.maximum is not None and float(column.maximum) <= _TOP
            if is_scale and _RECOMMEND in table.stems(column.name):
                yield table, column
