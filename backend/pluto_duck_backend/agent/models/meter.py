"""What one run's calls have used, and whether the next call may be made."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Usage:
    """What calls have used, of one call or of a whole run."""

    input_tokens: int = 0
    output_tokens: int = 0
    cost_usd: float = 0.0
    calls: int = 0

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.input_tokens + other.input_tokens,
            self.output_tokens + other.output_tokens,
            self.cost_usd + other.cost_usd,
            self.calls + other.calls,
        )


@dataclass
class Meter:
    """One run's; only its thread writes."""

    used: Usage = field(default_factory=Usage)

    def add(self, usage: Usage) -> None:
        self.used = self.used + usage
