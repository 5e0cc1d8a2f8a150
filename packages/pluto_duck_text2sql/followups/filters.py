"""Filters of a follow-up: added, replaced by another value, widened, dropped."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, TypeGuard

from pluto_duck_text2sql.corrections.denials import turned
from pluto_duck_text2sql.corrections.none_of_such import lacking
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.data.yes_no import denied, is_yes_or_no, yes_of
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.of_parts import restricted_by_parts
from pluto_duck_text2sql.followups.telling import listed, told
from pluto_duck_text2sql.followups.trees import as_rows, is_time, times
from pluto_duck_text2sql.language.normal import normal
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import denies, stem, tokenise
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Cond,
    Expr,
    Inside,
    Missing,
    Query,
    Related,
    TableKey,
    columns_in,
    nodes_in,
)
from pluto_duck_text2sql.trees.parts import (
    conditions,
    keys,
    measures,
    replaced,
    subject,
    tables,
    with_where,
    without_groups,
)

_TIMES = frozenset("year quarter month week day date period time ever history".split())
_ALL = frozenset("everything everyone everybody worldwide globally everywhere row data record result entry".split())
_LAST = frozenset(("", "filter", "restriction", "condition", "last"))
_KEPT = Pattern(r",? (?:but|only|just|with)\b", re.IGNORECASE)
"""What begins so is kept or added, behind what is left out."""
_RESTRICTING = ("never", "not", "like", "cmp", "between", "cmp_avg", "or")
_MORE, _LESS = (">", ">="), ("<", "<=")
HAS_NONE = Pattern(
    r"\b(?:have|has|had|with) no (?!more\b|longer\b)[a-z]|\bwithout (?:an?|any) |\bnever\b", re.IGNORECASE
)


def drops(turn: Turn, draft: Draft) -> list[Draft]:
    """`all years`, `all countries together`, `without the status filter`: conditions taken away."""
    nouns = list(turn.frame.drops)
    nouns += [turn.frame.part("undropped", "noun")] if turn.frame.has("undropped") else []
    for noun in nouns:
        olds = _meant(noun, draft.query, turn.reader)
        if olds:
            draft = draft.changed(replaced(draft.query, olds, None), f"no longer → {told(olds)}")
        elif keys_ := _keys_meant(noun, draft.query, turn.reader, bool(_TOGETHER.search(turn.frame.text))):
            draft = draft.changed(without_groups(draft.query, keys_), f"no longer → by {listed(keys_)}")
        else:
            draft = replace(draft, weight=draft.weight * (0.9 if _is_bare(noun) else 0.6))
    return [draft]


def _keys_meant(noun: str, query: Query, reader: Reader, together: bool) -> list[Expr]:
    """The groups that a noun is the name of, where others stay, or all are put `together`."""
    named = {Col(t.table.key, t.column.name) for t in reader.names.find(_stems(noun)) if t.column and t.score >= 0.55}
    shown = [each for each in keys(query) if isinstance(each, Col) and each in query.group]
    meant: list[Expr] = [each for each in shown if each in named or {*_stems(noun)} <= {*_words_of(each, reader)}]
    return meant if together or len(meant) < len(keys(query)) else []


def _words_of(column: Col, reader: Reader) -> tuple[str, ...]:
    """The words of a column's name."""
    table = reader.catalog.table(*column.table)
    return table.stems(column.name) if table else ()


def _is_bare(noun: str) -> bool:
    return bool({each.stem for each in tokenise(noun)} & {*map(stem, _TIMES), *map(stem, _ALL)})


def _meant(noun: str, query: Query, reader: Reader) -> list[Cond]:
    """The conditions that a noun speaks of: by their column, its table, or their value."""
    found = [each for each in dict.fromkeys(conditions(query)) if not isinstance(each, Related) or not each.where]
    stems = {token.stem for token in tokenise(noun)}
    if stems & set(map(stem, _TIMES)):
        return times(query, reader)
    if stems & set(map(stem, _ALL)):
        return [each for each in found if not is_time(each, reader)]
    if not stems or stems & set(map(stem, _LAST)):
        return found[-1:]
    named = _by_name(noun, found, reader) or [each for each in found if _holds(each, noun)]
    about = any(t.column is None and t.table.key == subject(query) for t in reader.names.find(_stems(noun)))
    return named or ([each for each in found if not is_time(each, reader)] if about else [])


