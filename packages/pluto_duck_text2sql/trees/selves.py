"""Rows that point at rows of their own table: who reports to Ann, whose manager she is, who has none.

Called by `reader` at the end of a reading, and by `analyst` for the names. A table with a key to itself has a way up
(the row it points at) and a way down (the rows that point at it). Words say which: "reports to", "subordinates of"
look down, "manager of", "who manages" look up, "no manager" and "reports to nobody" mean that there is no row above.
So does the word that the key itself is called by: of `coach_id` "who coaches Ann" looks up, "who does Ann coach" down.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.name_index import NameIndex, Target
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import stem, table_stems
from pluto_duck_text2sql.tree import (
    Agg,
    Col,
    Compare,
    Cond,
    Expr,
    Inside,
    Missing,
    Operator,
    Own,
    Query,
    Rows,
    columns_in,
)
from pluto_duck_text2sql.trees.resolve import Resolver

_ABOVE = r"(?:manager|boss|supervisor|superior|parent|leader|head|chief|lead)s?"
_BELOW = r"(?:subordinate|direct report|report|underling|child|children|subcategor(?:y|ie)|dependant)s?"
_NONE = Pattern(
    rf"\b(?:no |without (?:an? )?|lack(?:s|ing)? (?:an? )?|(?:not|n't) have (?:an? |any )?){_ABOVE}\b"
    rf"|\b(?:report|reports|reporting) to (?:nobody|no one|no-one)\b",
    re.IGNORECASE,
)
_SOME = Pattern(
    r"\b(?:report|reports|reporting|answer|answers|answering) to (?:some|any)(?:body|one|-one)\b", re.IGNORECASE
)
_NONE_BELOW = Pattern(
    rf"\b(?:no|without(?: any)?|(?:not|n['’]t) have(?: any)?) (?:direct )?{_BELOW}\b"
    r"|\b(?:nobody|no one|no-one|none) (?:who |that )?(?:reports?|reporting|answers?|answering) to (?:them|him|her)\b"
    r"|\b(?:manages?|supervises?|leads?|heads?) (?:nobody|no one|no-one)\b",
    re.IGNORECASE,
)
_UP = Pattern(
    rf"\b{_ABOVE} of\b|\bwho (?:is|was) .+ {_ABOVE}\b|\bwho (?:manages|supervises|leads|heads|is above)\b"
    r"|\b(?:whom?) (?:does|do|did) .+ (?:report|answer) to\b",
    re.IGNORECASE,
)
_DOWN = Pattern(
    rf"\b{_BELOW} (?:of|to)\b|\b(?:reports?|reporting|answers?|works?|working) (?:directly )?(?:to|under|for)\b"
    r"|\b(?:managed|supervised|led|headed) by\b|\bbelow\b|\bwhose (?:manager|boss|supervisor|parent)\b"
    r"|\bdoes .+ (?:manage|supervise|lead)\b",
    re.IGNORECASE,
)
_OWN_UP = Pattern(
    r"\bUP of\b|\bwho(?: has| have| had| is| was)? UP(?:ING)?\b(?! by\b)|\bwho (?:is|was) .+ UP\b|\bby whom\b"
)
_OWN_DOWN = Pattern(
    r"\bUP (?:by|under)\b|\bwhose UP\b|\b(?:does|do|did|has|have|had) .+ UP\W*$|\b(?:is|was|are|were) .+ UPING\W*$"
)
_OWN_NONE = Pattern(r"\b(?:no|without(?: an?| any)?|lack(?:s|ing)?(?: an?)?|(?:not|n't|n’t) have(?: an?| any)?) UP\b")
_ANYBODY = r"(?:some|any)(?:body|one)|another \w+|other \w+|others|a friend"
_OWN_ANY = Pattern(
    rf"\b(?:has|have|had|having|with) an? UP\W*$|\b(?:is|was|are|were|been|ones?|those) UP(?: by (?:{_ANYBODY}))?\W*$"
    rf"|\bUP by (?:{_ANYBODY})\W*$"
)
_OWN_NONE_BELOW = Pattern(rf"\b(?:never|not|n['’]t) (?:\w+ )?UP(?:ING)?(?: (?:{_ANYBODY}|any \w+|a \w+))?\W*$")
"""The same of the word that the key upwards is called by."""
_NO_WORDS = frozenset(("id", "by", "to", "no", "num", "code", "key", "number"))
_CALLED = ("manager", "boss", "supervisor", "parent")
_BOSSES = frozenset(map(stem, "manager boss supervisor superior".split()))
_STAFF = frozenset(map(stem, "employee staff personnel worker colleague".split()))
"""Who has a boss that is one of them: customers have a manager who is no customer."""
_BY = "by"
_LEADS = frozenset(map(stem, "manage manager supervise supervisor lead leader head report".split()))
_WORD = Pattern(r"[^\W\d_]+")
_THEIRS = Pattern(r"\b(?:than|above|below|over|under|exceeds?) (?:that of )?(?:their|his|her|its)\b", re.IGNORECASE)
_THAN_THEIRS = Pattern(rf"{_THEIRS.pattern} (?:own |direct )?(?:{_ABOVE}|UP)\b", re.IGNORECASE)
_TURNED = ("<", "<=", ">", ">=")
_AGED: dict[str, Operator] = {"older": "<", "younger": ">"}
_SAME = Pattern(r"\b(?:same|also|else|too|share[sd]?)\b", re.IGNORECASE)
_DOER = Pattern(r"\w{3,}[eo]r")
_NAMED = 0.9
WORDS = Pattern(
    rf"{_ABOVE}|{_BELOW}|(?:manag|supervis|lead)(?:es|ed|ing)|reporting|answers?|nobody|one|them|(?:some|any)(?:body|one)",
    re.IGNORECASE,
)
"""The words that say how rows of one table hang together."""


@dataclass(frozen=True)
class Ladder:
    """A table, the column that points at the row above, and what it points at."""

    table: Table
    up: Col
    key: Col

    @classmethod
    def of(cls, table: Table, question: str = "") -> Ladder | None:
        """The ladder of a table with a key to itself: of several the one whose key the question names."""
        own = [each for each in table.foreign_keys if (each.ref_schema, each.ref_table) == table.key]
        pairs = [(each.columns[0], each.ref_columns[0]) for each in own if len(each.columns) == 1]
        found = [cls(table, *(Col(table.key, name) for name in pair)) for pair in pairs or _undeclared(table)]
        named = (each for each in found if each.marked(question) != question)
        return next(named, found[0]) if found else None

    @cached_property
    def own(self) -> frozenset[str]:
        """The word that the key is called by and what is done by such: a `trainer` trains."""
        called = set(self.table.stems(self.up.name)) - _NO_WORDS - set(table_stems(self.table.name))
        return frozenset((*called, *(each[:-2] for each in called if _DOER.fullmatch(each))))

    @property
    def leads(self) -> bool:
        """Whether the row above may be called a manager: not where the key says what it did, `referred_by`."""
        written = set(self.table.stems(self.up.name))
        return _BY not in written or bool(written & _LEADS)

    def marked(self, question: str) -> str:
        """The question in small letters with UP for the word that the key is called by; as it is without one."""
        words = {each for each in _WORD.findall(question) if stem(each.lower()) in self.own}
        if not words:
            return question
        marks = {each: "UPING" if each.lower().endswith("ing") else "UP" for each in words}
        return _WORD.sub(lambda each: marks.get(each[0], each[0].lower()), question)

    def is_lacked(self, question: str) -> bool | None:
        """Whether rows are asked for that point at none, or, said by the key's own word, at one; else None."""
        marked = self.marked(question)
        if _NONE.search(question) or _OWN_NONE.search(marked):
            return True
        return False if _SOME.search(question) or _OWN_ANY.search(marked) else None

    def ends(self, question: str) -> bool:
        """Whether rows are asked for that no others point at."""
        return bool(_NONE_BELOW.search(question) or _OWN_NONE_BELOW.search(self.marked(question)))

    def rises(self, question: str) -> bool | None:
        """Whether the question looks up rather than down; None where it says neither."""
        if _UP.search(question) or _DOWN.search(question):
            return bool(_UP.search(question))
        marked = self.marked(question)
        if _OWN_UP.search(marked):
            return True
        return False if _OWN_DOWN.search(marked) else None


