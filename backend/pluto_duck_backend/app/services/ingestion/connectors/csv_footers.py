"""Rows that close delimited text and are none of its table: remarks and balances that have as many cells as a row.

`csv_files` asks about the last lines of a file, and `csv_mending` leaves such rows out. What must stay true: a row goes
only where it is the last, its words stand among values, and its shape says that it is a remark; it is told in the
notes. A row that lacks values, or says in words why, stays one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from pluto_duck_backend.app.services.ingestion.connectors.csv_header import is_value

_MARK = re.compile(
    r"[*†‡§¹²³#]|--|\(?(source|sources|notes?|n\.?b\.?|remarks?|footnotes?|quellen?|anmerkung(en)?|hinweise?|stand|fuente"
    r"|notas?|disclaimer|copyright|(report |last |data )?(generated|updated?|created|exported|printed|retrieved)"
    r"|erstellt|end of (report|file|data))\b|©",
    re.IGNORECASE,
)
_PAGE = re.compile(
    r"[-– ]*(page|seite|pagina|página|strona|сторінка|страница|sida) +\d+( *(of|von|de|di|van|z|из|/) *\d+)?[-– ]*",
    re.IGNORECASE,
)
_MOST = 2 / 3  # of a column's cells are values where it is one of values
_WORDS = 5  # that a cell may have and be no sentence


class Footers:
    """Knows the remarks below one table, from rows of it; a few of these may be remarks themselves."""

    def __init__(self, rows: Sequence[Sequence[str]]) -> None:
        self._width = len(rows[0]) if rows else 0
        self._is_value = [_holds_values([row[i].strip() for row in rows if i < len(row)]) for i in range(self._width)]
        self._rows = rows

    def is_one(self, cells: Sequence[str], *, is_apart: bool) -> bool:
        """Whether the last row is a remark; `is_apart`: a blank line stands before it and none among the rows."""
        texts = [cell.strip() for cell in cells]
        filled = [i for i, text in enumerate(texts) if text]
        if self._width < 2 or len(texts) != self._width or not filled or is_value(texts[filled[0]]):
            return False
        if len(filled) == 1:
            return self._is_remark(texts[filled[0]], filled[0])
        is_odd = any(self._is_value[i] and not is_value(texts[i]) and len(texts[i]) > 1 for i in filled)
        is_mostly_empty = self._is_value[filled[0]] and len(filled) * 2 <= self._width
        return is_odd and (is_apart or is_mostly_empty or _MARK.match(texts[filled[0]]) is not None)

    def _is_remark(self, text: str, i: int) -> bool:
        """Alone in its row: marked as a remark, a sentence where no cell is one, or words among values."""
        if self._is_value[i] or _MARK.match(text):
            return True
        others = [row[i].strip() for row in self._rows if i < len(row)]
        return len(text.split()) > max(_WORDS, *(len(each.split()) for each in others if each != text), 0)


def is_page_number(row: str, delimiter: str) -> bool:
    """Whether a row holds nothing but the number of a page (`Page 1 of 9,,`), in a table of several columns."""
    return delimiter in row and _PAGE.fullmatch(row.replace(delimiter, " ").replace('"', " ").strip()) is not None


def _holds_values(cells: Sequence[str]) -> bool:
    filled = [cell for cell in cells if cell]
    return sum(map(is_value, filled)) >= max(2, _MOST * len(filled))
