"""What a refusal says: which words name nothing, and the nearest that can be asked instead.

The nearest is what is known of the tables that the question names, or of the table of a column that it names; where it
names none, the tables that there are. A name is told as meant only where the word may be a misspelling of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.reading.reader import Reader

_UNSURE = (
    "The tables hold what these words name, but no reading of them is sure: name the column or value that is meant."
)
_BETWEEN = frozenset("after before along while during within via part way".split())
"""Words that name nothing wherever they stand, so that it tells nobody anything that nothing is called so."""
_MOST_WORDS = 3
_MOST_LETTERS = 120
"""How much is told of a run of words that names nothing."""
_MOST_TABLES = 8
_MOST_COLUMNS = 10
_MOST_NAMED = 2
_WHOLE, _PART = 0.9, 0.5
_MISSPELT = 0.75
"""How much alike a word and a name must be for the one to be a misspelling of the other."""


class Offers:
    """Writes refusals over one catalog."""

    def __init__(self, catalog: Catalog, names: NameIndex, reader: Reader) -> None:
        self._catalog, self._names, self._reader = catalog, names, reader

    def declined(self, question: str, unknown: Sequence[str]) -> str:
        """Why a question has no answer whose words `unknown` name nothing, and what can be asked."""
        words = [each for each in unknown if not each.isdigit() and each.lower() not in _BETWEEN][:_MOST_WORDS]
        told = dict.fromkeys(map(quoted, words))
        reason = f"Nothing here is called {' or '.join(told)}." if words else _UNSURE
        return f"{reason}{self._meant(words)}{self.nearest(question)}"

    def nearest(self, question: str) -> str:
        """What is known of that which the question names."""
        tables = ", ".join(table.name for table in self._catalog.tables[:_MOST_TABLES])
        more = " and others" if len(self._catalog.tables) > _MOST_TABLES else ""
        return self.known(question) or f" There is: {tables}{more}."

    def known(self, question: str) -> str:
        """The columns of the tables that the question names; nothing where it names none."""
        return "".join(self._known(each) for each in self._named(question)[:_MOST_NAMED])

    def _meant(self, words: Sequence[str]) -> str:
        alike = dict.fromkeys(name for word in words for name in self._names.nearest(word, cutoff=_MISSPELT))
        return f" Did you mean {' or '.join(list(alike)[:_MOST_WORDS])}?" if alike else ""

    def _named(self, question: str) -> list[Table]:
        """The tables that words name, else those whose columns they name, in the order of the words."""
        targets = [each for item in self._reader.named(question) for each in item.targets]
        tables = [each.table for each in targets if each.column is None and each.score >= _WHOLE]
        tables = tables or [each.table for each in targets if each.score >= _PART]
        return list({each.key: each for each in tables}.values())

    def _known(self, table: Table) -> str:
        """The columns of a table that describe its rows."""
        columns = [each.name for each in table.columns if not self._reader.resolver.is_key(table, each.name)]
        shown, more = columns[:_MOST_COLUMNS], " and more" if len(columns) > _MOST_COLUMNS else ""
        return f" Of {table.name} there is: {', '.join(shown)}{more}." if shown else ""


def quoted(words: str) -> str:
    """Words as a refusal shows them; of very many the first ones."""
    return repr(words if len(words) <= _MOST_LETTERS else f"{words[:_MOST_LETTERS].rstrip()} …")
