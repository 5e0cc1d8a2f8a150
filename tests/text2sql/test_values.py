"""The value index: any case, any plural, a letter or two wrong; never invented; tables replaced, files let go."""

import random
import threading
from difflib import get_close_matches

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from pluto_duck_text2sql import ValueIndex
from pluto_duck_text2sql.data import shelf
from pluto_duck_text2sql.data.hashing import Batch, keys, word_hashes
from pluto_duck_text2sql.language.edits import Spellings, distance
from pluto_duck_text2sql.language.normal import folded, normal

ITEMS = [
    ("main", "customers", "country", "Germany"),
    ("main", "customers", "city", "New York"),
    ("main", "products", "category", "Beverages"),
]


def _values(hits):
    return [(hit.column, hit.value) for hit in hits]


def test_case_and_number_do_not_matter():
    index = ValueIndex.build(ITEMS)
    assert _values(index.lookup("germany")) == [("country", "Germany")]
    assert _values(index.lookup("beverage")) == [("category", "Beverages")]
    assert _values(index.lookup("NEW YORK")) == [("city", "New York")]
    assert index.lookup("france") == []


def test_misspellings_are_found_and_strangers_are_not():
    index = ValueIndex.build(ITEMS)
    assert _values(index.lookup_fuzzy("Germny")) == [("country", "Germany")]
    assert _values(index.lookup_fuzzy("bevreages")) == [("category", "Beverages")]
    assert index.lookup_fuzzy("furniture") == []


def test_a_table_s_values_can_be_replaced():
    index = ValueIndex.build(ITEMS)
    index.replace("main", "customers", [("main", "customers", "country", "France")])
    assert index.lookup("germany") == []
    assert _values(index.lookup("france")) == [("country", "France")]
    assert len(index) == 2


@given(st.lists(st.text(min_size=1, max_size=30), max_size=20), st.text(max_size=30))
def test_what_is_found_is_stored(values, phrase):
    index = ValueIndex.build([("main", "t", "c", value) for value in values])
    assert all(hit.value in values for hit in [*index.lookup(phrase), *index.lookup_fuzzy(phrase)])


WORDS = st.text("abcdeéimnorstuyßЖ", min_size=2, max_size=9)
PHRASES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)


@given(st.lists(st.text(max_size=20), max_size=30))
def test_a_key_is_the_normal_form(texts):
    by_key = {}
    for text, key in zip(texts, keys(texts).tolist(), strict=True):
        by_key.setdefault(key, set()).add(normal(text) or folded(text))
    assert all(len(forms) == 1 for forms in by_key.values())
    assert len(by_key) == len({normal(text) or folded(text) for text in texts})
    assert keys(texts).tolist() == Batch.of(texts).keys().tolist()


@given(st.lists(PHRASES, max_size=20), st.lists(PHRASES, max_size=20))
def test_a_key_does_not_depend_on_its_batch(some, others):
    assert keys(some).tolist() == Batch.of([*others, *some]).keys().tolist()[len(others) :]
    assert [keys([each])[0] for each in some] == keys(some).tolist()


def test_stems_make_keys():
    same = [("Stopped cars", "stop car"), ("Women", "woman"), ("NEW-YORK", "new york"), ("Cities", "city")]
    assert all(len(set(keys(pair).tolist())) == 1 for pair in same)
    assert len(set(keys(["new york", "york new", "newyork", "new", "", "+", "%"]).tolist())) == 7


def test_a_word_s_hash_needs_a_word():
    assert len(word_hashes(["a", "b"])) == 2
    with pytest.raises(ValueError, match="one word"):
        word_hashes(["a b"])


@given(st.lists(PHRASES, min_size=1, max_size=30), st.data())
def test_every_stored_value_is_found_in_any_case_and_number(values, data):
    index = ValueIndex.build([("main", "t", "c", value) for value in values])
    value = data.draw(st.sampled_from(values))
    for phrase in (value, value.upper(), value.title(), f" {value} ", f"{value}s", value.replace(" ", "-")):
        if normal(phrase) == normal(value) or folded(phrase) == folded(value):
            assert value in [hit.value for hit in index.lookup(phrase, limit=100)]
    assert [hit.score for hit in index.lookup(value, limit=100) if hit.value == value] == [1.0]


