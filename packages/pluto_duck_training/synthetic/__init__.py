"""Synthetic analysts' questions with their sketches, over any catalog; and catalogs made up to ask them of.

domains.txt ─▶ databases.py (tables with rows) ─▶ roles.py (what each column is good for) ─▶ slots/ (what a template's
places stand for) ─▶ families/*.txt (templates) ─▶ questions.py (Made: question, line, kind).
"""

from pluto_duck_training.synthetic.questions import Made, generate, generate_all

__all__ = ["Made", "generate", "generate_all"]
