"""A canvas of braille dots, two by four a character: lines and points in a terminal. `drawing.py` fills it."""

from __future__ import annotations

from collections.abc import Iterator

_BITS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
_EMPTY = 0x2800


class Canvas:
    """`width` × `height` characters; x grows to the right and y upwards, both from 0 to 1."""

    def __init__(self, width: int, height: int) -> None:
        self.width, self.height = width, height
        self._cells: dict[tuple[int, int], tuple[int, int]] = {}

    def point(self, x: float, y: float, series: int = 0) -> None:
        """A dot; where two series meet in a character the later one gives it its colour."""
        self._dot(*self._place(x, y), series)

    def line(self, start: tuple[float, float], end: tuple[float, float], series: int = 0) -> None:
        """Dots from start to end without a gap."""
        (x0, y0), (x1, y1) = self._place(*start), self._place(*end)
        steps = max(abs(x1 - x0), abs(y1 - y0), 1)
        for n in range(steps + 1):
            self._dot(round(x0 + (x1 - x0) * n / steps), round(y0 + (y1 - y0) * n / steps), series)

    def rows(self) -> Iterator[list[tuple[str, int]]]:
        """From the top: each character with its series, -1 where it is empty."""
        for row in range(self.height):
            cells = [self._cells.get((row, column), (0, -1)) for column in range(self.width)]
            yield [(chr(_EMPTY + bits) if bits else " ", series) for bits, series in cells]

    def _place(self, x: float, y: float) -> tuple[int, int]:
        return round(x * (self.width * 2 - 1)), round((1 - y) * (self.height * 4 - 1))

    def _dot(self, across: int, down: int, series: int) -> None:
        cell = (down // 4, across // 2)
        bits, _ = self._cells.get(cell, (0, 0))
        self._cells[cell] = (bits | _BITS[down % 4][across % 2], series)
