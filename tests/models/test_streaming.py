"""The loop that calls models: one for the process, whoever asks first."""

import asyncio
import importlib.util
import threading
import time
from concurrent.futures import ThreadPoolExecutor

from pluto_duck_backend.agent.models import streaming


def test_threads_that_call_first_at_once_share_one_loop(monkeypatch):
    spec = importlib.util.spec_from_file_location("streaming_anew", streaming.__file__)
    anew = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(anew)
    made, together = asyncio.new_event_loop, threading.Barrier(8)

    def slowly():
        time.sleep(0.02)
        return made()

    async def here():
        return id(asyncio.get_running_loop())

    def first():
        together.wait()
        return asyncio.run_coroutine_threadsafe(here(), anew._loop()).result()

    monkeypatch.setattr(asyncio, "new_event_loop", slowly)
    with ThreadPoolExecutor(8) as pool:
        assert len({each.result() for each in [pool.submit(first) for _ in range(8)]}) == 1
