"""Which dbt models an answer's tables are: built when, tested how, and whether what they hold is stale.

Called when an answer is written, with the tables that its query read. A model is stale where its code is another than
when it was built, where something that it is made from was built or loaded after it, or where such an input is stale.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from pluto_duck_backend.app.core.dbt_models import Models, Relation, TableName, models
from pluto_duck_backend.app.core.lineage import entries
from pluto_duck_backend.app.core.paths import Paths
from pluto_duck_backend.app.services.transformation.manifest import FAILED
from pluto_duck_backend.app.services.transformation.recording import file_mark

_PASSED = ("pass", "success")
_NAMED = 3


@dataclass(frozen=True)
class Provenance:
    """For each model a line, and what to beware of."""

    lines: tuple[str, ...] = ()
    caveats: tuple[str, ...] = ()


ProvenanceOf = Callable[[Sequence[str]], Provenance]


def no_provenance(tables: Sequence[str]) -> Provenance:
    """For those who may not see where things come from."""
    return Provenance()


def provenance(paths: Paths, tables: Iterable[str]) -> Provenance:
    """What dbt knows of these tables (`schema.table`); a table that a view among them reads goes without saying."""
    known = models(paths)
    if not known.relations:
        return Provenance()
    named = (each.partition(".")[::2] for each in tables)
    found = [known.by_table.get((schema.casefold(), table.casefold())) for schema, table in named]
    read = [each for each in found if each and each.kind != "source"]
    behind = {each.node for view in read if view.is_view for each in known.ancestors(view)}
    shown = [each for each in read if each.node not in behind]
    loads = _loads(paths)
    caveats = [caveat for each in shown for caveat in (*_tests_failed(each), *_stale(each, known, loads))]
    return Provenance(tuple(map(_line, shown)), tuple(dict.fromkeys(caveats)))


def _line(relation: Relation) -> str:
    built = f", built {_shown(relation.built_at)}" if relation.built_at and not relation.is_view else ""
    view = ", a view" if relation.is_view else ""
    return f"{_name(relation)} is dbt's {relation.kind} {relation.node.split('.')[-1]}{view}{built}{_tested(relation)}"


def _tested(relation: Relation) -> str:
    if not relation.tests:
        return ", no tests"
    passed = sum(status in _PASSED for status in relation.tests.values())
    return f", {passed} of {len(relation.tests)} tests passed"


def _tests_failed(relation: Relation) -> Iterator[str]:
    failed = [name.split(".")[2] for name, status in relation.tests.items() if status in FAILED]
    if failed:
        more = f" and {len(failed) - _NAMED} more" if len(failed) > _NAMED else ""
        of = f"{len(failed)} of its {len(relation.tests)} tests"
        yield f"{_name(relation)} failed {of}: {', '.join(failed[:_NAMED])}{more}."


def _stale(relation: Relation, known: Models, loads: Mapping[TableName, datetime]) -> Iterator[str]:
    """Why it does not hold what its code and inputs would make of it now; the first reason found."""
    chain = [relation, *known.ancestors(relation)]
    for each in chain:
        reason = _code_changed(each, known) or _build_failed(each) or _older_than_input(each, known, loads)
        if reason:
            whose = "" if each is relation else f"{_name(relation)} reads {_name(each)}: "
            select = relation.node.split(".")[-1]
            yield f"{whose}{reason}. `pluto-duck dbt build --select +{select}` brings it up to date."
            return


def _code_changed(relation: Relation, known: Models) -> str:
    marks = relation.files.items()
    changed = [path for path, mark in marks if file_mark(known.place(relation, path)) != mark or not mark]
    if not changed:
        return ""
    return f"{_name(relation)} was built {_shown(relation.built_at)}, before {Path(changed[0]).name} was changed"


def _build_failed(relation: Relation) -> str:
    if not relation.failed_at:
        return ""
    held = f"what it holds was built {_shown(relation.built_at)}" if relation.built_at else "it may not be complete"
    return f"{_name(relation)} could not be built {_shown(relation.failed_at)}; {held}"


def _older_than_input(relation: Relation, known: Models, loads: Mapping[TableName, datetime]) -> str:
    """A table that something was built or loaded after which it reads, through views."""
    if relation.is_view or not relation.built_at:
        return ""
    built = datetime.fromisoformat(relation.built_at)
    before = f"{_name(relation)} was built {_shown(relation.built_at)}, before "
    for each in _tables_read(relation, known):
        loaded = loads.get((each.schema.casefold(), each.table.casefold()))
        if loaded and loaded > built:
            return f"{before}{_name(each)} was loaded {_at(loaded)}"
        if each.built_at and datetime.fromisoformat(each.built_at) > built:
            return f"{before}{_name(each)} was built {_shown(each.built_at)}"
    return ""


def _tables_read(relation: Relation, known: Models) -> Iterator[Relation]:
    for each in known.inputs(relation):
        if each.is_view:
            yield from _tables_read(each, known)
        else:
            yield each


def _loads(paths: Paths) -> dict[TableName, datetime]:
    return {
        (each["schema"].casefold(), each["table"].casefold()): datetime.fromisoformat(each["loaded_at"])
        for each in entries(paths)
    }


def _name(relation: Relation) -> str:
    return f"{relation.schema}.{relation.table}"


def _shown(moment: str) -> str:
    return _at(datetime.fromisoformat(moment))


def _at(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
