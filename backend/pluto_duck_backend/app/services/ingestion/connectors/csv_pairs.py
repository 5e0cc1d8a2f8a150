"""Lines of `name=value` pairs, as programs log them, turned into rows: `level=info msg="started up" dur=12ms`.

`csv_manner` asks. What must stay true: a line that is no pairs, or has a name that the first lines have not, becomes a
row of another width, which is put aside with its line and text.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_PAIR = re.compile(r'([A-Za-z_][\w.-]*)=("(?:[^"\\]|\\.)*"|[^\s",;=]*)')
_BETWEEN = re.compile(r"\s*[,;]\s*|\s+")
_ESCAPED = re.compile(r"\\(.)")
_FEWEST = 2  # names that all lines share, and lines


def names_of(lines: Sequence[str]) -> tuple[str, ...]:
    """The names in lines that are all pairs, in the order in which they come; none where the lines are no such."""
    found = [_pairs(line) for line in lines]
    if len(found) < _FEWEST or not all(found):
        return ()
    shared = set(found[0]).intersection(*found)
    return tuple(dict.fromkeys(name for each in found for name in each)) if len(shared) >= _FEWEST else ()


def row_of(names: Sequence[str], line: str) -> str:
    """The values of a line with commas between them; the line as one cell where it does not have these names."""
    found = _pairs(line)
    if not line.strip() or not found or not set(found) <= set(names):
        return _cell(line.strip())
    return ",".join(_cell(found.get(name, "")) for name in names)


def _pairs(line: str) -> dict[str, str]:
    """Name and value of each pair; empty where a line is not made of pairs alone or says a name twice."""
    found: dict[str, str] = {}
    rest = line.strip().rstrip(",;")
    while pair := _PAIR.match(rest):
        name, value = pair.groups()
        if name in found:
            return {}
        found[name] = _ESCAPED.sub(r"\1", value[1:-1]) if value.startswith('"') else value
        rest = rest[pair.end() :]
        between = _BETWEEN.match(rest)
        if between is None:
            break
        rest = rest[between.end() :]
    return {} if rest else found


def _cell(text: str) -> str:
    return '"' + text.replace('"', '""') + '"' if re.search(r'[",\r\n]', text) else text
