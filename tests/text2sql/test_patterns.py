"""Patterns find what those of `re` find, the first time and again."""

import re

import pytest

from pluto_duck_text2sql.language.patterns import Pattern

TEXTS = ("orders by month", "Orders per week, orders per day", "nothing of it", "")


@pytest.mark.parametrize("text", TEXTS)
def test_a_pattern_finds_what_re_finds_each_time(text):
    own, plain = Pattern(r"\borders (by|per)\b", re.IGNORECASE), re.compile(r"\borders (by|per)\b", re.IGNORECASE)
    for _ in range(2):
        for name in ("search", "match", "fullmatch"):
            found, wanted = getattr(own, name)(text), getattr(plain, name)(text)
            assert (found and found.span()) == (wanted and wanted.span())
        assert [each.span() for each in own.finditer(text)] == [each.span() for each in plain.finditer(text)]
        assert own.findall(text) == plain.findall(text)
        assert own.split(text) == plain.split(text)
        assert own.sub("-", text) == plain.sub("-", text)
        assert own.sub(lambda found: found[1], text, count=1) == plain.sub(lambda found: found[1], text, count=1)


def test_a_pattern_is_compiled_when_it_is_first_asked():
    pattern = Pattern(r"(")
    with pytest.raises(re.error):
        pattern.search("")


def test_a_pattern_looks_at_a_text_once_and_forgets_long_gone_ones():
    pattern = Pattern(r"\d+")
    first = pattern.search("text 0")
    assert pattern.search("text 0") is first
    for number in range(1, 1000):
        pattern.search(f"text {number}")
    assert pattern.search("text 0") is not first
    assert pattern.search("text 0")[0] == "0"
