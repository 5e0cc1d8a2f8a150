"""Questions written by hand, in the words that people use, with the lines that they mean.

`questions/<database>.txt` has blocks: one or more `?` lines that ask the same, and a `=` line, the sketch that answers,
or `nothing` where the database holds no answer.
What can be told from a database's rows, names and values alone is in it: no row of a test set, no wording of a suite.
"""

from pluto_duck_training.asked.blocks import NOTHING, Block, Unread, blocks, files, line_of
from pluto_duck_training.asked.checks import Found, checked
from pluto_duck_training.asked.learned import HELD, over

__all__ = ["HELD", "NOTHING", "Block", "Found", "Unread", "blocks", "checked", "files", "line_of", "over"]
