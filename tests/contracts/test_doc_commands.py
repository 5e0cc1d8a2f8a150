"""Every `pluto-duck …` that the docs write parses: command, subcommand and options are there. Nothing runs."""

import re
import shlex
from importlib import import_module

import pytest
import typer
from tests.contracts.test_docs import MARKDOWN

from pluto_duck_cli.main import _ALIASES, _COMMON, COMMANDS

USAGE_ERROR = typer.BadParameter.__mro__[2]
UNKNOWN = re.compile("No such|extra argument")
#   what a mention within a sentence may not have; that it lacks an argument, or has NAME for one, is no fault there
PLACEHOLDER = re.compile(r"…|^[A-Z]+$|^\[")
GUIDE = next(path for path in MARKDOWN if path.name == "AGENT_CLI_GUIDE.md")


def _blocks(text):
    """What stands in fences, and what stands in backticks in the rest."""
    fenced = re.findall(r"^```.*?\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    rest = re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)
    return fenced, re.findall(r"`([^`]+)`", rest)


def _in_fence(line):
    """The command of a line, without its prompt, environment, pipe and remark; '' where there is none."""
    found = re.match(r"(?:[$>] )?(?:[A-Z_]+=\S+ )*(pluto-duck .*)", line)
    return found.group(1) if found else ""


def _words(line):
    """The words of a command line; what the shell takes (pipes, redirections, remarks) is left out."""
    lexer = shlex.shlex(line, posix=True, punctuation_chars="|&<>")
    lexer.whitespace_split, lexer.commenters = True, "#"
    words = []
    for word in lexer:
        if word.strip("|&<>") == "":
            break
        words.append(word)
    return words[1:]


def _written():
    for path in MARKDOWN:
        fenced, inline = _blocks(path.read_text())
        lines = [(_in_fence(line), True) for block in fenced for line in block.splitlines()]
        lines += [(each, False) for each in inline if each.startswith("pluto-duck ")]
        for line, is_whole in lines:
            words = _words(line) if line else []
            if words and not PLACEHOLDER.search(words[0]) and words[0] != "--help":
                yield pytest.param(words, is_whole, id=f"{path.name}: {line}"[:110])


def _command(words):
    """The typer command that is meant, and the words it is given; common flags may stand before it."""
    words = list(words)
    before = []
    while words[0] in _COMMON:
        before += [words.pop(0) for _ in range(1 + _COMMON[words[0]])]
    name = _ALIASES.get(words[0], words[0])
    assert name in COMMANDS, f"there is no command {words[0]!r}"
    module = import_module(f"pluto_duck_cli.commands.{name.replace('-', '_')}")
    command, given = typer.main.get_command(module.app), words[1:]
    while getattr(command, "commands", None) and given and given[0] in command.commands:
        command, given = command.commands[given[0]], given[1:]
    return command, [*given, *before]


@pytest.mark.parametrize(("words", "is_whole"), list(_written()))
def test_commands_in_the_docs_parse(words, is_whole):
    command, given = _command(words)
    try:
        command.make_context("pluto-duck", [word for word in given if word != "…"])
    except USAGE_ERROR as error:
        told = error.format_message()
        assert not is_whole and not UNKNOWN.search(told), told


def _guide_rows():
    cells = [line.split(" | ")[0].strip("| ") for line in GUIDE.read_text().splitlines() if line.startswith("| `")]
    return [each for cell in cells for each in re.findall(r"`([a-z][^`]+)`", cell.replace("\\|", "|"))]


def test_the_guide_names_every_command_and_options_that_are_there():
    rows = _guide_rows()
    assert {name for name in COMMANDS if not any(re.match(rf"{name}\b(?!-)", row) for row in rows)} == set()
    unknown = [
        f"{row}: {option}"
        for row in rows
        for option in re.findall(r"--[a-z-]+", row)
        if option not in _options(_command(row.split("|")[0].split())[0])
    ]
    assert unknown == []


def _options(command):
    return {name for each in command.params for name in each.opts}