def _stems(text: str) -> tuple[str, ...]:
    return tuple(token.stem for token in tokenise(text))


def _by_name(noun: str, found: list[Cond], reader: Reader) -> list[Cond]:
    targets = reader.names.find(_stems(noun))
    columns = {Col(t.table.key, t.column.name) for t in targets if t.column and t.score >= 0.55}
    tables = {t.table.key for t in targets if t.column is None and t.score >= 0.7}
    by_column = [each for each in found if getattr(each, "left", None) in columns]
    by_table = [each for each in found if getattr(getattr(each, "left", None), "table", None) in tables]
    return by_column or by_table


def _holds(condition: Cond, text: str) -> bool:
    values = condition.values if isinstance(condition, Among) else [getattr(condition, "right", None)]
    return any(isinstance(each, str) and normal(each) == normal(text) for each in values)


_TOGETHER = Pattern(r"\b(?:together|combined|altogether|in all)\b", re.IGNORECASE)
_NEAR = 3


def filters(turn: Turn, draft: Draft) -> list[Draft]:
    """The follow-up's conditions, each in the place of an earlier one on the same column, or added."""
    fragment, new = turn.fragment, _said(turn, draft)
    if new or fragment.periods:
        draft = draft.using(fragment.beside(new))
    if new:
        draft = draft.using(n for cue in fragment.cues_of(*_RESTRICTING) for n in range(cue.start, cue.end))
    for each in dict.fromkeys(new):
        draft = _filtered(turn, draft, each)
    query = as_rows(draft.query, turn.reader) if new else draft.query
    return [replace(draft, query=restricted_by_parts(query, new, turn.reader))]


def _said(turn: Turn, draft: Draft) -> list[Cond]:
    """The conditions that it says; what one rule finds leaves nothing to some of those behind it."""
    new = list(turn.fragment.restrictions(draft.query))
    new += list(_defined(turn, new))
    new += list(_of_measures(turn, draft))
    new += list(_existing(turn, new))
    new += list(_others(turn, draft.query))
    new += list(_of_same(turn, new))
    new += list(_bound_anew(turn, draft))
    found = _all_left_out([turned(each, turn.frame.rest) for each in new], turn)
    return [_of_none(each, turn, subject(draft.query)) for each in found]


def _of_none(condition: Cond, turn: Turn, of: TableKey) -> Cond:
    """`which of them never had surgery`: those without any such row, not those with a row of another kind."""
    found: Cond = lacking(condition, of, turn.reader.joins) if HAS_NONE.search(turn.frame.text) else condition
    return found


def _filtered(turn: Turn, draft: Draft, new: Cond) -> Draft:
    """The draft with a condition, or without the one that it takes back."""
    olds = _taken_back(draft.query, new) if turn.frame.has("again") else []
    if olds:
        return draft.changed(replaced(draft.query, olds, None), f"no longer → {told(olds)}")
    query = _merged(draft.query, new, turn)
    return draft.changed(query, f"{_verb(draft.query, query)} → {told([new])}")


def _all_left_out(found: list[Cond], turn: Turn) -> list[Cond]:
    """`without upgrades and downgrades`: every value of the column is left out, not the first alone."""
    denied = {each.left for each in found if isinstance(each, Compare) and each.operator == "!="}
    if not denied or not turn.frame.rest.lower().startswith("without "):
        return found
    listed = _KEPT.split(turn.frame.text, maxsplit=1)[0]
    return [_left_out(each, denied, listed) for each in found]


def _left_out(condition: Cond, of: set[Expr], listed: str) -> Cond:
    """A condition that one of these is a value that is listed, as that it is not."""
    if not isinstance(condition, Compare) or condition.operator != "=" or condition.left not in of:
        return condition
    stems = {token.stem for token in tokenise(str(condition.right))}
    return replace(condition, operator="!=") if stems <= {each.stem for each in tokenise(listed)} else condition


