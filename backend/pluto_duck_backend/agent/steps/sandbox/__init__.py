"""A few lines of Python over results, in a process of its own that can open no file and reach no network.

rules.py   what the code may say: its syntax tree is checked before anything runs
child.py   the process: takes the data in, gives up its rights, runs the code, writes the result
running.py starts it, feeds it, ends it when it takes too long, and reads what it wrote
"""

from __future__ import annotations

from pluto_duck_backend.agent.steps.sandbox.rules import GIVEN, check
from pluto_duck_backend.agent.steps.sandbox.running import Frame, Limits, run

__all__ = ["GIVEN", "Frame", "Limits", "check", "run"]
