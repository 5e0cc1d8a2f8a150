"""Who asks. Front ends find it out (a token, the user of this terminal); services decide what it may see."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Principal:
    """`rights` names an entry of the setting `rights`; empty: everything."""

    name: str = "local"
    rights: str = ""

    @property
    def is_confined(self) -> bool:
        return bool(self.rights)

    def may_see(self, owner: str) -> bool:
        """Whether what `owner` asked for is this one's business."""
        return not self.is_confined or owner == self.name


OWNER = Principal()
