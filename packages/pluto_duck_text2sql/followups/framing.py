"""The patterns of the words that frame a follow-up, in the order in which they are taken out of its text."""

from __future__ import annotations

from pluto_duck_text2sql.language.words import A_NUMBER

_IT = r"(?:it|that|this|them|those|these|they|everything|the (?:list|results?|rows?|table|answers?|numbers?|figures?))"
_BE = r"(?:is|are|was|were|do|does|did|has|have|had|would|be|come|make|makes)"
_PART = r"(?P<unit>shares?|proportions?|fractions?|percentages?|percents?|per cent|parts?|%)"
_STOP = r"(?=\s*(?:$|[,.;:?!]|(?:instead|please|again|too|as well|rather|now)\b))"
_ROW = r"first|second|third|fourth|fifth|last|top|best|1st|2nd|3rd|4th|5th|highest|biggest|largest|lowest|smallest"
_DAY = r"years?|quarters?|months?|weeks?|days?|dates?|periods?|times?|time"
_BOTH = r"(?:both(?: of (?:them|those|these)| the)?|them|the two|those two|these two)"
_TOGETHER = r"(?: (?:side by side|next to each other|beside each other|together|compared|in (?:one|a single|the same) table|in two columns))"
_SHOW = r"(?:what (?:are|were)(?= (?:their|its))|show|list|give|get|display|print|see|name|tell|return|open|fetch)(?: (?:me|us))?(?! (?:it|that|this) (?:by|per|as|in)\b)"

_REGRETS = r"(?:(?:no+|nope)(?=\s*[,.!]|$| (?:i|sorry|wait|oops|actually|rather|by|just|only|make)\b)|never ?mind(?=[,.!;])|sorry|oops|wait|hang on|hold on|correction|my (?:mistake|bad|fault)|i (?:mean|meant)(?= .))"

