"""The figures that the docs tell of the embedded analyst: every suite asked, its verdicts counted, tables of them."""
