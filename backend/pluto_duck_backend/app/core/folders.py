"""What lies in a folder, at the cost of one system call: questions look into several before they are answered."""

from __future__ import annotations

import os
from pathlib import Path


def names_in(folder: Path, ending: str = "") -> list[str]:
    """The names of what lies there and ends so, in order; none where there is no such folder."""
    try:
        with os.scandir(folder) as found:
            return sorted(each.name for each in found if each.name.endswith(ending))
    except (FileNotFoundError, NotADirectoryError):
        return []
