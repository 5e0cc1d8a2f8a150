"""Things that only a key names: `unique visitors in 2024` are the different `visitor_id` of sessions, not customers.

The rows that keep the key are counted, by a question of their own where the answer counts none; each key counts once. A
thing that has a table of its own is none of these.
"""

from __future__ import annotations

import re
from typing import Any

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems, table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.tree import Agg, Col, Query, Rows, mapped

_ASKED = Pattern(
    r"^(?P<lead>(?:.*\b)?(?:how many|(?:the )?number of|count(?: of)?) )?(?:(?:unique|distinct|different|individual) )?"
    r"(?P<what>[a-z]+)(?<=s)\b(?P<tail>.*)$",
    re.IGNORECASE,
)
_UNIQUE = Pattern(r"\b(?:unique|distinct|different|individual)\b", re.IGNORECASE)
_KEYS = frozenset(map(stem, ("id", "key", "uuid", "guid")))


class OnlyKeys(Compounds):
    """Answers questions for the number of what only a key names."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Each key once, in the groups and the period asked for; None where the question asks for no such thing."""
        said = _ASKED.match(question.strip(" .?!"))
        is_asked = said is not None and bool(said["lead"] or _UNIQUE.search(question))
        key = self._key(said["what"]) if said and is_asked else None
        if said is None or key is None:
            return None
        part = _counted(plain, key)
        if part is None:
            rows = " ".join(table_words(key.table[1]))
            part = self._part(f"{said['lead'] or 'number of '}{rows}{said['tail']}", run)
        query = _once_each(part.tree, key) if part else None
        made = self.candidate(query, [part], (), run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _key(self, what: str) -> Col | None:
        """The one column called as the key of such a thing, where no table is called so and it points at none."""
        thing, catalog = stem(what.lower()), self.reader.catalog
        if any(thing in table_stems(each.name) for each in catalog.tables):
            return None
        keys = [Col(table.key, each.name) for table in catalog.tables for each in table.columns]
        keys = [each for each in keys if self._is_key_of(each, thing)]
        return keys[0] if len(keys) == 1 else None

    def _is_key_of(self, column: Col, thing: str) -> bool:
        table = self.reader.catalog.table(*column.table)
        if table is None:
            return False
        stems = table.stems(column.name)
        pointing = {name.casefold() for key in table.foreign_keys for name in key.columns}
        own = [name.casefold() for name in table.primary_key]
        is_known = column.name.casefold() in pointing or own == [column.name.casefold()]
        return len(stems) > 1 and stems[0] == thing and _KEYS.issuperset(stems[1:]) and not is_known


def _counted(plain: Analysis, key: Col) -> Candidate | None:
    """The answer as it is, where it counts the key's rows: another word for them may say more than they are called."""
    first = plain.candidates[0] if plain.status == "answered" and plain.candidates else None
    return first if first and _once_each(first.tree, key) else None


def _once_each(tree: Query, key: Col) -> Query | None:
    """The tree with its rows counted by the key; None where it counts no rows of the key's table."""
    rows = Rows(key.table)

    def change(node: Any) -> Any:
        return Agg("count", key, distinct=True, where=node.where) if isinstance(node, Agg) and node.of == rows else node

    made: Query = mapped(tree, change)
    return made if made != tree else None
