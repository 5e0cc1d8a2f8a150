"""Parts of a part: `of the invoices that have been paid, what percentage was paid late`, by any groups.

The rows that the question begins with are one question, those of them that count another; both are answered as any
other question, and what restricts the second restricts the upper part of a ratio over the first.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import Compounds, split_order
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.language.words import table_words
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Expr, Query, Ratio
from pluto_duck_text2sql.trees.parts import home

_EACH = r"(?:by|per|for each|for every|in each|in every)"
_ASKED = Pattern(
    r"^of (?:all )?(?:the |our |those )?(?P<rows>[a-z].+?),? (?:what|which)(?: is the)?"
    r" (?P<part>percentage|percent|%|share|proportion|fraction)(?: of (?:them|these|those))?"
    r" (?!of\b)(?P<did>.+?)"
    rf"(?P<tail>,? {_EACH} (?:[a-z]+ ?){{1,3}})?$",
    re.IGNORECASE,
)
_SURE = 0.95


class OfThose(Compounds):
    """Answers what part of some rows meets a further condition."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """The part; None where the question asks none, `plain` is sure of it, or a half of it has no answer."""
        main, phrases = split_spec(question)
        ordered = split_order(same(without_remarks(main)).rstrip("?. "))
        found = _ASKED.match(ordered.text)
        sure = plain.candidates[0].confidence if plain.status == "answered" and plain.candidates else 0.0
        if found is None or sure >= _SURE:
            return None
        base = self._part(f"how many {found['rows']}{found['tail'] or ''}", run)
        table = self.reader.catalog.table(*base.tree.anchor) if base else None
        if base is None or table is None:
            return None
        rows = " ".join(table_words(table.name))
        did = re.sub(r"^was\b", "were", found["did"], flags=re.IGNORECASE)
        part = self._part(f"how many {rows if rows.endswith('s') else f'{rows}s'} {did}", run)
        query = _of_those(base.tree, part.tree, 1 if _is_fraction(found["part"]) else 100, self) if part else None
        made = self.candidate(ordered.of(query), [base, part], phrases, run) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None


def _is_fraction(word: str) -> bool:
    return word.lower() in ("share", "proportion", "fraction")


def _of_those(base: Query, part: Query, scale: int, parts: Compounds) -> Query | None:
    """The base's rows with the part's conditions on the upper part; None where either counts something else."""
    at, further = home(base), tuple(each for each in part.where if each not in base.where)
    count = counted_alone(base)
    if count is None or counted_alone(part) is None or at is None or home(part) != at or part.group or not further:
        return None
    ratio = Ratio(replace(count, where=parts.of_rows(at, further)), count, scale)
    select: tuple[Expr, ...] = tuple(ratio if each == count else each for each in base.select)
    return replace(base, select=select, order=())


def counted_alone(tree: Query) -> Agg | None:
    """What a tree counts, where that is all it shows besides its groups."""
    counts = [each for each in tree.select if isinstance(each, Agg)]
    plain = not (tree.having or tree.limit or tree.then or tree.per or tree.distinct)
    is_one = plain and len(counts) == 1 and len(tree.select) == 1 + len(tree.group)
    return counts[0] if is_one and counts[0].function == "count" and not counts[0].where else None
