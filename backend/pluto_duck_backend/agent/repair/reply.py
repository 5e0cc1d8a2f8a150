"""A model's reply to the SQL within it: fences, JSON around it, prose before and after, thoughts.

Text in, text out; nothing here knows the data. What must stay true: hostile text of any length is read in linear time
but for a bounded number of tries, and several statements are never made one by leaving some out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any

Parses = Callable[[str], bool]
MAX_LENGTH = 200_000
_THOUGHT = re.compile(r"<(think|thinking|reasoning|thought)>.*?(?:</\1>|\Z)", re.DOTALL | re.IGNORECASE)
_FENCE = re.compile(r"(?:```+|~~~+)[ \t]*([\w+-]*)[ \t]*\n?(.*?)(?:```+|~~~+|\Z)", re.DOTALL)
_KEYS = ("sql", "sql_query", "sqlquery", "query", "statement", "final_sql", "code", "answer")
_KEYED = re.compile(rf'"(?:{"|".join(_KEYS)})"\s*:\s*"((?:[^"\\]|\\.)*)', re.DOTALL | re.IGNORECASE)
_START = re.compile(r"\b(?:WITH(?=\s+(?:RECURSIVE\s+)?[\w\"`]+\s*(?:\(|AS\b))|SELECT)\b", re.IGNORECASE)
_STATEMENT = re.compile(
    r"\s*\(*\s*(?:SELECT|WITH|FROM|INSERT|UPDATE|DELETE|DROP|CREATE|ALTER|TRUNCATE|ATTACH|COPY|PRAGMA|SET|INSTALL|LOAD"
    r"|CALL|EXPORT|IMPORT|MERGE|GRANT|REPLACE|VACUUM|EXPLAIN|DESCRIBE|SHOW|USE)\b(?!\s+(?:me|you|us|the|this)\b)",
    re.IGNORECASE,
)
_GOES_ON = re.compile(
    r"\s*(?:WHERE|GROUP\s+BY|ORDER\s+BY|HAVING|LIMIT|UNION|INTERSECT|EXCEPT|JOIN|LEFT|RIGHT|INNER|FULL|CROSS|ON|AND|OR"
    r"|FROM|SELECT|QUALIFY|WINDOW|OFFSET|,|\))",
    re.IGNORECASE,
)
_PIECE = re.compile(r"'(?:[^'\\]|''|\\.)*'|\"(?:[^\"]|\"\")*\"|`[^`]*`|--[^\n]*|/\*.*?\*/|;|[^'\"`;/-]+|.", re.DOTALL)
_MOST_TRIES = 40


def statements(reply: str, parses: Parses) -> list[str]:
    """The SQL statements in a model's reply, in order, each without a semicolon; none where it holds no SQL."""
    text = _THOUGHT.sub("", reply[:MAX_LENGTH].lstrip("\ufeff")).strip()
    for parts in (_from_json(text), _fenced(text)):
        found = [each for part in parts for each in _split(part, parses)]
        if found:
            return list(dict.fromkeys(found))
    return list(dict.fromkeys(_split(text, parses)))


def _from_json(text: str) -> list[str]:
    """The SQL of a reply that is JSON, also where it is fenced, followed by prose, or cut short."""
    blocks = [each[2] for each in _FENCE.finditer(text)] if "{" in text else []
    for block in [text, *blocks]:
        start = block.find("{")
        if start < 0:
            continue
        sql = _sql_of(_loaded(block[start:]))
        keyed = _KEYED.search(block) if not sql else None
        if sql or keyed:
            return [sql or _unescaped(keyed[1] if keyed else "")]
    return []


def _loaded(text: str) -> Any:
    try:
        return json.JSONDecoder(strict=False).raw_decode(text)[0]
    except (json.JSONDecodeError, RecursionError):
        return None


def _sql_of(value: Any) -> str:
    """The text under the likeliest key, in the object itself or one within it."""
    if not isinstance(value, dict):
        return ""
    folded = {str(key).casefold(): each for key, each in value.items()}
    for key in _KEYS:
        if isinstance(folded.get(key), str) and _START.search(folded[key]):
            return str(folded[key])
    inner = (_sql_of(each) for each in folded.values() if isinstance(each, dict))
    return next((each for each in inner if each), "")


def _unescaped(text: str) -> str:
    try:
        return str(json.loads(f'"{text}"', strict=False))
    except json.JSONDecodeError:
        return text.replace("\\n", "\n").replace('\\"', '"')


def _fenced(text: str) -> list[str]:
    """The blocks marked as SQL, or those that begin like it."""
    blocks = [(each[1].casefold(), each[2]) for each in _FENCE.finditer(text)]
    marked = [block for mark, block in blocks if "sql" in mark]
    return marked or [block for _, block in blocks if _STATEMENT.match(block)]


def _split(text: str, parses: Parses) -> list[str]:
    """The statements of a text that begins with SQL, or has some after prose."""
    pieces = list(_by_semicolon(text if _STATEMENT.match(text) else _from_start(text, parses)))
    if not pieces or not _STATEMENT.match(pieces[0]):
        return []
    later = [each for each in pieces[1:] if _STATEMENT.match(each) and parses(each)]
    return [each.strip() for each in (_without_prose(pieces[0], parses), *later) if each.strip()]


def _from_start(text: str, parses: Parses) -> str:
    """From the first SELECT or WITH that SQL begins with: one at a line's start, else the first that parses."""
    places = [each.start() for each in islice(_START.finditer(text), _MOST_TRIES)]
    at_line = [place for place in places if not text[:place].rpartition("\n")[2].strip(" \t>*`")]
    if at_line:
        return text[at_line[0] :]
    tried = (text[place:] for place in places)
    good = next((each for each in tried if parses(_without_prose(next(_by_semicolon(each), ""), parses))), None)
    return good if good is not None else (text[places[0] :] if places else "")


def _by_semicolon(text: str) -> Iterator[str]:
    """The parts between semicolons that are in no string, name or comment; not the empty ones."""
    part: list[str] = []
    for piece in _PIECE.findall(text):
        if piece == ";":
            yield from _filled(part)
            part = []
        else:
            part.append(piece)
    yield from _filled(part)


def _filled(part: list[str]) -> Iterator[str]:
    text = "".join(part).strip()
    if text.count("`") % 2:  # the end of `SELECT 1` in prose
        text = text.rpartition("`")[0].strip()
    if text:
        yield text


def _without_prose(text: str, parses: Parses) -> str:
    """The shortest beginning in whole paragraphs that is a statement and is not gone on with; else in whole lines."""
    paragraphs = re.split(r"\n\s*\n", text)
    for count in range(1, min(len(paragraphs), _MOST_TRIES)):
        if not _GOES_ON.match(paragraphs[count]) and parses("\n\n".join(paragraphs[:count])):
            return "\n\n".join(paragraphs[:count])
    if parses(text):
        return text
    lines = text.split("\n")
    shorter = ("\n".join(lines[:count]) for count in range(len(lines) - 1, max(len(lines) - _MOST_TRIES, 0), -1))
    return next((each for each in shorter if parses(each)), text)
