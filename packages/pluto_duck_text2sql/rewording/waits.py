"""How long somebody waits or stays, as the average time of it: `how many hours do customers wait for our first reply`
is the average time to first reply in hours, `how many minutes do people stay in each lounge` the average stay.

Called by `analyst` before words are put into the data's: to wait is no state here. trees/durations.py and
frames/spans.py find the dates.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern

_UNIT = r"(?:minutes|hours|days|weeks)"
_ON_AVERAGE = r"(?:,? ?(?:on average|usually|typically),?)?"
_ASKS = rf"^{_ON_AVERAGE} ?how (?:long|many (?P<unit>{_UNIT})){_ON_AVERAGE} (?:do|does|did|have|has) "
_WHO = r"(?:the |our |a |an )?(?P<who>[a-z][a-z -]*?)"
_END = r"(?P<tail>(?:,? (?:by|per|for each|in each|compared (?:with|to)|versus|vs|in|on average)\b[^?;:]*)?)\W*$"
_WAITS = Pattern(
    rf"{_ASKS}{_WHO} (?:have to |usually )?(?:wait|waited){_ON_AVERAGE} (?:for|until|till|before) "
    rf"(?:they (?:get|have) )?(?:a |an |our |the |their |its )*(?P<what>(?:first |final )?[a-z]+){_END}",
    re.IGNORECASE,
)
_STAYS = Pattern(
    rf"{_ASKS}(?:people|customers|guests|visitors|members|they) (?P<did>stay|wait|park){_ON_AVERAGE}"
    r" (?:in|at|on|with) (?:each|every|each of the) (?P<group>[a-z]+(?: [a-z]+)?)(?P<rest>[^?;:]*)",
    re.IGNORECASE,
)
_ANSWER = Pattern(r"\b(?:answer|response)\b", re.IGNORECASE)
_PEOPLE = frozenset("people customers clients users callers guests members they we somebody someone".split())
_ONES = Pattern(r"\bones\b", re.IGNORECASE)
_AGAINST = Pattern(r",? compared (?:with|to) ", re.IGNORECASE)


def as_waits(text: str) -> str:
    """The question for the average time."""
    text = _WAITS.sub(_time_to, text)
    return _STAYS.sub(lambda said: f"average {said['did']}{_in_unit(said)} per {said['group']}{said['rest']}", text)


def _time_to(said: re.Match[str]) -> str:
    """Whoever waits restricts nothing, but what rows are said to wait does: `urgent tickets`."""
    who, tail = said["who"].strip(), said["tail"].replace("on average", "").rstrip(" ,")
    rows = "" if who.lower() in _PEOPLE else f" for {who}"
    other = _AGAINST.match(tail)
    tail = f" versus {_ONES.sub(who.split()[-1], tail[other.end() :])}, for both" if other and rows else tail
    return f"average time to {_ANSWER.sub('reply', said['what'])}{_in_unit(said)}{rows}{tail}"


def _in_unit(said: re.Match[str]) -> str:
    return f" in {said['unit']}" if said["unit"] else ""
