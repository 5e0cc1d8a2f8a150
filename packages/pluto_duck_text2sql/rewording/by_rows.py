"""What people do, told by the rows that it leaves: who owes has unpaid bills, who was seen had an appointment, who was
lost had a subscription that ended, who is rated best has the highest mean of stars.

Called by `analyst` before anything else reads the question. Each changes only what the data has such rows for.
"""

from __future__ import annotations

from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.rewording.best_marks import with_mean_marks
from pluto_duck_text2sql.rewording.churn import with_ended
from pluto_duck_text2sql.rewording.owing import with_unpaid
from pluto_duck_text2sql.rewording.seen import with_visits
from pluto_duck_text2sql.rewording.stars import with_stars


def by_rows(question: str, catalog: Catalog, names: NameIndex) -> tuple[str, tuple[str, ...]]:
    """The question about such rows, and that it is read so; as it is, with nothing told, where it speaks of none."""
    text = with_unpaid(question, names, catalog)
    for reworded in (with_mean_marks, with_stars, with_ended, with_visits):
        text = reworded(text, catalog, names)
    return text, () if text == question else (f'read as "{text}"',)
