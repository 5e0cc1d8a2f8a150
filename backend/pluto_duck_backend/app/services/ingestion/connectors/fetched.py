"""Files that were fetched into the load's folder, read as what they are and told under the address the user knows.

The connectors of addresses (`http_files`, `objects`) use it. What must stay true: no message, reject or origin names
the copy.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from pluto_duck_backend.app.core.errors import InvalidInput, PlutoDuckError
from pluto_duck_backend.app.services.ingestion import registry
from pluto_duck_backend.app.services.ingestion.content import file_kind
from pluto_duck_backend.app.services.ingestion.contract import Config, SourceTable, Toolbox


@contextlib.contextmanager
def tables_of(path: Path, shown: str, config: Config, tools: Toolbox) -> Iterator[Sequence[SourceTable]]:
    """The tables of the copy `path` of what is at `shown`; `config` may say its `format` and what that takes."""
    named = config.get("format")
    connector = registry.get(str(named)) if named else registry.for_file(path)
    options = {name: value for name, value in config.items() if name != "format"}
    try:
        with connector.open({**options, "path": str(path)}, tools) as tables:
            yield [_told(each, str(path), shown) for each in tables]
    except PlutoDuckError as error:
        _rename(error, str(path), shown)
        raise


def named(part: Path, name: str, shown: str, ending: str = "") -> Path:
    """The copy `part` under the name it has at its address; `ending` where the name has none that a connector reads."""
    path = part.with_name(re.sub(r"[^\w.-]", "_", name) or "data")
    if registry.suffix_of(path) not in registry.suffixes():
        path = path.with_name(path.name + (ending or file_kind(part)))
    if part.stat().st_size == 0:
        raise InvalidInput(f"{shown} is empty (0 bytes).", code="empty_file", hint="Check how it was made.")
    return part.replace(path)


def _told(table: SourceTable, path: str, shown: str) -> SourceTable:
    def explain(error: PlutoDuckError) -> PlutoDuckError:
        return _rename(table.explain(error), path, shown)

    rejects = tuple(replace(each, source=shown) for each in table.rejects)
    return replace(table, origin=table.origin.replace(path, shown), explain=explain, rejects=rejects)


def _rename(error: PlutoDuckError, path: str, shown: str) -> PlutoDuckError:
    error.message = error.message.replace(path, shown)
    error.args = (error.message,)
    return error
