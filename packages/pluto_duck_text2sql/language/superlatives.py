"""Superlatives that say which rows come first: `dearest first`, `the luckiest gear on top`, `most loyal grade first`.

Any superlative does: whether the data knows what it says of the rows or not, it is said of the figure that is shown.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_NO_SUPERLATIVES = (
    "arrest chest conquest contest crest digest east forest guest harvest honest interest invest manifest modest nest"
    " northwest pest priest protest quest request rest southeast southwest test vest west"
).split()
_ADJECTIVE = rf"(?!(?:{'|'.join(_NO_SUPERLATIVES)})\b)[a-z]+est"
WAY = rf"(?:most recent|most(?: [a-z]+(?:-[a-z]+)*)?|least(?: [a-z]+(?:-[a-z]+)*)?|best|worst|top|{_ADJECTIVE})"
FIRST = r"(?:first(?! (?!(?:and|but|then|please|with|by)\b)[a-z])|(?:at the|on|to the) top|at the head)"
_SUPERLATIVE = Pattern(_ADJECTIVE, re.IGNORECASE)
_LOW = frozenset(
    """calmest cheapest closest coldest coolest emptiest fastest fewest lightest lowest mildest narrowest nearest
    poorest quickest quietest rarest shallowest shortest slimmest smallest soonest thinnest tiniest weakest""".split()
)


def is_superlative(word: str) -> bool:
    """Whether a word has the ending of a superlative, and is no noun that ends so."""
    return _SUPERLATIVE.fullmatch(word) is not None


def is_low(way: str) -> bool:
    """Whether what is first has the least of its figure."""
    words = way.lower().split()
    return words[0] == "least" or words[-1] in _LOW


_BY_TIME = frozenset("closest fastest nearest quickest soonest least".split())


def is_small(way: str) -> bool:
    """Whether what is first has the least of any amount: the fastest have the least time, but the highest speed."""
    return is_low(way) and way.lower().split()[-1] not in _BY_TIME


_HIGH = frozenset(
    """biggest costliest dearest deepest farthest fullest furthest greatest heaviest highest hottest largest longest
    loudest priciest richest strongest tallest thickest warmest widest""".split()
)


def is_high(way: str) -> bool:
    """Whether what is first has the most of its figure, whatever that is."""
    return way.lower().split()[-1] in _HIGH


POSITIVES = {
    "old": "oldest",
    "young": "youngest",
    "new": "newest",
    "recent": "most recent",
    "early": "earliest",
    "heavy": "heaviest",
    "light": "lightest",
    "tall": "tallest",
    "short": "shortest",
    "long": "longest",
    "big": "biggest",
    "large": "largest",
    "small": "smallest",
    "high": "highest",
    "low": "lowest",
    "cheap": "cheapest",
    "expensive": "most expensive",
    "dear": "dearest",
    "pricey": "priciest",
    "late": "latest",
    "many": "most",
    "few": "fewest",
    "slow": "slowest",
    "fast": "fastest",
    "strong": "strongest",
    "weak": "weakest",
    "rich": "richest",
    "poor": "poorest",
    "hot": "hottest",
    "cold": "coldest",
    "wide": "widest",
    "deep": "deepest",
}
"""Adjectives that an order runs between, each with what then comes first: `from cheap to expensive`."""