def _defined(turn: Turn, found: list[Cond]) -> Iterator[Cond]:
    """`only wholesale`, `and Diabetes?`: what a glossary or a code table says that the words mean."""
    for said in turn.reader.terms.defined_in(turn.fragment.tokens) if not found else ():
        options = said.term.options
        reached = turn.reader.joins.tree(subject(turn.earlier), {each.table for each in columns_in(options)})
        if len(options) == 1 and reached is not None:
            turn.fragment.claimed.update(range(said.start, said.end))
            yield from options[0]


def _of_same(turn: Turn, found: list[Cond]) -> Iterator[Cond]:
    """`same for the phone orders`: a stored value of the rows told of, whatever else is called so."""
    asked, fragment = turn.frame.has("same") and not found, turn.fragment
    for item in fragment.slots.shown if asked else ():
        told = set(tables(turn.earlier)) | ({fragment.table} if fragment.table else set())
        hit = next((each for each in item.hits if each.score >= 1 and (each.schema, each.table) in told), None)
        if hit:
            fragment.claimed.update(fragment.span(item))
            yield Compare(Col((hit.schema, hit.table), hit.column), "=", hit.value)


def _taken_back(query: Query, new: Cond) -> list[Cond]:
    """`with Sales again`, `without Germany again`: the earlier conditions that the new one turns round."""
    if not isinstance(new, Compare | Among):
        return []
    olds = [each for each in conditions(query) if isinstance(each, Compare | Among) and each.left == new.left]
    return [each for each in olds if _is_negative(each) != _is_negative(new) and _values(each) == _values(new)]


def _others(turn: Turn, query: Query) -> Iterator[Cond]:
    """`and the others?`: what the last condition on a value leaves out."""
    equal = [each for each in conditions(query) if isinstance(each, Compare) and each.operator == "="]
    if turn.frame.has("others") and query.limit is None and equal:
        yield replace(equal[-1], operator="!=")


def _bound_anew(turn: Turn, draft: Draft) -> Iterator[Cond]:
    """`make that 40000`: another number in the place of the only one that bounds the rows, where nothing cuts them."""
    tokens, query = turn.fragment.tokens, draft.query
    number = tokens[0].number if len(tokens) == 1 and not turn.fragment.periods else None
    bounds = [each for each in conditions(query) if isinstance(each, Compare) and _is_ranged(each)]
    if turn.frame.has("change") and number is not None and len(bounds) == 1 and query.limit is None:
        turn.fragment.claimed.add(0)
        yield replace(bounds[0], right=number)


def _existing(turn: Turn, found: list[Cond]) -> Iterator[Cond]:
    """`how many of them are in stock?`: a number named where rows are counted is there; `are microchipped`: so is what
    a deed is named by."""
    fragment = turn.fragment
    for item in [*fragment.slots.shown, *fragment.slots.also] if turn.frame.has("count") and not found else ():
        column = fragment.named(item, ("number",))
        if column and fragment.holds_amounts(column):
            yield Compare(column, ">", 0)
        elif turn.frame.of_them and (flag := _flag(item, turn)):
            yield flag
        elif turn.frame.of_them and item.text.endswith("ed") and (told_ := fragment.named(item)):
            before = fragment.tokens[max(item.start - _NEAR, 0) : item.start]
            yield Missing(told_, negated=not any(denies(token.lower) for token in before))


def _flag(item: Mention, turn: Turn) -> Compare | None:
    """`how many of them opted in?`: a flag that is set, or is not where something before it denies."""
    at = turn.fragment.named(item)
    column = turn.reader.catalog.column(*at.table, at.name) if at else None
    if at is None or column is None or not is_yes_or_no(column):
        return None
    before = turn.fragment.tokens[max(item.start - _NEAR, 0) : item.start]
    is_denied = any(denies(token.lower) for token in before)
    return denied(at, column) if is_denied else Compare(at, "=", yes_of(column))


def _verb(before: Query, after: Query) -> str:
    return "only" if len(list(conditions(after))) > len(list(conditions(before))) else "now"


