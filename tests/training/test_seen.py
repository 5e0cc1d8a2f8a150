"""What the network has learned from is known by a mark of each written question."""

from pluto_duck_training.asked.blocks import blocks, files
from pluto_duck_training.asked.learned import HELD
from pluto_duck_training.asked.seen import mark, remember, seen


def _marks(names):
    return {mark(name, asked) for name in names for block in blocks(files()[name]) for asked in block.questions}


def test_all_written_questions_are_remembered_but_those_kept_apart(tmp_path):
    path = tmp_path / "seen.txt"
    assert seen(path) == frozenset()
    remember(path)
    assert seen(path) == _marks(set(files()) - HELD)
    assert not seen(path) & _marks(HELD)


def test_the_same_words_about_another_database_are_another_question():
    assert mark("farm", "how many are there") != mark("hotel", "how many are there")
