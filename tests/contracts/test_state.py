"""Every backend of state does what the contract says, over the real server."""

import re
from contextlib import closing
from functools import partial
from importlib.metadata import EntryPoint
from pathlib import Path
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.services import postgres_schema, redis_prefix, s3_options

from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.state import Address
from pluto_duck_backend.app.services.state import places
from pluto_duck_backend.app.services.state.contract_suite import SHAPE, StateContract, new_scope
from pluto_duck_backend.app.services.state.in_files.backend import FileState
from pluto_duck_backend.app.services.state.in_postgres.backend import PostgresState
from pluto_duck_backend.app.services.state.in_redis.backend import RedisState
from pluto_duck_backend.app.services.state.in_s3.backend import S3State
from pluto_duck_backend.app.services.state.places import GROUP


def _files(root, process):
    return FileState(root)


def _postgres(url, process):
    return PostgresState(Address(url, {}, process))


def _redis(url, process):
    return RedisState(Address(url, {}, process))


def _s3(options, process):
    return S3State(Address("s3://lake/team/duck", options, process))


class TestFiles(StateContract):
    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _place(cls, tmp_path_factory):
        cls.root = tmp_path_factory.mktemp("state")

    def opener(self):
        return partial(_files, self.root)


class TestPostgres(StateContract):
    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _place(cls):
        with postgres_schema() as cls.url:
            yield

    def opener(self):
        return partial(_postgres, self.url)

    def test_connections_that_break_are_not_noticed(self):
        """As by a restart of the server between two statements."""
        with closing(_postgres(f"{self.url}&application_name=here", "here")) as backend:
            sessions = backend.sessions(new_scope(), SHAPE)
            writer = sessions.begin("s", [b"t 1"])
            with psycopg.connect(self.url, autocommit=True) as other:
                other.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'here'")
            writer.append([b"2"])
            assert sessions.read("s") == [b"t 1", b"2"]


class TestRedis(StateContract):
    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _place(cls):
        with redis_prefix() as cls.url:
            yield

    def opener(self):
        return partial(_redis, self.url)


class TestS3(StateContract):
    @pytest.fixture(autouse=True, scope="class")
    @classmethod
    def _place(cls):
        with s3_options() as cls.options:
            yield

    def opener(self):
        return partial(_s3, self.options)


def test_a_package_s_backend_is_opened_by_its_scheme_and_the_docs_teach_one(tmp_path, monkeypatch):
    page = (Path(__file__).parents[2] / "docs" / "state.md").read_text()
    taught = {}
    exec(re.search(r"```python\n(.*?)```", page, re.DOTALL)[1], taught)
    test = taught["TestMine"]()
    test.test_a_session_is_read_and_gone_on_with_by_another_process()
    test.test_of_those_who_change_what_they_saw_one_does()
    door = EntryPoint("mine", "tests.contracts.test_state:_mine", GROUP)
    monkeypatch.setattr(places, "entry_points", lambda group: [door])
    monkeypatch.setenv("MINE", "hush")
    settings = load_settings(
        tmp_path / "root", state={"memory": f"mine://{tmp_path}", "options": {"key": "${env:MINE}"}}
    )
    with closing(places.Places(settings)) as opened:
        assert opened.memory.place == f"files below {tmp_path}/hush"


def _mine(address):
    return FileState(Path(urlsplit(address.url).path) / address.options["key"])
