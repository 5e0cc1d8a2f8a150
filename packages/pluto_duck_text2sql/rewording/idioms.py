"""Everyday ways to say what the data calls by a name of its own: `who came up with it` is its composer or inventor.

Called by `rewordings`. Each is put only where something in the data is called by what it is put into.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.data.catalog import Catalog, Table
from pluto_duck_text2sql.data.joins import KEY_WORDS
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import name_parts, stem, table_stems, table_words, tokenise
from pluto_duck_text2sql.rewording.at_work import headcount_then

_NAMED, _PART = 0.9, 0.5
_MADE = Pattern(
    r"^who (?P<did>came up with|thought up|dreamt up|dreamed up|composed|invented|designed|founded|created)"
    r" (?P<what>[^,;:]+?)\W*$",
    re.IGNORECASE,
)
_MAKERS = ("composer", "inventor", "creator", "designer", "author", "founder")
_OWN_MAKER = {"composed": "composer", "invented": "inventor", "designed": "designer", "founded": "founder"}
_OWN_MAKER["created"] = "creator"
_KIND = Pattern(
    r"\b(?P<many>kind|type|sort|style)(?P<s>s?) of (?:music|films?|movies?|books?|games?|songs?)\b", re.IGNORECASE
)
_KINDS = ("genre", "category")
_EARNS = Pattern(r"\bearn(?:s|ed|ing)? (?P<than>more|less) than\b(?! *[$€£]?\d)", re.IGNORECASE)
_PAY = ("salary", "wage", "pay", "income")
_JOINED = Pattern(
    r"^who (?:has |have )?(?:signed up|registered|joined|subscribed|enrolled) (?:but|and|yet|though|without)"
    r"(?: (?:has|have|had|then|they|who))*(?= (?:never|not|no|did|hasn|haven|didn|ever|\w+ing)\b)",
    re.IGNORECASE,
)
_SIGNED = (
    ("signup",),
    ("sign", "up"),
    ("registered",),
    ("registration",),
    ("joined",),
    ("created",),
    ("create",),
    ("creation",),
)
_DID = Pattern(
    r"^who (?:has |have |had )?(?=(?:ordered|bought|purchased|shopped|booked|rented|hired|donated|subscribed)\b"
    r"(?! (?:again|more than|twice|a second|several|repeatedly)))",
    re.IGNORECASE,
)
_DOERS = frozenset(map(stem, "customer client buyer shopper guest donor member patron subscriber borrower".split()))
"""Who does such things, rather than those that serve them."""
_ORDERED = Pattern(
    r"(?P<who>\b[a-z]+)(?: who| that)? (?:have|has|had) (?:ever |actually )?(?:ordered|bought|purchased)"
    r"(?: anything| something| from us)?(?= (?:by|per|for each|in each)\b)",
    re.IGNORECASE,
)
_DEEDS = ("order", "purchase", "sale", "invoice")
_TAKEN = Pattern(
    r"^what (?:did|do|have) we (?P<did>invoiced?|bill(?:ed)?|purchased?|charged?|earn(?:ed)?|spen[dt]|collect(?:ed)?)"
    r"(?=\W*$| (?:per|by|in|each|every|last|this|for|from|since|during|leaving|excluding|without|on)\b)",
    re.IGNORECASE,
)
_CHARGED = Pattern(
    r"^(?:what|how much) (?:do|does|did) (?:we|you|they|it|one) (?:charge|ask) (?:(?:customers|people|them) )?for"
    r" (?P<what>[^,;:?]+?)\W*$",
    re.IGNORECASE,
)
_NOT_MADE = Pattern(
    r"(?:\b(?:who|that|which) )?\b(?:have|has|had|did)(?: not|n['’]t| never) (?:yet |ever )?"
    r"(?:open(?:ed)?|raised?|submit(?:ted)?|filed?|placed?|ma[dk]e|logged|log|had|have|got|get|book(?:ed)?|sent|send)"
    r" (?:an?|any|one) (?P<rows>[a-z]+)(?= (?:since|in|during|this|last|for)\b|\W*$)",
    re.IGNORECASE,
)
_SUPPORT = Pattern(
    r"\b(?P<did>contact(?:ed|s|ing)?|call(?:ed)?|written to|wrote to) (?:our |the |us for )?"
    r"(?:customer )?(?:support|service|help ?desk)\b",
    re.IGNORECASE,
)
_CASES = ("ticket", "case", "request", "enquiry", "inquiry")
_UNIT = r"(?:hour|day|week|month|quarter|year)"
_PER_ROW = Pattern(
    r"\b(?P<which>which|what) (?P<who>[a-z]+) (?P<has>has|had|have|makes|made|brings in)"
    r" the (?P<most>highest|lowest|best|most|least) (?P<what>(?!average|mean|number|total)[a-z]+(?: [a-z]+)?)"
    rf" per (?P<row>(?!{_UNIT})[a-z]+)\b",
    re.IGNORECASE,
)
_MONEY_MADE = Pattern(
    r"\b(?P<does>br(?:ings?|ought) (?:us )?in|ma(?:kes?|de)(?: us)?|earn(?:s|ed)?(?: us)?|generates?d?)"
    r" the (?P<most>most|least) money(?= per\b)",
    re.IGNORECASE,
)
_SPENT_PER_ROW = Pattern(
    r"\b(?P<which>which|what) (?P<who>[a-z]+(?: [a-z]+)?) (?:spends?|spent|pays?|paid)"
    r" the (?P<most>most|least)(?: money)? (?:per|on each) (?P<row>[a-z]+)\b",
    re.IGNORECASE,
)
_COLUMN = r"[a-z]+(?:[- ][a-z]+){0,2}?"
_DIFFERS = Pattern(
    rf"\b(?:(?P<has>have|has|having|with) (?:a )?(?:different|another|other) (?P<one>{_COLUMN}) (?:than|from|to)"
    rf"|whose (?P<own>{_COLUMN}) (?:is|are) (?:not|different from|other than)|whose (?P<whose>{_COLUMN}) differs? from)"
    rf" (?:(?:the same as )?(?:their|its|the|his|her) )?(?P<other>{_COLUMN})(?=\W*$| (?:in|by|per|for|and|who)\b)",
    re.IGNORECASE,
)
"""Two columns of a row that are not alike."""
_BREAKS = Pattern(
    r"\bbreaks? down (?:the )?(?P<most>most|least)(?: often)?\b"
    r"|\b(?P<did>(?:has |have |had )?(?:broke|broken) down|break down|breaks down)\b(?! by\b)",
    re.IGNORECASE,
)
_BREAKDOWNS = ("breakdown", "fault", "failure", "malfunction", "outage", "repair")
_PAYING = Pattern(r"\bpaying (?P<who>[a-z]+)\b", re.IGNORECASE)
_BILLS = ("invoice", "bill")
_LOST = Pattern(r"\b(?P<rows>[a-z]+) (?:did|do|have|has) (?:we|they|i) (?:lose|lost)\b", re.IGNORECASE)
_TOOK = Pattern(r"\bhow many (?P<rows>[a-z]+) (?:did|do|have) (?:we|they) (?:take|taken)\b", re.IGNORECASE)
"""What comes in is taken, and brings no money by that word: `how many orders did we take`."""
_NUMBERS = Pattern(
    r"(?<!how many )(?<!\ball )(?<!\bnames and )(?<!\bnames, )"
    r"\b(?P<rows>[a-z]{3,}) (?:numbers|volumes?|counts)\b(?! of\b)",
    re.IGNORECASE,
)
"""`ride numbers`, `order volume`: how many of them, but for what is listed beside names."""
_LOW = ("lowest", "least")
_CAME_FIRST = Pattern(
    r"(?<!which )\b(?P<did>c[ao]mes?|coming|finish(?:ed|es)?) (?:in )?(?:first|1st)(?: place)?\b"
    r"(?! (?:to|by|with|name))",
    re.IGNORECASE,
)
_WINS = ("winning", "winner", "won", "wins")
_PLACES = ("rank", "ranking", "position", "standing")
_FULL_NAMES = Pattern(r"\b(?:full|whole|complete) names?\b", re.IGNORECASE)
_WHO = Pattern(r"^\W*(?:and |so )?who\b", re.IGNORECASE)
_ROLE = Pattern(r"\b(?:which|what|each|every|the|our|by|per) (?P<role>[a-z]{3,}?)(?P<s>s?)\b", re.IGNORECASE)


def in_plain_words(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question without such turns of phrase."""
    text = question if _is_named("headcount", names) else headcount_then(question)
    text = _MADE.sub(lambda match: _maker(match, names), text)
    text = _KIND.sub(lambda match: _kind(match, names), text)
    text = _EARNS.sub(lambda match: _with_pay(match, names), text)
    text = _JOINED.sub(lambda match: _those_who_joined(match, catalog), text)
    text = _DID.sub(lambda match: _those_who_did(match, catalog), text)
    text = _ORDERED.sub(lambda match: _with_orders(match, names), text)
    text = _CHARGED.sub(lambda match: _price_of(match, names), text)
    text = _TAKEN.sub(lambda match: f"how much did we {match['did']}", text)
    text = _SUPPORT.sub(lambda match: _asked_for_help(match, names), text)
    text = _NOT_MADE.sub(lambda match: _without_any(match, names), text)
    text = _MONEY_MADE.sub(lambda match: f"{match['does']} the {match['most']} revenue", text)
    text = _PAYING.sub(lambda match: _those_who_paid(match, names), text)
    text = _TOOK.sub(lambda match: f"how many {match['rows']}" if _names_rows(match["rows"], names) else match[0], text)
    text = _LOST.sub(lambda match: _stored_as_lost(match, names, catalog), text)
    text = _NUMBERS.sub(lambda match: _how_many(match, names), text)
    text = _BREAKS.sub(lambda match: _with_breakdowns(match, names), text)
    text = _PER_ROW.sub(lambda match: _mean_of_rows(match, names), text)
    text = _SPENT_PER_ROW.sub(lambda match: _mean_spent(match, names), text)
    text = _DIFFERS.sub(lambda match: _one_other_than(match, names), text)
    text = _FULL_NAMES.sub(lambda match: _both_names(match, names), text)
    text = _CAME_FIRST.sub(lambda match: _as_winner(match, names), text)
    return _ROLE.sub(lambda match: _whole_role(match, names, catalog), text)