def _edited(text, place, letter, kind):
    changes = {
        "left out": text[:place] + text[place + 1 :],
        "put in": text[:place] + letter + text[place:],
        "changed": text[:place] + letter + text[place + 1 :],
        "swapped": text[:place] + text[place : place + 2][::-1] + text[place + 2 :],
    }
    return changes[kind]


@given(
    st.lists(PHRASES, min_size=1, max_size=20),
    st.data(),
    st.sampled_from("abcxyz é"),
    st.sampled_from(["left out", "put in", "changed", "swapped"]),
)
def test_a_value_with_one_edit_is_found(values, data, letter, kind):
    index = ValueIndex.build([("main", "t", "c", value) for value in values])
    value = folded(data.draw(st.sampled_from(values)))
    phrase = _edited(value, data.draw(st.integers(1, len(value) - 1)), letter, kind)
    assume(7 <= len(phrase) <= 38 and phrase == folded(phrase) and 4 <= len(value) <= 40)
    assume(value != phrase and not value.startswith(phrase) and len(set(values)) == len({*map(normal, values)}))
    hits = index.lookup_fuzzy(phrase, limit=100)
    assert value in [folded(hit.value) for hit in hits]
    assert all(0 < hit.score < 0.8 for hit in hits)


LONG_WORDS = ["Philadelphia Mutual", "Massachusetts", "Internationale Spedition", "Schweinfurter Kugellager"]


@pytest.mark.parametrize(
    ("phrase", "value"),
    [
        ("philadelpha mutal", "Philadelphia Mutual"),
        ("masachusets", "Massachusetts"),
        ("massachussetts", "Massachusetts"),
        ("masacusetts", "Massachusetts"),
        ("schwainfurter kugelager", "Schweinfurter Kugellager"),
        ("internatonale speditiom", "Internationale Spedition"),
        ("intrnationalle spedition", "Internationale Spedition"),
    ],
)
def test_two_edits_are_found_in_long_ones(phrase, value):
    index = ValueIndex.build([("main", "t", "c", each) for each in LONG_WORDS])
    assert _values(index.lookup_fuzzy(phrase)) == [("c", value)]


def test_what_is_too_far_or_too_short_is_no_misspelling():
    index = ValueIndex.build([("main", "t", "c", each) for each in ["Massachusetts", "Rome", "Germany"]])
    for phrase in ["misachusit", "Rone", "Hermany", "Germ", "German", "", "?" * 60]:
        assert index.lookup_fuzzy(phrase) == []


TABLES = st.dictionaries(st.sampled_from("abcde"), st.lists(PHRASES, max_size=8), max_size=5)


@given(TABLES, st.lists(st.tuples(st.sampled_from("abcde"), st.lists(PHRASES, max_size=8)), max_size=6))
def test_replacing_forgets_the_old_and_keeps_the_rest(tables, changes):
    index = ValueIndex.build([("main", table, "c", value) for table, some in tables.items() for value in some])
    for table, values in changes:
        before = tables.get(table, [])
        tables[table] = values
        index.replace("main", table, [("main", table, "c", value) for value in values])
        found = {value: index.lookup(value, limit=1000) for value in before}
        assert all(hit.value in tables[hit.table] for hits in found.values() for hit in hits)
    for table, values in tables.items():
        assert index.count("main", table) == len(values)
        assert all(table in [hit.table for hit in index.lookup(value, limit=1000)] for value in values)
    assert len(index) == sum(map(len, tables.values()))


@pytest.fixture
def small(monkeypatch):
    """Everything that is done for millions is done for dozens."""
    monkeypatch.setattr(shelf, "_ALONE_FROM", 50)
    monkeypatch.setattr(shelf, "_FULL", 120)
    monkeypatch.setattr(shelf, "_BATCH", 7)
    monkeypatch.setattr(shelf, "_SPARE_BYTES", 1000)
    monkeypatch.setattr("pluto_duck_text2sql.data.segments._IN_FILES_FROM", 5)
    monkeypatch.setattr("pluto_duck_text2sql.data.segments._PROBES_KEPT", 30)


