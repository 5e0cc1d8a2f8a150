"""Answers in several steps: each has a name and one thing to do, is checked, and its result serves the later ones."""
