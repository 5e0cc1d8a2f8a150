"""Patterns find what those of `re` find, the first time and again."""

import gc
import importlib
import pkgutil
import re

import pytest

import pluto_duck_text2sql
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


def test_no_pattern_tries_a_text_in_more_ways_than_it_has_letters():
    """`(?:\\w+ ?)+` may take a word apart anywhere: of a long text that it does not match it would try every way."""
    for each in pkgutil.walk_packages(pluto_duck_text2sql.__path__, "pluto_duck_text2sql."):
        importlib.import_module(each.name)
    every = [each for each in gc.get_objects() if isinstance(each, Pattern) and each.pattern != "("]
    assert len(every) > 1000
    assert [each.pattern for each in every if _repeats_runs(_parsed(each.pattern, each.flags))] == []


@pytest.mark.parametrize("pattern", [r"(?:\w+ ?)+x", r"a(?:b|(?:\w*)*)", r"(?=(?:,?[a-z]+)*!)"])
def test_such_a_pattern_is_found(pattern):
    assert _repeats_runs(_parsed(pattern, 0))


@pytest.mark.parametrize("pattern", [r"\w+(?: \w+)*x", r"(?:(?:a|b)\b ?)+", r"(?:\w{2} ?)+"])
def test_others_are_left_alone(pattern):
    assert not _repeats_runs(_parsed(pattern, 0))


def _parsed(pattern, flags):
    return re._parser.parse(pattern, flags)


def _repeats_runs(items):
    """Whether something of no greatest length, with nothing that must be beside it, is repeated without end."""
    return any(_is_endless(op, value) and _runs(value[2]) for op, value in _every(items))


def _every(items):
    for op, value in items:
        yield op, value
        for inner in _inner(op, value):
            yield from _every(inner)


def _inner(op, value):
    """The sequences within an item of a pattern."""
    if op in _REPEATS:
        return [value[2]]
    if op is re._constants.SUBPATTERN:
        return [value[3]]
    if op in _LOOKS:
        return [value[1]]
    return value[1] if op is re._constants.BRANCH else []


def _is_endless(op, value):
    return op in _REPEATS and value[1] == re._constants.MAXREPEAT


def _runs(items):
    """Whether a sequence may be a run of any length alone."""
    items = list(items)
    rests = (items[:place] + items[place + 1 :] for place in range(len(items)))
    return any(
        all(map(_may_be_nothing, rest)) and (_is_endless(*item) or any(map(_runs, _inner(*item))))
        for item, rest in zip(items, rests, strict=True)
        if item[0] not in _LOOKS
    )


def _may_be_nothing(item):
    op, value = item
    if op is re._constants.AT or op in _LOOKS:
        return True
    if op in _REPEATS and value[0] == 0:
        return True
    return any(all(map(_may_be_nothing, inner)) for inner in _inner(op, value))


_REPEATS = (re._constants.MAX_REPEAT, re._constants.MIN_REPEAT)
_LOOKS = (re._constants.ASSERT, re._constants.ASSERT_NOT)
