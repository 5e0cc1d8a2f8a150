"""Names of keys: which of their words say that a column is one, and what it is a key of.

`customer_id`, `fk_customer`, `CustomerFK`, `id_customer`, `customer_sk` and `customer_uuid` are all keys of customers.
"""

from __future__ import annotations

from pluto_duck_text2sql.language.words import stem

SAYING_NOTHING = frozenset(map(stem, "id key pk fk sk uuid guid oid rowid reference".split()))
"""Say only that a column is a key; one that points at another may have another of them."""
NUMBERING = frozenset(map(stem, "code number".split()))
"""Say that it is one where it is unique; a code may as well be what many rows share."""
ENDINGS = ("id", "key", "pk", "fk", "sk", "no", "nr", "num", "code")
"""As they are glued to a name: `custno`."""


def key_of(stems: tuple[str, ...]) -> tuple[str, ...] | None:
    """The stems of what a column is a key of, `()` where it is called `id` alone; None where no word says that it is a
    key. `number_of_rooms` is of nothing."""
    start, end = 0, len(stems)
    while start < end and stems[start] in SAYING_NOTHING and stems[start + 1 : start + 2] != ("of",):
        start += 1
    while start < end and stems[end - 1] in SAYING_NOTHING:
        end -= 1
    return stems[start:end] if end - start < len(stems) else None


def without_key(stems: tuple[str, ...]) -> tuple[str, ...]:
    """The stems without one word at either end that says that this is a key, be it that of a number."""
    known = SAYING_NOTHING | NUMBERING
    is_last = bool(stems) and stems[-1] in known
    is_first = len(stems) > 1 and stems[0] in known and stems[1:2] != ("of",)
    return stems[:-1] if is_last or not is_first else stems[1:]
