"""A decision that was meant as a JSON object and is none, as models without practice write it.

Quotes within a text that are not escaped, Python's quotes, a comma too many, remarks, a brace too few: between a known
key and the next one stands one value, whatever is in it. What must stay true: text of any kind is read in linear time.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Any

KEYS = ("sql", "query", "title", "reading", "assumptions", "confidence", "steps", "question", "options", "reason")
_KEY = re.compile(rf"[{{,\n]\s{{0,40}}([\"'])({'|'.join(KEYS)})\1\s{{0,40}}:", re.IGNORECASE)
_QUOTES = ('"""', "'''", '"', "'")
_ESCAPES = {"\\n": "\n", "\\t": "\t", '\\"': '"', "\\'": "'", "\\\\": "\\"}
_ESCAPED = re.compile(r"\\[nt\"'\\]")
_SQL = re.compile(r"\b(?:SELECT|WITH)\b", re.IGNORECASE)


def loosely_read(text: str) -> dict[str, Any]:
    """The values of the known keys in a text that begins an object before any SQL; empty where there are none."""
    start, end = text.find("{"), text.rfind("}")
    if start < 0 or _SQL.search(text, 0, start):
        return {}
    body = text[start : end if end > start else len(text)]
    found = list(_KEY.finditer(body))
    ends = [*(each.start() for each in found[1:]), len(body)]
    read = {key[2].lower(): _value(body[key.end() : end]) for key, end in zip(found, ends, strict=False)}
    return {name: value for name, value in read.items() if value is not None}


def _value(text: str) -> Any:
    """What stands between a key and the next one; None where that is no value."""
    text = _without_remark(text).strip().rstrip(" \n\t,}")
    quote = next((each for each in _QUOTES if text.startswith(each)), "")
    try:
        return json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return _unescaped(text.removeprefix(quote).removesuffix(quote)) if quote else _of_python(text)


def _without_remark(text: str) -> str:
    """Without what follows `//` on the last line, outside of quotes."""
    at = text.find("//", max(map(text.rfind, ('"', "'", "\n"))) + 1)
    return text if at < 0 else text[:at]


def _of_python(text: str) -> Any:
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError, RecursionError, MemoryError):
        return None


def _unescaped(text: str) -> str:
    """Of a text between quotes; a backslash before anything else, as in a pattern, is one."""
    return _ESCAPED.sub(lambda found: _ESCAPES[found[0]], text)
