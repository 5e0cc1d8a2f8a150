"""What became of rows as a figure or as groups: a `churn rate` is the percentage of those who left, `people who left
compared with those who stayed` are told apart by the flag. Which flags tell it: terms/outcomes.py.

Called by `analyst` before anything else reads the question.
"""

from __future__ import annotations

import re
from functools import cache, cached_property, partial

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words, stem, table_words
from pluto_duck_text2sql.terms.outcomes import LEAVING, flags_of, said_as
from pluto_duck_text2sql.terms.row_nouns import row_nouns

RATE_NOUN = "(?:churn|attrition|turnover|exit|survival|fraud|default)"
_RATE = Pattern(
    rf"\b(?P<noun>{RATE_NOUN}) rates?\b"
    r"(?: (?:of|among|amongst) (?:the |our |all )?(?P<whom>[a-z]+(?: [a-z]+)?s)(?=$|\W*$| by | per | in | for ))?"
    r"(?! (?:in(?! (?:percent|pct|%))|for|of|among|amongst|with|who|that|under|over|above|below|when|where)\b)",
    re.IGNORECASE,
)
"""The rate of some only is left as it is said: a percentage does not say of whom it is."""
_VERB = {"survival": "survived", "fraud": "are fraudulent", "default": "defaulted"}
_WHOM = r"(?:(?:the|those|all|our|people|persons|ones|employees|customers|clients|users|members|passengers|staff) )*"
_AND = r"(?:,? (?:and(?: how many)?|or|vs\.?|versus|compared (?:to|with)|against|than|as opposed to|rather than) )"


class FlagOutcomes:
    """Rewords questions over one catalog."""

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog

    def said(self, question: str) -> str:
        """The question in terms of those of whom the flag is so; as it is where no table has such a flag."""
        for kind, table, column in self._flags:
            by = " ".join(name_words(column))
            for pair in _pairs(kind):
                question = pair.sub(f"by {by}", question)
            flag = table.column(column)
            if flag is None or not flag.null_fraction:  # else it is not known of all
                question = _RATE.sub(partial(_rate, kind=kind, table=table, catalog=self._catalog), question)
        return question

    @cached_property
    def _flags(self) -> list[tuple[str, Table, str]]:
        return list(flags_of(self._catalog))


@cache
def _pairs(kind: str) -> tuple[Pattern, ...]:
    """How both sides of a kind of outcome are said of one question, either one first."""
    sides = (("yes", "no"), ("no", "yes"))
    pairs = (f"{_WHOM}{said_as(kind, one)}{_AND}{_WHOM}{said_as(kind, other)}" for one, other in sides)
    lead = r"\b(?:(?:for|of|between|among|with|in) )?"
    return tuple(Pattern(rf"{lead}{pair}(?![\w-])", re.IGNORECASE) for pair in pairs)


def rows_of_rate(said: str, catalog: Catalog) -> str | None:
    """What the rows are called of which a flag tells the rate, in the plural; None where none tells it."""
    noun = said.split()[0].lower()
    kind = noun if noun in _VERB else LEAVING
    return next((rows_called(table, catalog) for each, table, _ in flags_of(catalog) if each == kind), None)


def _rate(found: re.Match[str], kind: str, table: Table, catalog: Catalog) -> str:
    noun = found["noun"].lower()
    is_it = kind == LEAVING if noun not in _VERB else noun == kind
    if found["whom"] and catalog.values.lookup(found["whom"], 1):  # of some of them
        return found[0]
    whom = found["whom"] or rows_called(table, catalog)
    left = "have churned" if catalog.values.lookup("left", 1) else "have left"
    return f"percentage of {whom} {_VERB.get(noun, left)}" if is_it else found[0]


def rows_called(table: Table, catalog: Catalog) -> str:
    """What the rows are called, in the plural."""
    nouns = [each.said for each in row_nouns(catalog) if each.targets[0].table is table]
    noun = next((each for each in nouns if stem(each) != stem("person")), table_words(table.name)[-1])
    return noun if noun.endswith("s") else f"{noun}s"
