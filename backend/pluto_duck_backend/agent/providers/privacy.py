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
_QUOTED = re.compile(r"(?P<open>['\"\u201c])(?P<text>[^'\"\u201d]+)(?P<close>['\"\u201d])")
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
    """The SQL with an ellipsis for each text; nothing where it cannot be read."""
    from sqlglot import tokenize
    from sqlglot.errors import SqlglotError

    try:
        texts = [each for each in tokenize(sql, read="duckdb") if each.token_type.name in _TEXTS]
    except SqlglotError:
        return ""
    for each in reversed(texts):
        if each.text.upper() not in _GRAINS and not _is_said(each.text, said):
            sql = f"{sql[: each.start]}'{_LEFT_OUT}'{sql[each.end + 1 :]}"
    return sql


def _unquoted(found: re.Match[str], said: str) -> str:
    return found[0] if _is_said(found["text"], said) else f"{found['open']}{_LEFT_OUT}{found['close']}"


def _is_said(text: str, said: str) -> bool:
    return bool(re.search(rf"(?<!\w){re.escape(text)}(?!\w)", said))