def _undeclared(table: Table) -> list[tuple[str, str]]:
    """A boss's column of staff that no key is declared of, as where 0 stands for nobody, and their own key."""
    if len(table.primary_key) != 1 or not _STAFF.intersection(table_stems(table.name)[-1:]):
        return []
    key = table.primary_key[0]
    pointing = {name for each in table.foreign_keys for name in each.columns}
    named = (each for each in table.columns if each.name != key and each.name not in pointing)
    called = [each for each in named if set(table.stems(each.name)) - _NO_WORDS in ({boss} for boss in _BOSSES)]
    own = table.column(key)
    return [(each.name, key) for each in called if own and each.kind == own.kind == "number"]


def name_ladders(catalog: Catalog, names: NameIndex) -> None:
    """Teach the index what people call the row above: `manager` is `ReportsTo`."""
    for table in catalog.tables:
        ladder = Ladder.of(table)
        column = table.column(ladder.up.name) if ladder else None
        if ladder and column:
            for word in _names_of(ladder):
                names.add((word,), (Target(table, column, _NAMED),))


def _names_of(ladder: Ladder) -> Collection[str]:
    """What people call the row above."""
    known = {stem(word) for word in _CALLED}
    done = frozenset[str]() if ladder.own & known else ladder.own.difference(ladder.table.stems(ladder.up.name))
    return known | done if ladder.leads else done


