"""Calling a server the way a client does, and reading its event streams: lines of `id:`, `data:` and comments."""

import json
import ssl

import httpx

_NO_CERTIFICATES = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)


def calling(address, timeout=120, **options):
    """A client for plain HTTP: it does not read the system's certificates, which takes longer than most calls."""
    return httpx.Client(base_url=address, timeout=timeout, trust_env=False, verify=_NO_CERTIFICATES, **options)


def frames(client, path, *, last=None, limit=None, **params):
    """`[(id, event), …]` of a stream until it closes, or its first `limit` frames."""
    headers = {} if last is None else {"Last-Event-ID": str(last)}
    found = []
    with client.stream("GET", path, headers=headers, params=params) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        for block in blocks(answer.iter_lines()):
            found.append(block)
            if limit and len(found) == limit:
                return found
    return found


def blocks(lines):
    """Frames from lines: each has exactly an `id:` and a `data:`; comments are skipped."""
    block = {}
    for line in lines:
        if line.startswith(":"):
            continue
        if not line:
            if block:
                assert set(block) == {"id", "data"}, block
                yield int(block["id"]), json.loads(block["data"])
            block = {}
            continue
        name, _, value = line.partition(": ")
        assert name not in block
        block[name] = value
    assert not block, "the stream ended within a frame"


def ask(client, question="How many?", **more):
    """The run's id."""
    answer = client.post("/agent/run", json={"question": question, **more})
    assert answer.status_code == 202, answer.text
    return answer.json()["run_id"]


def names(found):
    return [f"{event['type']}.{event['subtype']}" for _, event in found]
