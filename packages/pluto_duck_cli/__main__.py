"""`python -m pluto_duck_cli`."""

from pluto_duck_cli.main import run

run()
