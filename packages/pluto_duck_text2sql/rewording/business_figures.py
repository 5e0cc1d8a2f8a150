"""Figures that every business knows by a name of its own, in the words that they are made of: an AOV is an average
order value, a repeat purchase rate the share of buyers with at least two orders, a DAU the daily active users.

Called by `analyst` before anything else reads the question. What the data, a metric or a glossary calls so is left, and
so is what nobody here does.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cached_property, partial
from typing import TYPE_CHECKING

from pluto_duck_text2sql.data.catalog import Table
from pluto_duck_text2sql.data.deal_stages import deals
from pluto_duck_text2sql.data.people import is_of_people
from pluto_duck_text2sql.data.starting import started
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.language.words import A_NUMBER, name_words, stem, table_words, tokenise, with_article
from pluto_duck_text2sql.reading.frames import TRADED, Parts
from pluto_duck_text2sql.rewording.churn import ends_of, how_over, monthly_fee, plan_of
from pluto_duck_text2sql.rewording.step_rates import order_value, return_on_spend, step_cost, step_rate
from pluto_duck_text2sql.rewording.utilisation import UTILISATION, share_of_hours
from pluto_duck_text2sql.tree import columns_in

if TYPE_CHECKING:
    from pluto_duck_text2sql.reading.reader import Reader
    from pluto_duck_text2sql.rewording.buyers import Buyers

LONGEST = 400
"""What is longer is no question for a figure."""
_OFTEN = ("daily", "weekly", "monthly", "quarterly", "yearly", "annual")
_LY = {"d": "daily", "w": "weekly", "m": "monthly"}
_EACH = r"(?:each|every|per|by|a)"
_WHO = r"(?P<who>[a-z]+)"
_ACTIVE_USERS = Pattern(r"(?<![/\w])(?P<short>[dwm])aus?\b(?! ?/)(?! (?:ratio|to)\b)", re.IGNORECASE)
_WERE_ACTIVE = Pattern(
    rf"^(?:how many|number of) {_WHO} (?:were|are|was) active {_EACH} (?P<unit>day|week|month|quarter|year)\b",
    re.IGNORECASE,
)
_SAYS_BY = Pattern(r"\bby (?:the )?(?:number|count|total|how)\b", re.IGNORECASE)
_MOST_ACTIVE = Pattern(
    r"^(?:(?:who|what|which)(?: are| is| were| was|['’]s)? |show(?: me)? |list )?(?:(?:the|our) )*"
    rf"(?:(?:top )?(?P<n>{A_NUMBER}) )?(?P<way>most|least) active (?P<who>[a-z]+)(?P<rest>[^?.]*)\W*$",
    re.IGNORECASE,
)
_ORDER_VALUE = Pattern(r"\bAOVs?\b|\b(?:average|mean|avg) (?:order|transaction|basket) (?:value|size)\b", re.IGNORECASE)
_PER_USER = Pattern(r"\b(?:the |our )?(?:average |mean )?(?:ARPPU|ARPU|ARPC|ARPA)\b", re.IGNORECASE)
_LIFETIME = Pattern(
    r"\b(?P<fn>(?:average|mean|avg) )?(?:(?:customer|client|user|player|member) )?"
    r"(?:LTV|CLV|CLTV|life-?time (?:value|revenue|spend(?:ing)?))s?\b"
    r"(?P<of> (?:per|for each|of each|of every|by|of all|of our|of the|of|for) (?P<who>[a-z]+)\b)?",
    re.IGNORECASE,
)
_RANKED = Pattern(
    r"\b(?:by|highest|lowest|largest|biggest|most|least|with|whose|an?|total|above|below|over|under|than)"
    r"(?: (?:the|a|an|their|its))?$",
    re.IGNORECASE,
)
_TO_FIRST = Pattern(
    r"\b(?P<fn>(?:(?:the )?(?:average|mean|avg|median|typical) )?)(?P<time>time|days|number of days)"
    r"(?: it takes)?(?: (?:from|between|since|after) (?P<begun>[a-z-]+(?: up)?))? (?:to|until|till|and|before) "
    r"(?:the |their |a )?first (?P<deed>[a-z]+)\b(?!-)",
    re.IGNORECASE,
)
_CONVERSION = Pattern(
    r"\b(?:the )?conversions?(?: rate)? (?:from|of) (?P<begun>[a-z-]+(?: up)?) (?:to|into) "
    r"(?:the |their |an? )?(?:first )?(?P<deed>[a-z]+)\b(?!-)",
    re.IGNORECASE,
)
_BEGINNING = frozenset(
    "signup signups sign-up sign-ups signing registration registrations registering joining subscription lead leads"
    " account creation enrolment enrollment".split()
)
_SINCE_THEN = Pattern(
    r"\b(?P<who>[a-z]+) (?P<that>(?:who|that|which) )?(?P<have>have|has|had)(?:n['’]t| not)"
    r" (?P<deed>[a-z]+(?:ed|ght|de|ne))"
    r"(?P<what> (?:anything|an? [a-z]+))? (?:for|in|since) (?:more than |over |at least |the (?:last|past) )*"
    r"(?P<n>\d+|an?|two|three|six|twelve) (?P<unit>day|week|month|year)s?\b(?! ago)",
    re.IGNORECASE,
)
_PEAK_HOUR = Pattern(
    r"\b(?P<ask>(?:what|which)(?:['’]s| is| are| was| were) (?:the |our )?)?(?:the |our )?(?:peak|busiest|rush) hours?"
    r" (?:for|of|by(?: number of)?|in terms of) (?:the |our )?(?P<what>[a-z ]+?)(?=\W*$| (?:in|on|during|last|this)\b)",
    re.IGNORECASE,
)
_PAYING = Pattern(
    r"(?<!best )(?<!most )(?<!highest )(?<!lowest )(?<!least )(?<!worst )(?<!late )(?<!well )(?<!non-)"
    r"\bpaying (?P<who>[a-z]+)\b",
    re.IGNORECASE,
)
_NO_RANK = "".join(rf"(?<!{each} )" for each in "best worst highest lowest top better higher lower through".split())
_STEP_RATE = Pattern(
    rf"{_NO_RANK}\b(?P<step>open|click|unsubscri(?:be|ption)|bounce|delivery|complaint|conversion|engagement) rates?\b",
    re.IGNORECASE,
)
_FROM_TO = Pattern(r"\b(?:to|into) [a-z]+ $", re.IGNORECASE)
_STEP_COST = Pattern(r"\b(?P<short>CPC|CPA|CPL)s?\b", re.IGNORECASE)
_ROAS = Pattern(r"\bROAS\b|\breturns? on ad(?:vertising)? spend(?:ing)?\b", re.IGNORECASE)
_CHURN_RATE = Pattern(
    r"^(?P<lead>(?:what(?:['’]s| is| was)|show(?: me)?) )?(?:the |our )?(?:(?P<who>[a-z]+) )?churn rate"
    r"(?P<rest>(?: (?:by|per|for each) (?!day|week|month|quarter|year)[a-z ]+)?)\W*$",
    re.IGNORECASE,
)
_BACKLOG = Pattern(
    r"\b(?:the |our )?(?:backlog of (?P<of>[a-z]+)|(?!(?:open|current|the|our|total) )(?P<what>[a-z]+) backlog"
    r"|(?:(?:open|current|total) )?backlog(?=\W*$| (?:by|per)\b))\b",
    re.IGNORECASE,
)
_CLOSED = frozenset(map(stem, "closed resolved solved".split()))
_RECURRING = Pattern(
    r"^(?P<lead>(?:what(?:['’]s| is| was)|show(?: me)?|how (?:much|high) is) )?(?:the |our |my )?(?:total |current )?"
    r"(?:MRR|monthly recurring revenue)(?P<by>(?: (?:by|per|for each) (?!day|week|month|quarter|year)[a-z ]+)?)\W*$",
    re.IGNORECASE,
)
_PIPELINE = Pattern(
    r"(?<!in the )(?<!in our )(?<!weighted )\b(?:total )?(?:(?:open|current|sales|deal) )*pipeline"
    r"(?: value| amount| total)?\b",
    re.IGNORECASE,
)


class BusinessFigures:
    """Puts names of figures into the words that they are made of, over one catalog."""

    def __init__(self, reader: Reader, buyers: Buyers) -> None:
        self._reader, self._of_buyers, self._parts = reader, buyers, Parts(reader)

    def said(self, question: str) -> tuple[str, tuple[str, ...]]:
        """The question in those words, and what was put for what; as it is, with nothing told, where there are none."""
        told: list[str] = []
        text = question
        if len(question) > LONGEST:
            return question, ()
        for pattern, made_of in self._rules:
            text = pattern.sub(partial(_told, made_of=made_of, told=told), text)
        return (question, ()) if text == question else (tidy(text), tuple(told))

    @cached_property
    def _rules(self) -> tuple[tuple[Pattern, Callable[[re.Match[str]], str]], ...]:
        return (
            (_ACTIVE_USERS, self._active_users),
            (_WERE_ACTIVE, self._were_active),
            (_MOST_ACTIVE, self._most_active),
            (_ORDER_VALUE, self._order_value),
            (_PER_USER, self._per_user),
            (_LIFETIME, self._lifetime),
            (_TO_FIRST, self._to_first),
            (_CONVERSION, self._conversion),
            (_SINCE_THEN, self._not_in_the_last),
            (_PEAK_HOUR, self._peak_hour),
            (_PAYING, self._paying),
            (_STEP_RATE, self._step_rate),
            (_STEP_COST, self._step_cost),
            (_ROAS, self._return_on_spend),
            (_CHURN_RATE, self._churn_rate),
            (_BACKLOG, self._backlog),
            (UTILISATION, self._utilisation),
            (_PIPELINE, self._pipeline),
            (_RECURRING, self._recurring),
        )

    def _is_called(self, words: str) -> bool:
        """Whether something here has that name itself."""
        return bool(self._reader.names.called(tuple(token.stem for token in tokenise(words))))

    @cached_property
    def whom(self) -> Table | None:
        """Those whom the figures are about: who buys, else the only people there are."""
        people = [each for each in self._reader.catalog.tables if is_of_people(each, self._reader.resolver.label(each))]
        return self._of_buyers.whom or (people[0] if len(people) == 1 else None)

    def _owner(self, said: str | None) -> Table | None:
        """Those whom a word names, else whom the figures are about."""
        return (self._parts.table(said) if said else None) or self.whom

    def _deed(self, owner: Table | None, words: str = "") -> str:
        """What an owner did, as one of it is called; nothing where they did no such, whatever else they did."""
        deeds = self._parts.deeds(owner, words) if owner else None
        done = self._reader.catalog.table(*deeds.table) if deeds else None
        said = {token.stem for token in tokenise(words)}
        named = self._parts.table(words) if words and not said & TRADED else done
        return _one(done) if done and named and named.key == done.key else ""

    def _active_users(self, match: re.Match[str]) -> str:
        who = self.whom
        return (
            match[0] if self._is_called(match[0]) or not who else f"{_LY[match['short'].lower()]} active {_many(who)}"
        )

    def _were_active(self, match: re.Match[str]) -> str:
        ly = "daily" if match["unit"].lower() == "day" else f"{match['unit'].lower()}ly"
        return f"{ly} active {match['who']}" if self._parts.table(match["who"]) else match[0]

    def _most_active(self, match: re.Match[str]) -> str:
        """Those who were there most often, or did most."""
        owner = self._parts.table(match["who"])
        deeds = self._parts.activity(owner) if owner else None
        done = self._reader.catalog.table(*deeds.table) if deeds else None
        if done is None:
            return match[0]
        n = match["n"] or ("10" if match["who"].lower().endswith("s") else "1")
        way = "top" if match["way"].lower() == "most" else "bottom"
        by = "" if _SAYS_BY.search(match["rest"]) else f" by number of {_many(done)}"
        return f"{way} {n} {match['who']}{by}{match['rest']}"

    def _order_value(self, match: re.Match[str]) -> str:
        """Of rows of orders as it is; of rows that keep how many there were, their money by that."""
        if self._is_called(match[0]):
            return match[0]
        if self._parts.table("orders") is not None:
            return "average order value" if match[0].lower().startswith("aov") else match[0]
        return order_value(self._reader.catalog) or match[0]

    def _per_user(self, match: re.Match[str]) -> str:
        who = self.whom
        return match[0] if self._is_called(match[0].split()[-1]) or not who else f"average revenue per {_one(who)}"

    def _lifetime(self, match: re.Match[str]) -> str:
        """What all their purchases brought: of each of them, or on average."""
        owner = self._owner(None)
        if owner is None or any(map(self._is_called, (match[0], "lifetime value", "ltv"))):
            return match[0]
        each = self._parts.table(match["who"]) if match["who"] else None
        if each is not None and each.key == owner.key:
            return f"{'average revenue per' if match['fn'] else 'total revenue of each'} {match['who']}"
        is_ranked = _RANKED.search(match.string[: match.start()].rstrip()) is not None
        return f"{'revenue' if is_ranked else f'average revenue per {_one(owner)}'}{match['of'] or ''}"

    def _to_first(self, match: re.Match[str]) -> str:
        """The days from their beginning to the first of what they did."""
        is_begun = not match["begun"] or match["begun"].split()[0].lower() in _BEGINNING
        owner = self.whom if is_begun else None
        if owner is None or started(owner) is None or not self._deed(owner, match["deed"]):
            return match[0]
        return f"{match['fn'].strip() or 'average'} days from signing up to the first {match['deed']}"

    def _conversion(self, match: re.Match[str]) -> str:
        """The part of those who began that did it."""
        owner = self.whom if match["begun"].split()[0].lower() in _BEGINNING else None
        deed = self._deed(owner, match["deed"])
        return f"share of {_many(owner)} with {with_article(deed)}" if owner and deed else match[0]

    def _not_in_the_last(self, match: re.Match[str]) -> str:
        """`for 90 days` as in the last 90 days, of what has a row each time that it is done."""
        owner = self._parts.table(match["who"])
        if owner is None or not self._deed(owner, match["deed"]) or not self._is_done_by_rows(match["deed"], owner):
            return match[0]
        n = "1" if match["n"].lower() in ("a", "an") else match["n"]
        did = f"{match['that'] or 'who '}{match['have']} not {match['deed']}{match['what'] or ''}"
        return f"{match['who']} {did} in the last {n} {match['unit']}s"

    def _is_done_by_rows(self, deed: str, owner: Table) -> bool:
        """Whether the owner's own rows keep no day of it: who has not logged in has a last login."""
        return not any(each.is_time and stem(deed) in owner.stems(each.name) for each in owner.columns)

    def _peak_hour(self, match: re.Match[str]) -> str:
        return f"which hour of the day has the most {match['what']}" if self._parts.table(match["what"]) else match[0]

    def _paying(self, match: re.Match[str]) -> str:
        """Those who bought, where nothing tells what has been paid."""
        owner = self._parts.table(match["who"])
        deeds = self._parts.deeds(owner) if owner and not self._is_called("paid") else None
        bought = {next(columns_in(each)).table for each in self._reader.resolver.income()}
        deed = self._deed(owner) if deeds and deeds.table in bought else ""
        return f"{match['who']} with {with_article(deed)}" if deed and not self._is_called(match[0]) else match[0]

    def _step_rate(self, match: re.Match[str]) -> str:
        """One alone: of several each is a question of its own."""
        if len(_STEP_RATE.findall(match.string)) > 1:
            return match[0]
        if _FROM_TO.search(match.string[: match.start()]) or self._is_called(match[0]):
            return match[0]
        rate = step_rate(match["step"], match.string, self._reader.catalog)
        return rate or (self._converted() if match["step"].lower() == "conversion" else "") or match[0]

    def _converted(self) -> str:
        """The part of those who signed up that bought, or have a plan."""
        owner = self.whom if self.whom and started(self.whom) else None
        plan = plan_of(owner, self._reader.catalog) if owner else None
        done = with_article(_one(plan)) if plan else ""
        return f"share of {_many(owner)} with {done}" if owner and done else ""

    def _step_cost(self, match: re.Match[str]) -> str:
        is_called = self._is_called(match[0])
        return (not is_called and step_cost(match["short"], match.string, self._reader.catalog)) or match[0]

    def _recurring(self, match: re.Match[str]) -> str:
        """The monthly amounts of what goes on, of the one table that keeps both these and an end."""
        found = [(each, fee) for each in self._reader.catalog.tables if ends_of(each) and (fee := monthly_fee(each))]
        if len(found) != 1:
            return match[0]
        table, fee = found[0]
        return f"total {' '.join(name_words(fee))} of active {_many(table)}{match['by']}"

    def _pipeline(self, match: re.Match[str]) -> str:
        """What the open deals come to."""
        of = deals(self._reader.catalog)
        table = self._reader.catalog.table(*of.stage.table) if of else None
        if of is None or table is None or of.amount is None or self._is_called("pipeline"):
            return match[0]
        return f"total {' '.join(name_words(of.amount.name))} of open {_many(table)}"

    def _utilisation(self, match: re.Match[str]) -> str:
        is_called = self._is_called(match[0].split()[0])
        return (not is_called and share_of_hours(self._reader.catalog)) or match[0]

    def _return_on_spend(self, match: re.Match[str]) -> str:
        is_called = self._is_called(match[0])
        return (not is_called and return_on_spend(match.string, self._reader.catalog)) or match[0]

    def _churn_rate(self, match: re.Match[str]) -> str:
        """The part of their plans that have ended."""
        is_of_time = (match["who"] or "").lower() in _OFTEN
        catalog = self._reader.catalog
        owner = self._parts.table(match["who"]) if match["who"] else None
        owners = [owner] if owner else catalog.tables
        plans = {plan.key: plan for each in owners if not ends_of(each) and (plan := plan_of(each, catalog))}
        is_one = len(plans) == 1 and not is_of_time
        if not is_one:
            return match[0]
        (plan,) = plans.values()
        return f"percentage of {_many(plan)} that {how_over(plan)}{match['rest']}"

    @cached_property
    def _rows_alone(self) -> str:
        """What the rows of the only table are called."""
        tables = self._reader.catalog.tables
        return _many(tables[0]) if len(tables) == 1 else ""

    def _backlog(self, match: re.Match[str]) -> str:
        rows = match["of"] or match["what"] or self._rows_alone
        table = self._parts.table(rows) if rows else None
        closes = table is not None and any(
            each.is_time and _CLOSED & set(table.stems(each.name)) for each in table.columns
        )
        is_called = self._is_called("backlog")
        if table is not None and closes and not is_called and not (match["of"] or match["what"]):
            return f"number of {rows} not resolved yet"
        return f"number of open {rows if rows.endswith('s') else f'{rows}s'}" if closes and not is_called else match[0]


def _told(match: re.Match[str], made_of: Callable[[re.Match[str]], str], told: list[str]) -> str:
    """What is put for a match; where that is something else, it is told."""
    made = made_of(match)
    if made != match[0]:
        told.append(f'"{match[0].strip()}" is {made.strip()}')
    return made


def _many(table: Table) -> str:
    words = " ".join(table_words(table.name))
    return words if words.endswith("s") else f"{words}s"


def _one(table: Table) -> str:
    return _many(table).removesuffix("s")
