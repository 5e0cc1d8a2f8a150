"""Times kept as texts that end in how far they are from UTC: `2024-03-01 10:00:00 +0200`. They are read as written, so
that what was bought at ten o'clock was bought at ten.

The format of such a column ends in `WITH_ZONE`; what is cut off of its texts is `ZONE`, for Python and DuckDB alike.
"""

from __future__ import annotations

WITH_ZONE = "%z"
AMOUNT = r"-?[0-9]+(?:\.[0-9]+)?"
"""The number of a text that is one with its unit: `90 min`."""
ZONE = r" ?[+-][0-9]{2}:?[0-9]{2}$"


def without_zone(form: str) -> str:
    """The format of what is left when the zone is cut off."""
    return form.removesuffix(WITH_ZONE)
