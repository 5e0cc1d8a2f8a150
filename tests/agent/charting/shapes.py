"""The result shapes of tests/fixtures/charts/shapes.txt, with values made for them."""

import datetime as dt
import itertools
import random
import re
from dataclasses import dataclass
from pathlib import Path

FILE = Path(__file__).parents[2] / "fixtures" / "charts" / "shapes.txt"
_MONTHS = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October"]
_MONTHS += ["November", "December"]
_WEEKDAYS = ["Friday", "Monday", "Saturday", "Sunday", "Thursday", "Tuesday", "Wednesday"]
_SYLLABLES = ["ba", "cor", "dun", "el", "fen", "gar", "hol", "mi", "nor", "ru", "sta", "vo"]


@dataclass(frozen=True)
class ResultShape:
    line: int
    question: str
    columns: list
    rows: list
    kind: str
    channels: dict


def read():
    """All shapes of the file."""
    lines = enumerate(FILE.read_text().splitlines(), 1)
    return [_shape(n, line) for n, line in lines if line and not line.startswith("#")]


def _shape(number, line):
    question, columns, expected = (part.strip() for part in line.split(" | "))
    specs = [re.fullmatch(r"(\S+) (.+) (\w+)(?:\((\d+)\))?", each).groups() for each in _split(columns)]
    kind, *channels = expected.split()
    rows = _rows(specs, random.Random(number))
    named = [{"name": name, "type": type_} for name, type_, *_ in specs]
    return ResultShape(number, question, named, rows, kind, dict(each.split("=") for each in channels))


def _split(columns):
    return re.split(r", (?=\w+ [A-Z])", columns)


def _rows(specs, chance):
    """Sized columns that are equally long and unique go side by side, others are crossed; the rest is filled up."""
    sized = {n: _dimension(kind, int(size), chance) for n, (_, _, kind, size) in enumerate(specs) if size}
    lists = [sized[n] for n in sized if specs[n][2] not in _FILLED]
    together = len({len(each) for each in lists}) == 1 and _go_together(specs, sized)
    keys = list(zip(*lists, strict=True)) if together else list(itertools.product(*lists)) if lists else []
    n_rows = len(keys) if lists else max((int(size) for *_, size in specs if size), default=8)
    names = [n for n in sized if specs[n][2] not in _FILLED]
    filled = {n: _fill(spec[2], int(spec[3] or 0), n_rows, chance) for n, spec in enumerate(specs) if n not in names}
    return [[keys[r][names.index(n)] if n in names else filled[n][r] for n in range(len(specs))] for r in range(n_rows)]


def _go_together(specs, sized):
    kinds = [specs[n][2] for n in sized if specs[n][2] not in _FILLED]
    return len(kinds) > 1 and all(kind in ("names", "ids", "texts", "days") for kind in kinds)


def _dimension(kind, size, chance):
    start = dt.date(2024, 1, 1)
    makers = {
        "years": lambda n: 2018 + n,
        "months": lambda n: f"{2024 + n // 12}-{n % 12 + 1:02}-01",
        "monthtexts": lambda n: f"{2024 + n // 12}-{n % 12 + 1:02}",
        "quartertexts": lambda n: f"{2023 + n // 4}-Q{n % 4 + 1}",
        "weeks": lambda n: str(start + dt.timedelta(weeks=n)),
        "days": lambda n: str(start + dt.timedelta(days=n)),
        "daytexts": lambda n: str(start + dt.timedelta(days=n)),
        "hours": lambda n: (dt.datetime(2024, 1, 1) + dt.timedelta(hours=n)).isoformat(),
        "monthnumbers": lambda n: n + 1,
        "hournumbers": lambda n: n,
        "monthnames": lambda n: sorted(_MONTHS)[n],
        "weekdays": lambda n: _WEEKDAYS[n],
        "small": lambda n: n + 1,
        "bands": lambda n: ["<18", "18-25", "26-35", "36-50", "51-65", "65+"][n],
        "names": lambda n: _name(n),
        "texts": lambda n: f"{_name(n)} and the long way {_name(n + 7)} came home",
        "codes": lambda n: ["DE", "FR", "US", "BR", "IN", "JP", "IT", "GB", "CA"][n],
        "ids": lambda n: 1000 + 37 * n,
        "zips": lambda n: 10115 + 811 * n,
        "booleans": lambda n: bool(n % 2),
        "gaps": lambda n: None if n == 1 else _name(n),
    }
    return [makers[kind](n) for n in range(size)] if kind in makers else [None] * size


def _name(n):
    first, second = _SYLLABLES[n % 12], _SYLLABLES[(n // 12 + n + 5) % 12]
    return (first + second).capitalize() + (f" {n // 12}" if n >= 12 else "")


_FILLED = {
    "money",
    "count",
    "big",
    "few",
    "ratio",
    "percent",
    "signed",
    "falling",
    "lat",
    "lon",
    "null",
    "lists",
    "same",
}
_FILLED |= {"repeated", "repeatednames"}


def _fill(kind, size, n_rows, chance):
    makers = {
        "money": lambda n: round(chance.uniform(200, 9_000), 2),
        "count": lambda n: chance.randint(20, 900),
        "big": lambda n: chance.randint(1_000_000, 9_000_000) + 0.5,
        "few": lambda n: chance.randint(5, 60),
        "ratio": lambda n: round(chance.uniform(0.02, 0.4), 4),
        "percent": lambda n: round(chance.uniform(2, 40), 2),
        "signed": lambda n: round(chance.uniform(-500, 900), 2) if n else -120.5,
        "falling": lambda n: round(1_000_000 / (n + 3), 1),
        "lat": lambda n: round(chance.uniform(36, 60), 4),
        "lon": lambda n: round(chance.uniform(-9, 25), 4),
        "null": lambda n: None,
        "same": lambda n: size,
        "lists": lambda n: [_name(n)],
        "repeated": lambda n: n * 7 % size + 1,
        "repeatednames": lambda n: _name(n * 7 % size),
        "ids": lambda n: 1000 + 37 * n,
    }
    return [makers[kind](n) for n in range(n_rows)]
