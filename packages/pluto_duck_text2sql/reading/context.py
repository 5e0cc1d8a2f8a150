"""What a mention says beside the words around it: `restocked refunds`, `status O`, `product category`."""

from __future__ import annotations

from typing import Any

from pluto_duck_text2sql.data.catalog import is_calendar
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.qualifiers import FLAG, IS
from pluto_duck_text2sql.data.yes_no import is_yes_or_no
from pluto_duck_text2sql.language.words import MONEY
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.reading.detection import NEAR_WORDS, Detection
from pluto_duck_text2sql.reading.slots import Slots
from pluto_duck_text2sql.trees.phrases import AMOUNT_WORDS
from pluto_duck_text2sql.trees.units import unit_said

FILTERING = frozenset("with whose where who that which in from for of at on to have has had".split())
"""What begins a restriction."""
_ON = frozenset("on during".split())
_DONE = frozenset("taken made sold sent bought written sung built driven given done brought led run won".split())


class Context(Detection):
    """What a mention says beside the words around it."""

    slots: Slots

    def _tells_of_next(self, item: Mention, role: str) -> bool:
        """`top 5 outlets by paid checks`: a value right before what the order goes by says nothing of the order."""
        open_ = self.slots.best_of is None if self.slots.best is not None else not self.slots.orders
        follows = any(each.start == item.end and self._has_table(each) for each in self.mentions)
        return role == "order" and open_ and follows

    def _is_unit(self, item: Mention) -> bool:
        """`track length in milliseconds`: the unit of what is named before it, though a column is called so."""
        before = any(each.end == item.start - 1 and any(t.column for t in each.targets) for each in self.mentions)
        said = item.end == item.start + 1 and unit_said(self.tokens[item.start].lower)
        return bool(said) and before and self.tokens[item.start - 1].lower == "in"

    def _is_done(self, item: Mention) -> bool:
        """`orders that were shipped`: what was done to the rows asked for is nothing to show."""
        done = item.end == item.start + 1 and (self.tokens[item.start].lower.endswith("ed"))
        entity = self.slots.entity
        told = bool(item.start) and self.tokens[item.start - 1].lower in IS and entity is not None
        told = told or (entity is not None and entity.end == item.start)
        return done and told and not self._has_table(item)

    def _is_deed(self, item: Mention) -> bool:
        """`orders each hotel placed`: a verb that a moment is called by; there is no row for each moment."""
        word, before = self.tokens[item.start].lower, self.tokens[item.start - 1].lower if item.start else ""
        is_verb = item.end == item.start + 1 and (word.endswith("ed") or word in _DONE)
        is_time = bool(item.targets) and all(each.column and each.column.is_time for each in item.targets)
        return is_verb and is_time and before not in ("by", "per", "each", "every")

    def _acts(self, item: Mention) -> bool:
        """`taken by staff based in London`: who did it, told of by a value that follows, groups nothing."""
        by = item.start > 1 and self.tokens[item.start - 1].lower == "by"
        done = by and (self.tokens[item.start - 2].lower.endswith("ed") or self.tokens[item.start - 2].lower in _DONE)
        told = [each for each in self.mentions if each.hits and 0 < each.start - item.end <= NEAR_WORDS]
        return done and self._has_table(item) and bool(told) and self._leads_to(item, told[0])

    def _leads_to(self, item: Mention, value: Mention) -> bool:
        """Whether a value tells of the thing named right before it: `staff based in London`."""
        between = {token.lower for token in self.tokens[item.end : value.start]}
        return 0 < value.start - item.end <= NEAR_WORDS and bool(between & FILTERING)

    def _holds_rows(self, cue: Cue, item: Mention) -> bool:
        """`orders that contain toys`: a stored value of another table is no part of a text."""
        of_text = self.text(cue.start, cue.end).lower().startswith(("contain", "includ"))
        exact = [hit for hit in item.hits if hit.score >= FLAG]
        entity = self.slots.entity
        own = {each.table.key for each in entity.targets if each.column is None} if entity else set()
        elsewhere = all((hit.schema, hit.table) not in own for hit in exact)
        return of_text and bool(exact and own) and elsewhere and not self.tokens[item.start].quoted

    def _names_a_value(self, item: Mention) -> bool:
        """`status` in `status O`, `priority` in `medium priority`: the column of the value beside it, and no more."""
        columns = {(*each.table.key, each.column.name) for each in item.targets if each.column}
        beside = [each for each in self.mentions if item.start == each.end or item.end == each.start]
        values = [each for each in beside if each.hits and (not each.targets or self._is_value(each))]
        others = any(each is not item and each not in values for each in self.mentions)
        held = any((hit.schema, hit.table, hit.column) in columns for each in values for hit in each.hits)
        return held and others and not item.hits

    def _qualifies(self, item: Mention) -> bool:
        """`restocked` in `refunds that were restocked`, in `restocked refunds`: a two-valued column tells of rows."""
        flags = [each for each in item.targets if each.column and each.score >= FLAG and is_yes_or_no(each.column)]
        if not flags or self._has_table(item):
            return False
        beside = [each for each in self.mentions if each.start == item.end and self._has_table(each)]
        verb = item.end - item.start > 1  # customers who accept marketing: the flag's whole name, said of its rows
        beside += [each for each in self.mentions if verb and self._told_of(each, item) and self._has_table(each)]
        of_rows = any(t.table.key == flag.table.key for each in beside for t in each.targets for flag in flags)
        before = self.tokens[item.start - 1].lower if item.start else ""
        return of_rows or before in IS or (before in _ON and any(is_calendar(each.table) for each in flags))

    def _told_of(self, table: Mention, item: Mention) -> bool:
        between = {token.lower for token in self.tokens[table.end : item.start]}
        return table.end <= item.start and between <= {"who", "that", "which"}

    def _modifies_next(self, item: Mention) -> bool:
        """`product category`, `product name`: the first of two adjoining names only says which one is meant."""
        after = next((each for each in self.mentions if each.start == item.end and each.targets), None)
        if after is None or not self._has_table(item):
            return False
        table = next(each for each in item.targets if each.column is None).table.key
        follows = self.tokens[after.start].lower
        plain = follows not in AMOUNT_WORDS
        own = any(each.column and each.table.key == table for each in after.targets) and plain
        figure = plain and all(each.column is not None and each.column.kind == "number" for each in after.targets)
        if own or figure or self._has_table(after):
            self.claimed.update(range(item.start, item.end))
            return True
        return False

    def _is_judged(self, item: Mention) -> bool:
        """`our best client, going by sales`: what makes a row the best comes later."""
        later = [cue for cue in self.cues if cue.start >= item.end]
        says = any(cue.kind == "basis" or (cue.kind == "group" and not cue.data.get("each")) for cue in later)
        return says and self._has_table(item)

    def _has_table(self, item: Mention) -> bool:
        tables = [each.score for each in item.targets if each.column is None]
        columns = [each.score for each in item.targets if each.column is not None]
        return bool(tables) and max(tables) >= max(columns, default=0.0) - 0.05

    def _is_value(self, item: Mention) -> bool:
        """A span that is a name and a stored value is the value where it is written like one."""
        token = self.tokens[item.start]
        exact = any(hit.score == 1.0 for hit in item.hits)
        capital = token.text[:1].isupper() and item.start > 0
        named = {(*each.table.key, each.column.name) for each in item.targets if each.column}
        if exact and named and named <= {(hit.schema, hit.table, hit.column) for hit in item.hits}:
            return True  # a column that goes by the names of its values
        return token.quoted or (exact and (capital or max(each.score for each in item.targets) < 0.75))

    def _column_before(self, before: Any) -> Mention | None:
        return (
            before
            if isinstance(before, Mention) and any(each.column for each in before.targets)
            else self._last_column()
        )

    def _last_column(self) -> Mention | None:
        named = [each for each in [*self.slots.shown, *self.slots.also] if any(t.column for t in each.targets)]
        return named[-1] if named else None

    def _said_worth(self) -> bool:
        """`what is an urgent order worth on average`: the amount of what is asked for."""
        return self.slots.entity is not None and any(token.lower == "worth" for token in self.tokens)

    def _said_money(self) -> bool:
        longer = (
            each for each in self.mentions if each.end > each.start + 1 and each.targets and not self._is_amount(each)
        )
        inside = {n for each in longer for n in range(each.start, each.end)} | self.qualifying
        return any(token.stem in MONEY for n, token in enumerate(self.tokens) if n not in inside)