def beside_theirs(query: Query, question: str, catalog: Catalog) -> Query:
    """`paid more than their manager`: each row beside the one that it points at, not beside all managers."""
    if query.group or query.then or not _THEIRS.search(question):
        return query
    return replace(query, where=tuple(_beside(each, question, catalog) for each in query.where))


def _beside(condition: Cond, question: str, catalog: Catalog) -> Cond:
    left = condition.left if isinstance(condition, Compare) and condition.operator in _TURNED else None
    table = catalog.table(*left.table) if isinstance(left, Col) else None
    ladder = Ladder.of(table, question) if table else None
    if ladder is None or not isinstance(condition, Compare) or not isinstance(left, Col):
        return condition
    if not _THAN_THEIRS.search(ladder.marked(question)) or left in (ladder.up, ladder.key):
        return condition
    born = {"birth", "born"} & set(ladder.table.stems(left.name))
    aged = next((way for word, way in _AGED.items() if born and f"{word} than" in question.lower()), None)
    above = Own(Agg("max", left), ladder.key, here=ladder.up)
    return replace(condition, operator=aged or condition.operator, right=above)


def below_named(query: Query, question: str, catalog: Catalog, resolver: Resolver) -> Query:
    """`who reports to Ann Lee`: those whose manager she is, not those that have hers, nor she herself."""
    table = catalog.table(*query.anchor)
    ladder = Ladder.of(table, question) if table else None
    if table is None or ladder is None or query.group or query.then:
        return query
    label = resolver.label(table)
    where = tuple(_to_above(each, ladder, question) for each in query.where)
    named = tuple(each for each in query.where if _is_of_one_below(each, label, question))
    if where != query.where or not named or ladder.up in columns_in(query.where):
        return replace(query, where=where)
    beside = tuple(each for each in query.where if _is_name(each, label))
    rest = tuple(each for each in query.where if each not in beside)
    return replace(query, select=_shown(query, ladder, label), where=(*rest, _step(ladder, beside, rises=False)))


