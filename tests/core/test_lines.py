"""Files of lines: whole lines or none, whatever the disk says and whoever deletes them."""

import errno
import os

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pluto_duck_backend.app.core import lines
from pluto_duck_backend.app.core.errors import EnvironmentFault
from pluto_duck_backend.app.core.lines import Lines

LINE = st.binary(max_size=40).filter(lambda data: b"\n" not in data)


def _disk_with(room):
    """`os.write` on a disk that has `room` bytes left."""
    left = [room]

    def write(file, data):
        taken = min(len(data), left[0])
        left[0] -= taken
        if not taken:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return real(file, data[:taken])

    real = os.write
    return write


@given(written=st.lists(LINE, max_size=8), room=st.integers(0, 200))
def test_a_full_disk_leaves_whole_lines_only(tmp_path_factory, written, room):
    path = tmp_path_factory.mktemp("lines") / "log.jsonl"
    log, kept = Lines(path), []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines.os, "write", _disk_with(room))
        for line in written:
            try:
                log.append(line)
                kept.append(line)
            except EnvironmentFault as error:
                assert error.code == "cannot_write"
    log.append(b"after")
    assert path.read_bytes() == b"".join(line + b"\n" for line in [*kept, b"after"])


def test_a_folder_that_is_gone_is_made_again_and_the_file_is_private(tmp_path):
    path = tmp_path / "artifacts" / "queries" / "log.jsonl"
    log = Lines(path)
    log.append(b"one")
    path.unlink()
    path.parent.rmdir()
    log.append(b"two")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"two\n", 0o600)
    log.replace([b"three", b"four"])
    log.append(b"five")
    assert (path.read_bytes(), path.stat().st_mode & 0o777) == (b"three\nfour\nfive\n", 0o600)
    log.replace([])
    assert path.read_bytes() == b""
    path.unlink()
    log.replace([])
    assert not path.exists()
