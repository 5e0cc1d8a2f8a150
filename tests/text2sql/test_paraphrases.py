"""What is put for the words of a question that name nothing, and what stays as it was typed."""

import pytest
from tests.text2sql.catalogs import paraphrases_over

from pluto_duck_text2sql.language.lexicon import others_for

_TABLES = """
CREATE TABLE games (game_id INTEGER PRIMARY KEY, title VARCHAR, publisher VARCHAR, percent DOUBLE, is_active BOOLEAN);
INSERT INTO games SELECT n, 'Game ' || n, 'Maker ' || n % 3, n, n % 2 = 0 FROM range(12) t(n);
CREATE TABLE services (service_id INTEGER PRIMARY KEY, service_code VARCHAR, price DOUBLE);
INSERT INTO services VALUES (1, 'WH', 5), (2, 'IN', 7), (3, 'EN', 9), (4, 'CR', 4);
CREATE TABLE wkshps (wkshp_id INTEGER PRIMARY KEY, fee_kind VARCHAR, fee DOUBLE);
INSERT INTO wkshps SELECT n, ['workshop fee', 'travel'][1 + n % 2], n FROM range(12) t(n);
CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, status_code VARCHAR);
INSERT INTO visits SELECT n, ['EM', 'EL'][1 + n % 2] FROM range(12) t(n);
CREATE TABLE growers (grower_id INTEGER PRIMARY KEY, ctry_code VARCHAR, grade_code VARCHAR, carried VARCHAR);
INSERT INTO growers SELECT n, ['DE', 'FR', 'CH', 'SE', 'BE'][1 + n % 5], ['OP', 'BOP', 'TGFOP'][1 + n % 3],
    ['SEA', 'AIR'][1 + n % 2] FROM range(30) t(n);
CREATE TABLE work_orders (work_order_id INTEGER PRIMARY KEY, yearly_forecast DOUBLE, place_kind VARCHAR);
INSERT INTO work_orders SELECT n, n, ['oldTownHouse', 'barn'][1 + n % 2] FROM range(12) t(n)
"""


@pytest.fixture(scope="module")
def said():
    """A question in the words of games, services, workshops and visits."""
    paraphrases = paraphrases_over(_TABLES)
    return lambda question: paraphrases.of(question).question


@pytest.mark.parametrize(
    "question",
    [
        "Which services are there?",
        "Whatever services, in and enough",
        "games with creatures, interesting services",
        "What was booked?",
        "How many bookings were there?",
        "games with five acts",
        "90th percentile of the price",
        "growers that delivered this year",
        "growers by freight, service and deals",
        "opened by growers",
        "growers among the speakers and the advertisers",
        "what do we guess per game",
    ],
)
def test_what_stays_as_it_was_typed(question, said):
    assert said(question) == question


@pytest.mark.parametrize(
    ("question", "instead"),
    [
        ("number of workshops", "number of wkshps"),
        ("emergency visits", "EM visits"),
        ("growers from Germany", "growers from DE"),
        ("books by publisher", "titles by publisher"),
        ("repair requests per week", "work orders per week"),
        ("work orders of old town houses", "work orders of oldTownHouse"),
        ("average guess", "average forecast"),
    ],
)
def test_what_is_said_as_the_data_says_it(question, instead, said):
    assert said(question) == instead


def test_a_form_of_a_verb_has_the_others_of_its_own_groups():
    assert ("reservation",) in others_for("booked")
    assert others_for("books") == others_for("book")
    assert not set(others_for("booking")) & set(others_for("book"))
