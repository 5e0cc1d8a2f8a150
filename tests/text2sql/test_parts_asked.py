"""Which parts frames ask: each costs as much as a question, so none is asked where the words tell that it is no use."""

import datetime as dt

import pytest
from tests.text2sql.test_accounts import CATALOG

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.frames.bookends import Bookends
from pluto_duck_text2sql.frames.but_not import ButNot
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.frames.followed import Followed
from pluto_duck_text2sql.frames.same_periods import SamePeriods
from pluto_duck_text2sql.frames.tallies import Tallies
from pluto_duck_text2sql.reading.reader import Reader

_PLAIN = Analysis("cannot_answer")


def _asked(kind, question):
    """The parts that a frame asks of a question, where none has an answer."""
    asked = []

    def read(part, run):
        asked.append(part)
        return _PLAIN

    reader = Reader(CATALOG, JoinGraph(CATALOG), NameIndex(CATALOG), dt.date(2026, 1, 1))
    assert kind(reader, read).analysis(question, None, _PLAIN) is None
    return asked


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        (Bookends, "first and last names of the buyers"),
        (Tallies, "How many buyers does each land have? Land and number of buyers."),
        (Tallies, "How many buyers were sold at some point, but not once after 2024? Number of buyers."),
        (Followed, "Of the buyers that began in 2024, how many came back in each of the years 2024 to 2026?"),
    ],
)
def test_what_is_of_no_frame_asks_no_part(kind, question):
    assert not _asked(kind, question)


@pytest.mark.parametrize(
    ("kind", "question"),
    [
        (ButNot, "buyers who ordered in 2024 but not in 2025"),
        (Compounds, "number of purchases, average amount and highest amount by land"),
        (SamePeriods, "purchases and buyers by month"),
    ],
)
def test_after_a_part_without_an_answer_no_other_is_asked(kind, question):
    assert len(_asked(kind, question)) == 1
