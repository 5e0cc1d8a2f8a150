"""No digit of a number is lost without a word, in whatever text file and place it stands."""

from decimal import Decimal

import pytest

COLUMNS = {
    "beyond 64 bits": (["18446744073709551616", "-1", None], "HUGEINT"),
    "thirty digits": (["123456789012345678901234567890", "1"], "HUGEINT"),
    "beyond signed 128 bits": (["340282366920938463463374607431768211455", "1"], "UHUGEINT"),
    "beyond 128 bits": (["340282366920938463463374607431768211456", "1"], "VARCHAR"),
    "negative beyond signed 128 bits": (["340282366920938463463374607431768211455", "-1"], "VARCHAR"),
    "a long integer beside fractions": (["123456789012345678901234567890", "1.5"], "DECIMAL(31,1)"),
    "beyond 2^53 beside fractions": (["9007199254740993", "0.5", None], "DECIMAL(18,1)"),
    "a long integer beside a power": (["123456789012345678901234567890", "1.5e300"], "VARCHAR"),
    "a long fraction": (["0.1234567890123456789", "-1.5"], "DECIMAL(20,19)"),
    "a fraction and money": (["123.4567890123456789", "99999.5"], "DECIMAL(21,16)"),
    "seventeen digits": (["0.30000000000000004", "0.1"], "DOUBLE"),
    "a long fraction beside a power": (["0.1234567890123456789", "1e300"], "DOUBLE"),
}
FORMS = {
    "t.csv": ("k,v\n", "x,{}\n", "", "v"),
    "t.json": ("[", '{{"v": {}, "s": "0.1234567890123456789 \\" 1.5"}},\n', '{"v": null}]', "v"),
    "t.ndjson": ("", '{{"v": {}}}\n', "", "v"),
    "deep.ndjson": ("", '{{"v": {{"a b": [{{"c": {}, "n": 1.5}}]}}}}\n', "", 'v."a b"[1].c'),
}


@pytest.mark.parametrize("form", FORMS)
def test_every_digit_is_kept_or_the_loss_is_told(bench, write, form):
    head, row, tail, place = FORMS[form]
    for case, (values, kind) in COLUMNS.items():
        spelt = ["" if each is None and form == "t.csv" else each or "null" for each in values]
        result = bench.load(write(form, head + "".join(map(row.format, spelt)) + tail), table="t")
        found = [value for (value,) in bench.rows(f"SELECT {place} FROM t") if value is not None]
        given = [Decimal(each) for each in values if each]
        is_exact = [Decimal(str(each)) for each in found] == given
        assert (case, bench.rows(f"SELECT any_value(typeof({place})) FROM t")) == (case, [(kind,)])
        assert is_exact != any("a DOUBLE keeps 17 digits" in each for each in result.warnings), case
        assert (kind == "VARCHAR") == any("so it becomes" in each or "it becomes" in each for each in result.warnings)


@pytest.mark.parametrize("late", ["123456789012345678901234567890", "0.1234567890123456789"])
@pytest.mark.parametrize(("name", "head", "row"), [("t.csv", "k,v\n", "1,{}\n"), ("t.ndjson", "", '{{"v": {}}}\n')])
def test_a_late_number_of_many_digits_in_a_large_file_is_kept(bench, write, name, head, row, late):
    bench.load(write(name, head + row.format("1.5") * 3000 + row.format(late)))
    assert Decimal(late) in [value for (value,) in bench.rows("SELECT DISTINCT v FROM t")]


@pytest.mark.parametrize("before", [1_000, 40_000, 69_999])
def test_one_long_fraction_anywhere_among_70_000_lines_is_kept(bench, write, before):
    rows = ['{"v":1.5}\n'] * 70_000
    rows[before] = '{"v":0.10000000000000000555}\n'
    bench.load(write("t.ndjson", "".join(rows)))
    assert bench.rows("SELECT count(*) FROM t WHERE v = 0.10000000000000000555::DECIMAL(20,20)") == [(1,)]


def test_a_string_of_digits_stays_as_it_is(bench, write):
    bench.load(write("t.json", '[{"v": "0.1234567890123456789", "w": [1.25, -0.1234567890123456789e3]}]'))
    assert bench.rows("FROM t") == [("0.1234567890123456789", [1.25, -123.4567890123456789])]
