"""Questions that no query answers: orders to change data, causes, predictions, opinions, advice."""

from __future__ import annotations

import re

_REFUSALS = (
    (
        r"^\s*(?:please )?(?:delete|drop|update|insert|remove|truncate|alter|create|rename|add|set|write|send|email)\b",
        "This would change or send something; questions here only read. Data comes in by `pluto-duck ingest`.",
    ),
    (
        r"^\s*why\b|\b(?:what|which) (?:caused|explains)|\breasons? (?:for|why)\b|\bwhat is the cause\b",
        "A query can show what happened, not why. Ask how a number differs between groups or periods.",
    ),
    (
        r"\b(?:predict|forecast|will (?:we|it|our|the|they|be)|(?:is|are|am) (?:\w+ )?going to|next (?:year|month|quarter|week)|expected to|in the future)\b",
        "The data ends in the past; it holds no forecast. Ask for the trend so far, by month or by year.",
    ),
    (
        r"\b(?:should (?:we|i|they)|recommend|what do you think|your opinion|is it a good idea|advice)\b",
        "That is a judgement, not a figure. Ask for the figures that would inform it.",
    ),
)


def refusal(question: str) -> str | None:
    """Why the question is none for a database, or None."""
    for pattern, message in _REFUSALS:
        if re.search(pattern, question, re.IGNORECASE):
            return message
    return None
