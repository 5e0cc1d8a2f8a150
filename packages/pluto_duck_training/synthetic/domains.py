"""Reads domains.txt and trades/: the tables of made-up businesses, before they are named and filled with rows.

Domains are named in any style; a trade, in a file of its own, is named as its file says, as one company would.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

_HERE = Path(__file__).parent


@dataclass(frozen=True)
class Field:
    """A column to make: its name, what makes its values, and the share of them that is missing."""

    name: str
    maker: str
    arguments: tuple[str, ...]
    missing: float = 0.0

    @property
    def parent(self) -> str | None:
        """The table it points at, where it is a key of one."""
        return self.arguments[0].rstrip("?") if self.maker == ">" else None


@dataclass(frozen=True)
class Plan:
    """A table to make."""

    name: str
    rows: int
    fields: tuple[Field, ...]
    key: str = ""
    """What its own key is called, where the file says so."""


@dataclass(frozen=True)
class Domain:
    """The tables of one business; a table comes after those it points at."""

    name: str
    tables: tuple[Plan, ...]


@lru_cache(maxsize=1)
def domains() -> tuple[Domain, ...]:
    """All of them."""
    lines = _lines(_HERE / "domains.txt")
    starts = [place for place, line in enumerate(lines) if line.startswith("[")]
    ends = [*starts[1:], len(lines)]
    return tuple(_domain(lines[start:end]) for start, end in zip(starts, ends, strict=True))


@lru_cache(maxsize=1)
def trades() -> dict[str, Domain]:
    """Those that have a file of their own, by name."""
    return {path.stem: _domain([path.stem, *_lines(path)]) for path in sorted((_HERE / "trades").glob("*.txt"))}


def _lines(path: Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]


def _domain(lines: list[str]) -> Domain:
    return Domain(lines[0].strip("[]"), tuple(_plan(line) for line in lines[1:]))


def _plan(line: str) -> Plan:
    head, _, rest = line.partition(":")
    name, rows, *key = head.split()
    return Plan(name, int(rows), tuple(_field(each.strip()) for each in rest.split(";")), "".join(key))


def _field(text: str) -> Field:
    text, _, missing = text.partition(" !")
    name, maker, *rest = text.split(maxsplit=2)
    said = rest[0] if rest else ""
    arguments = tuple(part.strip() for part in (said.split(",") if maker in ("of", "each") else said.split()))
    optional = 0.2 if maker == ">" and said.endswith("?") else 0.0
    return Field(name, maker, arguments, float(missing or optional))


@lru_cache(maxsize=1)
def pools() -> dict[str, tuple[str, ...]]:
    """The words that names are made of, by what they name."""
    found = {}
    for line in (_HERE / "pools.txt").read_text(encoding="utf-8").splitlines():
        name, _, words = line.partition(": ")
        found[name] = tuple(words.split("|") if "|" in words else words.split())
    return found
