"""The role of each cue and mention, from the words before it: what is shown, counted, grouped by, sorted by, compared.

No rule here knows a database; what the mentions mean is decided in the passes that follow (naming.py …).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.language.words import Token
from pluto_duck_text2sql.reading.context import FILTERING, Context
from pluto_duck_text2sql.reading.cues import ADJECTIVES, Cue
from pluto_duck_text2sql.reading.slots import Choice, Slots
from pluto_duck_text2sql.times.today import Today
from pluto_duck_text2sql.tree import Compare, Expr, TableKey

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader


_RANKING = ("super", "super_adj", "popular", "bestselling")
_COMPARING = ("cmp", "between", "cmp_avg")
_WAITING = ("count", "agg", "not", "distinct", "like")
"""Cues that leave the role as it is and wait for what follows."""
_KEEPING = ("show", "group")
"""Roles that a value or a restriction among them does not end."""
_DOWNWARDS = ("descending", "decreasing")
_HOW_MUCH: tuple[str, None, bool] = ("howmuch", None, False)


class Roles(Context):
    """First pass: every cue and mention gets a role from the words before it."""

    sorted_by: Cue | None = None
    distinct = False
    is_certain = False
    turned: bool | None = None
    never: Cue | None = None
    entity: Table | None = None

    def __init__(
        self, reader: Reader, tokens: list[Token], forced: str | None, counted_from: Today | None = None
    ) -> None:
        super().__init__(reader, tokens, forced, counted_from)
        self.slots = Slots()
        self.choices: list[Choice] = []
        self.lines: list[str] = []
        self.assumptions: list[str] = []
        self.weakest = 1.0
        self._having: list[Compare] = []
        self.compared: dict[int, Expr] = {}
        self.near: list[TableKey] = []
        self.of_rows: set[Expr | None] = set()

    def _assign(self) -> None:
        """Walk cues and mentions in order; the last cue and preposition decide what a mention is for."""
        role, pending = "show", None
        items: list[Cue | Mention] = sorted([*self.cues, *self.mentions], key=lambda each: each.start)
        for place, item in enumerate(items):
            before = items[place - 1] if place else None
            if isinstance(item, Cue):
                role, pending = self._cue(item, role, pending)
                continue
            role = self._role_by_preposition(item, before, role, pending)
            role, pending = self._mention(item, role, pending, before)
        if pending:
            self._left_waiting(pending)

    def _left_waiting(self, pending: Cue) -> None:
        """What a cue asks behind which nothing is named: how many, how much in all, the best, the other way round."""
        slots = self.slots
        if pending.kind == "count":
            slots.measures.append(("count", None, False))
        money = self._said_money() or self._said_worth()
        if pending.kind == "agg" and money and not slots.measures:
            slots.measures.append((pending.data["fn"], None, False))
        if pending.kind in _RANKING and slots.best is None:
            slots.best = pending
        if pending.kind == "sort" and pending.data.get("dir") and not slots.orders:
            slots.orders.append((None, pending.data["dir"] in _DOWNWARDS))

    def _cue(self, cue: Cue, role: str, pending: Cue | None) -> tuple[str, Cue | None]:
        """The role of what follows a cue, and the cue that waits for it."""
        if cue.kind in _WAITING:
            return role, cue
        if cue.kind in _RANKING:
            return role, self._ranked(cue, pending)
        if cue.kind in _COMPARING:
            self.slots.compares.append((cue, None))
            return ("averaged" if cue.kind == "cmp_avg" else "compared"), None
        return self._role_after(cue, role, pending)

    def _role_after(self, cue: Cue, role: str, pending: Cue | None) -> tuple[str, Cue | None]:
        match cue.kind:
            case "group":
                return self._grouping(cue), None
            case "basis":
                return ("order" if self._ranks_by_nothing() else "filter"), None
            case "share":
                return ("show" if role == "group" else role), pending
            case "sort":
                return "order", cue
            case "sort_adj":
                self.sorted_by = cue
                return role, None
            case "direction":
                self._turn(cue.data["desc"])
                return role, None
            case "howmuch":
                self.slots.measures.append(_HOW_MUCH)
                return "filter", cue
            case "never":
                self.never = cue
                return role, cue
        return role, pending

    def _grouping(self, cue: Cue) -> str:
        """`by` tells apart, unless it says what makes the best the best."""
        is_each = bool(cue.data.get("each"))
        self.slots.each = self.slots.each or is_each
        return "order" if self._ranks_by_nothing() and not is_each else "group"

    def _ranks_by_nothing(self) -> bool:
        """Whether the best are asked for, and nothing yet says by what."""
        return self.slots.best is not None and self.slots.best_of is None

    def _ranked(self, cue: Cue, pending: Cue | None) -> Cue | None:
        """The cue that waits: for what the best are, or the one before where `cheapest` only turns an order round."""
        if self.slots.orders and cue.kind == "super_adj":
            self._turn(cue.data.get("desc", ADJECTIVES.get(cue.data.get("adj", ""), ((), True))[1]))
            return pending
        self.slots.best = self.slots.best or cue
        return cue

    def _turn(self, descending: bool) -> None:
        if self.slots.orders:
            self.slots.orders[-1] = (self.slots.orders[-1][0], descending)
        else:
            self.turned = descending

    def _role_by_preposition(self, item: Mention, before: Cue | Mention | None, role: str, pending: Cue | None) -> str:
        """`with`, `in`, `from` … begin a restriction; `and` and a comma go on with what was."""
        if pending or role in ("compared", "averaged") or before is None:
            return role
        between = [self.tokens[n].lower for n in range(before.end, item.start)]
        if role == "group" and between and not set(between) <= {"and", "the", "its", "their"}:
            return "show" if self.slots.entity is None else "filter"
        if role in ("show", "filter") and set(between) & FILTERING and self.slots.entity is not None:
            return "filter"
        return role

    def _mention(self, item: Mention, role: str, pending: Cue | None, before: Any) -> tuple[str, Cue | None]:
        """Put a mention where its role says; the role of the next one, and the cue that still waits."""
        if self._names_a_value(item) or self._is_unit(item):
            self.claimed.update(range(item.start, item.end))
            return role, pending
        if item.hits and (not item.targets or self._is_value(item)):
            return self._value(item, role, pending, before)
        if item.term and item.term.options:
            negates = bool(pending and pending.kind == "not")
            self.slots.filters.append((item, negates))
            pending = None if negates else pending
            if not item.targets:
                return (role if role in _KEEPING else "filter"), pending
        return self._with_pending(item, role, pending) if pending else self._by_role(item, role)

    def _value(self, item: Mention, role: str, pending: Cue | None, before: Any) -> tuple[str, Cue | None]:
        """A stored value restricts, or is a part of a text: `whose name contains …`."""
        kind = pending.kind if pending else ""
        if pending and kind == "like" and not self._holds_rows(pending, item):
            self.slots.likes.append((pending, item.text, self._column_before(before), False))
            return "filter", None
        self.slots.values.append((item, kind in ("not", "never")))
        kept = None if kind in ("not", "never", "like") else pending
        return (role if role in _KEEPING or self._tells_of_next(item, role) else "filter"), kept

    def _by_role(self, item: Mention, role: str) -> tuple[str, Cue | None]:
        """A name that no cue waits for."""
        match role:
            case "compared":
                self._compare_after(item)
                return "filter", None
            case "averaged":
                return self._averaged(item), None
            case "group":
                return self._grouped(item), None
            case "order":
                self._ordered(item)
            case "show" if self._is_done(item):
                self.slots.also.append(item)
                self.claimed.update(range(item.start, item.end))
                self.mentions.remove(item)
            case "filter":
                self.slots.also.append(item)
            case "show" if self._qualifies(item):
                self.slots.also.append(item)
            case _:
                self._show(item)
        return role, None

    def _averaged(self, item: Mention) -> str:
        """`above average price`: of what the average is."""
        if self._modifies_next(item):
            return "averaged"
        self.slots.compares[-1] = (self.slots.compares[-1][0], item)
        return "filter"

    def _grouped(self, item: Mention) -> str:
        """What is told apart by; flags, deeds and those who did it only tell of rows."""
        slots = self.slots
        if self._qualifies(item) or self._is_deed(item):
            slots.also.append(item)
        elif self._acts(item):
            slots.also.append(item)
            return "filter"
        elif not self._modifies_next(item):
            slots.groups.append(item)
        return "group"

    def _with_pending(self, item: Mention, role: str, pending: Cue) -> tuple[str, Cue | None]:
        """A name that a cue waits for."""
        kind = pending.kind
        if kind not in ("not", "never") and self._qualifies(item):
            self.slots.also.append(item)
            return role, pending
        if kind in ("agg", "howmuch") and self._modifies_next(item):
            return role, pending
        if kind in ("count", "agg", "howmuch"):
            return self._figure_asked(item, pending), None
        if kind == "never" or (kind == "not" and self._qualifies(item)):
            self.slots.absent.append(item)
            return ("filter" if kind == "never" else role), None
        if kind in _RANKING:
            return self._best_of(item)
        if kind == "sort":
            self._ordered(item, descending=pending.data.get("dir") in _DOWNWARDS)
            return "order", None
        return self._left_open(item, role, pending)

    def _figure_asked(self, item: Mention, pending: Cue) -> str:
        """What is counted or put together; the role of what follows."""
        slots = self.slots
        if pending.kind == "howmuch":
            slots.measures.remove(_HOW_MUCH)
            slots.measures.append(("howmuch", item, False))
            return "filter"
        if pending.kind == "agg":
            slots.measures.append((pending.data["fn"], item, False))
            return "show"
        slots.measures.append(("count", item, bool(pending.data.get("distinct"))))
        if self._has_table(item):
            slots.entity = slots.entity or item
        return "show"

    def _left_open(self, item: Mention, role: str, pending: Cue) -> tuple[str, Cue | None]:
        """A name behind a cue that says nothing of its role but that each counts once."""
        if pending.kind == "distinct":
            self.slots.shown.append(item)
            self.distinct = True
        elif role == "group" and self._is_deed(item):
            self.slots.also.append(item)
            return role, pending
        elif role == "group":
            self.slots.groups.append(item)
        elif role == "show":
            self._show(item)
        else:
            self.slots.also.append(item)
        return role, None

    def _best_of(self, item: Mention) -> tuple[str, Cue | None]:
        """`top 5 products` ranks products; `the highest price`, `the most orders` rank by what follows."""
        slots, cue = self.slots, self.slots.best
        assert cue is not None
        ranks_rows = cue.data.get("top") or self._is_judged(item) or cue.kind in ("super_adj", "popular", "bestselling")
        if ranks_rows and slots.entity is None and (self._has_table(item) or cue.kind != "super_adj"):
            self._show(item)
            return "show", None
        if ranks_rows and cue.kind == "super_adj" and self._has_table(item):
            slots.also.append(item)
            return "filter", None
        slots.best_of = slots.best_of or item
        return "filter", None

    def _ordered(self, item: Mention, descending: bool = False) -> None:
        if self.slots.best is not None and self.slots.best_of is None:
            self.slots.best_of = item
        else:
            self.slots.orders.append((item, descending))

    def _show(self, item: Mention) -> None:
        if self._has_table(item) and self.slots.entity is None:
            self.slots.entity = item
        elif self._has_table(item) and not any(each.column for each in item.targets if each.score >= 0.9):
            self.slots.also.append(item)
        else:
            self.slots.shown.append(item)

    def _compare_after(self, item: Mention) -> None:
        """`more than 5 orders`: what is compared follows the number, unless it was named before."""
        cue, _ = self.slots.compares[-1]
        if item.start - cue.end <= 1 and not cue.data.get("money"):
            self.slots.compares[-1] = (cue, item)
        else:
            self.slots.also.append(item)
