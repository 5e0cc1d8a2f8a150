"""The suites that the figures are of, what their questions are, and which of them nobody has ever looked at."""

from dataclasses import dataclass

LOOKED_AT, NEVER = "looked at", "never looked at"
HELD = "held"


@dataclass(frozen=True)
class Suite:
    """What is asked, in words, and the split that was never looked at; None: all of it was, `""`: nothing was."""

    name: str
    asked: str
    never: str | None = None

    def part(self, split: str | None) -> str:
        """The part that a question of this split belongs to."""
        return NEVER if self.never is not None and (not self.never or split == self.never) else LOOKED_AT


SUITES = (
    Suite("analysts", "analysts' questions over the demo, Chinook, Northwind, the shop, TPC-H"),
    Suite("unseen", "harder ones over eight databases, looked at after their first figures"),
    Suite("fresh", "in everyday words, written afterwards by another hand", ""),
    Suite("practice", "over six databases of the training set's kind"),
    Suite("chinook", "plain questions over Chinook"),
    Suite("northwind", "over Northwind"),
    Suite("shop", "over the shop"),
    Suite("tpch", "over TPC-H"),
    Suite("titanic", "over the passengers of the Titanic"),
    Suite("trades", "28 businesses, nineteen looked at", HELD),
    Suite("cold", "ten businesses, seven looked at", HELD),
    Suite("newcomers", "eight databases by people who knew no suite, five looked at", HELD),
    Suite("samples", "twelve databases that many people have, eight looked at", HELD),
    Suite("flat", "twelve single files, eight looked at", HELD),
    Suite("dialogues", "turns of our own writing"),
    Suite("strangers", "508 turns of 129 dialogues as people of a trade lead them, 29 never looked at", HELD),
    Suite("threads", "480 turns of 120 dialogues over thirty databases, twenty looked at", HELD),
    Suite("unanswerable", "130 without an answer, 100 that have one"),
    Suite("unheld", "without an answer"),
    Suite("ambiguous", "that two readings fit: asked back or refused"),
)
BY_NAME = {each.name: each for each in SUITES}
