"""Selections that nothing fits: what is there that is called nearly so."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from pluto_duck_backend.app.core.errors import did_you_mean

_OPERATORS = re.compile(r"(?:@|\d*\+)?(.*?)(?:\+\d*)?")
LISTING = "`pluto-duck dbt ls` lists what there is."
EMPTY = "The project has no models yet: `pluto-duck dbt scaffold` proposes some for what was loaded."


def unmatched_message(criteria: Sequence[str]) -> str:
    """`No node fits 'ordrs'.`"""
    return f"No node fits {', '.join(map(repr, criteria))}." if criteria else "No node is selected."


def nearest(criteria: Sequence[str], manifest: Any) -> str:
    """What to do instead: the nearest names of a manifest (None: it could not be read), and how to see them all."""
    if manifest and not manifest["nodes"]:
        return EMPTY
    there = list(dict.fromkeys(_selectable(manifest or {})))
    meant = [did_you_mean(each, _of_method(each, there)) for each in map(_plain, criteria)]
    return " ".join([*filter(None, dict.fromkeys(meant)), LISTING])


def _plain(criterion: str) -> str:
    """Without the operators around it: `+orders+1` is orders; names and paths need no method before them."""
    found = _OPERATORS.fullmatch(criterion)
    return re.sub(r"^(?:fqn|path|file|resource_type):", "", found[1] if found else criterion)


def _of_method(plain: str, there: Sequence[str]) -> list[str]:
    """What a `tag:` may be called is a tag."""
    method = plain.partition(":")[0] if ":" in plain else ""
    return [each for each in there if (each.partition(":")[0] if ":" in each else "") == method]


def _selectable(manifest: Any) -> Iterator[str]:
    """What may stand in a selection: names, files, folders, and what a method such as `tag:` goes before."""
    for node in manifest.get("nodes", {}).values():
        yield node["name"]
        yield from (f"tag:{tag}" for tag in node.get("tags") or ())
        yield from (part for part in node["fqn"][1:-1] if node["resource_type"] != "test")
        yield node["original_file_path"]
    for source in manifest.get("sources", {}).values():
        yield f"source:{source['source_name']}"
        yield f"source:{source['source_name']}.{source['name']}"
    for kind in ("exposure", "metric", "semantic_model", "saved_query", "unit_test"):
        yield from (f"{kind}:{each['name']}" for each in manifest.get(f"{kind}s", {}).values())
