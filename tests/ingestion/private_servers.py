"""Servers of a test's own, each in a folder of its own, that may be killed: MariaDB and PostgreSQL where installed."""

import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from pluto_duck_backend.app.core import extensions
from pluto_duck_backend.app.core.warehouse import Warehouse, literal

_WAIT_S = 60.0
_PLACES = "/usr/sbin:/usr/lib/postgresql/*/bin"
_EXTENSIONS = {"postgres": "postgres_scanner", "mysql": "mysql_scanner"}
_ROWS = {"postgres": "generate_series({}, {}) AS g(id)", "mysql": "(SELECT seq AS id FROM seq_{}_to_{}) g"}


def _program(*names: str) -> str:
    """Where the first of the programs is. Skips the test where none is installed."""
    folders = [str(each) for part in _PLACES.split(":") for each in Path("/").glob(part[1:])]
    for name in names:
        if found := shutil.which(name, path=os.pathsep.join([os.environ.get("PATH", ""), *folders])):
            return str(Path(found).resolve())
    pytest.skip(f"{' or '.join(names)} is not installed")


class PrivateServer:
    """One server: `start`, `kill` with all of its processes at once, `start` again."""

    def __init__(self, kind: str, folder: Path) -> None:
        self.kind = kind
        self._folder, self._data = folder, folder / "data"
        self._user = "nobody" if os.geteuid() == 0 else None  # no server of these runs as root
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self._command = {"postgres": self._postgres, "mysql": self._mysql}[kind]()
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def config(self) -> dict:
        """What a request says of its table `big`."""
        if self.kind == "postgres":
            return {"url": f"postgresql://boss@127.0.0.1:{self.port}/postgres", "tables": ["big"]}
        return {"url": f"mysql://boss@127.0.0.1:{self.port}/shop", "tables": ["big"]}

    def _postgres(self) -> list[str]:
        self._run(_program("initdb"), "-D", self._data, "-U", "boss", "--auth=trust", "--no-sync")
        options = ["-p", str(self.port), "-h", "127.0.0.1", "-k", str(self._folder), "-F"]
        return [_program("postgres"), "-D", str(self._data), *options]

    def _mysql(self) -> list[str]:
        program, made = _program("mariadbd", "mysqld"), _program("mariadb-install-db", "mysql_install_db")
        self._run(made, "--no-defaults", f"--datadir={self._data}", "--auth-root-authentication-method=normal")
        first = self._folder / "first.sql"
        first.write_text(
            "CREATE DATABASE IF NOT EXISTS shop;\nCREATE USER IF NOT EXISTS boss@'127.0.0.1';\n"
            "GRANT ALL ON *.* TO boss@'127.0.0.1';\n"
        )
        first.chmod(0o644)
        place = [f"--datadir={self._data}", f"--socket={self._folder}/s", f"--init-file={first}"]
        return [program, "--no-defaults", *place, "--bind-address=127.0.0.1", f"--port={self.port}"]

    def _run(self, *command: object) -> None:
        done = subprocess.run([str(each) for each in command], user=self._user, cwd="/", capture_output=True)
        assert done.returncode == 0, done.stderr.decode()

    def start(self) -> None:
        """Come up, and wait until it answers queries."""
        with (self._folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                self._command, user=self._user, cwd="/", stdout=log, stderr=log, start_new_session=True
            )
        end = time.monotonic() + _WAIT_S
        while not self._answers():
            assert time.monotonic() < end, (self._folder / "log").read_text()
            time.sleep(0.1)

    def _answers(self) -> bool:
        with contextlib.suppress(Exception):
            self.run("SELECT 1")
            return True
        return False

    def kill(self) -> None:
        """SIGKILL, to it and to whatever it started."""
        if self._process and self._process.poll() is None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()

    def run(self, *statements: str) -> None:
        helper = Warehouse.open(self._folder.parent / f"helper-{self.kind}.duckdb")
        database = {"postgres": "postgres", "mysql": "shop"}[self.kind]
        name = {"postgres": "dbname", "mysql": "database"}[self.kind]
        with contextlib.closing(helper), helper.guest() as session:
            extensions.load(session, _EXTENSIONS[self.kind], self.kind)
            where = f"host=127.0.0.1 port={self.port} user=boss {name}={database}"
            session.execute(f"ATTACH {literal(where)} AS admin (TYPE {self.kind})")
            for each in statements:
                session.execute(f"CALL {self.kind}_execute('admin', {literal(each)})")
            session.execute("DETACH admin")

    def fill(self, rows: int) -> None:
        """Rows `0 …` of 128 letters in `big`, which no compression on the way makes much shorter."""
        hashed = {"postgres": "encode(sha512(CAST(id AS text)::bytea), 'hex')", "mysql": "sha2(id, 512)"}[self.kind]
        source = _ROWS[self.kind].format(0, rows - 1)
        self.run("DROP TABLE IF EXISTS big", f"CREATE TABLE big AS SELECT id, {hashed} AS v FROM {source}")


@contextlib.contextmanager
def private_server(kind: str, folder: Path) -> Iterator[PrivateServer]:
    """A server that runs, with its files below `folder`."""
    place = folder / "server"
    place.mkdir()
    for each in (place, *place.parents[:3]):
        each.chmod(each.stat().st_mode | 0o011)
    if os.geteuid() == 0:
        nobody = pwd.getpwnam("nobody")
        os.chown(place, nobody.pw_uid, nobody.pw_gid)
    server = PrivateServer(kind, place)
    try:
        server.start()
        yield server
    finally:
        server.kill()
