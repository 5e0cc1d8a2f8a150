"""Columns that are parts of a whole beside it: `NA_Sales`, `EU_Sales` and `JP_Sales` of `Global_Sales`.

They share their last words; the whole is called global, total or overall. Parts called by the code of a region are what
is asked for `in Europe`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.language.words import name_parts, name_stems, stem

_WHOLES = frozenset(map(stem, "global total overall all worldwide world grand".split()))
_LEAST_PARTS = 2
_REGIONS = {
    "na": ("north america", "north american"),
    "eu": ("europe", "european"),
    "jp": ("japan", "japanese"),
    "us": ("the us", "the usa", "the united states", "america"),
    "usa": ("the us", "the usa", "the united states", "america"),
    "uk": ("the uk", "the united kingdom", "britain"),
    "emea": ("emea",),
    "apac": ("apac", "asia pacific", "asia"),
    "latam": ("latin america", "south america"),
    "row": ("the rest of the world",),
    "other": ("the rest of the world", "other regions", "elsewhere"),
}


@dataclass(frozen=True)
class Parts:
    """What all are called by their last words, the column of the whole, and each region's column."""

    called: tuple[str, ...]
    table: Table
    whole: str
    regions: tuple[tuple[str, str], ...]
    #   what a region is called, and the first word of its column


def wholes(catalog: Catalog) -> Iterator[Parts]:
    """The wholes with their parts."""
    for table in catalog.tables:
        numbers = [(each.name, name_stems(each.name)) for each in table.columns if each.kind == "number"]
        for name, stems in numbers:
            parts = [other for other, some in numbers if len(some) > 1 and some[1:] == stems[1:] and other != name]
            if len(stems) > 1 and stems[0] in _WHOLES and len(parts) >= _LEAST_PARTS:
                yield Parts(stems[1:], table, name, tuple(_regions(parts)))


def _regions(parts: list[str]) -> Iterator[tuple[str, str]]:
    for name in parts:
        code = name_parts(name)[0]
        yield from ((said, code) for said in _REGIONS.get(code, ()))
