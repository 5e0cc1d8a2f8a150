"""What plans are made of: questions that are part of the question, read by the analyst as any other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pluto_duck_text2sql.analysis import Analysis, Candidate, Part
from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.plans.composing import composed
from pluto_duck_text2sql.pool import Run, written
from pluto_duck_text2sql.reading.frames import Parts
from pluto_duck_text2sql.tree import Agg, Col, Expr, Query
from pluto_duck_text2sql.trees.column_names import names_of
from pluto_duck_text2sql.trees.titles import words

Read = Callable[[str, Run | None], Analysis]


@dataclass(frozen=True)
class Readings:
    """One question's plan in the making."""

    catalog: Catalog
    joins: JoinGraph
    read: Read
    run: Run | None
    parts: Parts
    whom: Table | None
    #   those whom figures of a business are about

    def of(self, question: str) -> Candidate | None:
        """The best reading; None where there is none, or where it must be asked back."""
        found = self.read(question, self.run)
        return found.candidates[0] if found.status == "answered" and found.candidates else None

    def likeliest(self, question: str) -> Candidate | None:
        """The best reading, also where it would be asked back; None where there is none."""
        found = self.read(question, self.run)
        return found.candidates[0] if found.status != "cannot_answer" and found.candidates else None

    def sql(self, query: Query) -> str | None:
        """The query as SQL; None where its tables do not meet."""
        return written(query, self.catalog, self.joins)


def only(candidate: Candidate | None) -> Expr | None:
    """What a reading of one figure shows; None where it shows more, or groups, or cuts."""
    tree = candidate.tree if candidate else None
    if tree is None or len(tree.select) != 1 or tree.group or tree.limit is not None or tree.then:
        return None
    return tree.select[0]


def figure(candidate: Candidate | None, functions: Sequence[str]) -> Agg | None:
    """The aggregate that a reading shows, where it is one of these and nothing else."""
    shown = only(candidate)
    return shown if isinstance(shown, Agg) and shown.function in functions and not shown.where else None


def called(key: Expr) -> str:
    """What a key's column is called: as it is stored, else by what it is."""
    return key.name if isinstance(key, Col) else words(key)


def keyed(keys: Sequence[Expr]) -> list[str]:
    """A name for each of what tells the groups of a part apart, whatever it is called."""
    return [f"key{place}" for place in range(len(keys))]


def shown_keys(tree: Query, keys: Sequence[Expr]) -> dict[str, str]:
    """Of these those that a tree shows, by `keyed`, with the names of their columns."""
    names = names_of(keys)
    called = {each: names[each] or (each.name if isinstance(each, Col) else "key") for each in keys}
    return {key: called[each] for key, each in zip(keyed(keys), keys, strict=True) if each in tree.select}


def listed(tree: Query, *shown: Expr) -> Query:
    """The rows that a tree is about, with these columns of them."""
    return replace(tree, select=shown, group=(), having=(), order=(), limit=None, distinct=False, flat=False)


def planned(
    bases: Sequence[Candidate], title: str, parts: Sequence[Part], last: str, assumptions: Sequence[str]
) -> Candidate:
    """A candidate of several parts; as sure as the least sure of what it rests on."""
    done: dict[str, str] = {}
    for part in parts:
        done[part.name] = composed(part.sql, done)
    lines = dict.fromkeys(line for base in bases for line in base.reading)
    assumed = dict.fromkeys([*(each for base in bases for each in base.assumptions), *assumptions])
    least = min(bases, key=lambda base: base.confidence)
    return Candidate(
        composed(last, done),
        least.confidence,
        title,
        tuple(lines),
        tuple(assumed),
        bases[0].tree,
        tuple(sorted({table for base in bases for table in base.tables})),
        tuple(parts),
        last,
        least.grounds,
    )