@pytest.mark.parametrize("in_files", [True, False])
def test_a_large_index_in_files_stays_right(small, in_files, tmp_path):
    index = ValueIndex(tmp_path / "values" if in_files else None)
    rng = random.Random(1)
    held = {}
    for _ in range(60):
        table = f"t{rng.randrange(8)}"
        held[table] = {column: [f"{column} {rng.randrange(500)}" for _ in range(rng.randrange(90))] for column in "pq"}
        index.fill("main", table, ((column, values) for column, values in held[table].items()))
        for number in rng.sample(range(500), 20):
            expected = [(t, c) for t, columns in held.items() for c, v in columns.items() if f"{c} {number}" in v]
            hits = [hit for column in "pq" for hit in index.lookup(f"{column} {number}", limit=1000)]
            assert sorted({(hit.table, hit.column) for hit in hits}) == sorted(expected)
    assert len(index) == sum(len(values) for columns in held.values() for values in columns.values())
    texts = sum(len(each) + 8 for columns in held.values() for values in columns.values() for each in values)
    assert index._shelf._store.size <= 2 * texts + 1000
    assert len(index._shelf._segments) < 30
    index.close()
    assert not in_files or not list((tmp_path / "values").iterdir())


def test_hits_come_in_the_order_of_what_was_put_in():
    items = [("main", f"t{n}", column, "Same") for n in range(30) for column in ("a", "b")]
    index = ValueIndex.build(items)
    assert [(hit.table, hit.column) for hit in index.lookup("same", limit=7)] == [each[1:3] for each in items[:7]]


def test_a_filling_that_fails_changes_nothing(tmp_path):
    index = ValueIndex(tmp_path)
    index.fill("main", "t", [("c", ["Berlin"])])

    def failing():
        yield "c", ["Hamburg"]
        raise OSError("no more")

    with pytest.raises(OSError, match="no more"):
        index.fill("main", "t", failing())
    assert _values(index.lookup("berlin")) == [("c", "Berlin")]
    assert index.lookup("hamburg") == []
    index.fill("main", "t", [("c", ["Bremen"])])
    assert (index.lookup("berlin"), _values(index.lookup("bremen"))) == ([], [("c", "Bremen")])


def test_many_ask_while_one_fills(small, tmp_path):
    index = ValueIndex(tmp_path)
    index.fill("main", "kept", [("c", [f"kept {n}" for n in range(40)])])
    wrong, stop = [], threading.Event()

    def ask():
        while not stop.is_set():
            for number in range(40):
                if [hit.value for hit in index.lookup(f"KEPT {number}")] != [f"kept {number}"]:
                    wrong.append(number)

    threads = [threading.Thread(target=ask) for _ in range(3)]
    for thread in threads:
        thread.start()
    for turn in range(40):
        index.fill("main", f"other{turn % 4}", [("c", [f"other {turn} {n}" for n in range(100)])])
    stop.set()
    for thread in threads:
        thread.join()
    assert wrong == []


def test_keys_spread_over_all_bits():
    many = keys([f"name {n}" for n in range(20_000)])
    assert len(np.unique(many)) == 20_000
    assert len(np.unique(many >> np.uint64(52))) > 4_000
    assert len(np.unique(many & np.uint64(4095))) > 4_000


@given(st.text("abc", max_size=6), st.text("abc", max_size=6))
def test_a_distance_counts_edits(left, right):
    assert distance(left, right, 12) == distance(right, left, 12)
    assert (distance(left, right, 12) == 0) == (left == right)
    assert distance(left, right, 1) == min(distance(left, right, 12), 2)


@given(st.lists(st.text("abcdé_ß1", max_size=12), max_size=30), st.text("abcdé_ß1", max_size=12))
def test_close_spellings_are_difflib_s(words, word):
    for cutoff in (0.4, 0.84):
        expected = get_close_matches(word, sorted(set(words)), n=3, cutoff=cutoff)
        assert Spellings(words).close(word, 3, cutoff) == expected


def test_a_phrase_that_was_looked_up_tells_as_many_hits_as_are_asked_for():
    items = [("main", f"t{n:03}", "c", "Bergen") for n in range(150)]
    index = ValueIndex.build(items)
    every = ValueIndex.build(items).lookup("bergen", limit=150)
    assert len(every) == 150
    for limit in (1, 10, 120, 24, 150):
        assert index.lookup("bergen", limit=limit) == every[:limit]
        assert index.lookup_fuzzy("bergne", limit=limit) == ValueIndex.build(items).lookup_fuzzy("bergne", limit=limit)
