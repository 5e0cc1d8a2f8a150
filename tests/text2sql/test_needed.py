"""What a pattern needs is in every text that it matches."""

import gc
import importlib
import json
import pkgutil
import re
from pathlib import Path

import pytest

import pluto_duck_text2sql
from pluto_duck_text2sql.language.needed import lacks, needed
from pluto_duck_text2sql.language.patterns import Pattern

SUITES = Path(__file__).parents[1] / "fixtures" / "suites"


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"\bforecasts?\b", ("forecast",)),
        (r"\b(?:cancel(?:l?ed)?|refunded)\b", ("cancel", "refunded")),
        (r"^(?:please )?Show\b", ("show",)),
        (r"(?:per|by) month", (" month",)),
        (r"top(?= ten)ics", ("topics",)),
        (r"(?:to|the) (?:a|of)", ()),
        (r"(?:word )*", ()),
        (r"(?:word |)", ()),
        (r"\d+", ()),
        (r"é|café", ()),
        (r"(?P<one>abc)+x?(?>def)", ("abc",)),
    ],
)
def test_what_is_needed(pattern, texts):
    assert needed(pattern, re.IGNORECASE) == texts


def test_a_letter_with_several_forms_is_looked_at():
    assert not lacks("buſineſs", ("business",))
    assert re.search("business", "buſineſs", re.IGNORECASE)
    assert lacks("trade", ("business",))
    assert not lacks("trade", ())


def test_no_pattern_of_the_analyst_matches_what_lacks_what_it_needs():
    for each in pkgutil.walk_packages(pluto_duck_text2sql.__path__, "pluto_duck_text2sql."):
        importlib.import_module(each.name)
    patterns = [each for each in gc.get_objects() if isinstance(each, Pattern) and each.pattern != "("]
    questions = [json.loads(line)["question"] for line in (SUITES / "northwind.jsonl").read_text().splitlines()]
    assert len(patterns) > 500
    for pattern in patterns:
        wrong = [each for each in questions if lacks(each, pattern.needed) and pattern.compiled.search(each)]
        assert not wrong, pattern.pattern


def test_a_pattern_that_has_looked_at_many_texts_finds_what_it_found():
    pattern, texts = Pattern(r"\bmonths?\b", re.IGNORECASE), [f"text {n}, by Month" for n in range(500)]
    assert all(pattern.search(each)[0] == "Month" for each in texts)
    assert not any(pattern.search(each.replace("Month", "week")) for each in texts)
    assert not pattern.fullmatch("by month") and pattern.fullmatch("MONTHS")
