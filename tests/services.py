"""Servers on loopback for tests of state, each with a place in it that belongs to the test.

Where a server does not answer the test skips with the reason, or fails where PLUTODUCK_REQUIRE_SERVICES is set.
"""

import contextlib
import os
import socket
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

from tests.ingestion import object_server


def needs(name, port):
    with contextlib.suppress(OSError), socket.create_connection(("127.0.0.1", port), timeout=2):
        return
    reason = f"no {name} server answers on 127.0.0.1:{port}"
    pytest.fail(reason) if os.environ.get("PLUTODUCK_REQUIRE_SERVICES") else pytest.skip(reason)


@contextlib.contextmanager
def postgres_schema():
    """The address of a schema of its own, dropped at the end."""
    psycopg = pytest.importorskip("psycopg", reason="the package psycopg is not installed")
    needs("postgres", 5432)
    address, name = "postgresql://postgres@127.0.0.1/postgres", f"state_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
        try:
            yield f"{address}?options=-csearch_path%3D{name}"
        finally:
            connection.execute(f"DROP SCHEMA {name} CASCADE")


@contextlib.contextmanager
def redis_prefix():
    """The address of a prefix of its own, whose keys are deleted at the end."""
    redis = pytest.importorskip("redis", reason="the package redis is not installed")
    needs("redis", 6379)
    address, name = "redis://127.0.0.1:6379/0", f"state_{uuid.uuid4().hex[:12]}"
    try:
        yield f"{address}#{name}"
    finally:
        with redis.Redis.from_url(address) as client:
            client.delete(*client.scan_iter(f"{{{name}}}:*", count=1000), "none")


@contextlib.contextmanager
def s3_options():
    """The options of an S3 store in a process of its own, whose bucket is BUCKET."""
    pytest.importorskip("obstore", reason="the package obstore is not installed")
    command = [sys.executable, "-m", "tests.ingestion.object_server"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[1]) as server:
        try:
            port = int(server.stdout.readline())
            yield {**object_server.CREDENTIALS, "endpoint": f"http://127.0.0.1:{port}"}
        finally:
            server.kill()
