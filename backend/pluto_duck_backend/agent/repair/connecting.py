"""Tables of one FROM that no condition connects: every row with every row is hardly ever what is asked.

They are joined by the key between them where there is one; of several the model chooses.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from pluto_duck_backend.agent.findings.finding import Finding
from pluto_duck_backend.agent.repair.blocks import Block, Source
from pluto_duck_backend.agent.repair.tables import identifier
from pluto_duck_text2sql.data.joins import JoinGraph, Step

_COMPARISONS = (exp.EQ, exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NEQ, exp.Like, exp.Between)
_Bridge = tuple[Source, Source, Step]


def connect(block: Block, joins: JoinGraph) -> Iterator[Finding]:
    """Adds the conditions that are missing between the SELECT's tables."""
    while True:
        first, *others = _groups(block)
        apart = next((each for each in others if not any(map(_is_meant, each))), None)
        bridges = _bridges(first, apart, joins) if apart else []
        chosen = bridges[:1] if are_one([(one, step) for one, _, step in bridges], block) else bridges
        if apart is None or not chosen:
            return
        if len(chosen) > 1:
            yield _open(apart[0], chosen)
            return
        yield _bridged(*chosen[0], block)


def _groups(block: Block) -> list[list[Source]]:
    """The sources, those together that a condition names together."""
    groups = [[each] for each in block.sources]
    for names in _ties(block):
        tied = [group for group in groups if any(each.name in names for each in group)]
        together = [each for group in tied for each in group]
        groups = [together, *(group for group in groups if group not in tied)] if tied else groups
    return sorted(groups, key=lambda group: block.sources[0] not in group)


def _ties(block: Block) -> Iterator[set[str]]:
    """The names of sources in each condition; all, where it is open whose column stands there."""
    every = {each.name for each in block.sources}
    for source in block.sources:
        join = source.node.parent
        if isinstance(join, exp.Join) and (join.args.get("using") or join.method.upper() in ("NATURAL", "POSITIONAL")):
            yield every
        if source.table is None and not isinstance(source.node, exp.Table | exp.Subquery):
            yield every  # what unnests a column of the row beside it
    for node in block.own(*_COMPARISONS):
        owners = [block.source_of(each) for each in node.find_all(exp.Column)]
        yield every if None in owners else {each.name for each in owners if each}


def _is_meant(source: Source) -> bool:
    """Whether it is crossed on purpose, or no table."""
    join = source.node.parent
    return source.table is None or (isinstance(join, exp.Join) and join.kind.upper() == "CROSS")


def _bridges(ones: Sequence[Source], others: Sequence[Source], joins: JoinGraph) -> list[_Bridge]:
    """The keys between two groups of tables."""
    pairs = [(one, other) for one in ones for other in others if one.table and other.table]
    return [
        (one, other, step)
        for one, other in pairs
        if one.table and other.table
        for step in joins.neighbours(one.table.key)
        if step.target == other.table.key
    ]


def are_one(bridges: Sequence[tuple[Source, Step]], block: Block) -> bool:
    """Whether all lead, from columns that a condition makes equal, to the same columns."""
    ends = {(step.target, tuple(right for _, right in step.pairs)) for _, step in bridges}
    starts = [(one.name, step.pairs[0][0]) for one, step in bridges if len(step.pairs) == 1]
    if len(ends) != 1 or len(starts) != len(bridges):
        return False
    return all(_equated(starts[0], each, block) for each in starts[1:])


def _equated(one: tuple[str, str], other: tuple[str, str], block: Block) -> bool:
    wanted = {_folded(*one), _folded(*other)}
    return any(
        {_folded(each.table, each.name) for each in node.find_all(exp.Column)} == wanted for node in block.own(exp.EQ)
    )


def _folded(table: str, name: str) -> tuple[str, str]:
    return table.casefold(), name.casefold()


def _bridged(one: Source, other: Source, step: Step, block: Block) -> Finding:
    on = condition(one.name, other.name, step.pairs)
    block.select.where(on, copy=False)
    shown = on.sql("duckdb")
    return Finding("join_added", "repaired", f"Nothing joined {other.name}.", f"Joined {other.name} on {shown}.")


def _open(source: Source, bridges: Sequence[_Bridge]) -> Finding:
    options = tuple(condition(one.name, other.name, step.pairs).sql("duckdb") for one, other, step in bridges)
    fact = f"No condition joins {source.name}. It may be {' or '.join(options)}."
    return Finding("join_choice", "broken", fact, options=options)


def condition(left: str, right: str, pairs: Sequence[tuple[str, str]]) -> exp.Expr:
    """`left.a = right.b AND …`"""
    equal = [exp.EQ(this=_column(left, one), expression=_column(right, other)) for one, other in pairs]
    return exp.and_(*equal, copy=False) if len(equal) > 1 else equal[0]


def _column(source: str, name: str) -> exp.Column:
    return exp.Column(this=identifier(name), table=identifier(source))
