"""What dbt does in every command and a process that stays need not: called once, before the first command.

dbt writes its manifest twice in most commands, piece by piece in Python; `json.dumps` makes the same text in C. It
looks through all installed packages for plugins of its own; they do not change while a process lives.
"""

from __future__ import annotations

import gc
import json
from pathlib import Path
from typing import Any

_YOUNG_OBJECTS = 100_000
#   importing makes some hundred thousand objects that live as long as the process, a command as many to its end


def warm_up() -> None:
    """Import dbt, and leave out from now on what is only slow."""
    gc.set_threshold(_YOUNG_OBJECTS)
    from dbt.artifacts.schemas import base
    from dbt.cli.main import dbtRunner  # noqa: F401 - what takes seconds to import
    from dbt.plugins.manager import PluginManager

    modules = PluginManager.get_prefixed_modules()
    setattr(PluginManager, "get_prefixed_modules", classmethod(lambda _: modules))  # noqa: B010 - in its place
    setattr(base, "write_json", write_json)  # noqa: B010
    gc.freeze()


def write_json(path: str, data: dict[str, Any]) -> bool:
    """As dbt's own: the same text, in one piece."""
    from dbt_common.utils.encoding import JSONEncoder

    file = Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(data, cls=JSONEncoder), encoding="utf-8")
    return True
