"""An agent as one file: what goes out comes in again; what is hostile is refused and nothing is kept."""

import contextlib
import io
import stat
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pluto_duck_backend.agent.agents.archive import demands, packed, unpacked
from pluto_duck_backend.agent.agents.definition import read_definition
from pluto_duck_backend.app.core.config import load_settings
from pluto_duck_backend.app.core.errors import InvalidInput

MAIN = "description: Sales\n"


def zipped(*parts):
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts:
            archive.writestr(name, text)
    return made.getvalue()


def link(name, target):
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info, target


def test_what_goes_out_comes_in_again():
    texts = {"agent.yaml": MAIN, "rules.md": "Grün ist gut.\n"}
    assert packed("sales", texts) == packed("sales", dict(reversed(texts.items())))
    assert unpacked(packed("sales", texts), "f.zip") == ("sales", texts)


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"no zip at all", "no archive that can be read"),
        (zipped(), "one folder"),
        (zipped(("agent.yaml", MAIN)), "one folder"),
        (zipped(("../agent.yaml", MAIN)), "'..' is no name"),
        (zipped(("a/agent.yaml", MAIN), ("b/agent.yaml", MAIN)), "one folder"),
        (zipped(("a/agent.yaml", MAIN), ("a/../../x.md", "x")), "one folder"),
        (zipped(("a/agent.yaml", MAIN), ("a/run.sh", "rm")), "Markdown"),
        (zipped(("a/agent.yaml", MAIN), link("a/rules.md", "/etc/passwd")), "is a link"),
        (zipped(("a/agent.yaml", MAIN), ("a/bomb.md", "x" * 30_000_000)), "unpacks to more than"),
        (zipped(*[(f"a/{number}.md", "x") for number in range(200)]), "at most 50"),
        (zipped(("a/agent.yaml", MAIN), ("a/k.md", "x\nsk-abcdefghijklmnopqrstuvwx\n")), r"k\.md:2: .* an API key"),
        (zipped(("a/agent.yaml", MAIN), ("a/k.md", "-----BEGIN RSA PRIVATE KEY-----")), "a private key"),
        (zipped(("a/agent.yaml", MAIN), ("a/k.md", "postgresql://u:secret@host/db")), "a password"),
        (zipped(("a/agent.yaml", MAIN), ("a/k.md", b"\xff\xfe\x00")), "no UTF-8"),
        (zipped(("a/agent.yaml", "scop: {}")), "no key 'scop'"),
    ],
)
def test_what_is_hostile_is_refused(data, told):
    with pytest.raises(InvalidInput, match=told):
        name, texts = unpacked(data, "f.zip")
        packed(name, texts)


@given(st.integers(0, 400), st.integers(1, 255))
def test_an_archive_that_was_damaged_is_refused_in_words_or_reads_as_before(place, flip):
    whole = packed("sales", {"agent.yaml": MAIN, "rules.md": "Green is good. " * 50})
    damaged = bytearray(whole)
    damaged[place % len(whole)] ^= flip
    with contextlib.suppress(InvalidInput):
        unpacked(bytes(damaged), "f.zip")


def test_other_ways_of_packing_are_refused():
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_LZMA) as archive:
        archive.writestr("a/agent.yaml", MAIN)
    with pytest.raises(InvalidInput, match="another way than deflate"):
        unpacked(made.getvalue(), "f.zip")


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_in_words(data):
    with pytest.raises(InvalidInput):
        unpacked(data, "f.zip")


def test_a_secret_does_not_go_out():
    with pytest.raises(InvalidInput, match="a token of ours"):
        packed("a", {"agent.yaml": MAIN, "rules.md": f"Use pd_{'x' * 43}"})


@pytest.mark.parametrize(
    ("text", "settings", "said"),
    [
        ("", {}, ["all that its asker may see", "by embedded; nothing leaves", "what the settings let"]),
        (
            "provider: openai\npolicy: best\nprivacy: rows\nbudget: {usd: 0.5}\n"
            "scope: {tables: [orders], rows: {orders: paid}}\n",
            {"privacy": "rows", "policy": "best"},
            ["reads orders; of orders the rows where paid.", "a hosted model may see: rows", "at most 0.5 usd"],
        ),
    ],
)
def test_what_it_asks_for_is_told(tmp_path, text, settings, said):
    told = " ".join(demands(read_definition(text, "agent.yaml"), load_settings(tmp_path, agent=settings)))
    assert [each for each in said if each not in told] == [], told