def _to_above(condition: Cond, ladder: Ladder, question: str) -> Cond:
    """That a row points at those named, or is the one that they point at, where the tree has it point where they do."""
    if not isinstance(condition, Compare | Inside) or not isinstance(condition.left, Col):
        return condition
    is_among = isinstance(condition, Inside) and not condition.negated
    within = condition.query if isinstance(condition, Inside) else condition.right
    is_same = is_among or (isinstance(condition, Compare) and condition.operator == "=")
    if not is_same or not isinstance(within, Query) or within.select != (condition.left,):
        return condition
    if condition.left.table != ladder.table.key or condition.left == ladder.key:
        return condition
    if any(_is_said_below(each, question) for each in within.where):
        return Inside(ladder.up, replace(within, select=(ladder.key,)))
    is_above = condition.left == ladder.up and ladder.rises(question) and not _SAME.search(question)
    return Inside(ladder.key, within) if is_above else condition


def _is_of_one_below(condition: Cond, label: Collection[Col], question: str) -> bool:
    return _is_name(condition, label) and _is_said_below(condition, question)


def _is_name(condition: Cond, label: Collection[Col]) -> bool:
    return isinstance(condition, Compare) and condition.operator == "=" and condition.left in label


def _is_said_below(condition: Cond, question: str) -> bool:
    """Whether what a condition holds follows the words for being below: `reports to Ann`."""
    held = condition.right if isinstance(condition, Compare) else None
    after = (question[match.end() :].strip().casefold() for match in _DOWN.finditer(question))
    return isinstance(held, str) and any(each.startswith(held.casefold()) for each in after)


def climbed(question: str, query: Query, catalog: Catalog, label: Sequence[Col]) -> Query:
    """The query with its conditions on the rows above or below; as it was where no words say so."""
    table = catalog.table(*query.anchor)
    ladder = Ladder.of(table, question) if table else None
    if ladder is None or query.group not in ((), (ladder.up,)):
        return query
    where = _on_the_ladder(question, query, ladder)
    plain = replace(query, group=())
    return query if where is None else replace(plain, select=_shown(plain, ladder, label), where=where)


def _on_the_ladder(question: str, query: Query, ladder: Ladder) -> tuple[Cond, ...] | None:
    """The conditions of a query of those at an end, those who lack one above, or those a step from some."""
    if ladder.ends(question):
        above = Query(ladder.table.key, (ladder.up,))
        kept = tuple(each for each in query.where if ladder.up not in columns_in(each))
        return (*kept, Inside(ladder.key, above, negated=True))
    theirs = tuple(each for each in query.where if _is_of(each, ladder))
    lacks = ladder.is_lacked(question)
    if lacks or (lacks is False and not theirs):
        return tuple(dict.fromkeys((*query.where, Missing(ladder.up, negated=not lacks))))
    rises = ladder.rises(question)
    if not theirs or rises is None:
        return None
    rest = tuple(each for each in query.where if each not in theirs)
    return (*rest, _step(ladder, theirs, rises))


def _step(ladder: Ladder, theirs: tuple[Cond, ...], rises: bool) -> Cond:
    if rises:
        return Inside(ladder.key, Query(ladder.table.key, (ladder.up,), theirs))
    return Inside(ladder.up, Query(ladder.table.key, (ladder.key,), theirs))


def _is_of(condition: Cond, ladder: Ladder) -> bool:
    return all(each.table == ladder.table.key for each in columns_in(condition)) and ladder.up not in (
        *columns_in(condition),
    )


def _shown(query: Query, ladder: Ladder, label: Sequence[Col]) -> tuple[Expr, ...]:
    """What is shown but for the key upwards, which only said how the rows hang together."""
    rows = Agg("count", Rows(ladder.table.key))
    counted = (rows if isinstance(each, Agg) and each.of == ladder.up else each for each in query.select)
    return tuple(each for each in counted if each != ladder.up) or tuple(label)
