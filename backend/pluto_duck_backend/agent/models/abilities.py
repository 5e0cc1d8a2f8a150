"""What a model was found to be able to do, by trying: nothing of this is configured.

A server that rejects tools, or a model that ignores them and never called one, is asked in the JSON lane from then on;
one that streams nothing is called without streaming. Kept in a file, so that the next process need not find out again.
"""

from __future__ import annotations

import threading
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from pluto_duck_backend.app.core.whole_files import write_whole


@dataclass(frozen=True)
class Abilities:
    """Believed until a call shows otherwise."""

    tools: bool = True
    stream_options: bool = True
    streaming: bool = True
    thinking: bool = True
    brief: bool = True
    #   its replies come to an end within `max_output_tokens`
    roomy: bool = True
    #   it has room for so many tokens beside the prompt
    called: bool = False
    #   whether it has called a tool: that it once does not is then a slip


_BELIEVED = Abilities()


class AbilityStore:
    """The abilities of every endpoint ever called. Thread-safe."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._known: dict[str, Abilities] | None = None

    def of(self, key: str) -> Abilities:
        with self._lock:
            return self._read().get(key, _BELIEVED)

    def learn(self, key: str, **abilities: bool) -> None:
        """Remember what an endpoint turned out to do, or not to."""
        with self._lock:
            known = self._read()
            before = known.get(key, _BELIEVED)
            known[key] = replace(before, **abilities)
            if known[key] != before:
                self._write(known)

    def forget(self, provider: str) -> None:
        """Find out anew what the models of a provider do, as when its server is another one now."""
        with self._lock:
            known = self._read()
            ours = [key for key in known if key.partition(" ")[0] == provider]
            for key in ours:
                del known[key]
            if ours:
                self._write(known)

    def _write(self, known: dict[str, Abilities]) -> None:
        write_whole(self._path, [orjson.dumps({each: asdict(value) for each, value in known.items()})])

    def _read(self) -> dict[str, Abilities]:
        if self._known is None:
            self._known = {key: Abilities(**value) for key, value in _stored(self._path).items()}
        return self._known


def _stored(path: Path) -> dict[str, dict[str, Any]]:
    """What the file holds; a file that is damaged only costs finding out again."""
    try:
        found: dict[str, dict[str, Any]] = orjson.loads(path.read_bytes())
    except (OSError, orjson.JSONDecodeError):
        return {}
    names = Abilities.__dataclass_fields__
    return {key: {name: bool(each[name]) for name in names if name in each} for key, each in found.items()}