def _is_named(word: str, names: NameIndex, *, column: bool = False) -> bool:
    found = names.called((stem(word.lower()),))
    return any(each.score >= _NAMED and (each.column is not None) >= column for each in found)


def _maker(match: re.Match[str], names: NameIndex) -> str:
    """`who composed it` as `composer of it`, where a column is called so."""
    own = _OWN_MAKER.get(match["did"].lower())
    made = next((each for each in ((own,) if own else _MAKERS) if _is_named(each, names, column=True)), None)
    return f"{made} of {match['what']}" if made else match[0]


def _kind(match: re.Match[str], names: NameIndex) -> str:
    """`what kind of music` as `what genre`."""
    if _is_named(match["many"], names):
        return match[0]
    found = next((each for each in _KINDS if _is_named(each, names)), None)
    return f"{found}{match['s']}" if found else match[0]


def _with_pay(match: re.Match[str], names: NameIndex) -> str:
    """`earn less than their manager` as `have a lower salary than …`, where a column is called so."""
    pay = next((each for each in _PAY if _is_named(each, names, column=True)), None)
    return f"have a {'higher' if match['than'].lower() == 'more' else 'lower'} {pay} than" if pay else match[0]


def _those_who_joined(match: re.Match[str], catalog: Catalog) -> str:
    """`who signed up but never …` as `which customers never …`: all of them did, where one table keeps when."""
    found = [each for each in catalog.tables if _keeps_joining(each)]
    return f"which {' '.join(table_words(found[0].name))}" if len(found) == 1 else match[0]


