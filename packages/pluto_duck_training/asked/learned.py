"""The written questions as training takes them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pluto_duck_training.asked.blocks import blocks, files
from pluto_duck_training.asked.checks import checked
from pluto_duck_training.invented import is_made_up
from pluto_duck_training.synthetic.questions import Database

HELD = frozenset(
    (
        "synthetic_004_helpdesk",
        "synthetic_012_hotel",
        "synthetic_020_telecom",
        "company_office",
        "coffee_shop",
        "inn_1",
        "crm_pipeline",
        "travel_agency",
    )
)
"""Databases whose written questions no network learns from: they tell how well ways of asking are understood. The trees
that are added where a network learned on (`steps.ranked_further`) do."""


def over(database: Database, gold: Mapping[str, str], held: bool = False) -> list[dict[str, Any]]:
    """The questions that can be learned about a database; those kept apart only where `held`."""
    path = files().get(database.name)
    if path is None or (database.name in HELD) != held:
        return []
    found = checked(list(blocks(path)), database, gold)
    return [
        {
            "id": f"{database.name}-asked-{each.block.at}-{n}",
            "db": database.name,
            "question": question,
            "line": each.line,
            "group": f"asked/{database.name}" if is_made_up(database.name) else database.name,
        }
        for each in found
        for n, question in enumerate(each.learnable)
    ]
