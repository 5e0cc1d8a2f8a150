"""The command line within the tests' own process: what a command printed, and its exit code."""

import contextlib
import io
from dataclasses import dataclass
from unittest import mock

from pluto_duck_cli.main import execute


@dataclass(frozen=True)
class Done:
    """A command that has ended."""

    returncode: int
    stdout: str
    stderr: str


def run(*words, env=None, stdin=""):
    """`run("ask", "how many?", "--root", folder)`; imports count once, where a process of its own takes seconds."""
    out, err, said = (io.TextIOWrapper(io.BytesIO(text)) for text in (b"", b"", stdin.encode()))
    with (
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
        mock.patch("sys.stdin", said),
        mock.patch.dict("os.environ", env or {}),
    ):
        code = execute([str(word) for word in words])
    return Done(code, _text(out), _text(err))


def _text(stream):
    stream.flush()
    return stream.buffer.getvalue().decode()