def _those_who_did(match: re.Match[str], catalog: Catalog) -> str:
    """`who ordered in 2024` as `which customers ordered in 2024`, where one table keeps such people."""
    found = [table_words(each.name) for each in catalog.tables if table_stems(each.name)[-1] in _DOERS]
    return f"which {' '.join(found[0])} " if len(found) == 1 else match[0]


def _with_orders(match: re.Match[str], names: NameIndex) -> str:
    """`customers have ordered by town` as `customers with orders by town`, where rows are called so."""
    deed = next((each for each in _DEEDS if _names_rows(each, names)), None)
    return f"{match['who']} with {deed}s" if deed and _names_rows(match["who"], names) else match[0]


def _asked_for_help(match: re.Match[str], names: NameIndex) -> str:
    """`contacted support` as having opened a ticket, where rows are called so and nothing a contact."""
    case = next((each for each in _CASES if _names_rows(each, names)), None)
    return f"opened a {case}" if case and not names.called((stem("contact"),)) else match[0]


def _without_any(match: re.Match[str], names: NameIndex) -> str:
    """`who have not opened a ticket` as those without tickets, where rows are called so."""
    rows = match["rows"]
    return f"without {rows if rows.endswith('s') else f'{rows}s'}" if _names_rows(rows, names) else match[0]


