"""docs/events.md and docs/http-api.md list what there is: every event with its fields, every call, every code."""

import re
from dataclasses import fields
from pathlib import Path

import pytest
from tests.api.test_schemathesis import OPERATIONS

from pluto_duck_backend.agent import events
from pluto_duck_backend.app.api import problems

ROOT = Path(__file__).parents[2]
EVENTS = (ROOT / "docs" / "events.md").read_text()
HTTP = (ROOT / "docs" / "http-api.md").read_text()
KINDS = [each for each in vars(events).values() if isinstance(each, type) and issubclass(each, events.Event)]


def _row(kind):
    return next((line for line in EVENTS.splitlines() if f"| {kind.__name__} |" in line), "")


@pytest.mark.parametrize("kind", [each for each in KINDS if each is not events.Event], ids=lambda kind: kind.__name__)
def test_every_event_is_described_with_its_fields(kind):
    row = _row(kind)
    assert f"`{kind.type}.{kind.subtype}`" in row
    if kind not in (events.MessageFinal, events.JobChunk):
        assert [each.name for each in fields(kind) if f"`{each.name}`" not in row] == []


def test_every_field_of_the_final_object_is_described():
    section = EVENTS.split("## The final object")[1].split("## ")[0]
    assert [each.name for each in fields(events.MessageFinal) if f"`{each.name}`" not in section] == []


def test_every_call_is_described_and_no_other():
    assert sorted(re.findall(r"^\| `([A-Z]+ \S+)`", HTTP, re.MULTILINE)) == sorted(OPERATIONS)


def test_every_code_of_https_own_is_described():
    source = "".join(path.read_text() for path in Path(problems.__file__).parent.glob("*.py"))
    codes = set(re.findall(r'problem\(\s*\d{3},\s*"(\w+)"', source)) | set(problems._CODES.values())
    assert {"unauthorized", "foreign_host", "foreign_origin", "body_too_large", "internal"} <= codes
    assert [code for code in codes if f"| `{code}` |" not in HTTP] == []
