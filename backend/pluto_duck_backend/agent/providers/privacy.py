"""What of the data a model may see: everything where it runs in the house, else what the user allowed.

schema   names, types, keys and comments
values   also the stored texts that the question names, and those in SQL that others wrote or that was mended
rows     also results, so that it can put them in words, and what errors quote of them
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from pluto_duck_backend.app.core.config import Privacy
from pluto_duck_backend.app.core.errors import PlutoDuckError, Refused

_TELLS_NO_DATA = ("Parser Error", "Binder Error", "Catalog Error", "Syntax Error")
_OF_NAMES = (
    *("draft_unusable", "result_doubtful", "plan_unusable", "step_failed"),
    *("query_timeout", "result_too_large"),
)
#   errors in our own words, which quote no cell, or that were made for a model to read
_KIND = re.compile(r"[\w :]*?\b[A-Z]\w* ?Error\b")
#   what an error begins with before it quotes anything: Conversion Error, The code failed: line 2: ValueError
_WITHHELD = "Its message may quote the data, and is withheld."
_EXCERPT = re.compile(r"\s*LINE \d+:.*", re.DOTALL)
#   where an error shows the SQL that was run, with spellings that are stored
_QUOTED = re.compile(r"\"[^\"]+\"|\u201c[^\u201d]+\u201d|\u2018[^\u2019]+\u2019|(?<!\w)'.+?'(?!\w)")
_TEXTS = frozenset(("STRING", "NATIONAL_STRING", "RAW_STRING", "HEREDOC_STRING", "UNICODE_STRING", "BYTE_STRING"))
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

    def error(self, error: PlutoDuckError) -> str:
        """An error as the model may read it: messages of running queries quote cells."""
        is_harmless = isinstance(error, Refused) or error.code in _OF_NAMES
        is_harmless = is_harmless or error.message.startswith(_TELLS_NO_DATA)
        told = error.message if self.rows or is_harmless else _withheld(error.message)
        told = told if self.values else _EXCERPT.sub("", told)
        return f"{told}\n{error.hint}".strip()

    def sql(self, sql: str, said: str) -> str:
        """SQL that others wrote as the model may read it: without the texts in it that nobody `said` in words."""
        return sql if self.values else _without_texts(sql, said)

    def words(self, text: str, said: str) -> str:
        """A question that others asked back, or an option, as the model may read it: without what it quotes."""
        return text if self.values else _QUOTED.sub(lambda found: _unquoted(found, said), text)


def _withheld(message: str) -> str:
    """The kind of an error alone."""
    kind = _KIND.match(message)
    return f"{kind[0]}. {_WITHHELD}" if kind else f"It failed while it ran. {_WITHHELD}"


def _without_texts(sql: str, said: str) -> str:
    """The SQL with an ellipsis for each text, and without remarks; nothing where it cannot be read."""
    from sqlglot import tokenize
    from sqlglot.errors import SqlglotError

    try:
        tokens = tokenize(sql, read="duckdb")
    except SqlglotError:
        return ""
    told, end = "", 0
    for each in tokens:
        is_told = each.token_type.name not in _TEXTS or each.text.upper() in _GRAINS or _is_said(each.text, said)
        gap = " " if each.start > end and told else ""
        told += gap + (sql[each.start : each.end + 1] if is_told else f"'{_LEFT_OUT}'")
        end = each.end + 1
    return told


def _unquoted(found: re.Match[str], said: str) -> str:
    mark, text, closing = found[0][0], found[0][1:-1], found[0][-1]
    return found[0] if _is_said(text, said) else f"{mark}{_LEFT_OUT}{closing}"


def _is_said(text: str, said: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", said))
