"""Which of DuckDB's functions are harmless: its built-ins, less those that reach outside the tables.

Derived from DuckDB's own list, so a new version's new functions are judged by the same patterns.
"""

from __future__ import annotations

import re
from functools import cache

from pluto_duck_backend.app.core.warehouse import builtin_functions

_REACHES_OUT = re.compile(
    r"""getenv|getvariable|current_setting|set_?seed|write_log|parse_duckdb_log_message
      | read_.* | .*_scan | glob | query.* | sniff_.* | pragma_.* | duckdb_.* | parquet_.* | checkpoint.* | force_.*
      | json_execute.* | json_serialize_.* | json_deserialize_.* | from_substrait.* | get_substrait.*
      | pg_.* | has_.*_privilege | in_search_path | current_(database|schema|schemas|catalog|query|user|role)
      | session_user | user | txid_current | nextval | currval | which_secret | add_parquet_key | enable_.* | disable_.*
      | sleep.* | create_sort_key | obj_description | col_description | shobj_description | inet_.* | .*_file.*
      | histogram_values | getbit_secret | icu_.* | load_.* | import_.* | storage_info | test_.* | to_arrow.* | seq_scan
      | index_scan | repeat_row | summary | arrow_.* | python_.* | pandas_.* | _.*""",
    re.VERBOSE,
)


@cache
def _harmless() -> frozenset[str]:
    return frozenset(name for name in builtin_functions() if not _REACHES_OUT.fullmatch(name))


# The parser makes these of syntax (`[1, 2]`, `a['b']`, `EXTRACT`, lambdas), so they carry no name a user wrote.
_SYNTAX = {"list_value", "struct_pack", "row", "array_extract", "struct_extract", "constant_or_null", "unnest", "map"}
# Operators are functions too.
_OPERATOR = re.compile(r"[^a-z0-9_\s]+")
_WINDOW = {
    *("row_number", "rank", "dense_rank", "rank_dense", "percent_rank", "cume_dist", "ntile", "lag", "lead", "fill"),
    *("first_value", "last_value", "nth_value", "count_star", "count", "grouping", "grouping_id"),
}


def is_harmless(name: str) -> bool:
    """Whether the function `name` (lower case) computes from its arguments only."""
    return name in _harmless() or name in _SYNTAX or name in _WINDOW or bool(_OPERATOR.fullmatch(name))
