"""Those with more than most: `customers who spend more than average`, `stores with above-average revenue`, `products
whose number of orders is below average`.

What each of them comes to is a question of its own; those are kept whose figure is beyond the mean of all of theirs.
Where the figure is stored with each, `employees whose salary is above average`, it is read as any other condition.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis
from pluto_duck_text2sql.frames.compounds import LEAD, Compounds
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.remarks import without_remarks
from pluto_duck_text2sql.pool import Run
from pluto_duck_text2sql.reading.frames import UNIT, same
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.tree import Agg, Bucket, Col, Compare, Nested, Order, Query, is_total, nodes_in

_WHICH = r"^(?:(?:which|what|list|show|find) )?(?:of )?(?:the |our )?(?:are the )?(?P<who>[a-z]+(?: [a-z]+)??)"
_WHEN = r"(?P<when>,? (?:in|during|since|this|last) [\w ]+)?$"
_MORE = ("above", "over", "higher than", "greater than", "more than", "bigger than")
_LESS = ("less", "fewer", "below", "under", "lower than", "less than", "smaller than", "fewer than")
_ABOVE = rf"(?P<above>{'|'.join((*_MORE, *_LESS[2:]))})"
_AVERAGE = r"(?:the |an? |our )?(?:average|mean)(?: (?:of all|customer|client|one))?"
_OVERALL = (
    r"(?:the |an? |our )?(?:daily |weekly |monthly |quarterly |yearly |overall )?(?:average|mean)"
    rf"(?: (?:{UNIT}))?"
)
_SAID = tuple(
    Pattern(pattern, re.IGNORECASE)
    for pattern in (
        rf"{_WHICH} (?:who |that |which )?(?:have |has )?(?P<did>spen[dt]s?|order(?:ed|s)?|sells?|sold|buys?|bought)"
        rf"(?: (?P<above>more|less|fewer)(?: often)?) than {_AVERAGE}{_WHEN}",
        rf"{_WHICH} (?:with|having|of) (?:an? )?(?P<above>above|below)[- ]average (?P<what>[a-z ]+?){_WHEN}",
        rf"{_WHICH} whose (?P<what>[a-z ]+?) (?:is|are|was|were) {_ABOVE} {_AVERAGE}{_WHEN}",
        rf"{_WHICH} with (?:a |an )?(?P<what>[a-z ]+?) {_ABOVE} {_AVERAGE}{_WHEN}",
        rf"^(?:(?:which|what|list|show|find|in which|in what) )?(?:the |were the |are the )?(?P<who>(?:{UNIT})s?)"
        rf"(?: (?:in which|on which|when|where|that))? (?:the |our )?(?P<what>[a-z ]+?) (?:is|are|was|were) {_ABOVE}"
        rf" {_OVERALL}{_WHEN}",
    )
)
_FIGURES = {"spen": "total revenue of", "sell": "total revenue of", "sold": "total revenue of"}


class AboveAverage(Compounds):
    """Answers which of some have more, or less, than the mean of them all."""

    def analysis(self, question: str, run: Run | None, plain: Analysis) -> Analysis | None:
        """Those; None where the question asks no such, or the figure is stored with each."""
        main, phrases = split_spec(question)
        text = same(without_remarks(main))
        said = next((match for each in _SAID if (match := each.match(text) or each.match(LEAD.sub("", text)))), None)
        part = self._part(f"{self._figure(said)} each {_one(said['who'])}{said['when'] or ''}", run) if said else None
        is_sum = part is not None and (_is_period(part.tree) or self._is_added_up(part.tree))
        query = _beyond(part.tree, is_less=said["above"].lower() in _LESS) if part and said and is_sum else None
        told = [f"average → the mean over {said['who']}"] if said else []
        made = self.candidate(query, [part], phrases, run, told) if query and part else None
        return Analysis("answered", (made, *plain.candidates), links=plain.links) if made else None

    def _is_added_up(self, tree: Query) -> bool:
        """Whether the figure of each is money that came in, or a number of rows."""
        figures = [each for each in tree.select if isinstance(each, Agg)]
        income = self.reader.resolver.income()
        return all(each.function == "count" or (each.function == "sum" and each.of in income) for each in figures)

    def _figure(self, said: re.Match[str]) -> str:
        """What is asked of each: `total revenue of`, `number of orders of`."""
        parts = said.groupdict()
        if parts.get("what"):
            return f"{parts['what']} of"
        did = parts["did"].lower()
        owner = self.table(said["who"])
        deeds = self.deeds(owner, "orders") if owner else None
        return _FIGURES.get(did[:4]) or f"number of {deeds.table[1].replace('_', ' ') if deeds else 'orders'} of"


def _one(who: str) -> str:
    """`month` of months; what else is said of several is left."""
    return who[:-1] if re.fullmatch(rf"(?:{UNIT})s", who, re.IGNORECASE) else who


def _is_period(tree: Query) -> bool:
    """Whether the groups are periods, and each of them is counted or added up."""
    figures = [each for each in tree.select if is_total(each)]
    added = all(isinstance(each, Agg) and each.function in ("count", "sum") for each in figures)
    return added and bool(tree.group) and all(isinstance(each, Bucket) for each in tree.group)


def _beyond(tree: Query, *, is_less: bool) -> Query | None:
    """The groups whose figure is beyond the mean of all of them; None where the figure is none of a group."""
    figures = [each for each in tree.select if is_total(each)]
    figure = figures[0] if len(figures) == 1 and tree.group and tree.is_plain else None
    if not isinstance(figure, Agg) or any(isinstance(each, Nested) for each in nodes_in(figure)):
        return None
    names = tuple(each for each in tree.select if each is not figure)
    mean = Query(tree.anchor, (Agg("avg", Nested(replace(tree, select=(figure,), order=()))),))
    order = tuple(Order(each) for each in names if isinstance(each, Col))
    bound = Compare(figure, "<" if is_less else ">", mean)
    return replace(tree, select=names, having=(bound,), order=order) if names else None
