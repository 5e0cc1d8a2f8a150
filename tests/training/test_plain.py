"""The everyday words of questions are those that name nothing in the databases that they are asked of."""

from pathlib import Path

import pluto_duck_text2sql
from pluto_duck_text2sql.language.words import stem
from pluto_duck_training.plain import free_of, written
from pluto_duck_training.synthetic.databases import traded


def test_what_names_something_is_no_everyday_word():
    said = ["which skippers from Cork Quay earned more on average than the others", "how many catamarans are there"]
    found = set(free_of(said, traded("boat_rental", 21)))
    assert {stem(each) for each in ("earned", "average", "others")} <= found
    assert not {stem(each) for each in ("skippers", "catamarans")} & found


def test_words_of_questions_without_an_answer_are_not_everyday_ones(tmp_path):
    path = tmp_path / "clinic.txt"
    path.write_text("? how many\n? count them\n= count a.*\n? whose zeppelin is it\n= nothing\n", encoding="utf-8")
    assert list(written(path)) == ["how many", "count them"]


def test_the_list_is_sorted_and_tells_no_trade():
    lines = (
        (Path(pluto_duck_text2sql.__file__).parent / "language" / "plain.txt").read_text(encoding="utf-8").splitlines()
    )
    words = [each for each in lines if not each.startswith("#")]
    assert words == sorted(set(words))
    assert {stem(each) for each in ("average", "please", "many", "together")} <= set(words)
    assert not {stem(each) for each in ("zeppelin", "unicycle", "halal", "bilingual")} & set(words)
