"""Cells for people: quantities in groups, what names something as it is, nothing that breaks a table."""

import pytest

from pluto_duck_backend.agent.wording import cells, markdown_table

CELLS = [
    ("revenue", 123456, "123,456"),
    ("order_id", 123456, "123456"),
    ("InvoiceId", 10_000, "10000"),
    ("ID", 10_000, "10000"),
    ("year", 20_250, "20250"),
    ("paid", 10_000, "10,000"),
    ("order_id", None, "–"),
    ("customer_id", "x7", "x7"),
    ("sold_at", "2025-03-01T08:30:00.5+02:00", "2025-03-01 08:30:00.5+02:00"),
    ("code", "2025-03-01TX", "2025-03-01TX"),
]


@pytest.mark.parametrize(("name", "value", "told"), CELLS)
def test_what_names_something_is_no_quantity(name, value, told):
    assert cells([name], [value]) == [told]


def test_a_markdown_table_keeps_its_columns():
    assert markdown_table(["id", "n"], [[12345, "a|b\nc"]]).splitlines()[-1] == "| 12345 | a\\|b c |"
