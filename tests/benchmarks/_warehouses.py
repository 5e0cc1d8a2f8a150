"""Large warehouses for the benchmarks, the same on every machine: a thousand tables, and ten million distinct texts.

`thousand_tables` fills a session with 25 schemas of 40 tables that point at each other; `ten_million_values` with four
tables of ten text columns in all, each with a million distinct values (fewer where `rows` says so).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

SCHEMAS = {
    "sales": "retail", "trade": "wholesale", "finance": "ledger", "people": "payroll", "logistics": "freight",
    "support": "helpdesk", "marketing": "campaign", "web": "online", "factory": "assembly", "quality": "inspection",
    "legal": "compliance", "estate": "property", "fleet": "vehicle", "energy": "utility", "research": "laboratory",
    "health": "clinic", "school": "campus", "travel": "airline", "hotel": "resort", "food": "kitchen",
    "media": "broadcast", "games": "player", "bank": "branch", "insurance": "policy", "telecom": "subscriber",
}  # fmt: skip
NOUNS = """region customer account contract order invoice payment refund shipment delivery warehouse item supplier
purchase_order receipt budget forecast employee shift absence ticket complaint survey campaign lead visit session asset
repair inspection incident audit document permit training project task milestone claim subscription""".split()
_AMOUNTS = "net_amount gross_value unit_cost service_fee total_price tax_charge".split()
_COUNTS = "item_quantity page_count worked_hours travel_distance head_count weight_kg".split()
LABELS = {
    "payment_method": "card cash transfer voucher cheque",
    "sales_channel": "web shop partner phone market",
    "priority_level": "urgent normal deferred critical",
    "service_region": "Northland Southmoor Eastvale Westbrook Midfield Lakeside",
    "approval_state": "approved rejected pending escalated withdrawn",
    "product_line": "Aurora Borealis Cascade Dynamo Everest Falcon",
    "contact_country": "Germany France Italy Spain Poland Norway Portugal Denmark",
}
_SYLLABLES = "ba ker lin mor ta vel son dri hol wen".split()
_OTHERS = "ca fer gu ham jo kle nar pos ri sta".split()
_ROUGH = "brun chal dorn esk frin gal hur ith jarl kron".split()


def thousand_tables(session: Any, rows: int = 100) -> None:
    """1,000 tables of 10 columns; each but a schema's first points at the one before it."""
    for number, (schema, theme) in enumerate(SCHEMAS.items()):
        session.execute(f"CREATE SCHEMA {schema}")
        for place, noun in enumerate(NOUNS):
            for statement in _table(schema, theme, noun, place, number * len(NOUNS) + place, rows):
                session.execute(statement)


def table_name(schema: str, noun: str) -> str:
    """What `thousand_tables` calls it."""
    return f"{schema}.{SCHEMAS[schema]}_{noun}s"


def labels(number: int) -> tuple[str, str]:
    """The two columns of labels that table `number` has."""
    names = list(LABELS)
    return names[number % len(names)], names[(number + 3) % len(names)]


def amount(number: int) -> str:
    """The column of money that table `number` has."""
    return _AMOUNTS[number % len(_AMOUNTS)]


def _table(schema: str, theme: str, noun: str, place: int, number: int, rows: int) -> Iterator[str]:
    name, parent = table_name(schema, noun), NOUNS[place - 1] if place else noun
    first, second = (LABELS[each] for each in labels(number))
    key = " PRIMARY KEY" if number % 2 else ""
    yield (
        f"CREATE TABLE {name} ({noun}_id INTEGER{key}, {'parent' if not place else parent}_id INTEGER, "
        f"{noun}_name VARCHAR, {labels(number)[0]} VARCHAR, {labels(number)[1]} VARCHAR, "
        f"{amount(number)} DECIMAL(12,2), {_COUNTS[number % len(_COUNTS)]} INTEGER, created_on DATE, "
        f"closed_at TIMESTAMP, is_active BOOLEAN)"
    )
    yield (
        f"INSERT INTO {name} SELECT range + 1, 1 + range * 7 % {rows}, "
        f"{_picked(_ROUGH, 'range')} || ' ' || {_picked(_OTHERS, f'range + {number * 37}')}, "
        f"{_of(first, 'range')}, {_of(second, 'range * 5 + 1')}, (range * 37 + {number}) % 9973 / 7, range % 48, "
        f"DATE '2023-01-01' + CAST(range * 11 % 1000 AS INTEGER), "
        f"TIMESTAMP '2023-01-02' + to_hours(range * 31 % 20000), range % 3 > 0 FROM range({rows})"
    )
    if number % 5 == 0:
        yield f"COMMENT ON TABLE {name} IS 'Every {noun} of {theme}'"
        yield f"COMMENT ON COLUMN {name}.{amount(number)} IS 'In euros'"


def _of(words: str, number: str) -> str:
    """SQL: one of the blank-separated `words`."""
    return f"({words.split()!r})[1 + CAST({number} AS BIGINT) % {len(words.split())}]"


def _picked(syllables: list[str], number: str) -> str:
    """SQL: a capitalised word of three syllables, another for each of 1,000 numbers."""
    parts = [f"({syllables!r})[1 + CAST(({number}) // {step} % {len(syllables)} AS BIGINT)]" for step in (1, 10, 100)]
    glued = " || ".join(parts)
    return f"upper(({glued})[1]) || ({glued})[2:]"


_FIRST = _picked(_SYLLABLES, "n")
_LAST = _picked(_OTHERS, "n // 1000")
_STREET = _picked(_ROUGH, "n // 1000")
_WAY = _of("Street Road Avenue Lane", "n")
_GOODS = _of("Lamp Chair Kettle Jacket Bicycle", "n")
_FORM = _of("Ltd Inc Group", "n")
_DOMAIN = _of("com org net", "n")
VALUES = {
    "people": {
        "full_name": f"{_FIRST} || ' ' || {_LAST}",
        "email": f"lower({_FIRST}) || '.' || lower({_LAST}) || (n % 89) || '@example.' || {_DOMAIN}",
        "login_name": f"lower({_LAST}) || lower({_FIRST})",
    },
    "addresses": {
        "street_address": f"(n % 1000 + 1) || ' ' || {_STREET} || ' ' || {_WAY}",
        "delivery_note": f"'Leave with ' || {_FIRST} || ' at the ' || {_LAST} || ' gate'",
    },
    "products": {
        "product_title": f"{_STREET} || ' ' || {_FIRST} || ' ' || {_GOODS}",
        "sku": "'SKU-' || upper(to_hex(n * 7919 % 1000003)) || '-' || n",
        "maker": f"{_LAST} || ' & ' || {_FIRST} || ' ' || {_FORM}",
    },
    "books": {
        "book_title": f"'The ' || {_FIRST} || ' of ' || {_LAST}",
        "author": f"{_STREET} || ', ' || {_FIRST}",
    },
}


def ten_million_values(session: Any, rows: int = 1_000_000) -> None:
    """Ten text columns of `rows` distinct values each, in four tables."""
    for table, columns in VALUES.items():
        made = ", ".join(f"{sql} AS {column}" for column, sql in columns.items())
        session.execute(f"CREATE TABLE {table} AS SELECT n AS {table}_id, {made} FROM range({rows}) AS r(n)")
