"""The event log: numbered without a gap, the same for every reader, whole after any death of its process."""

import asyncio
import threading

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pluto_duck_backend.agent.event_log import EventLog, shape
from pluto_duck_backend.agent.events import MessageChunk, ReasoningChunk, RunChunk, RunEnd, RunError
from pluto_duck_backend.app.core.errors import InternalFault
from pluto_duck_backend.app.services.state.in_files.sessions import SessionFiles


def _log(folder, texts=(), *, ended=False):
    log = EventLog.create(SessionFiles(folder, shape()), "run-1")
    for text in texts:
        log.append(MessageChunk(text))
    if ended:
        log.append(RunEnd("succeeded"))
    return log


def test_events_of_one_moment_are_numbered_in_order_and_end_the_log_like_single_ones(tmp_path):
    log = _log(tmp_path, ["a"])
    assert log.append(MessageChunk("b"), MessageChunk("c"), RunEnd("succeeded")) == 4
    assert [each["seq"] for each in log.events()] == [1, 2, 3, 4]
    assert EventLog.load(SessionFiles(tmp_path, shape()), "run-1").events() == log.events()
    assert log.ended


def test_what_is_held_comes_with_what_is_told_next(tmp_path):
    log = _log(tmp_path, ["a"])
    log.hold(MessageChunk("b"))
    assert [each["content"]["text"] for each in log.events()] == ["a"]
    log.hold(MessageChunk("c"))
    assert log.append() == 3
    log.hold(MessageChunk("d"))
    log.append(RunEnd("succeeded"))
    assert [each["seq"] for each in log.events()] == [1, 2, 3, 4, 5]
    assert [each["content"].get("text") for each in log.events()] == ["a", "b", "c", "d", None]
    assert EventLog.load(SessionFiles(tmp_path, shape()), "run-1").events() == log.events()


def test_events_count_from_one_and_say_when(tmp_path):
    events = _log(tmp_path, ["a", "b"], ended=True).events()
    assert [each["seq"] for each in events] == [1, 2, 3]
    assert events[0]["content"] == {"text": "a"}
    assert set(events[0]) == {"run_id", "seq", "type", "subtype", "content", "timestamp"}
    assert events[0]["timestamp"].endswith("Z")


def test_nothing_follows_the_terminal_event(tmp_path):
    log = _log(tmp_path, ended=True)
    with pytest.raises(InternalFault):
        log.append(RunError("late", "too late", "", False))
    assert len(EventLog.load(SessionFiles(tmp_path, shape()), "run-1").events()) == 1


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=8), st.integers(0, 400), st.booleans())
def test_a_file_cut_anywhere_loads_as_a_prefix_and_goes_on(tmp_path_factory, texts, cut, ended):
    folder = tmp_path_factory.mktemp("log")
    log, path = _log(folder, texts or ["one"], ended=ended), folder / "run-1.jsonl"
    whole = log.events()
    path.write_bytes(path.read_bytes()[: -cut or None])
    again = EventLog.reopen(SessionFiles(folder, shape()), "run-1")
    kept = again.events()
    assert kept == whole[: len(kept)]
    if not again.ended:
        again.append(RunError("interrupted", "gone", "", True))
    lines = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert [line["seq"] for line in lines] == list(range(1, len(lines) + 1))
    assert lines == again.events()


@settings(max_examples=30, deadline=None)
@given(st.lists(st.text(max_size=200_000 // 8), min_size=1, max_size=6))
def test_first_and_last_equal_the_whole_log_s(tmp_path_factory, texts):
    folder = tmp_path_factory.mktemp("log")
    events = _log(folder, texts).events()
    (found,) = SessionFiles(folder, shape()).latest()
    assert (orjson.loads(found.first), orjson.loads(found.last)) == (events[0], events[-1])


def test_readers_that_start_anywhere_see_the_same(tmp_path):
    log = _log(tmp_path, ["0"])
    seen = {after: [] for after in range(4)}
    readers = [threading.Thread(target=lambda n=n: seen[n].extend(log.follow(n))) for n in seen]
    for reader in readers:
        reader.start()
    for number in range(500):
        log.append(MessageChunk(str(number)))
    log.append(RunEnd("succeeded"))
    for reader in readers:
        reader.join(timeout=20)
    everything = log.events()
    assert all(seen[after] == everything[after:] for after in seen)


def test_two_hundred_async_readers_see_every_frame_once(tmp_path):
    log = _log(tmp_path)

    async def read(after):
        return b"".join([frames async for frames in log.afollow(after)])

    async def main():
        readers = [asyncio.create_task(read(0)) for _ in range(200)]
        await asyncio.sleep(0)
        writer = threading.Thread(target=_write_500, args=(log,))
        writer.start()
        return await asyncio.gather(*readers)

    assert set(asyncio.run(main())) == {log.frames(0)}
    assert log.frames(0).count(b"\n\n") == 501


def _write_500(log):
    for number in range(500):
        log.append(MessageChunk(f"line\nbreak {number}"))
    log.append(RunEnd("succeeded"))


def test_follow_can_be_stopped(tmp_path):
    assert list(_log(tmp_path, ["a"]).follow(stop=lambda: True)) == []


def test_what_json_cannot_hold_keeps_no_log_from_its_end(tmp_path):
    log, deep = _log(tmp_path), []
    for _ in range(2_000):
        deep = [deep]
    log.hold(ReasoningChunk("sql", "half \ud83d"), RunChunk("", route={"n": 10**30, "\udfff": deep}))
    log.append(RunEnd("succeeded"))
    read = EventLog.load(SessionFiles(tmp_path, shape()), "run-1").events()
    assert [each["content"].get("message") for each in read[:1]] == ["half ?"]
    assert read[1]["content"]["route"]["n"] == str(10**30)
    assert read[-1]["content"]["status"] == "succeeded"
