"""`python -m pluto_duck_training.asked DATABASE`: what is wrong with its file of questions; --schema: what it holds."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pluto_duck_training.asked import Found, blocks, checked, files
from pluto_duck_training.asked.blocks import FOLDER
from pluto_duck_training.asked.databases import named
from pluto_duck_training.sources import gold, questions
from pluto_duck_training.synthetic.questions import Database

_COMMONEST = 'select "{0}", count(*) from "{1}"."{2}" group by 1 order by 2 desc, 1 limit 6'


def main() -> int:
    """Parse the command line and print."""
    parser = argparse.ArgumentParser(prog="pluto_duck_training.asked", description=__doc__)
    parser.add_argument("database", help="a database of the training set, or a made-up one")
    parser.add_argument("--schema", action="store_true", help="print its tables with some of their values")
    parser.add_argument("--gold", action="store_true", help="print the training questions about it")
    parser.add_argument("--sql", action="store_true", help="print each line's SQL and first rows")
    parser.add_argument("--shared", type=Path, default=Path("../shared/nl2sql"), help="questions.jsonl, databases/")
    parser.add_argument("--roots", type=Path, default=Path(".train/databases"), help="where databases are loaded to")
    given = parser.parse_args()
    if given.gold:
        return _gold(questions(given.shared).get(given.database, ()))
    with named(given.database, given.shared, given.roots) as database:
        return _schema(database) if given.schema else _faults(database, given)


def _schema(database: Database) -> int:
    for table in database.catalog.tables:
        rows = database.run(f'select count(*) from "{table.schema}"."{table.name}"')[0][0]
        print(f"{table.name} ({rows} rows)")
        for each in table.columns:
            some = database.run(_COMMONEST.format(each.name, table.schema, table.name))
            print(f"    {each.name} {each.kind}: {', '.join(str(value)[:40] for value, _ in some)}")
        for key in table.foreign_keys:
            print(f"    key {', '.join(key.columns)} > {key.ref_table}")
    return 0


def _gold(asked: Sequence[dict[str, Any]]) -> int:
    for each in asked:
        print(f"{each['id']}: {each['question']}\n    {each['sql']}")
    return 0


def _faults(database: Database, given: argparse.Namespace) -> int:
    path = files().get(given.database)
    if path is None:
        print(f"{FOLDER / given.database}.txt is not there: write it.", file=sys.stderr)
        return 1
    expected = gold(questions(given.shared).get(given.database, ()))
    found = list(checked(list(blocks(path)), database, expected))
    for each in found:
        _tell(each, path, given.sql)
    asked = sum(len(each.block.questions) for each in found)
    kept = sum(len(each.learnable) for each in found)
    print(f"{kept} of {asked} questions can be learned.")
    return 0 if kept == asked else 1


def _tell(found: Found, path: Path, with_sql: bool) -> None:
    where = f"{path.name}:{found.block.at}"
    if found.fault:
        print(f"{where}: {found.fault}\n    {found.block.line}\n    {found.sql}")
    for question, why in found.unreached.items():
        print(f"{where}: {question}\n    {why}")
    if with_sql and not found.fault:
        print(f"{where}: {found.block.questions[0]}\n    {found.sql}\n    {found.rows[:3]} ({len(found.rows)} rows)")


if __name__ == "__main__":
    sys.exit(main())
