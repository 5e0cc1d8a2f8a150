"""What a column's type says of what may be asked of it."""

import pytest

from pluto_duck_text2sql import Column


@pytest.mark.parametrize(
    ("kind", "types"),
    [
        ("number", "TINYINT UBIGINT HUGEINT UHUGEINT DECIMAL(38,0) DOUBLE"),
        ("time", "DATE TIMESTAMPTZ"),
        ("flag", "BOOLEAN"),
        ("text", "VARCHAR UUID ENUM('a')"),
        ("other", "BLOB INTEGER[]"),
    ],
)
def test_kinds_of_types(kind, types):
    assert {Column("c", each).kind for each in types.split()} == {kind}
