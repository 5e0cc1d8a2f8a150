"""Turns of phrase, and what says the same: `what part of` as what share of, `gimme` as give me.

In the order in which they are put, whatever the data is: a later one finds what an earlier one wrote.
"""

from __future__ import annotations

import re

from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import A_NUMBER
from pluto_duck_text2sql.rewording.turns_of_order import ORDERS, SUPERLATIVES
from pluto_duck_text2sql.times.calendar_days import MONTH, TOLD_YEAR, YEAR

_WHEN = r"(?P<when>(?:day|hour|time|month|week|quarter|year)(?: of (?:the |a )?\w+)?|weekday)"
_SPAN = r"(?P<unit>second|minute|hour|day|week)"
_WHICH = r"(?:\b(?:what|which)(?:'s| is| was)? )?(?:\b(?:the|our) )?"
_AT_BEST, _AT_WORST = "(?:best|peak|strongest|top|record)", "(?:worst|weakest|poorest)"
_PERIOD_OF = r"(?P<unit>day|week|month|quarter|year)"
_YEAR = rf"(?P<year> (?:in|during|of|for) {YEAR})?"
_BY_GROUP = rf"(?:of|for|in|at) (?:each|every) (?P<group>[a-z]+){_YEAR},? by (?P<what>[^,?]+)(?=\W*$)"
_OF_WHAT = rf"(?:of|for) (?P<what>[^,?]+?) (?:of|for|in|at|by|per) (?:each|every) (?P<group>[a-z]+){_YEAR}(?=\W*$)"
_NO_BEST = (
    r"(?!.*\b(?:(?<!at )(?:most|least)|fewest|highest|lowest|largest|smallest|biggest|longest|shortest|best|worst)\b)"
)
"""What the best of several has is asked beside it (alongside.py)."""
SOME_TIME = (
    rf"(?:(?:q[1-4]|h[12]|(?:{MONTH})) (?:of )?)?{YEAR}|(?:q[1-4]|h[12]|(?:{MONTH}))(?: (?:of )?{TOLD_YEAR})?(?! \d)"
    r"|(?:this|last|the previous|the prior) (?:month|quarter|year|week)"
)
_NTH_TIME = r"(?:very )?(?P<which>first|last|latest|earliest|most recent)"
_EACH_OF = r"(?:each|every)(?: (?:one )?of)?(?: (?:our|the|these|those))?"
_AGAINST = r"[^.?!;]*? (?:with|to|and|against|versus|vs\.?|over) "
_BEFORE_MORE = r"(?=\W*$|[,;:?.]| (?:in|on|at|by|per|since|during|between|before|after)\b)"
_FIGURE = "(?:number|total|average|sum|count)"
_PHRASES = tuple(
    (Pattern(pattern, re.IGNORECASE), instead)
    for pattern, instead in (
        (
            r"^(?:please )?(?:group|split|break(?: down)?|bucket|classify) (?:the |our |all )?(?P<who>.+?)(?: down)?"
            r" (?:by|into) (?P<by>.+?),? and (?:then )?count (?:them|each|the members)\b",
            r"number of \g<who> by \g<by>",
        ),
        (
            r"[,;]? (?:using|with|showing)(?: the)? (?:weekday|day) names?\b"
            r"|(?<=[.?!,;])\s*(?:and )?(?:please )?(?:give|show|use)(?: me)? (?:just |only )?the"
            r" (?:names? of the (?:week)?days?|(?:week)?day(?:'s)? names?)(?=\W*$|,)",
            "",
        ),
        (r"\b(?:the )?(?:name of the (?:week)?day|weekday'?s? name|day's name|day name)\b", "weekday"),
        (r"\b(?P<most>best|worst|highest|lowest|top|least)-paid\b", r"\g<most> paid"),
        (r"\bgimme\b", "give me"),
        (rf"\bkilled (?:any|some)(?:body|one)(?: at all)?{_BEFORE_MORE}", "killed at least one person"),
        (rf"\bkilled (?:nobody|no[ -]one)(?: at all)?{_BEFORE_MORE}", "killed 0 people"),
        (r"\bwhat (?:it|each(?: one)?)(?: is| was|['’]s) called\b", "its name"),
        (r",? \bas well as\b", " and"),
        (
            rf"\b(?P<bound>at (?:least|most)) (?P<did>[a-z]+ed(?: in| at| on| to)?) (?P<n>{A_NUMBER})\b",
            r"\g<did> \g<bound> \g<n>",
        ),
        (
            r"\b(?:another|a different|some other) (?P<what>[a-z]+(?: [a-z]+)?) (?:than|from)"
            r" (?=(?:the )?(?:[\"'“‘]|(?-i:[A-Z])))",
            r"a \g<what> other than ",
        ),
        (r"\b(?P<how>how (?:many|much)(?: [a-z]+)?) (?:altogether|in all|all told)\b", r"\g<how> in total"),
        (
            r"\b(?P<how>how much (?:revenue|money|turnover|income|profit)) (?P<did>did|does|do|has|have)"
            r" (?P<who>(?:each|every|our|the|all) [a-z]+(?: [a-z]+)?) (?:make|made)\b",
            r"\g<how> \g<did> \g<who> bring in",
        ),
        *(
            (
                rf"\b(?P<rest>{period}\b{_AGAINST})the (?:one|period) before(?: it| that)?(?=\W*$)",
                rf"\g<rest>the {unit} before",
            )
            for period, unit in (
                ("(?P<unit>quarter|month|year|week)", r"\g<unit>"),
                ("q[1-4]", "quarter"),
                (f"(?:{MONTH})", "month"),
            )
        ),
        *(
            (
                rf"\b(?P<how>late|on[- ]time|overdue|delayed) (?P<what>[a-z]+){ending} rate\b",
                rf"percentage of \g<how> \g<what>{many}",
            )
            for ending, many in (("y", "ies"), ("(?<!y)", "s"))
        ),
        (
            r"^(?P<asked>(?=.*\b(?:how long|days|hours|minutes)\b).*?[.?!;:])"
            r" (?:please )?(?:ignore|skip|leave out|exclude)"
            r" (?:the ones|those|ones) (?:that are |which are )?(?:still )?(?:open|running|unfinished|ongoing)\b[.!]?",
            r"\g<asked>",
        ),
        (
            r"\b(?:share|part|fraction|proportion) (?P<of>of\b[^?.;:]*?),? (?:in percent|in %|as a percentage"
            r"|expressed (?:in percent|as a percentage))(?: of (?:all|the) [a-z]+)?(?=\W*$|[.?;:])",
            r"percentage \g<of>",
        ),
        (r"\b(?P<by>by|per|(?:for|in) each) year and (?:by )?(?P<grain>month|quarter)\b", r"\g<by> \g<grain>"),
        (r"\b(?P<by>by|per|(?:for|in) each) (?P<grain>month|quarter) and (?:by )?year\b", r"\g<by> \g<grain>"),
        (
            r"\b(?P<whose>our|the) (?:(?:single )?most (?:important|successful)|number (?:one|1))\b(?! (?:of|in)\b)",
            r"\g<whose> best",
        ),
        (
            r"\b(?:that |which )?(?:(?:we|they) |(?:were|was|are|is|(?:has|have) been) )?left (?=un[a-z]+(?:ed|id)\b)",
            "that are ",
        ),
        (r"\b(?P<verb>(?:do|does|did|is|are|was|were|has|have|had|could|would|should)n|can)t\b", r"\g<verb>'t"),
        (r"\bw/o\b", "without"),
        (r"\bw/ ?(?=[a-z])", "with "),
        *(
            (rf",? ?\b(?:spread|spread out|distributed|split|divided)? ?(?:over|across) the {units}\b", rf" by {unit}")
            for units, unit in (
                ("(?:days of the week|weekdays)", "day of the week"),
                ("months of the year", "month of the year"),
            )
        ),
        (r"\bleft us\b", "left"),
        (
            r"^(?P<what>[a-z]+) (?P<by>(?:per|by) [^,;]+?)"
            r" in (?P<unit>grams|kilos|kilograms|kg|tonnes|tons|litres|liters)\W*$",
            r"\g<unit> of \g<what> \g<by>",
        ),
        (
            r"\bhow many (?P<what>[a-z]+)"
            r" (?:do we have|have we got|have we|are there|are)(?: currently| left)? in stock\b",
            r"how many \g<what> in stock",
        ),
        (
            r"\b(?:the )?first and (?:the )?last (?:day|date) of (?:the )?(?P<what>[a-z]+)"
            r"(?=\W*$| (?:by|per|for each)\b)",
            r"earliest and latest \g<what> date",
        ),
        (r"\b(?P<part>part|full)[- ]timers\b", r"\g<part>-time employees"),
        (
            r"^(?P<lead>(?:(?:show|give) (?:me )?|what(?: is|'s) )?(?:the |our )?)(?P<time>time to [a-z]+)"
            r"(?=\W*$| (?:by|per|for each|in each) )",
            r"\g<lead>average \g<time>",
        ),
        (
            rf"^(?!(?:please )?(?:list|name|which|who|(?:show|give)(?! (?:me )?the {_FIGURE}\b))\b)"
            r"(?P<when>.*?\b(?:(?:19|20)\d\d|(?:per|each|every|by) (?:week|month|quarter|year))\b[^?]*?), by"
            r" (?P<date>(?:the )?[a-z]+ date)(?=\W*$)",
            r"\g<when>, going by \g<date>",
        ),
        (
            r"\b(?P<how>how many|number of|all|our|the) living (?!rooms|areas|spaces|quarters|costs|wages|conditions)"
            r"(?P<what>[a-z]+s)\b(?P<of>(?: of each [a-z]+)?)",
            r"\g<how> \g<what>\g<of> that are still alive",
        ),
        (
            r"\btypical (?P<what>[^?.]+[?.]) (?:please )?(?:give|show|use|take)(?: me| us)? the median(?=\W*$)",
            r"median \g<what>",
        ),
        (
            r"(?<=[.?!:;] )(?:the )?first day of (?:the|each|every) (?P<unit>week|month|quarter|year)(?=,| and )",
            r"\g<unit>",
        ),
        (
            r"^(?:for|in) (?:each|every) (?P<unit>week|month|quarter|year)\b(?P<when>[^,?]*?),? by how much"
            r" (?:did|does|do|has) (?:the |our )?(?P<what>.+?) change (?:in (?:pounds|euros|dollars|absolute terms) )?"
            r"(?P<against>(?:against|from|on|over|compared (?:to|with)) [^?.,]+)",
            r"\g<what> by \g<unit>\g<when> with the change \g<against>",
        ),
        (
            r"\b(?P<each>(?:each|every|per|all) [a-z]+) (?:that|which|who) (?:has|have|had)(?: (?:ever )?(?:had|got))?"
            r" any(?: at all)?(?=\W*$|[,.?;:])",
            r"\g<each>",
        ),
        (
            r"\b(?:what|which) (?:was|is|were|are) (?P<ends>the (?:very )?(?:first|last|latest|earliest)"
            r"(?: and (?:the )?(?:very )?(?:last|latest|most recent))?) (?:date|day|time|moment)s? (?:on|at) which"
            r" (?:an?|the) (?P<what>[a-z ]+?) (?=(?:was|were) )(?:was|were) ",
            r"when was \g<ends> \g<what> ",
        ),
        (
            r"\b(?P<each>(?:(?:in|for|of) (?:each|every)|per) [a-z]+) and (?:its|their|his|her)"
            r" (?P<what>[a-z]+(?: [a-z]+)?)(?=\W*$)",
            r"\g<each>, with the \g<what>",
        ),
        (r"(?<!\d )\bout of (?=(?-i:[A-Z]))", "from "),
        (
            r"(?<!from )(?<!between )\b(?P<one>(?-i:[A-Z]{3})) to (?P<other>(?-i:[A-Z]{3}))\b",
            r"from \g<one> to \g<other>",
        ),
        (
            r"^(?P<main>(?=.*\b(?:each|every|per|by)\b)[^.?!;]+)[.?!;,] *(?:please )?"
            r"(?:leave out|skip|ignore|exclude|omit) (?:any|those|the ones|anyone|all|[a-z]+)"
            r"(?: (?:who|that|which)(?: have| has| had)? never [a-z]+| without any| with none)\W*$",
            r"\g<main>",
        ),
        (
            rf"^(?:when|on (?:what|which) (?:date|day)) (?:did|does|do|has|have) {_EACH_OF}"
            rf" (?P<who>[a-z]+(?: [a-z]+){{,2}}?) (?!from\b|in\b|of\b)[a-z]+(?: in)? (?:their|his|her|its|an?|the)"
            rf" {_NTH_TIME} (?P<what>[a-z]+(?: [a-z]+)?)(?=\W|$)",
            r"for each \g<who>, when was the \g<which> \g<what>",
        ),
        (
            rf"^when (?:was|were) (?:each|every) (?P<who>[a-z]+(?: [a-z]+)??)['’]s {_NTH_TIME}"
            rf" (?P<what>[a-z]+(?: [a-z]+)?)(?=\W|$)",
            r"for each \g<who>, when was the \g<which> \g<what>",
        ),
        (r"\bvery (?=(?:first|last)\b)", ""),
        (
            r"(?P<who>^(?:which|what|how many|who)\b(?: [a-z]+){0,2})"
            r" (?P<did>[a-z]{2,}ed|bought|sold|made|paid|sent|held|built) no (?=[a-z]+)(?!one\b|longer\b|more\b)",
            r"\g<who> have not \g<did> any ",
        ),
        (
            r"\bleft (?:us |behind )?(?=(?:(?:an?|any|some|their|his|her|no) )?(?:[a-z]+ )?"
            r"(?:ratings?|reviews?|comments?|feedback|scores?|remarks?|tips?|messages?|notes?)\b)",
            "gave ",
        ),
        (r"\b(?P<did>bought|ordered|purchased|booked|rented) (?:(?:something|anything) )?from us\b", r"\g<did>"),
        (
            r"^of (?:all )?(?:the |our )?(?P<what>[^,]+), what"
            r" (?P<share>percentage|percent|%|share|proportion|fraction)"
            r" (?:went|goes|go|were|was|is|are|came|comes|come|fell|falls|belongs?|belonged)"
            r"(?: (?:to|in|into|from|through|with|by|for|on|at|under))? (?:each|every) (?P<by>[^,?]+)",
            r"what \g<share> of \g<what> does each \g<by> account for",
        ),
        (
            r"\b(?P<one>average|mean|median|total|shortest|lowest|smallest|minimum),? and (?:the )?"
            r"(?:longest|highest|largest|biggest|greatest) (?!(?:number|amount|count)\b)(?P<what>[a-z]+)",
            r"\g<one> and maximum \g<what>",
        ),
        (
            r"\b(?P<one>average|mean|median|total|longest|highest|largest|maximum),? and (?:the )?"
            r"(?:shortest|lowest|smallest) (?!(?:number|amount|count)\b)(?P<what>[a-z]+)",
            r"\g<one> and minimum \g<what>",
        ),
        (
            r",? ?\b(?:(?:restart|reset(?:t)?)(?:ing|s)?|(?:start(?:ing|s)?|beginning|begins)"
            r"(?: (?:afresh|fresh|again|over))? (?:from|at) (?:zero|scratch|0)"
            r"|(?:start(?:ing|s)?|beginning|begins) (?:afresh|fresh|again|over)) in january\b(?! (?:of )?\d{4})",
            "",
        ),
        (
            r"^how (?:did|do|does|have|has) (?P<what>.+?) (?:develop|evolve|change)(?:ed|d)? over time(?P<rest>.*)",
            r"\g<what> by month\g<rest>",
        ),
        (
            r"^how (?:did|do|does|have|has) (?P<what>.+?) (?:develop|evolve|change)(?:ed|d)?"
            r" (?:over|through|across) the years(?=\W*$)",
            r"\g<what> by year",
        ),
        (
            r"^how (?:did|do|does|have|has) (?P<what>.+?) (?:develop|evolve)(?:ed|d)?"
            r"(?P<along>(?: in [\w ]+?)?,? (?:by|(?:day|week|month|quarter|year) by|from month to|per|each|every) .+)",
            r"\g<what>\g<along>",
        ),
        (
            r"^how (?:did|do|does|have|has) (?P<what>.+? (?:per|by|each|every) .+?)"
            r" (?:develop|evolve)(?:ed|d)?(?=\W*$)",
            r"\g<what>",
        ),
        (
            rf"\b(?P<from>(?:from|between) (?:(?:the )?(?:start|beginning) of )?(?:{MONTH})(?: {YEAR})?)"
            rf" (?:to|until|till|through|and) (?:the )?end of (?=(?:{MONTH})\b)",
            r"\g<from> to ",
        ),
        (r"\bwhose (?P<what>(?:[a-z]+ ){1,3})we (?:know|have)\b(?! [a-z])", r"whose \g<what>is known"),
        (rf"\bon the (?:night|day|date) of (?=\d|(?:{MONTH})\b)", "on "),
        (
            r"^(?:of|among) (?:all )?(?:the )?(?P<rows>[a-z]+) (?:that (?:were )?)?(?P<did>[a-z]+ed)"
            r" (?:in )?(?:each|every)"
            r" (?P<unit>week|month|quarter|year),? (?P<share>(?:what|which) (?:percentage|percent|share|proportion))"
            r"(?: of them)? (?P<rest>(?!of\b).+)$",
            r"\g<share> of \g<rows> \g<rest> by \g<unit> \g<did>",
        ),
        (
            rf"(?P<when>\b(?:in|of|during|for) (?:(?:{MONTH})(?: (?:of )?{YEAR})?|{YEAR}))"
            rf",? so far(?=\W*$| (?:by|per)\b)",
            r"\g<when>",
        ),
        (r",? before (?:any )?(?:refunds?|chargebacks?)(?=\W*$|,| (?:and|in|by|per|for|during)\b)", ""),
        (r"^by how many (?:percent|%) (?=(?:did|has|have|do|does) )", "by what percentage "),
        (
            r"\b(?:has|have|had|gave|give|left|provided|with)(?: us)? neither (?:an? |the |their )?"
            r"(?P<one>[a-z]+(?: [a-z]+)?) nor (?:an? |the |their )?(?P<other>[a-z]+(?: [a-z]+)?)(?=\W*$)",
            r"without \g<one> and without \g<other>",
        ),
        (
            r"\b(?:who |that )?(?:have|has|had|with) no (?P<one>[a-z]+(?: [a-z]+)?)"
            r" and no (?P<other>[a-z]+(?: [a-z]+)?)(?=\W*$)",
            r"without \g<one> and without \g<other>",
        ),
        (r"\bnights (?=between |from )", "days "),
        (
            r"^(?=how many\b|number of\b|count of\b)(?!.*\b(?:totals?|running|cumul\w+|add\w* up|piled up|so far"
            r"|average|by|per|each|every|idle|no|not|never)\b)(?!.*n['’]t\b)(?P<rest>.*)\b(?:since|from) the"
            r" (?:start|beginning) of (?:the|this|our) year(?! (?:of|to|until|till|through|\d+)\b)",
            r"\g<rest>this year",
        ),
        (
            r"\bhow many days before (?P<end>[\w-]+) (?:are|is|were|was|do|does|did) (?P<first>[a-z]+)"
            r" (?:made|booked|placed|taken|done|come in|happen)\b",
            r"how many days between \g<first> and \g<end>",
        ),
        (r",? one (?:line|row) (?:per|for each|for every) (?P<by>[a-z]+(?: [a-z]+)?)(?=\W*$)", r" by \g<by>"),
        (r"\blongest[- ](?:serving|standing|tenured)\b", "longest serving"),
        (r"\bin (?:money|revenue|cash) terms\b|\bmoney-?wise\b|\bin terms of money\b", "by revenue"),
        (r"\b(?P<what>costs?|expenses|losses|revenue) (?:was|were|is|are) caused by\b", r"\g<what> came from"),
        (
            r"\b(?P<n>\d+)-(?P<unit>(?!day|week|month|quarter|year|hour|minute|letter|digit)[a-z]{4,})"
            r" (?P<who>[a-z]+s)\b",
            r"\g<who> with \g<n> \g<unit>s",
        ),
        *(
            (
                rf"{_WHICH}\b{way} {_PERIOD_OF} {of}",
                rf"for each \g<group>, the \g<unit> with the {most} \g<what>\g<year>",
            )
            for way, most in ((_AT_BEST, "highest"), (_AT_WORST, "lowest"))
            for of in (_BY_GROUP, _OF_WHAT)
        ),
        (
            rf"{_WHICH}\bbusiest {_WHEN} (?:for|of|by|in terms of) (?P<what>.+)",
            r"which \g<when> had the most \g<what>",
        ),
        (
            r"^(?:in|at|on|for|with) which (?P<who>[a-z]+(?: [a-z]+)?)"
            r" (?:(?:do|did) we (?:have|see|get)|is there|are there) the"
            r" (?P<way>highest|lowest|largest|smallest) (?P<what>(?:share|percentage|proportion|rate)\b.+)",
            r"which \g<who> has the \g<way> \g<what>",
        ),
        (
            rf"{_WHICH}\bbest {_PERIOD_OF}(?: (?:that )?(?:we|they)(?:['’]ve| have)?(?: ever)? had| ever)?"
            r",? (?:in terms of|measured by) (?:the )?(?P<what>.+)",
            r"which \g<unit> had the most \g<what>",
        ),
        *(
            (
                rf"\b(?:the )?average of (?:(?P<what>[^,.;?]+?) over )?that {_PERIOD_OF} and the {many}"
                rf" (?:(?P=unit)s? )?before(?: it)?(?=\W*$|[,.])",
                rf"the {total}-\g<unit> moving average of \g<what>",
            )
            for many, total in (("one", 2), ("two", 3), ("three", 4), ("five", 6), ("six", 7), ("eleven", 12))
        ),
        (r"\bmoving average of (?=\W*$|[,.])", "moving average"),
        (
            rf"{_WHICH}\b(?:quietest|slowest) {_WHEN} (?:for|of|by|in terms of) (?P<what>.+)",
            r"which \g<when> had the fewest \g<what>",
        ),
        (
            rf"\b(?P<did>[a-z]+) in (?P<one>{YEAR}) and (?:then )?(?:came back|returned|(?:came |(?P=did) )?again)"
            rf" in (?P<two>{YEAR})",
            r"\g<did> in both \g<one> and \g<two>",
        ),
        (
            r"\bat least one (?P<one>\w+ (?P<what>\w+)) and (?:at least )?one (?P<two>\w+ (?P=what))\b",
            r"both a \g<one> and a \g<two>",
        ),
        (
            r"\btotal (?P<done>invoiced|billed)\b(?! (?:amount|price|value|total|sum|cost|fee)s?\b)",
            r"total amount \g<done>",
        ),
        (r"\bwhat part of\b", "what share of"),
        (r"\b(?:what|which) portion of\b", "what share of"),
        (
            r"^who (?:are|were) (?=(?:our|the|my) (?:\w+ )?"
            r"(?:biggest|largest|best|top|worst|smallest|most \w+) [a-z]+s\W*$)",
            "",
        ),
        (r"\bwalked (?:away|out)\b(?! (?:from|with|of)\b)", "left"),
        (r"\bbecause (?:it|they|that|this|things|we) (?:was|were|is|are) ", "because of "),
        (r"\bspends? (?=(?:the )?(?:most|least)\b)", "spent "),
        (
            r"(?P<did>\b(?:spen[dt]s?|spending|order(?:s|ed)?|buys?|bought|books?|booked|shops?|shopped|placed|rent(?:s|ed)?)\b"
            r"(?: [^ ,;.?]+){0,4}?) with us\b",
            r"\g<did>",
        ),
        (
            r"^(?P<one>[\w' -]+?),? or (?P<two>[\w' -]+?)\s*[,–-]\s*"
            r"(?P<ask>(?:which|who|what)(?: of (?:them|the two|those))?"
            r" (?:has|have|had|is|are|was|were|brings?|brought|gets?|got|sells?|sold|makes?|made|costs?) [^?]+?)\W*$",
            r"\g<ask>, \g<one> or \g<two>",
        ),
        (r"\b(?P<does>br(?:ings?|ought)) in (?P<more>more|less)\b(?=\W*$|,)", r"\g<does> in \g<more> revenue"),
        (
            r"\b(?:leaving out|leave out|not counting|without counting|disregarding|ignoring"
            r"|omitting|skipping|apart from|aside from)\b(?! (?:nulls?|case|blanks?|missing|unknown)\b)",
            "excluding",
        ),
        (r"\bmost profitable (?P<what>[a-z]+)", r"\g<what> with the highest profit"),
        (r"\bleast profitable (?P<what>[a-z]+)", r"\g<what> with the lowest profit"),
        (r"\b(?:is|are|was|were) (?:the )?most profitable\b", "had the highest profit"),
        (r"\b(?:is|are|was|were) (?:the )?least profitable\b", "had the lowest profit"),
        (r"\b(?:looks?|looked|looking) after\b|\b(?:takes?|took|taking) care of\b", "has"),
        (rf"\b(?:an?|one) {_SPAN} and a half\b", r"1.5 \g<unit>s"),
        (rf"\b(?P<n>\w+) {_SPAN}s and a half\b", r"\g<n> and a half \g<unit>s"),
        (r"\?\s+(?=(?:by|per|(?:for|in) (?:each|every)|(?:split|grouped|broken down) by) \w)", " "),
        (
            r"[?.]\s+(?:please )?(?:show|give|split|break|count|list)(?: me)? (?:it|this|that|them|these)"
            r"(?: down| up| out)? (?=(?:by|per|for each|for every) \w)",
            " ",
        ),
        (
            r"\b(?:sent|sends?|brought|brings?|gave|gives?) (?P<what>(?:some|any)thing|(?:an?|any) \w+|it|them) back\b",
            r"returned \g<what>",
        ),
        (
            rf"^(?:which |what |list |show (?:me )?|the |all )*(?P<what>{_NO_BEST}[a-z][^.?:;]{{8,}}?)"
            r"\s*(?: -|[,;:?.])\s*(?:and )?"
            r"(?:(?:just |only |please )*count(?: them)?|how many(?: are (?:there|they)| of them)?"
            r"|(?:just |only )?(?:the |their |a )?(?:number|count)(?: only| of them)?)(?: please)?[.?! ]*$",
            r"number of \g<what>",
        ),
        (
            r"^(?:(?:show|list|give)(?: me)? |the |what (?:is|was|are) the )?(?P<which>first|last|latest|earliest)"
            r" (?P<what>[a-z]+) dates? (?:per|by|for each|of each|of every|for every) (?P<who>[a-z]+)",
            r"for each \g<who>, when was the \g<which> \g<what>",
        ),
        (
            r"^what (?:is|was) (?:an?|one|the average|each) (?P<what>order|sale|purchase|transaction|booking|visit)"
            r" worth(?: on average)?(?= (?:in|by|per|for|of) |\W*$)",
            r"average \g<what> value",
        ),
        (
            rf"\bbefore (?P<when>(?:(?:{MONTH}) )?{YEAR})"
            r"(?P<link>,? (?:and|or|vs\.?|versus|against|compared (?:with|to))(?: how many| those| that)?)"
            r" (?:since|after|afterwards|from then on)(?: (?:then|that|it))?(?=[ ?.!]*$)",
            r"before \g<when>\g<link> since \g<when>",
        ),
        (
            r"^(?P<which>which|what) (?P<who>[a-z]+) (?P<did>grew|shrank|declined|increased)"
            rf" (?:the )?(?P<most>most|least|fastest) (?=(?:from|between) |in (?:{SOME_TIME}))",
            r"\g<which> \g<who>'s revenue \g<did> the \g<most> ",
        ),
        (
            rf"\b(?P<one>{SOME_TIME}),? (?:(?:as )?compared (?:with|to)|in comparison (?:with|to)|against|relative to)"
            rf" (?:in |that of )?(?P<other>{SOME_TIME})",
            r"\g<one> vs \g<other>",
        ),
        (
            r"^(?P<ask>by (?:what|how many|how much) ?(?:percentage|percent|%)? (?:did|has|have)) (?P<what>.+?)"
            r" (?:gr[eo]wn?|changed?|increased?|ris\w+|decreased?|fall\w*|dropp?\w*|declined?)"
            r" in (?P<one>\d{4}) vs (?P<two>\d{4})",
            r"\g<ask> \g<what> change from \g<two> to \g<one>",
        ),
        (
            rf"\b(?:the |our )?top (?P<n>{A_NUMBER}) (?P<most>{SUPERLATIVES})\b",
            r"the \g<n> \g<most>",
        ),
        (r"\b(?:slowest|poorest)[ -]selling\b", "worst selling"),
        (r"\b(?P<than>(?:more|fewer|less) than) (?:just |only )?a single (?=[a-z]+\b)", r"\g<than> one "),
        (r"\bmultiple (?=[a-z]+s\b(?! of\b))", "more than one "),
        (r"\b(?P<the>the word) (?P<word>[a-z]+)(?= (?:in|at|within|as)\b|\W*$)", r'\g<the> "\g<word>"'),
        (r"\bfastest[ -]selling\b", "best selling"),
        (
            r"\b(?P<has>with|have|has|had|containing|contained|contain|contains) (?:only |just )?a single (?=[a-z]+\b)",
            r"\g<has> exactly one ",
        ),
        (
            r"^(?:show (?:me )?|the |what (?:is|was) the )*number of (?P<what>[a-z]+(?: [a-z]+)?)"
            r" (?:per|by|for each|in each|on each) (?P<by>[a-z]+(?: of the week)?),? on average(?=\W*$)",
            r"average number of \g<what> per \g<by>",
        ),
        (
            r"^how many (?P<what>(?:different|distinct) [a-z]+) (?:does|do|did) (?:each|every|an?) (?P<by>[a-z]+)"
            r" (?:buy|order|have|purchase|take|get|use|book|rent|own)(?: on average)(?=\W*$)",
            r"average number of \g<what> per \g<by>",
        ),
        (r"(?<=, )(?:return|report|output|print)(?= (?:the|its|their|both|all)\b)", "show"),
        (r"\b(?:have |has |had )?(?:at least )?participated in\b", "took part in"),
        (r"^(?:please )?(?:(?:in|as|all in) )?(?:just )?(?:one|a single) (?:row|line)(?: please)?\s*[:,]\s*", ""),
    )
)
_DEGREES = {
    "long": "length",
    "heavy": "weight",
    "wide": "width",
    "deep": "depth",
    "fast": "speed",
    "tall": "height",
    "high": "height",
    "expensive": "price",
    "cheap": "price",
}
"""What an adjective is a degree of."""
_IS = r"(?:is|was|are|were) (?:the|our|my)"
_EXTREMES = tuple(
    (Pattern(rf"^\W*how {pattern} (?P<what>.+)", re.IGNORECASE), rf"{figure} \g<what>")
    for pattern, figure in (
        (rf"old {_IS} oldest", "maximum age of"),
        (rf"old {_IS} youngest", "minimum age of"),
        *(
            (rf"{degree} {_IS} (?P<most>[a-z]+est|most [a-z]+|least [a-z]+)", rf"{noun} of the \g<most>")
            for degree, noun in _DEGREES.items()
        ),
    )
)
"""`how long is the longest track` asks for its length, not which one it is."""


def in_turns(text: str) -> str:
    """The text with each turn of phrase as what says the same."""
    for pattern, instead in (*_PHRASES, *ORDERS, *_EXTREMES):
        text = pattern.sub(instead, text)
    return text
