"""What questions leave open: the ways to read one that its words fit as well, each found in the best reading's tree.

One module for each kind of thing that people leave out: who is new, was or is still here, which money, which price,
which of two amounts, number or amount, which rows, which side, which day, whose place, what is late, what was called
off. A finder gets the question, the best reading's tree and the data, and tells what to ask and a tree for each way;
`doubts` runs these and asks where they find different rows. What everybody means is answered, and told (`TELLERS`).
"""

from collections.abc import Callable

from pluto_duck_text2sql.asking_back.left_open.called_off import with_called_off
from pluto_duck_text2sql.asking_back.left_open.days_told import day_told
from pluto_duck_text2sql.asking_back.left_open.home_or_visited import home_or_visited
from pluto_duck_text2sql.asking_back.left_open.incomes import which_income
from pluto_duck_text2sql.asking_back.left_open.lateness import late_how
from pluto_duck_text2sql.asking_back.left_open.number_or_amount import number_or_amount
from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, days, full_name, is_asked, says_day
from pluto_duck_text2sql.asking_back.left_open.places import whose_place
from pluto_duck_text2sql.asking_back.left_open.prices import which_price
from pluto_duck_text2sql.asking_back.left_open.still_here import still_here
from pluto_duck_text2sql.asking_back.left_open.which_amount import amount_told, which_amount
from pluto_duck_text2sql.asking_back.left_open.which_rows import which_rows
from pluto_duck_text2sql.asking_back.left_open.which_side import which_side
from pluto_duck_text2sql.asking_back.left_open.who_is_new import who_is_new
from pluto_duck_text2sql.asking_back.left_open.who_was_here import who_was_here
from pluto_duck_text2sql.asking_back.left_open.whose_day import whose_day
from pluto_duck_text2sql.tree import Query

Finder = Callable[[str, Query, Data], Opening | None]
NEWNESS: tuple[Finder, ...] = (who_is_new,)
"""Asked before anything else: whoever is new is new by one of several dates, whichever of them a reading took."""
FINDERS: tuple[Finder, ...] = (
    *(who_is_new, who_was_here, still_here, which_income, which_price, which_amount),
    *(number_or_amount, which_rows, whose_day, with_called_off, late_how, whose_place, home_or_visited, which_side),
)
"""Tried in this order; the first that finds several answers asks."""
TELLERS = (amount_told, day_told)
"""What an answer says of another amount or day that it might go by, where nobody needs to be asked."""

__all__ = ["FINDERS", "NEWNESS", "TELLERS", "Data", "Finder", "Opening", "days", "full_name", "is_asked", "says_day"]
