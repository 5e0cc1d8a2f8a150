"""Who asks. Front ends find it out (a token, the user of this terminal); services decide what it may see."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, get_args

Role = Literal["viewer", "analyst", "engineer", "admin"]
ROLES: tuple[Role, ...] = get_args(Role)
"""From the least to the most: each may do what those before it may."""
AGENT_MARK = "@"
"""Between the rights of a user and the agent whose scope holds as well: `eu@sales`, `@sales`."""


@dataclass(frozen=True)
class Principal:
    """`rights` names what may be seen: an entry of the setting `rights`, an agent's scope after `@`, or both; empty:
    everything. `role` says what may be done with it. `agent` is the one agent that answers, where that is settled.
    """

    name: str = "local"
    rights: str = ""
    role: Role = "admin"
    agent: str = ""

    def within(self, agent: str) -> Principal:
        """This one, seeing no more than that agent's scope shows."""
        own = self.rights.partition(AGENT_MARK)[0]
        return replace(self, rights=f"{own}{AGENT_MARK}{agent}", agent=agent)

    @property
    def is_confined(self) -> bool:
        """Whether a part of the data is hidden."""
        return bool(self.rights)

    @property
    def sees_all_work(self) -> bool:
        """Whether what others asked for is this one's business, too."""
        return self.role == "admin" and not self.is_confined

    def is_at_least(self, role: Role) -> bool:
        return ROLES.index(self.role) >= ROLES.index(role)

    def may_see(self, owner: str) -> bool:
        """Whether what `owner` asked for is this one's business."""
        return self.sees_all_work or owner == self.name


OWNER = Principal()
