"""Questions that lean on the one before: "and by month?", "only for Germany", "what about 2023", "sort by that".

The tree of the earlier answer is edited, not read again:

    question ─▶ frame: what its framing words say (frames.py) ─▶ fragment: what the rest names (fragment.py)
             ─▶ edits of the earlier tree (rows, periods, filters, measures, groups, shares, orders)
             ─▶ run, put in order by what they explain (editing.py)
"""

from pluto_duck_text2sql.followups.dialogue import Dialogue, Shown

__all__ = ["Dialogue", "Shown"]
