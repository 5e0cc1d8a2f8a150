"""Names, comments and values as a prompt shows them: quoted, on one line, bounded.

Whatever is in the data was written by others. It stands where a reader sees that it is data, and can neither begin a
line of its own nor close the quotes around it.
"""

from __future__ import annotations

import json
import re
import unicodedata
from decimal import Decimal
from functools import lru_cache
from typing import Any

from pluto_duck_text2sql.trees.reserved import needs_quotes

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_ENUM = re.compile(r"\bENUM\s*\((?:'(?:[^']|'')*'|[^()'])*\)")
_LONGEST_NAME = 120
_BLANKS = 3
_KEPT = 4_096
_HIDDEN = frozenset({"Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp"})


def line(text: Any, most: int) -> str:
    """`text` in double quotes on one line, at most `most` characters of it, without characters that do not show."""
    return json.dumps(_cut(text, most), ensure_ascii=False)


def without_enum(text: str) -> str:
    """`text` without the values that types in it tell: `ENUM('a', 'b')` is ENUM."""
    return _ENUM.sub("ENUM", text)


def value(stored: Any, most: int) -> str:
    """A stored value as SQL writes it, at most `most` characters of it, with the blanks around it."""
    if isinstance(stored, int | float | Decimal):
        return str(stored)
    text = str(stored)
    before, after = (len(text) - len(text.lstrip(" ")), len(text) - len(text.rstrip(" "))) if text.strip() else (0, 0)
    shown = f"{' ' * min(before, _BLANKS)}{_cut(stored, most)}{' ' * min(after, _BLANKS)}"
    return "'" + shown.replace("'", "''") + "'"


def _cut(text: Any, most: int) -> str:
    plain = " ".join("".join(" " if _is_hidden(each) else each for each in str(text)).split())
    return plain if len(plain) <= most else f"{plain[: most - 1]}…"


@lru_cache(maxsize=_KEPT)
def name(text: str) -> str:
    """A name as SQL writes it: quoted where it is not a plain word, or one of DuckDB's own."""
    if _PLAIN.fullmatch(text) and len(text) <= _LONGEST_NAME and not needs_quotes(text):
        return text
    inner = "".join(" " if _is_hidden(each) else each for each in text).replace('"', '""')
    return f'"{inner[:_LONGEST_NAME]}"'


def name_of(placed: Any) -> str:
    """`schema.table` of a table, or of a value's place."""
    return f"{name(placed.schema)}.{name(getattr(placed, 'table', None) or placed.name)}"


def _is_hidden(letter: str) -> bool:
    return unicodedata.category(letter) in _HIDDEN