def _of_measures(turn: Turn, draft: Draft) -> Iterator[Cond]:
    """`more than 5`, `above 1000`: a bound on what is measured."""
    having, turn.fragment._having = turn.fragment._having, []
    yield from having
    found = measures(draft.query) if draft.query.group else turn.fragment.numbers_of(draft.query)
    for cue, item in turn.fragment.slots.compares:
        free = cue.kind == "cmp" and item is None and cue.start not in turn.fragment.bounded
        if free and found and not turn.fragment.compared_before(cue):
            yield Compare(found[-1], cue.data["op"], cue.data["n"])


def _merged(query: Query, new: Cond, turn: Turn) -> Query:
    new = _measured(query, new, turn)
    if isinstance(new, Compare) and any(isinstance(each, Agg) for each in nodes_in(new.left)):
        olds = [each for each in query.having if _same_side(each, new)]
        return replaced(query, olds, new) if olds else replace(query, having=(*query.having, new))
    olds = [each for each in conditions(query) if rivals(each, new)]
    wider = _widened(olds, new) if turn.frame.has("also") and not turn.frame.has("only") else None
    narrowed = _without(olds, new)
    if narrowed:
        return replaced(query, olds, narrowed)
    return replaced(query, olds, wider or new) if olds else with_where(query, [new])


def _measured(query: Query, new: Cond, turn: Turn) -> Cond:
    """A bound on a column that the query measures by groups is one on the measure."""
    if not isinstance(new, Compare) or not query.group or not isinstance(new.right, int | float):
        return new
    own = [each for each in measures(query) if isinstance(each, Agg) and each.of == new.left]
    of_rows = turn.fragment.table == subject(query) and not turn.fragment.says_function
    return replace(new, left=own[0]) if own and not of_rows else new


def rivals(old: Cond, new: Cond) -> bool:
    """Whether the new condition speaks of what the old one says."""
    if isinstance(old, Related) and isinstance(new, Related):
        return old.table == new.table and old.where == new.where
    if isinstance(old, Inside):
        return not old.negated and _is_of_values(new) and new.left == old.left
    if isinstance(old, Missing) or isinstance(new, Missing):
        return isinstance(old, Missing) and isinstance(new, Missing) and old.left == new.left
    if not isinstance(old, Compare | Among) or not isinstance(new, Compare | Among) or old.left != new.left:
        return False
    if _is_ranged(old) or _is_ranged(new):
        return _same_side(old, new)
    return not (_is_negative(old) or _is_negative(new)) or _values(old) & _values(new) != set()


def _is_of_values(condition: Cond) -> TypeGuard[Compare | Among]:
    """Whether it says which values a column has."""
    return isinstance(condition, Compare | Among) and not _is_negative(condition) and not _is_ranged(condition)


def _is_ranged(condition: Compare | Among) -> bool:
    return isinstance(condition, Compare) and condition.operator in (*_MORE, *_LESS)


def _same_side(old: Cond, new: Cond) -> bool:
    if not isinstance(old, Compare) or not isinstance(new, Compare) or old.left != new.left:
        return False
    return any(old.operator in side and new.operator in side for side in (_MORE, _LESS))


def _is_negative(condition: Compare | Among) -> bool:
    return condition.negated if isinstance(condition, Among) else condition.operator in ("!=", "not like")


def _values(condition: Cond) -> set[Any]:
    return set(condition.values) if isinstance(condition, Among) else {getattr(condition, "right", None)}


def _widened(olds: list[Cond], new: Cond) -> Cond | None:
    """`also France`: one of both."""
    equal = [each for each in olds if isinstance(each, Among) or (isinstance(each, Compare) and each.operator == "=")]
    if not equal or not isinstance(new, Compare | Among) or not isinstance(new.left, Col):
        return None
    values = [value for each in (*equal, new) for value in (each.values if isinstance(each, Among) else (each.right,))]
    return Among(new.left, tuple(dict.fromkeys(values)))


def _without(olds: list[Cond], new: Cond) -> Cond | None:
    """Of several values all but the one excluded."""
    among = next((each for each in olds if isinstance(each, Among) and not each.negated), None)
    if among is None or not isinstance(new, Compare | Among) or not _is_negative(new):
        return None
    left = tuple(each for each in among.values if each not in _values(new))
    return replace(among, values=left) if left else None
