"""What columns and rows are called in a sentence: the day the order was made, the list price of the product.

Asked by in_words.py. The words are those of the catalog: a comment's, where it is one short phrase, else the names'.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Column, Table
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_words, root, stem, table_words, with_article

_DATE_WORDS = frozenset("date day time timestamp datetime ts on at for".split())
_IRREGULAR = frozenset("paid sent made sold held built given taken bought begun done seen shot lent kept".split())
_BY_ITSELF = frozenset(
    """arrived departed started ended expired joined left died finished happened occurred retired resigned returned
    lapsed arrives departs expires joins leaves starts ends begins began came went closes opens
    start end begin""".split()
)
_AHEAD = frozenset("scheduled planned expected promised estimated due".split())
_NO_DEED = frozenset("need speed breed bed feed shed red seed".split())
_OUTCOMES = frozenset("delivered shipped returned refunded transferred".split())
"""What is called by the last that happens to it was made before."""
_SALE, _TELLING = {"sold", "sale"}, 5
_PERSONS = {"start": "starts", "end": "ends", "begin": "begins"}
_PHRASE = Pattern(r"\s*(?P<said>[^\s.;:(\[]+(?: [^\s.;:(\[]+){1,11})\s*(?:[.;:(\[].*)?", re.DOTALL)
_OF_KEYS = Pattern(r"\b(?:fk|pk|foreign|primary|key|column|table|references?|deprecated|null|id)\b", re.IGNORECASE)
_MANY = ((re.compile(r"(?<=[^aeiou])y$"), "ies"), (re.compile(r"(?:s|x|ch|sh)$"), r"\g<0>es"), (re.compile(r"$"), "s"))
_ONE = (("ies", "y"), ("sses", "ss"), ("ches", "ch"), ("shes", "sh"), ("xes", "x"), ("s", ""))


def said_by_comment(column: Column) -> str:
    """The phrase that a column's comment begins with, as words within a sentence; empty where it is none."""
    found = _PHRASE.fullmatch(column.comment)
    if found is None or _OF_KEYS.search(found["said"]):
        return ""
    said = found["said"].rstrip(",")
    is_name = said[1:2].isupper() or said.split()[0].isupper()
    return said if is_name else said[0].lower() + said[1:]


def said_by_name(table: Table, column: Column) -> str:
    """The day of a deed, else a column's name and whose it is."""
    day = _day_of_deed(table, column) if column.is_time else ""
    words, rows = bare(column), one(table)
    is_whole = set(map(stem, rows.split())) <= set(map(stem, words.split()))
    return day or (f"the {words}" if is_whole else f"the {words} of the {rows}")


def said_of_those(table: Table, column: Column) -> str:
    """What is said of rows that have a date: `that left`, `that were terminated`, `that have a leave date`."""
    deed = _deed(table, column)
    return f"that {deed.replace('was ', 'were ', 1)}" if deed else f"that have {with_article(bare(column))}"


def bare(column: Column) -> str:
    """A column's name in words."""
    return " ".join(_without_key(name_words(column.name)))


def one(table: Table) -> str:
    """What a row is called."""
    *before, last = table_words(table.name)
    many = next((each for each in _ONE if last.endswith(each[0]) and not last.endswith(("ss", "us", "is"))), None)
    return " ".join((*before, last.removesuffix(many[0]) + many[1] if many else last))


def many(table: Table) -> str:
    """What rows are called."""
    row = one(table)
    ending, put = next(each for each in _MANY if each[0].search(row))
    return row if table_words(table.name)[-1:] == (row,) and row.endswith("data") else ending.sub(put, row, count=1)


def _without_key(words: tuple[str, ...]) -> tuple[str, ...]:
    """`from station id` tells a station."""
    return words[:-1] if len(words) > 1 and words[-1] in ("id", "key", "number", "code") else words


def _day_of_deed(table: Table, column: Column) -> str:
    """`the day the order was made`, where a date is called by what happened then."""
    deed = _deed(table, column)
    day = "time" if column.is_moment else "day"
    return f"the {day} the {one(table)} {deed}" if deed else ""


def _deed(table: Table, column: Column) -> str:
    """What happened to the rows of a table by a date's name: `was shipped`; empty where it tells no deed."""
    words = [each for each in name_words(column.name) if each not in _DATE_WORDS]
    deed = words[0] if len(words) == 1 else ""
    if deed in _BY_ITSELF:
        return _PERSONS.get(deed, deed)
    if deed in _AHEAD:
        return "was due" if deed == "due" else f"was {deed} for"
    is_deed = deed in _IRREGULAR or (deed.endswith("ed") and deed not in _NO_DEED)
    if not is_deed:
        return ""
    rows = [root(stem(each)) for each in table_words(table.name)]
    is_made = any(each.startswith(root(stem(deed))[:_TELLING]) for each in rows) or {deed, *rows} >= _SALE
    return "was made" if is_made and deed not in _OUTCOMES else f"was {deed}"
