"""`python -m tests.cold FOLDER` writes the databases of `cold`, `trades`, `newcomers` and `samples`.

One DuckDB file each. They are kept as DuckDB exports them: `schema.sql` with the keys, and a Parquet file a table.
"""

import sys
from pathlib import Path

import duckdb

KEPT = Path(__file__).parent / "fixtures" / "cold"


def names():
    """The databases there are."""
    return sorted(folder.name for folder in KEPT.iterdir())


def build(name, folder):
    """The database `name` as `<folder>/<name>.duckdb`; one that is there stays."""
    path = Path(folder) / f"{name}.duckdb"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        with duckdb.connect(path) as connection:
            connection.execute((KEPT / name / "schema.sql").read_text())
            _fill(connection, name)
    return path


def _fill(connection, name):
    """Tables that others point at come first."""
    left = [row[0] for row in connection.execute("SELECT table_name FROM duckdb_tables()").fetchall()]
    while left:
        later = [table for table in left if not _filled(connection, name, table)]
        if len(later) == len(left):
            raise ValueError(f"The tables {', '.join(later)} of {name} cannot be filled.")
        left = later


def _filled(connection, name, table):
    try:
        connection.execute(f"INSERT INTO \"{table}\" FROM '{KEPT / name / table.lower()}.parquet'")
    except duckdb.ConstraintException:
        return False
    return True


if __name__ == "__main__":
    for each in names():
        print(build(each, sys.argv[1]))