def _price_of(match: re.Match[str], names: NameIndex) -> str:
    """`what do we charge for the lamp` as its price, where something is called a price and nothing a charge."""
    is_price = any(each.column and each.score >= _PART for each in names.find((stem("price"),)))
    is_price = is_price and not _is_named("charge", names)
    return f"price of {match['what']}" if is_price else match[0]


def _those_who_paid(match: re.Match[str], names: NameIndex) -> str:
    """`paying customers` as customers who have paid a bill, where such are kept."""
    bill = next((each for each in _BILLS if _names_rows(each, names)), None)
    is_who = bill is not None and (stem(match["who"].lower()) in _DOERS or names.rows(match["who"]) is not None)
    return f"{match['who']} who have paid {'an' if bill == 'invoice' else 'a'} {bill}" if is_who else match[0]


def _stored_as_lost(match: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    """`deals did we lose` as deals lost, where that is stored of them."""
    rows = names.rows(match["rows"])
    hits = catalog.values.lookup("lost") if rows else []
    return f"{match['rows']} lost" if rows and any((each.schema, each.table) == rows.key for each in hits) else match[0]


def _how_many(match: re.Match[str], names: NameIndex) -> str:
    """`ride numbers` as the number of rides, where rows are called so and no column is called by both words."""
    rows = match["rows"].lower()
    is_column = any(
        each.column and each.score >= _NAMED for each in names.called(tuple(map(stem, match[0].lower().split())))
    )
    if is_column or not _names_rows(rows, names):
        return match[0]
    return f"number of {rows if rows.endswith('s') else f'{rows}s'}"


def _with_breakdowns(match: re.Match[str], names: NameIndex) -> str:
    """`breaks down most` as `has the most repairs`, where rows are called so."""
    kept = next((each for each in _BREAKDOWNS if _names_rows(each, names)), None)
    if kept is None:
        return match[0]
    if match["did"]:
        return f"had {kept}s"
    return f"has the {'most' if match['most'].lower() == 'most' else 'fewest'} {kept}s"


def _names_rows(word: str, names: NameIndex) -> bool:
    return any(each.column is None and each.score >= _NAMED for each in names.called((stem(word.lower()),)))


def _keeps_joining(table: Table) -> bool:
    """Whether its rows have a date of joining and are no rows of others: people, not what they did."""
    own = any(column.is_time and _says_joining(table, column.name) for column in table.columns)
    people = any(stem(word) in table.stems(column.name) for column in table.columns for word in ("email", "name"))
    return own and people and not table.foreign_keys


def _says_joining(table: Table, column: str) -> bool:
    stems = set(table.stems(column))
    return any(stems.issuperset(map(stem, each)) for each in _SIGNED)


def _mean_of_rows(match: re.Match[str], names: NameIndex) -> str:
    """`the highest revenue per order` of a channel as its highest average revenue of an order."""
    most = "lowest" if match["most"].lower() in _LOW else "highest"
    said = f"{match['which']} {match['who']} {match['has']} the {most} average {match['what']} per {match['row']}"
    return said if _names_rows(match["row"], names) else match[0]


def _mean_spent(match: re.Match[str], names: NameIndex) -> str:
    """`which segment spends the most per order` as the one with the highest average order value."""
    most = "lowest" if match["most"].lower() in _LOW else "highest"
    said = f"{match['which']} {match['who']} has the {most} average {match['row']} value"
    return said if _names_rows(match["row"], names) else match[0]


def _one_other_than(match: re.Match[str], names: NameIndex) -> str:
    """`whose billing town is not their home town` as those with a billing town other than their home town."""
    one = match["one"] or match["own"] or match["whose"]
    called = (names.find(tuple(token.stem for token in tokenise(each))) for each in (one, match["other"]))
    are_columns = all(any(each.column and each.score >= _NAMED for each in some) for some in called)
    return f"{match['has'] or 'with'} a {one} other than their {match['other']}" if are_columns else match[0]


def _both_names(match: re.Match[str], names: NameIndex) -> str:
    """`full names` of people as first and last names, where these are kept, and none that is called full but those of
    other things."""
    first, last, full = (names.called((stem(word), stem("name"))) for word in ("first", "last", "full"))
    are_kept = any(each.column for each in first) and any(each.column for each in last)
    is_of_people = _WHO.match(match.string) or not any(each.column for each in full)
    return f"first and last name{'s' if match[0].endswith('s') else ''}" if are_kept and is_of_people else match[0]


def _as_winner(match: re.Match[str], names: NameIndex) -> str:
    """`came first` as won, where columns are called so and none tells who came in which place."""
    of_wins, of_places = (
        any(each.column for word in words for each in names.find((stem(word),))) for words in (_WINS, _PLACES)
    )
    did = {"come": "win", "comes": "wins", "finishes": "wins", "coming": "winning", "finish": "win"}
    return did.get(match["did"].lower(), "won") if of_wins and not of_places else match[0]


def _whole_role(match: re.Match[str], names: NameIndex, catalog: Catalog) -> str:
    """`which rep` as `which support rep`, where one key alone is called so at its end and nothing else is."""
    role = stem(match["role"].lower())
    if role in KEY_WORDS or any(each.score >= _NAMED for each in names.find((role,))):
        return match[0]
    pair = (role, *(token.stem for token in tokenise(match.string[match.end() :])[:1]))
    if any(len(pair) > 1 and table_stems(table.name)[: len(pair)] == pair for table in catalog.tables):
        return match[0]
    called = [_key_words(key) for table in catalog.tables for each in table.foreign_keys for key in each.columns]
    found = {words for words in called if len(words) > 1 and stem(words[-1]) == role}
    if len(found) != 1:
        return match[0]
    return f"{match[0][: match.start('role') - match.start()]}{' '.join(found.pop())}{match['s']}"


def _key_words(key: str) -> tuple[str, ...]:
    """What a key is called without what says that it is one."""
    return tuple(each for each in name_parts(key) if each != "id")
