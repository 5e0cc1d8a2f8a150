"""QUESTIONS (100) asked at once of the embedded analyst over HTTP: all end, none is lost, memory stays."""

import asyncio
import json
import os
import statistics
import subprocess
import tempfile
import time
from collections import Counter
from pathlib import Path

import httpx

from tests.benchmarks._server import COMMAND, Server

SUITE = Path(__file__).parents[1] / "fixtures" / "demo" / "questions.jsonl"


def main() -> None:
    count = int(os.environ.get("QUESTIONS", "100"))
    asked = [json.loads(line)["question"] for line in SUITE.read_text().splitlines() if line.strip()]
    questions = [asked[number % len(asked)] for number in range(count)]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "root"
        subprocess.run([*COMMAND, "demo", "--root", str(root)], check=True, capture_output=True)
        with Server(root) as server:
            time.sleep(5)
            began = time.perf_counter()
            ended = asyncio.run(_all(server.address, questions))
            took = time.perf_counter() - began
            listed = server.client.get("/agent", params={"limit": 1000}).json()["runs"]
            memory = server.memory_mb("VmHWM")
    seconds = [each for _, each in ended]
    print(f"{count} questions at once: {took:.1f} s in all, each {statistics.median(seconds):.1f} s (median)")
    print(f"ends: {dict(Counter(status for status, _ in ended))}; in the list of runs: {len(listed) - 3} of {count}")
    print(f"memory of the server at most {memory:.0f} MB")


async def _all(address: str, questions: list[str]) -> list[tuple[str, float]]:
    limits = httpx.Limits(max_connections=None)
    async with httpx.AsyncClient(base_url=address, timeout=300, limits=limits, trust_env=False) as client:
        return await asyncio.gather(*(_one(client, question) for question in questions))


async def _one(client: httpx.AsyncClient, question: str) -> tuple[str, float]:
    """Status of the last event, and the seconds until it came."""
    began = time.perf_counter()
    url = (await client.post("/api/v1/agent/run", json={"question": question})).json()["events_url"]
    events = (await client.get(url)).text.strip().split("\n\n")
    last = json.loads(next(line[6:] for line in events[-1].splitlines() if line.startswith("data: ")))
    status = last["content"]["status"] if last["subtype"] == "end" else last["content"]["code"]
    return status, time.perf_counter() - began
