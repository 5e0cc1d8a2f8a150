"""The event log: events a second to disk, publish to delivery, deliveries to many readers."""

import asyncio
import statistics
import tempfile
import threading
import time
from pathlib import Path

from pluto_duck_backend.agent.event_log import EventLog, shape
from pluto_duck_backend.agent.events import MessageChunk, RunEnd
from pluto_duck_backend.app.services.state.in_files.sessions import SessionFiles


def main():
    folder = Path(tempfile.mkdtemp())
    print(f"to disk: {_events_per_second(folder):,.0f} events/s")
    print(f"publish to delivery, in process: median {_latency(folder) * 1000:.3f} ms")
    for readers in (100, 1000):
        print(f"{readers} readers: {_deliveries_per_second(folder, readers):,.0f} deliveries/s")


def _events_per_second(folder, count=100_000):
    log = EventLog.create(SessionFiles(folder, shape()), "run-disk")
    began = time.perf_counter()
    for _ in range(count):
        log.append(MessageChunk("a piece of the answer"))
    return count / (time.perf_counter() - began)


def _latency(folder, count=500):
    log, sent, took = EventLog.create(SessionFiles(folder, shape()), "run-latency"), {}, []

    def read():
        took.extend(time.perf_counter() - sent[event["seq"]] for event in log.follow() if event["seq"] in sent)

    reader = threading.Thread(target=read)
    reader.start()
    for seq in range(1, count):
        sent[seq] = time.perf_counter()
        log.append(MessageChunk("x"))
        time.sleep(0.001)
    log.append(RunEnd("succeeded"))
    reader.join()
    return statistics.median(took)


def _deliveries_per_second(folder, readers, count=1000):
    log = EventLog.create(SessionFiles(folder, shape()), f"run-readers-{readers}")

    def write():
        for _ in range(count - 1):
            log.append(MessageChunk("x"))
        log.append(RunEnd("succeeded"))

    async def read():
        return sum([frames.count(b"\n\n") async for frames in log.afollow()])

    async def run():
        tasks = [asyncio.create_task(read()) for _ in range(readers)]
        await asyncio.sleep(0)
        threading.Thread(target=write).start()
        return await asyncio.gather(*tasks)

    began = time.perf_counter()
    seen = asyncio.run(run())
    assert set(seen) == {count}
    return readers * count / (time.perf_counter() - began)
