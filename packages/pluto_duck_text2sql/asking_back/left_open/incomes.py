"""What revenue is: `what was our revenue in 2024` is what was invoiced, what was paid, or what the sold things cost.

Where several kinds of rows keep money that comes in, and no word of the question names any of them, each may be meant;
and what was invoiced may be of the day of the invoice or of the day when it was paid.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from pluto_duck_text2sql.asking_back.left_open.called_off import without_called_off
from pluto_duck_text2sql.asking_back.left_open.opening import Data, Opening, days, full_name, only_total, says_day
from pluto_duck_text2sql.asking_back.left_open.whose_day import by_done
from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.links import find_mentions
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_stems, stem, table_stems, tokenise
from pluto_duck_text2sql.tree import Col, Expr, Product, Query, TableKey, columns_in, mapped
from pluto_duck_text2sql.trees.parts import swapped
from pluto_duck_text2sql.trees.phrases import said_as

_ASKED = "Which money do you mean by {!r}?"
_WHEN = "By which date do you mean it?"
_INCOME = Pattern(
    r"\b(?:revenues?|turnover|income|takings|earnings|(?:how much|what)(?: money)? (?:did|do|have|has) we"
    r" (?:earn(?:ed)?|make|made|take|taken|sell|sold|bring in))\b",
    re.IGNORECASE,
)
_PAID = frozenset(map(stem, "paid payment settled received".split()))
_BILLED = frozenset(map(stem, "issued issue invoiced invoice billed bill".split()))


def which_income(question: str, query: Query, data: Data) -> Opening | None:
    """The money that a tree adds up, and other money that comes in; or the same by another day."""
    said, total = _INCOME.search(question), only_total(query)
    money = total.of if total and total.function == "sum" and not total.distinct else None
    if said is None or not isinstance(money, Col | Product) or money not in data.resolver.income():
        return None
    if _is_named(question, money, data):
        return without_called_off(query, _home(money), data)
    incomes = (each for each in data.resolver.income() if not _told_apart(question[: said.start()], money, each, data))
    own = _gross_and_net(question, query, money, data) or ((said_as(money), query),)
    others = [(said_as(each), tree) for each in incomes if (tree := _instead(query, money, each, data))]
    if others or len(own) > 1:
        return Opening(_ASKED.format(said[0].split()[-1]), (*own, *others))
    dates = _by_days(question, query, data)
    return Opening(_WHEN, tuple(dates)) if dates else without_called_off(query, _home(money), data)


def _gross_and_net(question: str, query: Query, money: Expr, data: Data) -> tuple[tuple[str, Query], ...]:
    """The tree by the gross amount and by the net one that the same rows keep, where the question says neither."""
    own = [each for each in data.resolver.income() if isinstance(each, Col) and each.table == _home(money)]
    said = {token.stem for token in tokenise(question)}
    pair = [each for kind in ("gross", "net") for each in own if kind in name_stems(each.name)]
    if len(pair) != 2 or money not in pair or not said.isdisjoint(("gross", "net")):
        return ()
    return tuple((said_as(each), swapped(query, money, each)) for each in pair)


def _is_named(question: str, money: Expr, data: Data) -> bool:
    """Whether a word of the question names the money, or the rows that keep it."""
    tokens = tokenise(question)
    mentions = find_mentions(tokens, [False] * len(tokens), data.names, data.catalog)
    targets = (each for mention in mentions for each in mention.targets)
    named = {(each.table.key, each.column.name if each.column else "") for each in targets}
    home = _home(money)
    columns = {(each.table, each.name) for each in columns_in(money) if isinstance(each, Col)}
    called = (data.names.rows(token.lower) for token in tokens)  # `sales`, which are money to other rules
    return any(table and table.key == home for table in called) or bool(named & {(home, ""), *columns})


def _told_apart(before: str, money: Expr, other: Expr, data: Data) -> bool:
    """Whether the word right before names what the money's rows belong to and those of the other do not: `room revenue`
    is of bookings, which are of rooms, and of no restaurant bills."""
    word = [token.stem for token in tokenise(before)][-1:]
    called = [each.key for each in data.catalog.tables if word and word[0] in table_stems(each.name)]
    own, others = ([data.belongs(_home(of), each) for each in called] for of in (money, other))
    return any(own) and not any(others)


def _instead(query: Query, money: Expr, other: Expr, data: Data) -> Query | None:
    """The tree with other money, of rows of their own and by the day of these; None where it cannot be."""
    home, there = _home(money), _home(other)
    day, own = data.day(there), days(query)
    if there == home or day is None or len(own) > 1 or not _are_of_the_same(home, there, data):
        return None

    def change(node: Any) -> Any:
        return other if node == money else day if node in own else node

    tree = replace(mapped(query, change), anchor=there)
    is_apart = not any(each.table == home for each in columns_in(tree))
    return tree if is_apart and data.carries(tree, there) else None


def _are_of_the_same(home: TableKey, there: TableKey, data: Data) -> bool:
    """Whether the rows of both belong to the same ones: customers, branches."""
    owners = [each.key for each in data.catalog.tables if each.key not in (home, there)]
    return any(data.belongs(home, each) and data.belongs(there, each) for each in owners)


def _by_days(question: str, query: Query, data: Data) -> list[tuple[str, Query]]:
    """The tree by the day on which something was billed or came, and by the day on which it was paid or done."""
    own = days(query)
    day = own.pop() if len(own) == 1 else None
    table = data.table(day.table) if day else None
    if day is None or table is None or says_day(question, [each.name for each in table.columns if each.is_time]):
        return []
    other = _other_day(day, table)
    ways = [(f"by {full_name(other)}", swapped(query, day, other))] if other else by_done(query, day, table)
    others = [*ways]
    return [(f"by {full_name(day)}", query), *others] if others else []


def _other_day(day: Col, table: Table) -> Col | None:
    """The day of payment of what is kept by the day of its bill, and the other way round."""
    dates = [each.name for each in table.columns if each.is_time]
    kinds = [[name for name in dates if not kind.isdisjoint(table.stems(name))] for kind in (_BILLED, _PAID)]
    pair = [name for names in kinds for name in names]
    is_pair = all(len(each) == 1 for each in kinds) and day.name in pair
    return next((Col(table.key, name) for name in pair if is_pair and name != day.name), None)


def _home(money: Expr) -> TableKey:
    return next(columns_in(money)).table
