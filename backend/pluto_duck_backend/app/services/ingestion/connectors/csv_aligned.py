"""Text in columns that blanks keep apart, as terminals and reports print them.

`csv_manner` asks. Columns are where a ruler draws them, where every line has wide gaps, or where all lines are blank.
What must stay true: the names above and all of the first lines agree on them; a later line that does not is left as it
is, so that it is put aside and not cut in the middle of a word.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import partial

_FEWEST = 3  # lines
_USUAL = ",;|"
_GAP = re.compile(r"\s{2,}")
_RULER = re.compile(r"\s*(?:-{2,}|={2,})(?: +(?:-+|=+))+\s*")

Cells = Callable[[str], list[str]]


def cells_of_lines(blocks: Sequence[Sequence[str]]) -> Cells | None:
    """What takes a line apart as the largest block is written (blank lines keep blocks apart); None for other text."""
    lines = max(blocks, key=len, default=[])
    ruler = next((line for line in lines[:2] if _RULER.fullmatch(line)), None)
    if ruler and len(lines) >= _FEWEST:
        return partial(_cut, begins=[found.start() for found in re.finditer(r"[-=]+", ruler)])
    is_usual = any(all(each in line for line in lines) for each in _USUAL)
    if len(lines) < _FEWEST or is_usual or any("\t" in line for line in lines):
        return None
    begins = _gutters(lines)
    widths = {len(_split(line)) for line in lines}
    if len(widths) == 1 and max(widths) > max(1, len(begins) - 1):
        return _split
    return partial(_cut, begins=begins) if begins else None


def _gutters(lines: Sequence[str]) -> list[int]:
    """Where columns begin, as far as each has a name and most of its values; one gap at least is wide."""
    used = [any(line[i : i + 1].strip() for line in lines) for i in range(max(map(len, lines)))]
    begins = [i for i, is_used in enumerate(used) if is_used and not (i and used[i - 1])]
    is_wide = any(not any(used[start - 2 : start]) for start in begins[1:])
    return begins if is_wide and all(_is_column(lines, *span) for span in _spans(begins)) else []


def _is_column(lines: Sequence[str], start: int, end: int | None) -> bool:
    cells = [line[start:end].strip() for line in lines]
    is_one_name = bool(cells[0]) and not _GAP.search(cells[0])
    return is_one_name and sum(map(bool, cells)) * 2 > len(cells)


def _cut(line: str, begins: Sequence[int]) -> list[str]:
    if any(line[start - 1 : start].strip() for start in begins[1:]):
        return _split(line)
    return [line[start:end].strip() for start, end in _spans(begins)]


def _split(line: str) -> list[str]:
    return _GAP.split(line.strip())


def _spans(begins: Sequence[int]) -> list[tuple[int, int | None]]:
    return list(zip(begins, [*begins[1:], None], strict=True))
