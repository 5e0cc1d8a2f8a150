"""Questions written by hand: files that are read, lines that name what is there, questions that can be learned."""

import pytest

from pluto_duck_text2sql.tree import Rows
from pluto_duck_training import invented
from pluto_duck_training.asked import HELD, Unread, blocks, checked, files, line_of, over
from pluto_duck_training.invented import is_made_up
from pluto_duck_training.synthetic.databases import made_up


@pytest.fixture(scope="module")
def clinic():
    return next(made_up(1, 21))


def _file(tmp_path, text):
    path = tmp_path / "clinic.txt"
    path.write_text(text, encoding="utf-8")
    return path


def test_blocks_are_questions_and_their_line(tmp_path):
    found = list(blocks(_file(tmp_path, "# one\n? how many\n? count them\n= count a.*\n\n? who\n= a.b\n")))
    assert [(each.questions, each.line, each.at) for each in found] == [
        (("how many", "count them"), "count a.*", 4),
        (("who",), "a.b", 7),
    ]


@pytest.mark.parametrize("text", ["how many\n", "= count a.*\n", "? how many\n", "? how many\n? who\n"])
def test_a_file_that_is_no_blocks_is_refused(tmp_path, text):
    with pytest.raises(Unread, match=r"clinic\.txt"):
        list(blocks(_file(tmp_path, text)))


def test_names_are_those_of_the_catalog(clinic):
    table = clinic.catalog.tables[0]
    name = table.columns[0].name
    line = line_of(f"count {table.name.upper()}.* where {table.name}.{name} = <a b>", clinic.catalog)
    assert line[1] == Rows(table.key)
    for line in ("count nothing.*", f"{table.name}.nothing", "how many"):
        with pytest.raises(Unread):
            line_of(line, clinic.catalog)


def test_a_comparison_begins_no_value(clinic):
    table = clinic.catalog.tables[0]
    first, second = (f"{table.name}.{column.name}" for column in table.columns[:2])
    line = line_of(f"count {table.name}.* if {first} <= {second} fi where {first} > <3>", clinic.catalog)
    assert line.count("<=") == line.count(">") == 1


def test_what_the_data_does_not_answer_is_learned_and_has_no_rows(tmp_path, clinic):
    table = clinic.catalog.tables[0].name
    text = f"? how old is their car\n? which car is theirs\n= nothing\n? how many\n= count {table}.*\n"
    without, counted = checked(list(blocks(_file(tmp_path, text))), clinic, {})
    assert (without.learnable, without.sql) == (["how old is their car", "which car is theirs"], "")
    some = [{"id": "1", "question": "how old is their car", "line": without.line}, {"id": "2", "line": counted.line}]
    assert [each["id"] for each in invented.with_rows(some, clinic)] == ["2"]


def test_all_files_are_blocks():
    assert {name: len(list(blocks(path))) for name, path in files().items() if not list(blocks(path))} == {}


@pytest.mark.parametrize("name", sorted(name for name in files() if is_made_up(name))[::9])
def test_every_line_finds_rows_and_every_question_can_be_learned(name):
    database = invented.one_made_up(name)
    found = checked(list(blocks(files()[name])), database, {})
    assert [(each.block.at, each.fault, each.unreached) for each in found if each.fault or each.unreached] == []


def test_held_questions_are_not_learned():
    name = next(name for name in sorted(HELD) if name in files() and is_made_up(name))
    database = invented.one_made_up(name)
    assert over(database, {}) == []
    assert over(database, {}, held=True)
