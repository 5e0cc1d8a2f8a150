"""A question that was answered before, as one that leans on it needs to know of it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Earlier:
    """A question and, where it was asked back, the option that was picked."""

    question: str
    choice: str | None = None

    @classmethod
    def of(cls, said: Earlier | str) -> Earlier:
        """A question's text alone stands for one of which nothing was picked."""
        return cls(said) if isinstance(said, str) else said

    @property
    def as_meant(self) -> str:
        """Both in one line: `Sales by country (the billing country)`."""
        return f"{self.question} ({self.choice})" if self.choice else self.question
