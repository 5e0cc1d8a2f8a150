"""What of the data a model may see: everything where it runs in the house, else what the user allowed.

schema   names, types, keys and comments
values   also the stored texts that the question names, and those in SQL that others wrote or that was mended
rows     also results, so that it can put them in words, and what errors quote of them
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pluto_duck_backend.agent.context.quoting import without_enum
from pluto_duck_backend.agent.findings.quoting import next_step, quotes_no_cell, withheld
from pluto_duck_backend.app.core.config import Privacy
from pluto_duck_backend.app.core.errors import PlutoDuckError, Refused

if TYPE_CHECKING:
    from sqlglot.tokens import Token

    from pluto_duck_backend.agent.providers.contract import Draft

_OURS = ("result_doubtful", "plan_unusable", "query_timeout", "result_too_large")
#   errors in our own words, which quote nothing, or that were made for a model to read
_OF_NAMES = ("draft_unusable", "step_failed")
#   those that name columns
_NAMES_CELLS = re.compile(r"\bpivot", re.IGNORECASE)
#   SQL whose columns are called by what is stored
_EXCERPT = re.compile(r"\s*LINE \d+:.*", re.DOTALL)
#   where an error shows the SQL that was run, with spellings that are stored
_VALUE = re.compile(r"(?<= = )[^\s'\"\u201c\u2018][^;,]*")
#   what a condition is held to, where an option tells it without quotes
_QUOTED = re.compile(r"\"[^\"]+\"|\u201c[^\u201d]+\u201d|\u2018[^\u2019]+\u2019|(?<!\w)'.+?'(?!\w)")
_TEXTS = frozenset(("STRING", "NATIONAL_STRING", "RAW_STRING", "HEREDOC_STRING", "UNICODE_STRING", "BYTE_STRING"))
_NAMES = ("IDENTIFIER", "VAR")
_GRAINS = frozenset("HOUR DAY WEEK MONTH QUARTER YEAR DECADE MINUTE SECOND DOW ISODOW".split())
_LEFT_OUT = "\u2026"


@dataclass(frozen=True)
class Sight:
    """What one model may see."""

    values: bool
    rows: bool

    @classmethod
    def of(cls, privacy: Privacy, is_local: bool) -> Sight:
        return cls(values=is_local or privacy != "schema", rows=is_local or privacy == "rows")

    def error(self, error: PlutoDuckError, draft: Draft) -> str:
        """The error of a draft as the model may read it: messages of running queries quote cells, and so do those that
        name columns, where these are called by what is stored."""
        is_harmless = isinstance(error, Refused) or error.code in _OURS
        is_harmless |= (error.code in _OF_NAMES or quotes_no_cell(error)) and not _names_cells(draft)
        told = error.message if self.rows or is_harmless else withheld(error.message)
        told = told if self.values else without_enum(_EXCERPT.sub("", told))
        return f"{told}\n{next_step(error)}".strip()

    def sql(self, sql: str, said: str) -> str:
        """SQL that others wrote as the model may read it: without the texts in it that nobody `said` in words."""
        return sql if self.values else _without_texts(sql, said)

    def names(self, names: Sequence[str], sql: str) -> list[str]:
        """The columns of a result as the model may read them: of those that are not in the `sql` it is told, none."""
        return [each if self.rows or _is_said(each, sql) else _LEFT_OUT for each in names]

    def words(self, text: str, said: str) -> str:
        """A question that others asked back, or an option, as the model may read it: without what it quotes."""
        if self.values:
            return text
        text = _VALUE.sub(lambda found: found[0] if _is_said(found[0], said) else _LEFT_OUT, text)
        return _QUOTED.sub(lambda found: _unquoted(found, said), text)


def _names_cells(draft: Draft) -> bool:
    """Whether columns of a draft may be called by what is stored: a PIVOT's, or those that Python made."""
    steps = draft.steps or tuple(each.step for each in draft.taken)
    texts = (draft.sql, draft.written.sql if draft.written else "", *(each.text for each in steps))
    return any(each.kind == "python" for each in steps) or any(map(_NAMES_CELLS.search, texts))


def _without_texts(sql: str, said: str) -> str:
    """The SQL with an ellipsis for each text, each number of a given table and each name called like one of these, and
    without remarks; nothing where it cannot be read."""
    from sqlglot import tokenize
    from sqlglot.errors import SqlglotError

    try:
        tokens = tokenize(sql, read="duckdb")
    except SqlglotError:
        return ""
    hidden = {n for n in (*_texts(tokens), *_given(tokens)) if not _is_said(tokens[n].text, said)}
    names = {tokens[n].text for n in hidden}
    told, end = "", 0
    for number, each in enumerate(tokens):
        is_name = each.text in names and each.token_type.name in _NAMES
        left_out = f'"{_LEFT_OUT}"' if is_name else f"'{_LEFT_OUT}'"
        told += " " if each.start > end else ""
        told += left_out if is_name or number in hidden else sql[each.start : each.end + 1]
        end = each.end + 1
    return told


def _texts(tokens: Sequence[Token]) -> Iterator[int]:
    """The places of texts that are more than a unit of time."""
    return (n for n, each in enumerate(tokens) if each.token_type.name in _TEXTS and each.text.upper() not in _GRAINS)


def _given(tokens: Sequence[Token]) -> Iterator[int]:
    """The places of what tables of given rows hold, `(VALUES (1)) AS given("n")`: their numbers, and the names of their
    columns. That is how the rows of a Python step stand in SQL."""
    for n, each in enumerate(tokens):
        if each.text.upper() == "VALUES":
            last = _closing(tokens, n)
            names = _closing(tokens, last + 4) if _is_open(tokens, last + 3) else last
            yield from (k for k in range(n, last) if tokens[k].token_type.name == "NUMBER")
            yield from (k for k in range(last, names) if tokens[k].token_type.name == "IDENTIFIER")


def _is_open(tokens: Sequence[Token], place: int) -> bool:
    return place < len(tokens) and tokens[place].text == "("


def _closing(tokens: Sequence[Token], start: int) -> int:
    """The place where the parenthesis that holds `start` closes, or the end."""
    depth = 0
    for n in range(start, len(tokens)):
        depth += (tokens[n].text == "(") - (tokens[n].text == ")")
        if depth < 0:
            return n
    return len(tokens)


def _unquoted(found: re.Match[str], said: str) -> str:
    mark, text, closing = found[0][0], found[0][1:-1], found[0][-1]
    return found[0] if _is_said(text, said) else f"{mark}{_LEFT_OUT}{closing}"


def _is_said(text: str, said: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", said))
