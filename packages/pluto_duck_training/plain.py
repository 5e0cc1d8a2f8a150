"""The everyday words of questions: those that name nothing in the databases that they are asked of.

A word that questions about several databases use, and that is in no name and no value of theirs, tells nothing that a
database would have to hold. `pluto_duck_text2sql/language/plain.txt` keeps them; what else names nothing is unheard of
there (unheard.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from pluto_duck_text2sql.language.words import table_stems, tokenise
from pluto_duck_training import asked
from pluto_duck_training.asked.databases import named
from pluto_duck_training.sources import questions
from pluto_duck_training.synthetic.questions import Database

_LEAST = 2
"""Of so many databases at least."""
_OUT = Path(__file__).parent.parent / "pluto_duck_text2sql" / "language" / "plain.txt"
_HEAD = (
    "# Stems of words that questions about several databases use and that name nothing there; written by training.\n"
)


def write(shared: Path, work: Path, out: Path = _OUT) -> dict[str, float]:
    """Write the list; how many words it has, and how many questions they come from."""
    every, files = questions(shared), asked.files()
    found: dict[str, set[str]] = defaultdict(set)
    count = 0
    for name in sorted({*every, *files}):
        said = [each["question"] for each in every.get(name, ())]
        said += list(written(files[name])) if name in files else []
        count += len(said)
        with named(name, shared, work / "databases") as database:
            for stem in free_of(said, database):
                found[stem].add(name)
    kept = sorted(stem for stem, names in found.items() if len(names) >= _LEAST)
    out.write_text(_HEAD + "".join(f"{each}\n" for each in kept), encoding="utf-8")
    return {"words": len(kept), "questions": count}


def written(path: Path) -> Iterator[str]:
    """The written questions that have an answer: what others ask for is just what names nothing."""
    for block in asked.blocks(path):
        if block.line != asked.NOTHING:
            yield from block.questions


def free_of(said: Sequence[str], database: Database) -> Iterator[str]:
    """The stems of the words that name nothing."""
    tables = database.catalog.tables
    names = {stem for table in tables for stem in table_stems(table.name)}
    names |= {stem for table in tables for column in table.columns for stem in table.stems(column.name)}
    tokens = (token for question in said for token in tokenise(question))
    words = {
        each.stem: each.lower for each in tokens if not each.quoted and each.number is None and each.lower.isalpha()
    }
    left = [(stem, word) for stem, word in words.items() if stem not in names]
    hits = database.catalog.values.lookup_all([word for _, word in left])
    return (stem for (stem, _), held in zip(left, hits, strict=True) if not held)
