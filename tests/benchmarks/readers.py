"""One run, many SSE readers over HTTP: time to the last event, deliveries a second, and what each reader saw.

The readers are raw sockets in a process of their own, so that the client's parsing is not what is measured.
"""

import asyncio
import multiprocessing
import socket
import tempfile
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import uvicorn
from fastapi import FastAPI, Request

from pluto_duck_backend.agent.event_log import EventLog, shape
from pluto_duck_backend.agent.events import MessageChunk, RunEnd
from pluto_duck_backend.app.api import sse
from pluto_duck_backend.app.services.state.in_files.sessions import SessionFiles

EVENTS = 200


def main():
    for readers in (1, 100, 1000):
        for pause_s in (0.0, 0.002):
            _measure(readers, pause_s)


def _measure(readers, pause_s):
    log = EventLog.create(SessionFiles(Path(tempfile.mkdtemp()), shape()), "run-readers")
    server, port = _serve(log)
    outcome = multiprocessing.get_context("spawn").Queue()
    client = multiprocessing.get_context("spawn").Process(target=_read_all, args=(port, readers, outcome))
    client.start()
    assert outcome.get() == "connected"
    began = time.perf_counter()
    for _ in range(EVENTS - 1):
        log.append(MessageChunk("a piece of the answer"))
        time.sleep(pause_s)
    log.append(RunEnd("succeeded"))
    written = time.perf_counter() - began
    seen = outcome.get()
    took = time.perf_counter() - began
    client.join()
    server.should_exit = True
    assert seen == [EVENTS] * readers, f"{readers} readers saw {sorted(set(seen))} events"
    print(
        f"{readers:>5} readers, an event every {pause_s * 1000:g} ms: all {EVENTS} events each; "
        f"written in {written:.2f} s, the last seen after {took:.2f} s, {readers * EVENTS / took:,.0f} deliveries/s"
    )


def _serve(log):
    app = FastAPI()

    @app.get("/events")
    def events(request: Request, after: int | None = None):
        return sse.follow(request, log, after)

    listener = socket.create_server(("127.0.0.1", 0), backlog=2048)
    server = uvicorn.Server(uvicorn.Config(app, log_level="error", timeout_graceful_shutdown=1))
    threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True).start()
    while not server.started:
        time.sleep(0.01)
    return server, listener.getsockname()[1]


def _read_all(port, readers, outcome):
    outcome_of = SimpleNamespace(connected=0)

    async def read():
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
        await reader.readuntil(b"\r\n\r\n")
        outcome_of.connected += 1
        if outcome_of.connected == readers:
            outcome.put("connected")
        return (await reader.read()).count(b"id: ")

    async def run():
        return await asyncio.gather(*(read() for _ in range(readers)))

    outcome.put(asyncio.run(run()))
