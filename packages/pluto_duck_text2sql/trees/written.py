"""What a person writes of a measure or condition, as SQL and parsed: `sum of a / count of b`, `country in Peru, Chile`.

Whatever cannot be parsed, or is no constant where one belongs, raises Unsayable with the reason.
"""

from __future__ import annotations

import datetime as dt
import re
from itertools import accumulate
from typing import Any

from pluto_duck_text2sql.language.patterns import Pattern

_NAMES_OF = {"total": "sum", "average": "avg", "mean": "avg", "number": "count", "maximum": "max", "minimum": "min"}
_OF = Pattern(
    r"\b(?P<fn>sum|total|average|avg|mean|count|number|maximum|max|minimum|min|median) of (?P<distinct>distinct )?"
    r"(?P<what>.+?)(?=\s+(?:/|-|divided by|per|minus)\s+(?:sum|total|average|avg|mean|count|number|max|min|median)"
    r"\w* of |$)",
    re.IGNORECASE,
)
_BARE = r"[^'\"()=<>,`]+?"
_IN_LIST = Pattern(rf"^(?P<left>[\w.]+)\s+(?P<not>not\s+)?in\s+(?P<values>{_BARE}(?:,\s*{_BARE})*)$", re.IGNORECASE)
_IS = Pattern(rf"^(?P<left>[\w.]+)\s*(?P<sign>=|!=|<>|\bis not\b|\bis\b)\s*(?P<value>{_BARE})$", re.IGNORECASE)
_KEPT = Pattern(r"null|not null|true|false|[-+]?[\d.]+|.*(?:\b(?:and|or)\b|\.).*", re.IGNORECASE)
_DEEPEST = 12


class Unsayable(ValueError):
    """The tree has no part for it, or it names what is not there; `unknown` is the name in question, if one is."""

    def __init__(self, reason: str, unknown: str = "") -> None:
        super().__init__(reason)
        self.unknown = unknown


def parsed(text: str) -> Any:
    """The expression as sqlglot has it. Raises Unsayable."""
    import sqlglot
    from sqlglot import exp
    from sqlglot.errors import SqlglotError

    depths = accumulate((each in "([{") - (each in ")]}") for each in text)
    if max(depths, default=0) > _DEEPEST:
        raise Unsayable("it is nested too deep")
    try:
        return sqlglot.parse_one(text, read="duckdb", into=exp.Condition)
    except (SqlglotError, RecursionError, ValueError) as error:
        raise Unsayable(f"{text!r} is no expression in SQL") from error


def in_sql(text: str) -> str:
    """`sum of a / count of b` as `sum(a) / count(b)`."""
    said = re.sub(r"\s+(?:divided by|per)\s+(?=\w+ of )", " / ", text, flags=re.IGNORECASE)
    return _OF.sub(lambda found: f"{_function(found)}({found['distinct'] or ''}{found['what']})", said)


def _function(found: re.Match[str]) -> str:
    return _NAMES_OF.get(found["fn"].lower(), found["fn"].lower())


def with_quotes(text: str) -> str:
    """`country in Germany, Austria` and `country = United States` with quotes around the values."""
    listed = _IN_LIST.match(text)
    if listed:
        values = [each.strip() for each in re.split(r",|\bor\b|\band\b", listed["values"]) if each.strip()]
        quoted = ", ".join(each if _KEPT.fullmatch(each) else f"'{each}'" for each in values)
        return f"{listed['left']} {listed['not'] or ''}in ({quoted})"
    found = _IS.match(text)
    if not found or _KEPT.fullmatch(found["value"].strip()):
        return text
    sign = "!=" if "not" in found["sign"].lower() or found["sign"] in ("!=", "<>") else "="
    return f"{found['left']} {sign} '{found['value'].strip()}'"


def constant(node: Any) -> Any:
    """The value of a constant. Raises Unsayable."""
    from sqlglot import exp

    match node:
        case exp.Paren():
            return constant(node.this)
        case exp.Literal():
            return node.this if node.is_string else float(node.this)
        case exp.Boolean():
            return bool(node.this)
        case exp.Neg() if isinstance(node.this, exp.Literal) and not node.this.is_string:
            return -float(node.this.this)
        case exp.Cast() if isinstance(node.this, exp.Literal):
            return node.this.this
    raise Unsayable(f"{shown(node)} is not a constant")


def day(text: str) -> dt.date:
    """The date that a text is. Raises Unsayable."""
    try:
        return dt.date.fromisoformat(text[:10])
    except ValueError as error:
        raise Unsayable(f"{text!r} is no date: write YYYY-MM-DD") from error


def shown(node: Any) -> str:
    """A part as SQL, for messages."""
    return str(node.sql(dialect="duckdb"))
