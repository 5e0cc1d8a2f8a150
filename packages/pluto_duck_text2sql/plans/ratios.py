"""One total by another of other rows in each group: `freight as a percentage of revenue by shipper`.

Each total by these groups is a question of its own. Those of the same rows are one query (frames/quotients.py).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from pluto_duck_text2sql.analysis import Candidate, Part
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.plans.composing import quoted, with_columns
from pluto_duck_text2sql.plans.readings import Readings, keyed, planned, shown_keys
from pluto_duck_text2sql.tree import Bucket, Col, Expr, Query, is_total
from pluto_duck_text2sql.trees.parts import home

_ASKS = r"^(?:(?:what|which)(?: is| was|'s)? |(?:show|give)(?: me)? )?(?:the |our )?"
_TOP = r"(?P<top>[a-z]+(?: [a-z]+){0,2}?)"
_BOTTOM = r"(?:the |our )?(?P<bottom>(?!(?:the |all |total |overall )*(?:totals?|all|whole)\b)[a-z]+(?: [a-z]+){0,2}?)"
_TAIL = r"(?P<tail> (?:by|per|for each|for every|in each|in every) .+)$"
PATTERNS = tuple(
    Pattern(f"{_ASKS}{said}{_TAIL}", re.IGNORECASE)
    for said in (
        rf"{_TOP} as (?:an? )?(?P<as>share|fraction|proportion|percentage|percent|%) of {_BOTTOM}",
        rf"ratio of (?:the )?{_TOP} to {_BOTTOM}",
        rf"{_TOP} divided by {_BOTTOM}",
    )
)
_PERCENT = ("percentage", "percent", "%")


def plan(found: re.Match[str], readings: Readings) -> Candidate | None:
    """Both totals by group, then the one by the other; none of the first is 0 of the second."""
    bases = _bases(found, readings)
    if not bases or not _are_by_same(bases, readings):
        return None
    top, bottom = (each.tree for each in bases)
    keys = [_common(each, other, readings) for each, other in ((top, bottom), (bottom, top))]
    trees = zip(("top", "bottom"), (top, bottom), keys, strict=True)
    parts = [_part(name, found[name], tree, own, readings) for name, tree, own in trees]
    told = [each for each in parts if each]
    if len(told) < len(parts):
        return None
    percent = (found.groupdict().get("as") or "").lower() in _PERCENT
    title = (
        f"{found['top']} as a {'percentage' if percent else 'part'} of {found['bottom']}{found['tail']}".capitalize()
    )
    return planned(bases, title, told, _divided(bottom, keys[1], 100 if percent else 1), [])


def untold(text: str, readings: Readings) -> str:
    """Why there is no answer, where both totals are there but by groups of their own; else nothing."""
    found = next((match for pattern in PATTERNS if (match := pattern.search(text))), None)
    bases = _bases(found, readings) if found else []
    if found is None or not bases or _are_by_same(bases, readings):
        return ""
    by = " and ".join(dict.fromkeys(f"{each.table[1]}.{each.name}" for tree in bases for each in _columns(tree.tree)))
    return f"{found['top']} and {found['bottom']} are not kept by the same groups here ({by}). Ask for each by itself."


def _columns(tree: Query) -> list[Col]:
    return [each for each in tree.group if isinstance(each, Col) and each in tree.select]


def _bases(found: re.Match[str], readings: Readings) -> list[Candidate]:
    """Both totals by their groups; none where one has no reading, or both are of the same rows."""
    asked = [_total(found[each], readings) for each in ("top", "bottom")]
    known = [base for each in asked if (base := readings.likeliest(each + found["tail"]))]
    trees = [each.tree for each in known if each.tree.is_plain and each.tree.group and len(_totals(each.tree)) == 1]
    return known if len(trees) == len(asked) and home(trees[0]) != home(trees[1]) else []


def _are_by_same(bases: list[Candidate], readings: Readings) -> bool:
    """Whether both show the same groups."""
    first, second = ([_same(key, readings) for key in each.tree.group if key in each.tree.select] for each in bases)
    return first == second


def _common(tree: Query, other: Query, readings: Readings) -> list[Expr]:
    """What tells the groups of both apart, as one of them has it."""
    there = [_same(each, readings) for each in other.group]
    return sorted((each for each in tree.group if _same(each, readings) in there), key=tree.group.index)


def _total(words: str, readings: Readings) -> str:
    """A figure as a question: what names rows is counted, else it is an amount."""
    return f"{'number of' if readings.parts.reader.names.rows(words.split()[-1]) else 'total'} {words}"


def _totals(tree: Query) -> list[Expr]:
    return [each for each in tree.select if is_total(each)]


def _same(key: Expr, readings: Readings) -> object:
    """What two totals are grouped by alike: the rows that keys point to, a period of whichever date."""
    if isinstance(key, Bucket):
        return key.grain
    return readings.joins.pointed(key) if isinstance(key, Col) else key


def _part(name: str, said: str, tree: Query, keys: Sequence[Expr], readings: Readings) -> Part | None:
    """A total by all that tells its groups apart."""
    sql = readings.sql(replace(tree, select=(*keys, *_totals(tree)), group=tuple(keys), order=()))
    return Part(name, said, with_columns(sql, *keyed(keys), "value")) if sql else None


def _divided(bottom: Query, keys: Sequence[Expr], scale: int) -> str:
    """Each group of the second total, with the first by it."""
    shown = [f"bottom.{key} AS {quoted(name)}" for key, name in shown_keys(bottom, keys).items()]
    alike = " AND ".join(f"bottom.{each} IS NOT DISTINCT FROM top.{each}" for each in keyed(keys))
    return (
        f"SELECT {', '.join(shown)}, {scale}.0 * coalesce(top.value, 0) / nullif(bottom.value, 0) AS ratio"
        f" FROM bottom LEFT JOIN top ON {alike} ORDER BY {', '.join(str(n + 1) for n in range(len(shown)))}"
    )
