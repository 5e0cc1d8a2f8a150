"""What restricts rows by stored values, of one column alternatives; by flags, numbers after a name, what is known."""

from __future__ import annotations

from pluto_duck_text2sql.data.catalog import is_calendar
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.name_index import Target
from pluto_duck_text2sql.data.presence import Presence
from pluto_duck_text2sql.data.values import ValueHit
from pluto_duck_text2sql.data.yes_no import denied, yes_of
from pluto_duck_text2sql.reading.against import Against
from pluto_duck_text2sql.reading.cues import Cue
from pluto_duck_text2sql.reading.slots import Choice
from pluto_duck_text2sql.tree import Among, Col, Compare, Cond, Either, Missing, Query, Related, TableKey
from pluto_duck_text2sql.trees.phrases import TIE, hit_label, shown_name

_RIGHT_BEFORE = 1
"""How many words stand between a noun and the value right after it: `customers in Ireland`."""


class SaidValues(Against):
    """Conditions by stored values, flags and numbers that are named, and by what is known of a column."""

    def _value_conditions(self, query: Query) -> list[Cond]:
        """One condition for each column; several values of one column are alternatives."""
        by_column: dict[tuple[Col, bool], list[str]] = {}
        for item, negated in self.slots.values:
            hit = self._hit(item, query)
            self._claim(item, f"{item.text} → {shown_name((hit.schema, hit.table))}.{hit.column} = {hit.value!r}")
            by_column.setdefault((Col((hit.schema, hit.table), hit.column), negated), []).append(hit.value)
        made: list[Cond] = []
        for (column, negated), values in by_column.items():
            unique = tuple(dict.fromkeys(values))
            if len(unique) == 1:
                made.append(Compare(column, "!=" if negated else "=", unique[0]))
            elif not negated and self._wants_both() and column.table != query.anchor:
                made += [Related(column.table, (Compare(column, "=", value),)) for value in unique]
            else:
                made.append(Among(column, unique, negated))
        return [Either(tuple(made))] if len(made) == len(self.slots.values) == 2 and self._are_joined() else made

    def _are_joined(self) -> bool:
        """Whether an `or` stands between the two values that are said."""
        one, other = sorted((item for item, _ in self.slots.values), key=lambda each: each.start)
        return any(cue.kind == "or" and one.end <= cue.start < other.start for cue in self.cues)

    def _wants_both(self) -> bool:
        """Whether one thing must have all of the values, each in a row of its own: both Jazz and Classical."""
        said = [token.lower for token in self.tokens]
        return "both" in said or any(said[n : n + 3] == ["as", "well", "as"] for n in range(len(said)))

    def _hit(self, item: Mention, query: Query) -> ValueHit:
        """The stored value meant: of a column named beside it, else of the nearest table."""
        scored = self._scored(item, query)
        labels = list(dict.fromkeys(hit_label(hit) for value, hit in scored if value >= scored[0][0] - TIE))
        if len(labels) > 1:
            self.choices.append(Choice(item.text, tuple(labels[:4])))
        forced = [hit for _, hit in scored if self.forced and hit_label(hit) == self.forced]
        self.weakest = min(self.weakest, scored[0][1].score)
        return (forced or [scored[0][1]])[0]

    def _scored(self, item: Mention, query: Query) -> list[tuple[float, ValueHit]]:
        """The stored values that a mention hits, the likeliest first."""
        beside = self._named_beside(item)
        near = [query.anchor, *self.near]
        of = self._told_of_value(item, query)

        def score(hit: ValueHit) -> float:
            key = (hit.schema, hit.table)
            distance = min(self.reader.joins.distance(each, key) + 0.1 * n for n, each in enumerate(near))
            table = self.reader.catalog.table(*key)
            preferred = 0.02 * table.preference if table else 0.0
            named = 0.6 * ((key, hit.column) in beside) + 0.3 * (key in of)
            return hit.score + preferred + named - 0.15 * min(distance, 8)

        return sorted(
            ((score(hit), hit) for hit in item.hits), key=lambda pair: (-pair[0], pair[1].table, pair[1].column)
        )

    def _told_of_value(self, item: Mention, query: Query) -> set[TableKey]:
        """The table right before a value that tells of it: `staff based in London`."""
        told = [each for each in self.mentions if self._has_table(each) and self._leads_to(each, item)]
        of = {t.table.key for each in told[-1:] for t in each.targets[:1]}
        is_right_before = bool(told) and item.start - told[-1].end <= _RIGHT_BEFORE
        return of if is_right_before else of - {query.anchor}

    def _named_beside(self, item: Mention) -> set[tuple[TableKey, str]]:
        beside = [
            each
            for each in self.mentions
            if each is not item and min(abs(each.end - item.start), abs(each.start - item.end)) <= 2
        ]
        for each in beside:
            if each.targets and each in self.slots.also:
                self.claimed.update(range(each.start, each.end))
        return {(t.table.key, t.column.name) for each in beside for t in each.targets if t.column and t.score >= 0.5}

    def _presences(self, query: Query) -> list[Cond]:
        made = []
        for each in self.presences:
            condition = self._presence(each, query)
            self.claimed.update(range(each.start, each.end) if self._present(each, query) else ())
            made += [condition] if condition else []
        return made

    def _presence(self, presence: Presence, query: Query) -> Cond | None:
        """`with a known reason`: the column holds something; where nothing is named, what groups or is shown does."""
        column = self._present(presence, query)
        if column is None:
            return None
        if presence.counted:
            return Compare(column, ">" if presence.known else "=", 0)
        hits = self.reader.catalog.values.lookup("unknown", 50)
        said = [h.value for h in hits if ((h.schema, h.table), h.column) == (column.table, column.name)]
        if said and not self._has_gaps(column):
            return Compare(column, "!=" if presence.known else "=", said[0])
        missing = Missing(column, negated=presence.known)
        return None if missing in query.where else missing

    def _present(self, presence: Presence, query: Query) -> Col | None:
        if presence.targets:
            best = self.reader.resolver.best(presence.targets, [query.anchor, *self.near], None)
            target = next((each for _, each in best if self._may_miss(each)), best[0][1])
            return Col(target.table.key, target.column.name) if target.column else None
        named = [each for each in (*query.group, *query.select) if isinstance(each, Col)]
        return next((each for each in named if self._has_gaps(each)), None)

    def _may_miss(self, target: Target) -> bool:
        return target.column is not None and self._has_gaps(Col(target.table.key, target.column.name))

    def _numbered(self) -> list[Cond]:
        """`zip code 197`, `class 10018`: a number right after a column's name is its value."""
        made: list[Cond] = []
        for n, token in enumerate(self.tokens):
            if not token.lower[:1].isdigit() or token.quoted or n in self.claimed or self.words.taken(n):
                continue
            words = [self.tokens[n - 1].lower] if n else []
            end = n - 1 if words and words[0] in ("is", "number", "equals", "was") else n
            before = next(
                (each for each in self.mentions if each.end == end and any(t.column for t in each.targets)), None
            )
            column = self._column(before, ("number", "text")) if before else None
            if column is None:
                continue
            self.claimed.add(n)
            if before in self.slots.shown and (len(self.slots.shown) > 1 or self.slots.entity):
                self.slots.shown.remove(before)
            made.append(Compare(column, "=", token.number if self._holds_numbers(column) else token.text))
        return made

    def _flags(self, query: Query) -> list[Cond]:
        """`discontinued products`, `are active`: a two-valued column named as an adjective holds its true value."""
        made: list[Cond] = []
        for item in [*self.slots.also, *self.slots.shown]:
            flags = [
                each for each in item.targets if each.column and each.score >= 0.9 and yes_of(each.column) is not None
            ]
            near = [e for e in flags if e.table.key in (query.anchor, *self.near) or is_calendar(e.table)]
            if near and near[0].column:
                column = Col(near[0].table.key, near[0].column.name)
                if column not in query.select or len(query.select) == 1:
                    self._claim(item, f"{item.text} → {shown_name(column.table)}.{column.name} is true")
                    negated = self.never is not None and self.never.end <= item.start <= self.never.end + 1
                    made.append(
                        denied(column, near[0].column) if negated else Compare(column, "=", yes_of(near[0].column))
                    )
        return made

    def _like(self, cue: Cue, text: str, item: Mention | None, negated: bool) -> Cond | None:
        column = self._column(item, ("text",)) if item else None
        if column is None and self.entity:
            column = self.reader.resolver.label(self.entity)[0]
        if column is None:
            return None
        return Compare(column, "not like" if negated else "like", cue.data["like"].format(text))
