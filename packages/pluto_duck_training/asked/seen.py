"""Which written questions the network that ships has learned from; `seen.txt` has a mark of each."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pluto_duck_training.asked.blocks import blocks, files
from pluto_duck_training.asked.learned import HELD

_PATH = Path(__file__).with_name("seen.txt")


def seen(path: Path = _PATH) -> frozenset[str]:
    """The marks of the questions that were learned from."""
    return frozenset(path.read_text(encoding="utf-8").split()) if path.exists() else frozenset()


def mark(database: str, question: str) -> str:
    """What a question about a database is known by."""
    return hashlib.sha256(f"{database}/{question}".encode()).hexdigest()[:10]


def remember(path: Path = _PATH) -> None:
    """All questions that are written now, but for those kept apart, have been learned from."""
    every = {
        mark(name, question)
        for name, file in files().items()
        if name not in HELD
        for block in blocks(file)
        for question in block.questions
    }
    path.write_text("".join(f"{each}\n" for each in sorted(every)), encoding="utf-8")
