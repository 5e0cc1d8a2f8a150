"""SQL as text, before any parser: its bounds, its tokens, and the statements that DuckDB cannot serialize.

EXPLAIN and PIVOT without a list of values have no syntax tree. `EXPLAIN x` is as harmless as x; a PIVOT gets its values
written in (see pivot.py), after which it has one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError, Refused
from pluto_duck_backend.app.core.warehouse import tokenize

MAX_LENGTH = 100_000
MAX_NESTING = 100
_OPENING, _CLOSING = set("([{"), set(")]}")
_TOKEN = re.compile(
    r"""[eE]'(?:[^'\\]|\\.|'')*' | [xXbB]?'(?:[^']|'')*' | \$(\w*)\$.*?\$\1\$ | "(?:[^"]|"")*"
      | [\w$.]+ | [()\[\]{},;] | [^\w\s'"()\[\]{},;]+""",
    re.VERBOSE | re.DOTALL,
)


class Token(NamedTuple):
    """A token at `start`; `text` reaches to the next one, without spaces and comments; `depth` counts brackets."""

    start: int
    text: str
    kind: str
    depth: int

    @property
    def end(self) -> int:
        return self.start + len(self.text)

    def is_word(self, *words: str) -> bool:
        return self.kind in ("keyword", "identifier") and self.text.upper() in words


def tidy(sql: str) -> str:
    """`sql` without the spaces around it. Raises Refused where it is too long to be read."""
    text = sql.strip()
    if len(text) > MAX_LENGTH:
        raise Refused(f"The SQL has {len(text):,} characters; at most {MAX_LENGTH:,} are read.", code="sql_too_long")
    if "\0" in text or is_torn(text):
        raise unwritable()
    return text


def is_torn(text: str) -> bool:
    """Whether it holds half a character, which Python does and no file takes."""
    return text.encode(errors="replace").decode() != text


def unwritable() -> Refused:
    return Refused("The SQL holds a NUL character or half a character.", code="unknown_construct")


def tokens(sql: str) -> list[Token]:
    """The tokens of `sql`, without comments and the semicolons at its end.

    Raises InvalidInput or Refused where none are left, Refused where brackets or CASE nest too deep.
    """
    found = list(_tokens(sql))
    while found and set(found[-1].text) == {";"}:
        found.pop()
    if not found:
        raise _empty(sql)
    _check_bits(found)
    deepest = max(token.depth for token in found)
    if deepest > MAX_NESTING:
        raise Refused(f"The SQL nests {deepest} levels deep; at most {MAX_NESTING} are read.", code="sql_too_deep")
    return found


def _empty(sql: str) -> PlutoDuckError:
    """Nothing was asked; or what was, hides in a comment or an open quote."""
    if not sql.strip(" \t\r\n;"):
        return InvalidInput("The SQL is empty.", code="empty_sql", hint="Write a SELECT.")
    return Refused("The SQL holds no statement, only a comment or an open quote.", code="no_statement")


def _check_bits(found: list[Token]) -> None:
    """DuckDB 2.0 drops what stands in the brackets of `BIT(…)` from its syntax tree, so nothing may be asked there."""
    for place, token in enumerate(found[:-1]):
        bracket = found[place + 1]
        if token.is_word("BIT", "VARYING") and bracket.text == "(":
            inside = until_closed(found[place + 2 :], bracket.depth + 1)
            if any(each.kind in ("keyword", "identifier") or each.text == "(" for each in inside):
                raise Refused("BIT(...) takes a number.", code="unknown_construct")


def until_closed(following: list[Token], depth: int) -> Iterator[Token]:
    """The tokens before the bracket that closes `depth`."""
    for token in following:
        if token.depth < depth:
            return
        yield token


def _tokens(sql: str) -> Iterator[Token]:
    """DuckDB's tokens begin at bytes; what follows one up to the next may be space and comments."""
    depth = 0
    for start, rest, kind in _pieces(sql):
        found = _TOKEN.match(rest)
        text = found[0] if found else rest.rstrip()
        opens = text in _OPENING or (kind == "keyword" and text.upper() == "CASE")
        depth -= text in _CLOSING or (kind == "keyword" and text.upper() == "END")
        yield Token(start, text, kind, depth)
        depth += opens


def _pieces(sql: str) -> Iterator[tuple[int, str, str]]:
    """`(first character, text up to the next token, kind)` of each token that is no comment."""
    data, places = sql.encode(), tokenize(sql)
    ends = [*(start for start, _ in places[1:]), len(data)][: len(places)]
    if len(data) == len(sql):  # every character is one byte
        for (start, kind), end in zip(places, ends, strict=True):
            if kind != "comment":
                yield start, sql[start:end], kind
        return
    position = before = 0
    for (start, kind), end in zip(places, ends, strict=True):
        position += len(data[before:start].decode(errors="replace"))
        before = start
        if kind != "comment":
            yield position, data[start:end].decode(errors="replace"), kind


_EXPLAIN_OPTIONS = (
    "ANALYZE",
    "ANALYSE",
    "FORMAT",
    "JSON",
    "TEXT",
    "HTML",
    "GRAPHVIZ",
    "MERMAID",
    "YAML",
    "TRUE",
    "FALSE",
)


def explained(found: list[Token]) -> int:
    """How many tokens of `EXPLAIN [ANALYZE]` or `EXPLAIN (options)` the statement begins with."""
    if not found or not found[0].is_word("EXPLAIN"):
        return 0
    if len(found) > 2 and found[1].text == "(" and found[2].is_word(*_EXPLAIN_OPTIONS):
        count = 2
        while count < len(found) and (found[count].is_word(*_EXPLAIN_OPTIONS) or found[count].text in (",", ")")):
            count += 1
            if found[count - 1].text == ")":
                break
        return count
    return 2 if len(found) > 1 and found[1].is_word("ANALYZE", "ANALYSE") else 1