PEELS: tuple[tuple[str, str], ...] = (
    (
        "undo",
        r"^(?:please )?(?:undo(?: (?:that|this|it|the last(?: \w+)?))?|(?:go|step|take me) back(?: (?:one|a) (?:step|question))?"
        r"|(?:go )?back to (?:the )?(?:one |result |question |answer )?(?:previous|before|last|earlier)(?: \w+)?|revert(?: \w+){0,3}"
        r"|never ?mind(?: that)?|scratch that|forget (?:that|it|the last \w+)|(?:take|leave) that back|as before)\W*$",
    ),
    ("polite", r"\b(?:please|thanks|thank you|for me)\b"),
    (r"= by \1", r",? \bone (?:line|row) (?:per|for each|for every) (\w+(?: \w+)?)$"),
    (r"=from ", r"(?<!\d )\bout of (?=(?-i:[A-Z]))"),
    (r"=\1 first", r"(?:^|(?<=, ))(?:and |with )?(?:the )?(most|fewest|least) \w+ first$"),
    ("=their", r"\b(?:each|every) one['’]?s\b"),
    (
        "=those",
        rf"\b(?:those|these) {A_NUMBER}\b"
        r"(?! (?:[a-z]+ )?(?:days|weeks|months|quarters|years)\b)",
    ),
    (
        r"=with a known \1",
        r"(?:^|(?<=[,;.] ))(?:(?:leav(?:e|ing)|tak(?:e|ing)|drop|throw) out|skip(?:ping)?|drop(?:ping)?|ignor(?:e|ing)|omit(?:ting)?)"
        r" (?:the |any |all )?(?:ones|those|people|rows)? ?"
        r"(?:(?:that |which |who )?(?:we|i) have no|without(?: an?)?|with no|(?:that|who|which) have no) (\w+)"
        r"(?: for| given| stated| known| recorded| set| listed| at all| yet)?$",
    ),
    (
        r"=without \1\2",
        r"^(.+?) (?:do not|don['’]t|does not|doesn['’]t|should not|shouldn['’]t) count"
        r"(?:[,;] (?:so |please )?(?:take|leave|drop) (?:them|it|those) out)?([,;] (?:only|just|by) .+)?$",
    ),
    (
        r"=without \1",
        r"^(?!.*\b(?:how|what|which|who)\b)(?:please )?(.+?), (?:so )?(?:take|leave|drop|throw|kick) (?:them|it|those|these) out$",
    ),
    (
        r"=what about \1",
        r"^(?:what|how) (?:does|do|did|would|will) (?!(?:that|it|this|they|those|the \w+) look)(.+?) look(?: like)?$",
    ),
    (
        r"=by \1",
        rf"^(?:and |now |then )?{_SHOW} (?:that|this|it)(?: (?:average|total|number|count|figure|sum|amount|share))? (?:for|by|per|in)"
        rf" (?:each|every) ({_DAY})$",
    ),
    (
        r"=by \1 in the whole year",
        rf"^(?:and |now |then )?(?:{_SHOW} )?(?:all|every|each|the other)(?: of)?(?: the)?(?: twelve)? (quarter|month|week|day)s?"
        r" (?:of|in) (?:that|the whole|the same) year$",
    ),
    (r"=by \1", r"^(?:(?:and|so|ok) )*how many (?:of|for|in|per) each ([a-z]+(?: [a-z]+)?)$"),
    (
        r"=all \1, by \1",
        rf"^(?:and |now |then )?{_SHOW} (?:that|this|it)(?: (?:average|total|number|count|figure|sum|amount|share))? (?:for|by|per|in)"
        rf" (?:each|every|all) (?!(?:{_DAY})\b)([a-z]+)$",
    ),
    (
        r"=all \1, by \1",
        r"^(?:(?:and|what about|how about|for) )*(?:all|every)(?: (?:the|our))? (\w+(?: \w+)?),? (?:and )?how (?:many|much)"
        r" (?:of |for |in |at |from )?each$",
    ),
    (
        r"=by \1",
        r"^(?:and )?(?:(?:give|show|list|tell)(?: me| us)? )?(?:the |their )?(\w+(?: \w+)?),? with (?:the |a )?(?:count|number|total|amount)"
        r"s? (?:for|of|per) each$",
    ),
    (
        r"=by \1",
        r"^(?:and )?what (?:were|are|was|is) the (\w+)\W+(?:and )?(?:(?:show|give|list|tell)(?: me| us)? )?(?:the )?"
        r"(?:amount|count|number|total|figure)s? (?:for|of|per) each$",
    ),
    (
        r"=by \1",
        r"^(?:and )?(?:which|what) (\w+) (?:were|are|was|is|did|do) [a-z]+,? (?:and )?how (?:often|many|much)(?: times)?"
        r"(?: (?:for|of))? each$",
    ),
    (
        r"=add \1",
        r"\b(?:put|place|set|write) ((?:their|its|his|her) .+?) (?:next to|beside|alongside|by) (?:it|that|them|those|each|(?:the|their|each) [a-z]+)$",
    ),
    (
        r"=compared with \1",
        r"^(?:put|show|place|set|add) (?:me )?(.+?) (?:next to|beside|alongside|side by side with) (?:it|that|this|them|those)$",
    ),
    (
        r"=\1 first",
        r"\b((?:bigg|small|high|low|larg|cheap|old|new|long|short)est|(?:most|least) [a-z]+)(?: ones?)? (?:on|at(?: the)?) top\b",
    ),
    (
        "=highest first",
        r"\b(?:busiest|dearest|priciest|strongest|best(?:[- ]sell(?:er|ing)s?)?|top(?: sellers?)?) (?:first|on top|at the top)\b",
    ),
    ("=lowest first", r"\b(?:quietest|weakest|worst(?:[- ]sell(?:er|ing)s?)?) (?:first|on top|at the top)\b"),
    (
        r"=the \1",
        r"^which (?:one|ones|of (?:them|those|these)) (?:had|has|have|was|were|is|are|got|saw) (?:the )?"
        r"(most|least|fewest|highest|lowest|best|worst|biggest|smallest)\W*$",
    ),
    (
        r"=\1 had the most",
        r"^(?:and )?(who|which one) (?:is|was|came|comes|came out|comes out|ended up) (?:on|at the) top$",
    ),
    (
        r"=\1 had the fewest",
        r"^(?:and )?(who|which one) (?:is|was|came|comes|came out|comes out|ended up) at the bottom$",
    ),
    (r"=on \1s", r"\b(?:the )?(weekend|weekday) ones\b"),
    (
        r"=by \1",
        r"^(?:and )?(?:which|what) (\w+) (?:were|are|was|is) (?:they|those|these|that|it)"
        r",? (?:and )?how (?:often|many)(?: times)?(?: for)?(?: each)?(?: of them)?$",
    ),
    (
        r"=\1 \2 for ",
        r"\b(total|average|mean|median|overall|combined) (amount|value) of (?=(?:their|its|those|these|the)\b)",
    ),
    (r"=\1 ", r"\b(\w+) of (?=(?:at least|at most|more than|less than|over|under|above|below|exactly)\b)"),
    (
        "=ascending",
        r"\bfrom (?:the )?(?:cheap\w*|low\w*|small\w*|few\w*|quiet\w*|weak\w*|least(?: \w+)?|worst) to (?:the )?(?:most )?\w+$",
    ),
    (
        "=descending",
        r"\bfrom (?:the )?(?:(?:most )?expensive|dear\w*|high\w*|larg\w*|big\w*|bus\w*|strong\w*|most(?: \w+)?|best) to (?:the )?(?:least )?\w+$",
    ),
    (
        "lead",
        rf"^(?:(?:and|but|or|so|ok(?:ay)?|now|then|well|right|alright|great|good|fine|hmm?|yes|yeah|next|actually|{_REGRETS})\b[\s,.!]*)+",
    ),
    ("also", r"^(?:also|additionally|in addition)\b,?"),
    (
        "absolute",
        r"^(?:(?:show|give)(?: me)? )?(?:(?:back to|in|as|use) )?(?:the )?(?:(?:absolute|plain|actual|real|raw) (?:numbers?|figures?|values?"
        r"|terms|counts?|amounts?)|(?<=back to )(?:the )?(?:numbers|counts|figures|amounts|totals)|(?<=as )numbers)(?: again| instead| rather)*"
        r"(?=\W*$|,)|^(?:not (?:as |in )?(?:an? )?|without (?:the )?|no |instead of (?:the )?)(?:percent(?:age)?s?|shares?|%)(?: instead)?(?=\W*$|,)",
    ),
    (
        "polite",
        r"^(?:can|could|would) (?:you|i|we)(?: also| please)?(?: see| have| get)?|^i(?:'d| would)? (?:like|want|need)(?: to (?:see|know|have))?\b",
    ),
    ("polite", r"^(?:let'?s|let me|let us)\b(?: (?:see|have|look at|take|do|try))?"),
    (
        "polite",
        r"^(?:and )?(?:what|how) (?:does|do|did|would|will) (?:that|it|this|they|those|the \w+) look(?: like)?\b",
    ),
    ("about", r"^(?:what|how) (?:about|of)\b|^i meant?\b|^and\b|,? (?:(?:is|was) what )?i meant?$"),
    (
        "same",
        r"^(?:do |show |give |run |repeat )?(?:me )?(?:exactly )?(?:the )?same(?! (?:period|time|month|quarter|week|day)s?\b)(?: (?:thing|question|query|figures?|numbers?|results?|breakdown|report|list|table|analysis))?(?: again)?,?(?: but)?(?: just)?(?: (?:with|using))?\b",
    ),
    ("same", r"^(?:do|repeat|run) (?:that|it|this)(?: again)?\b,?(?: but)?"),
    (
        "change",
        r"^(?:change|set|switch|update|move) (?:the )?(?:period|time ?frame|time|date range|dates?|range|limit|filter|grouping|measure|metric|year|month|quarter|sort order|order)(?: from [\w ]+?)? to\b",
    ),
    ("change", r"^(?:make|change|switch|turn|set)(?: (?:it|that|this|them))?(?: (?:to|into))?\b(?=\s)"),
    (
        "undropped",
        r"^(?:drop|remove|clear|delete|lift|ignore|take (?:off|out|away)|leave out|without|no)(?: (?:the|that|this|any|all|those|these))*(?: last| previous)? ?(?P<noun>[\w#' -]*?) ?(?:filters?|restrictions?|conditions?|constraints?|limitations?)\b",
    ),
    (
        "unlimited",
        r"^(?:(?:drop|remove|clear|lift|without|no)(?: (?:the|that|any))* (?:limit|cut|cut-?off)|"
        + _SHOW
        + r" (?:all|everything|the whole list|the full list|the complete list|the rest)(?: of (?:them|it|those))?(?: rows)?|(?:all|every one) of (?:them|those|these)|not (?:just|only) the (?:top|first|best) ?\w*)\W*$",
    ),
    (
        "share",
        rf"(?:what|which|how big an?|how large an?|what's the|what is the) {_PART}(?: of (?P<whole>[\w' ]+?))? {_BE} (?:that|this|it|those|they|these|them|each)\b(?: (?:make up|represent|account for|of (?P<of>(?:the |all )?[\w ]+)))?",
    ),
    (
        "share",
        rf"(?:(?:(?:show|give|express|see) {_IT} )?(?:expressed )?(?:as|in|into) (?:an? |the |their |its )?|\b(?:the |their |its )?|^)(?:relative )?{_PART}(?: (?:shares?|values?|terms?|form|points?))?(?: (?:of|to|in|from) (?:the |all |its |their )*(?:\w+['’]s? )?(?:grand |overall )?(?:total|whole|sum|all|overall)s?(?: [\w ]+)?)?{_STOP}",
    ),
    (
        "share",
        r"(?:relative|in relation|in proportion|compared|proportional) to (?:the |all |their )*(?:grand |overall )?(?:total|whole|sum)s?|normali[sz]ed?(?: (?:it|them|that))?|out of the (?:total|whole)|proportionally",
    ),
    (
        "more",
        rf"(?:by )?how (?:many|much) (?P<sign>more|less|fewer|higher|lower|greater|bigger|better|worse|larger|smaller)\b(?: {_BE} (?:that|this|it|those|they|there)(?: now)?\b)?(?: {_BE}\b)?(?: (?:now|more))?",
    ),
    (
        "difference",
        r"(?:what(?:'s| is| was| are)|show(?: me)?|give(?: me)?|and)? ?(?:the )?(?:differences?|gap|delta|margin)(?: (?:between|of) (?:the two|them|both|these(?: two)?|those(?: two)?|these numbers|the two \w+))?\b",
    ),
    ("difference", r"subtract (?:the two|them|one from the other)"),
    (
        "growth",
        r"(?:by )?(?:how much|what percent(?:age)?|how) (?:did|has|have|does) (?:it|that|this|they|those)(?: (?:been|be))? (?:grow|grown|increase|increased|change|changed|rise|risen|fall|fallen|drop|dropped|decrease|decreased|decline|declined|improve|improved)\b(?: (?:from|since|compared (?:to|with)|over|against|on|versus|vs))?",
    ),
    (
        "growth",
        r"(?:what(?:'s| is| was) )?(?:the )?(?P<percent>percent(?:age)? |relative )?(?:change|growth|increase|decrease)(?: rate)? (?:from|since|compared (?:to|with)|over|against|on|versus|vs)\b",
    ),
    (
        "versus",
        r"(?:and )?how (?:does|do|did) (?:that|it|this|they|those) compare(?:d)? (?:to|with|against)\b|(?:compared?|comparing|compare (?:it|that|this|them|those)|put (?:it|that) next to|side by side)(?: (?:it|that|this|them))? ?(?:to|with|against)\b|^(?:in comparison (?:to|with)|versus|vs\.?|against|next to|alongside)\b",
    ),
    (
        "versus",
        r"^(?:is|was|were|are) (?:that|it|this|those|they|these) (?:any |much |an? )?(?:better|worse|more|less|fewer|higher"
        r"|lower|bigger|smaller|up|down|improvement|increase|rise|drop|decline|decrease)"
        r" (?:than|on|over|from|against|compared (?:to|with))\b",
    ),
    (
        "versus",
        rf"^(?:(?:put|show|give|see|have|display|list)(?: (?:me|us))? )?{_BOTH}(?: (?:{_DAY}|[a-z]+s))?{_TOGETHER}$"
        rf"|^compare {_BOTH}(?: (?:{_DAY}))?$|^(?:show |give )?(?:(?:me|us) )?both(?: (?:{_DAY}))?$|^(?:{_DAY} )?(?:side by side|next to each other)$|^compare (?=.+ (?:to|with|and|against) .)",
    ),
    (
        r"=how much money is that",
        r"^(?:what|how much) (?:(?:is|are|was|were) (?:they|those|these|that|it|them|this)(?: all)? worth"
        r"|(?:do|does|did) (?:they|those|these|that|it)(?: all)? (?:bring in|earn(?: us)?|make us))(?: in total| altogether)?$",
    ),
    (
        "sumup",
        r"what (?:do|does|did|would|is|are|was) (?:they|those|these|that|it|them|this)(?: all)? (?:add up to|sum(?: up)? to|total(?: up)?|come to|amount to|make|cost|add up)\b(?: (?:in total|altogether|all together|in all|overall|together))?",
    ),
    (
        "sumup",
        r"^(?:add|sum|total) (?:them|those|it|these|that)(?: all)?(?: up| together)?\W*$|^how much (?:is|are|was|were) (?:that|it|those|they|this|there)(?: (?:in (?:total|money)|altogether|all together|in all|overall|gross|net))*\W*$|^(?:what(?:'s| is| was) (?:the|their) (?:sum|(?:grand |overall )?total|sum total)(?: again| overall| then)*)\W*$",
    ),
    ("of_them", r"^(?:of|among|from) (?:them|those|these)\b,?"),
    (
        "count",
        r"^(?:and )?how many(?: (?:are there|are|is|were|was|do|did|have|has|had))?(?= (?:per|by|in|for|from|to|with|without|at|on|during"
        r"|came|come|live|lived|went|go|signed|belong|monthly|weekly|daily|yearly|quarterly)\b| \w+ed\b)",
    ),
    (
        "count",
        r"^(?:and )?(?:the )?(?:how many|numbers?|counts?)(?: (?:of|for))? each(?: (?:one|of (?:them|those|these)))?"
        r"(?=\W*$| (?:too|as well|also|please)\b)",
    ),
    (
        "count",
        r"^(?:and )?how many (?:of|among) (?:them|those|these)\b(?: (?:are|is|were|do|did|have|has)(?: there)?)?",
    ),
    (r"=how many \1", r"^how many (?!of\b)(\w+) (?:is|are|was|were) (?:that|it|those|they|this|these|there)\b"),
    (r"=total ", r"^(?:add|sum|total) up (?=(?:the|their|its)\b)"),
    (r"=by \1", r"^(?:in|through|via|from|for|to|on|at|by) (?:which|what) (\w+)$"),
    (r"=show the different \1", r"^which (?!ones?\b)(\w+) (?:\w+ ){1,2}(?:them|those|these|it)(?=$|[?,:;.])\??"),
    ("kinds", r"(?<=^show )the different\b"),
    (
        "best_time",
        r"^which (?:year|quarter|month|week|weekday|day(?: of the week)?|hour)s? (?:had|has|have|saw|was|were|is|are) (?:the )?"
        r"(?=(?:most|least|fewest|highest|lowest|best|worst|largest|smallest|biggest|busiest|quietest|strongest|weakest)\W*$)",
    ),
    (
        "where_they",
        r"^where (?:are|were|do|is) (?:they|those|these|it)(?: (?:all|each))?(?: (?:based|located|from|live|sit|at))?\W*$",
    ),
    ("when_they", r"^when (?:was|were|did|do|is|are) (?:they|it|those|these)(?: \w+){0,2}\W*$"),
    ("others", r"^(?:all )?(?:the )?(?:others?|other ones?|rest|remaining(?: ones?)?)\W*$"),
    (
        "doer",
        r"^who (?:\w+ ){1,2}(?:each of )?(?:them|those|these|it)\W*$|^whose (?:is|are|was|were) (?:they|those|these|that|it)\W*$",
    ),
    ("about", r"^in terms of\b"),
    ("count", r"^(?:and )?how many (?:are|is|were|was)(?= (?!there|they|that|those|these|it\b)\w+$)"),
    ("count", r"^(?:count|number)(?: (?:them|it|those|these))?(?= (?:by|per)\b)"),
    (
        "count",
        r"^count (?:them|those|these|it)(?: all| up)?\W*$|^how many (?:is|are|was|were) (?:that|it|those|they|this|these|there)"
        r"(?: (?:in total|altogether|all together|in all|overall))?\W*$",
    ),
    (
        "count",
        r"^how many(?: (?:are there|are they|is that|of (?:them|those|these)(?: are there)?|rows(?: are there)?|results?))?\W*$",
    ),
    (
        "ungroup",
        r"(?:as (?:one|a single) (?:number|figure|total)|\ball together\b|\baltogether\b|\bin total\b|\bin all$|\boverall\b|\bcombined\b|\bnot (?:broken down|split|grouped)\b(?: by \w+)?|(?:without|drop|remove|no) (?:the )?(?:breakdown|grouping|split)\b(?: by \w+)?|^(?:just|only) the totals?\b|^(?:the )?(?:grand )?total\W*$)",
    ),
    (
        "breakdown",
        rf"(?:(?:break|split|divide|drill|slice|segment|separate)(?: (?:{_IT}|each))?(?: (?:down|up|out|further|into))*|further broken down|broken(?: (?:down|out|up|further))*|(?:with )?a? ?breakdown|grouped|aggregated?|group(?: {_IT})?|show {_IT}|give (?:me |us )?{_IT}|{_IT})(?= (?:by|per|for each|for every|in each|across|monthly|weekly|daily|yearly|quarterly|annually|over time)\b)",
    ),
    (
        "each",
        r"\b(?:do|does|did|has|have|had) each(?: (?:of them|of those|one))?"
        r"(?= \w+(?:\W*$| (?:in|during|since|before|after|until|between|on|last|this|over)\b))",
    ),
    (
        "each",
        r"\b(?:(?:do|does|did|has|have|had|is|are|was|were) each(?: (?:of them|of those|one))?|for each(?: (?:of (?:them|those|these)|one))?|each (?:of (?:them|those|these)|one)|per (?:row|line)|each"
        + _STOP
        + r")(?= (?:have|has|had|make|place|get|cost|hold|own|contain)\b|\W*$|,)",
    ),
    (
        "instead_of",
        r",?\s*\b(?:instead of|rather than|in place of|, not(?= by| per| the))\s+(?:by |per )?(?P<old>[^,.;?]+?)(?=$|[,.;?]|\s(?:show|give|use|take|by|per)\s)[,.;]?",
    ),
    ("instead", r",?\s*\b(?:instead|rather|this time|in its place)\b"),
    (
        "also",
        r"\b(?:too(?=\s*(?:$|[,.;?!]))|as well|in addition|additionally|also)\b|\b(?:next to|beside|alongside) (?:it|that|this|them|those)$|^(?:add|include|append|plus|along with|together with)\b(?: in)?(?: an?)?(?: (?:the )?columns? (?:for|of|with))?|^with(?= (?:their|its|the|number|count|total|average|mean|median)\b)",
    ),
    ("again", r"\bagain\b"),
    (r"=best", r"\b(?:busiest|strongest|commonest)\b(?! first)"),
    (r"=worst", r"\b(?:quietest|weakest|rarest)\b(?! first)"),
    (r"=since \1", r"\bfrom ((?:\w+ )?\d{4}) on(?:wards?)?\b"),
    (
        r"=sorted by \1 \2",
        r"^by (\w+(?: \w+)?),? ((?:in )?(?:ascending|descending|alphabetical)(?: order)?|alphabetically)$",
    ),
    (
        r"=\1 first",
        r"\b(lowest|highest|cheapest|largest|smallest|biggest|most expensive|priciest|newest|oldest|latest|earliest|best|worst)"
        r" (?!first)(?:\w+ ){1,2}first\b",
    ),
    (r"=show \1 ", r"^which (\w+(?: \w+)?) (?:did|do|does|have|has) (?:they|those|these|it|he|she)\b(?: \w+)?"),
    (
        "reverse",
        rf"(?:reverse|flip|invert|turn around)(?: (?:the )?(?:sort(?:ing)?|order(?:ing)?|{_IT})(?: order)?)?|(?:in )?(?:the )?(?:other way(?: a?round)?$|other way a?round|opposite (?:order|direction)|reversed?(?: order)?)",
    ),
    (
        "sort_that",
        rf"(?:^|(?<=, )|(?<=and ))(?:sort(?:ed)?|order(?:ed)?|rank(?:ed)?|arrange[d]?)(?: (?:{_IT}))?(?: (?:by|on|according to|in) (?:that|this|it|the (?:result|number|value|measure|figure|last column)s?|those numbers))?(?=\s*(?:$|[,.;?]|from|in (?:de|a)scending|ascending|descending|highest|lowest|largest|smallest|best|worst))",
    ),
    ("of_that", r"(?<=order) (?:of|by) (?:that|this|it|those numbers)\b"),
    ("all", r"^(?:restore|bring back|put back) (?:all )?(?:the )?(?P<noun>[\w' -]+)$"),
    ("all", r"^(?:forget(?: about)?|disregard|never ?mind) (?!it\b|that\b|this\b|the\b)(?P<noun>[\w' -]+)$"),
    (
        "all",
        r"^(?:forget(?: about)?|disregard|never ?mind|(?:do not|don't) (?:care|worry) about|regardless of|whatever) (?:the |that |this )"
        r"(?P<noun>[\w' -]+)$",
    ),
    (
        "all",
        r"\b(?:for|over|across|in|to|of|from|on|by|at|with|including|include|through|throughout)? ?(?:all|any|whatever|whichever|regardless of|irrespective of|no matter (?:which|what|the)|independent of|not (?:just|only)(?: (?:in|for|from))?)(?: of)?(?: (?:the|our|other|possible))? (?P<noun>(?:[\w']+ ){0,2}?[\w']+)(?: (?:together|combined|taken together|there are|this time))?(?=\s*(?:$|[,.;:?!]| but\b| and\b))",
    ),
    (
        "all",
        rf"\b(?:(?:for|of|over|across) )?all[- ](?P<noun>time)\b|\b(?:the )?(?P<noun2>ever|worldwide|globally|everywhere|anywhere|everyone|everybody)\b|\b(?:over|for) the (?:whole|entire|full) (?P<noun3>{_DAY})\b",
    ),
    (
        r"=without \1",
        r"^(?:leav(?:e|ing)|tak(?:e|ing)|keep(?:ing)?|filter(?:ing)?|cut(?:ting)?|throw(?:ing)?|kick(?:ing)?)(?: (?:the|any|all))* (.+?)"
        r" (?:out|away|aside)(?: of (?:it|this|that|there|these|those))?$",
    ),
    (
        "restrict",
        rf"^(?:filter|restrict|limit|narrow|reduce|focus|cut|keep|trim)(?:ed)?(?: {_IT}| only)?(?: down)?(?: (?:to|by|on|for|at))?(?: only)?\b(?: (?:those|the ones))?",
    ),
    (
        "=without ",
        r"^(?:(?:not|without) (?:counting|including)|(?:do not|don['’]t) (?:count|include)|(?:leav(?:e|ing)|tak(?:e|ing)) (?:out|off|away)|ignor(?:e|ing)|omit(?:ting)?|skip(?:ping)?"
        r"|drop(?:ping)?|remov(?:e|ing)|minus|apart from|aside from|exclud(?:e|ing)|except(?: for)?|other than|besides|everything but"
        r"|everyone but|all but|not|no(?: more)?)\b(?!-)(?: (?:the|any|all))* ?",
    ),
    ("of_them", r"\b(?:of|for|from|among|in|on|to|with) (?:them|those|these|it)$"),
    ("only", r"\b(?:only|just|solely|exclusively|nothing but)\b"),
    (
        "row",
        rf"\b(?:of|for|by|from|behind|in|on|about|with) (?:only )?(?:the )?(?P<which>{_ROW}) (?:one|row|entry|result|line)(?!s)\b(?: (?:there|listed|shown))?",
    ),
    ("row", r"\b(?:of|for|by|from|behind|in|on|about) (?:that|this) one\b"),
    (
        "behind",
        rf"\b(?:behind|underlying|that make up|which make up|making up|that went into|which went into|contributing to|included in|counted in|counted(?: there)?)\b(?: {_IT}\b(?: (?!(?:for|from|in|at|on|of|by|per|with|and|but|only)\b)\w+)?)?|\b(?:of|for|in) (?:that|this) (?:number|figure|total|count|sum)\b|\bunderlying\b",
    ),
    ("which", r"^(?:which|what) ones? (?:is|are|was|were) (?:it|that|they|those|these|them)\W*$"),
    (
        "which",
        r"^(?:which|what|who)(?: ones?)?(?: of (?:them|those|these)| among (?:them|those|these))\b|^(?:which|what|who) (?:ones?|are they|were they|are those|were those|is (?:it|that))\b|^(?:which|who)\W*$",
    ),
    (
        "which",
        r"^which(?: one)?(?= (?:(?:two|three|four|five|six|ten|\d+) )?(?:is|are|has|have|had|was|were|did|made|sold|spent|got)\b)",
    ),
    ("ranks", r"^(?:which|who)(?: ones?)? \w+(?: the)?(?= (?:most|least|fewest|highest|lowest|best|worst)\W*$)"),
    ("which", rf"^(?:drill|zoom) (?:down|in|through)(?: (?:into|to|on))?(?: {_IT})?"),
    ("show", rf"^{_SHOW}(?: also)?\b"),
    (
        "spec",
        r"(?:,|:|;|\.|\bbut|\bwith) *(?:only |just )?(?:the |their )?(?P<columns>[^,:;][^:;]*?(?:,[^:;]*)?) *(?:only)?$",
    ),
)
"""Kinds of framing words and their patterns, in the order in which they are taken out."""
