"""What hostile text is after (a file to read, a folder, a port to send to, a table to change), and what was touched.

Texts of cases name them as `{canary}`, `{out}`, `{folder}` and `{port}`.
"""

import socket
import tempfile
from pathlib import Path

import pytest

CANARY = "canary-4711"
TABLE = "CREATE TABLE t AS SELECT range AS a, 'x' AS note FROM range(3)"


class Outside:
    """Lies in a short path, since prompts cut long names."""

    def __init__(self):
        self._folder = tempfile.TemporaryDirectory()
        self.folder = Path(self._folder.name)
        (self.folder / "canary.csv").write_text(f"secret\n{CANARY}\n")
        self._port = socket.create_server(("127.0.0.1", 0))
        self._port.setblocking(False)
        places = {"canary": self.folder / "canary.csv", "out": self.folder / "out.csv", "folder": self.folder}
        self._places = {**places, "port": self._port.getsockname()[1]}

    def named(self, text):
        """`text` with the places that it names."""
        for name, place in self._places.items():
            text = text.replace(f"{{{name}}}", str(place))
        return text

    def is_untouched(self, *, seen, rows, tables):
        """Asserts that nothing was read (`seen`: all that came back), written (`rows` of t, `tables`) or sent."""
        assert CANARY not in repr(seen)
        assert sorted(each.name for each in self.folder.iterdir()) == ["canary.csv"]
        assert [tuple(each) for each in rows] == [(0, "x"), (1, "x"), (2, "x")]
        assert not {"stolen", "v"} & set(tables)
        with pytest.raises(BlockingIOError):
            self._port.accept()

    def close(self):
        self._port.close()
        self._folder.cleanup()
