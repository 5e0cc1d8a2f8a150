"""Files that come in over HTTP: written as they arrive, under their own name, in a folder of their own.

What must stay true: no name reaches beyond that folder, a broken upload leaves nothing, and nothing is held in memory.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import AsyncIterator
from pathlib import Path

from pluto_duck_backend.app.core.errors import EnvironmentFault, InvalidInput
from pluto_duck_backend.app.core.ids import new_id

UPLOAD_PATH = "/api/v1/ingest/upload"
MAX_UPLOAD = 4_000_000_000
_NAME = re.compile(r"[^\x00-\x1f/\\:*?\"<>|]{1,200}")


async def keep(chunks: AsyncIterator[bytes], folder: Path, name: str) -> Path:
    """Write the body to `folder/<id>/<name>`. Raises InvalidInput for a name or size that is not usable."""
    if not _NAME.fullmatch(name) or name.startswith("."):
        raise InvalidInput(
            f"{name!r} is no file name.", code="bad_file_name", hint="Send ?name=orders.csv or the like."
        )
    path = folder / new_id("upload") / name
    try:
        path.parent.mkdir(mode=0o700, parents=True)
        await _write(chunks, path)
    except OSError as error:
        shutil.rmtree(path.parent, ignore_errors=True)
        raise EnvironmentFault(f"{path} cannot be written: {error.strerror or error}", code="cannot_write") from error
    except BaseException:
        shutil.rmtree(path.parent, ignore_errors=True)
        raise
    return path


async def _write(chunks: AsyncIterator[bytes], path: Path) -> None:
    size = 0
    with path.open("wb") as file:
        async for chunk in chunks:
            size += len(chunk)
            if size > MAX_UPLOAD:
                raise InvalidInput(
                    f"{path.name} has more than {MAX_UPLOAD:,} bytes.",
                    code="file_too_large",
                    hint="Put it beside the server and load it with `pluto-duck ingest FILE`.",
                )
            file.write(chunk)
    if not size:
        raise InvalidInput(f"{path.name} is empty.", code="empty_file", hint="Send the file's bytes as the body.")
