"""Words: splitting questions and names, reducing a word to its stem, and a small general lexicon."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from pluto_duck_text2sql.language.abbreviations import spelt_out, spelt_out_together, without_accents
from pluto_duck_text2sql.language.patterns import Pattern

_QUOTED = r"""(?P<quoted>"[^"]+"|(?<!\w)'[^']+'(?!\w)|“[^”]+”|‘[^’]+’)"""
_SIGN = r"(?:(?<!\S)(?<!\d )-(?=\d[\d.,]*(?:k|m|bn|b)?(?![\w/:-])))?"
"""The sign of a number below zero; what stands between two numbers, or in a date, is none."""
_MINUS = Pattern(r"\b(?P<lead>[a-z]+) minus (?=\d)", re.IGNORECASE)
"""What stands after a word that only links others takes nothing from anything: `below minus 5`."""
_TOKEN = Pattern(_QUOTED + rf"""|(?P<word>{_SIGN}[^\W_]+(?:['’.@&-][^\W_]+)*)""")
_CAMEL = Pattern(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|[\W_]+")
_NUMBER = Pattern(r"[-+]?\d[\d,]*\.?\d*(k|m|bn|b)?%?", re.IGNORECASE)
_CONTRACTED = Pattern(r"\b(I|we|you|they|it|he|she|who|that|what|there|where)['’](?:ve|re|ll|d|m)\b", re.IGNORECASE)
_ROOT = 5
_MOST = 1e18
_UNITS = {"k": 1e3, "m": 1e6, "b": 1e9, "bn": 1e9}
NUMBER_WORDS = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve".split(),
        range(13),
        strict=True,
    )
) | {"twenty": 20, "thirty": 30, "fifty": 50, "hundred": 100, "thousand": 1000, "twice": 2, "once": 1, "dozen": 12}
LEAD = r"^(?:(?:and|but|so|then|now|ok(?:ay)?),? )*"
"""What a question may begin with, for use in a pattern."""
A_NUMBER = rf"(?:\d+|{'|'.join(NUMBER_WORDS)})"
"""The pattern of a whole number, in digits or as a word."""


CONTRARY = ("un", "in", "im", "ir", "il", "non", "dis")
"""What words begin with that deny what follows."""
_DENYING = frozenset("not no never none without neither nor".split())


def denies(word: str) -> bool:
    """Whether a word turns what is said into its contrary: `not`, `without`, `aren't`."""
    lower = word.lower()
    return lower in _DENYING or lower.endswith(("n't", "n’t"))


def is_contrary(word: str, other: str) -> bool:
    """Whether a word is another with what denies it in front, so never that one misspelt: `unassigned`, `inactive`."""
    one, two = word.casefold(), other.casefold()
    return one.endswith(two) and one.removesuffix(two) in CONTRARY


@dataclass(frozen=True)
class Token:
    """A word of the question; `stem` is what names are compared by, `number` its value where it is one."""

    text: str
    lower: str
    stem: str
    number: float | None = None
    quoted: bool = False


def commands(tokens: Sequence[Token]) -> bool:
    """Whether the first word only asks: `name the parks`, but not `name of each park`, `name and city`."""
    return bool(tokens) and tokens[0].lower in IMPERATIVES and not (tokens[1:] and tokens[1].lower in _AFTER_NOUNS)


def tokenise(question: str) -> list[Token]:
    """The question's words and quoted strings, in order; kept for the last texts, which many rules look at."""
    return list(_tokens(question))


def spoken_stems(tokens: Sequence[Token]) -> frozenset[str]:
    """The stems of words, and of the parts of those with a hyphen: `pick-up` says `pick`."""
    parts = (part for token in tokens if "-" in token.text for part in token.lower.split("-") if part)
    return frozenset((*(token.stem for token in tokens), *map(stem, parts)))


@lru_cache(maxsize=1_024)
def _tokens(question: str) -> tuple[Token, ...]:
    found = (_token(match) for match in _TOKEN.finditer(_plain(question)))
    return tuple(token for token in found if token.text)


def _plain(question: str) -> str:
    """A question with its signs in words; what stands in quotes is left as it is."""
    parts = re.split(_QUOTED, question)  # every other one is quoted
    return "".join(part if n % 2 else _in_words(part) for n, part in enumerate(parts))


def _in_words(text: str) -> str:
    text = _CONTRACTED.sub(r"\1", re.sub(r"(\w)['’]s\b", r"\1", text))
    text = re.sub(r"\b(1,9|2,0)(\d\d)\b(?![,.]\d)", r"\1\2.0", text)  # an amount, no year
    text = re.sub(r"(?<=\d),(?=\d{3}\b)", "", text)
    text = re.sub(r"[$€£](?=\d)", "", text)
    text = re.sub(r"(?<=[\w)])\s*[*×]\s*(?=[\w(])", " times ", text)
    text = re.sub(r"(?<=\w) \+ (?=\w)", " plus ", re.sub(r"\b1\s*[-−]\s*(?=[a-z])", "1 minus ", text))
    text = re.sub(r"(?<=\b1)\s*\+\s*(?=[a-z])", " plus ", text)
    text = re.sub(r"(?<=\w)\s*−\s*(?=[^\W\d])|(?<=\d) ?− ?(?=\d)", " minus ", text)
    text = _MINUS.sub(lambda found: f"{found['lead']} -" if found["lead"].lower() in STOP else found[0], text)
    text = text.replace("−", "-")
    text = re.sub(r"(?<![<>=])>=", " at least ", text).replace("<=", " at most ")
    return text.replace(">", " more than ").replace("<", " less than ").replace("%", " percent ")


def _token(match: re.Match[str]) -> Token:
    if match["quoted"]:
        text = match["quoted"][1:-1].strip()
        return Token(text, text.casefold(), text.casefold(), quoted=True)
    text = match["word"]
    lower = text.casefold()
    is_plural = len(text) > 2 and text[:-1].isupper() and text[-1] == "s"
    plain = _plainly(lower)
    return Token(text, lower, stem(plain[:-1] if is_plural else plain), number_of(lower))


def _plainly(word: str) -> str:
    return word if word.isascii() else without_accents(word)


def number_of(word: str) -> float | None:
    """The number a word stands for: `12`, `1.5k`, `seven`; at most one that a query can be cut at."""
    if word in NUMBER_WORDS:
        return NUMBER_WORDS[word]
    if not _NUMBER.fullmatch(word):
        return None
    unit = re.search(r"[a-z]+$", word)
    digits = word[: unit.start()] if unit else word
    number = float(digits.rstrip("%").replace(",", "")) * (_UNITS[unit[0]] if unit else 1)
    return max(min(number, _MOST), -_MOST)


SCALES = {"dozen": 12.0, "hundred": 1e2, "thousand": 1e3, "million": 1e6, "billion": 1e9}
_PARTS = {"half": 0.5, "quarter": 0.25, "quarters": 0.25, "third": 1 / 3, "thirds": 1 / 3, "a": 1.0, "an": 1.0}
_PARTS |= {"of": 1.0}
_AND_A_HALF = " and a half"


def spoken(text: str) -> float | None:
    """The number that words stand for together: `two dozen`, `half a million`; None where one of them is none."""
    if text.endswith(_AND_A_HALF):
        whole = spoken(text.removesuffix(_AND_A_HALF))
        return whole + 0.5 if whole is not None else None
    found = 1.0
    for word in text.split():
        part = _PARTS.get(word, SCALES.get(word, number_of(word)))
        if part is None:
            return None
        found *= part
    return found


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """A word without its commonest English endings, so that `orders`, `ordered` and `order` meet."""
    if word in IRREGULAR:
        return IRREGULAR[word]
    for ending, put, least in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= least:
            return (
                _undouble(word[: len(word) - len(ending)] + put)
                if ending in ("ed", "ing", "ings")
                else (word[: len(word) - len(ending)] + put)
            )
    return word.removesuffix("e") if len(word) > 3 else word


def root(word: str) -> str:
    """What words of one origin share: `arrived` and `arrival`, `admitted` and `admission`."""
    return word.replace("mission", "mit")[:_ROOT]


_ENDINGS = (
    *(("sses", "ss", 1), ("ies", "y", 2), ("xes", "x", 1), ("ches", "ch", 1), ("shes", "sh", 1)),
    ("ings", "", 3),
    *(("ss", "ss", 1), ("us", "us", 1), ("is", "is", 1), ("ing", "", 3), ("ied", "y", 2)),
    *(("eed", "eed", 1), ("ed", "", 3)),
    *(("es", "", 3), ("s", "", 2)),
)
STEM_ENDS = frozenset("e").union(ending[-1] for ending, _, _ in _ENDINGS)
"""The last letters of all words that `stem` shortens, but for the irregular ones."""
IRREGULAR = {
    "people": "person",
    "men": "man",
    "women": "woman",
    "children": "child",
    "status": "status",
    "incoming": "incoming",
    "sold": "sell",
    "bought": "buy",
    "spent": "spend",
    "paid": "pay",
    "made": "make",
    "won": "win",
    "solution": "solv",
    "departure": "depart",
    "born": "birth",
    "data": "data",
    "series": "series",
    "address": "address",
    "news": "news",
    "lens": "lens",
    "indices": "index",
    "lives": "live",
    "shipped": "ship",
    **dict.fromkeys(("rating", "ratings", "rated"), "rating"),
    "sales": "sale",
    "earnings": "earning",
    "movies": "movi",
    "movie": "movi",
    **dict.fromkeys(("wine", "wines"), "wine"),
}


def _undouble(word: str) -> str:
    doubled = len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz"
    return word[:-1] if doubled else word.removesuffix("e") if len(word) > 3 else word


@lru_cache(maxsize=50_000)
def name_stems(name: str) -> tuple[str, ...]:
    """The stems of a table's or column's name: `OrderDetails` and `order_details` give the same."""
    return tuple(map(stem, name_words(name)))


@lru_cache(maxsize=50_000)
def table_stems(name: str) -> tuple[str, ...]:
    """The stems of a table's name: `tbl_cust` is of customers."""
    return tuple(map(stem, table_words(name)))


_LEAST_SHARING = 3


def shared_prefix(names: Sequence[tuple[str, ...]]) -> str:
    """What most tables' names begin with, by their stems, though no table is called so: `tms` of tms_client,
    tms_carrier, tms_depot; "" where there is no such."""
    first = Counter(each[0] for each in names if len(each) > 1)
    prefix, count = max(first.items(), key=lambda each: each[1], default=("", 0))
    return prefix if count >= _LEAST_SHARING and 2 * count > len(names) and (prefix,) not in names else ""


def row_stems(name: str) -> frozenset[str]:
    """The stems of what a table's rows are called, the last two also as one: check in, member ship."""
    stems = table_stems(name)
    return frozenset((*stems, "".join(stems[-2:])))


def with_article(noun: str) -> str:
    """`an order`, `a visit`."""
    article = "an" if noun.lower().startswith(tuple("aeiou")) else "a"
    return f"{article} {noun}"


@lru_cache(maxsize=50_000)
def name_words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, spelt out: `custId` as customer, id, `CTR (click-through rate)` as it says."""
    parts = _meant_by_letters(name) or tuple(_with_letters(name_parts(name)))
    pairs = zip(parts, (*parts[1:], ""), strict=True)
    full = (part if part == "sub" and after in _DIVIDED else spelt_out(part) for part, after in pairs)
    return _together(tuple(each for word in full for each in _plainly(word).split()))


def _together(words: tuple[str, ...]) -> tuple[str, ...]:
    """The words with those of two that have a commoner name by that: the given name of a person is a first name."""
    for place, pair in enumerate(pairwise(words)):
        if meant := spelt_out_together(*pair):
            return (*words[:place], *meant.split(), *_together(words[place + 2 :]))
    return words


def _with_letters(parts: tuple[str, ...]) -> Iterator[str]:
    """The words of a name, a letter before one of them as a part of it where both are short for something: `LName`."""
    place = 0
    while place < len(parts):
        both = "".join(parts[place : place + 2])
        is_one = len(parts[place]) == 1 and both != parts[place] and spelt_out(both) != both
        yield both if is_one else parts[place]
        place += 2 if is_one else 1


_DIVIDED = frozenset(
    "category categories type region group department total class brand title task account section topic genre product"
    " area unit family segment sector industry issue item family kind order team code sector".split()
)
"""What has parts of its own: a sub-category is no category of subscriptions."""


@lru_cache(maxsize=50_000)
def table_words(name: str) -> tuple[str, ...]:
    """The words of a table's name, spelt out, without what only tells which kind of table it is."""
    return tuple(each for part in table_parts(name) for each in _plainly(spelt_out(part)).split())


def table_parts(name: str) -> tuple[str, ...]:
    """The words of a table's name as they are written, without what only tells which kind of table it is: `fct_ord`,
    `tickets_export`, `cust_mst`, `visits_dataset`."""
    parts = name_parts(name)
    while len(parts) > 1 and parts[0] in PREFIXES:
        parts = parts[1:]
    while len(parts) > 1 and parts[-1] in SUFFIXES:
        parts = parts[:-1]
    return parts


@lru_cache(maxsize=50_000)
def name_parts(name: str) -> tuple[str, ...]:
    """The words of a name as they are written, in lower case; one without any, as `_`, is a word itself. What stands in
    parentheses at its end says more of it: `Amount spent (USD)`."""
    name = _EXPLAINED.sub("", name) or name
    parts = _CAMEL.sub(" ", name).casefold().split()
    return tuple(word for part in parts for word in split_glued(part)) or (name.strip() or "_",)


_MOST_LETTERS = 4
_EXPLAINED = Pattern(r"(?: \([^()]*\))+$")


def explained(name: str) -> list[str]:
    """What stands in parentheses at the end of a name: `cost per link click` of `CPC (cost per link click) (USD)`."""
    found = _EXPLAINED.search(name)
    return re.findall(r"\(([^()]*)\)", found[0]) if found else []


def _meant_by_letters(name: str) -> tuple[str, ...]:
    """What letters are explained by in parentheses, where they are no word of their own."""
    letters = _EXPLAINED.sub("", name)
    said = [each for each in explained(name) if " " in each]
    is_short = letters.isalpha() and letters.isupper() and len(letters) <= _MOST_LETTERS
    return name_parts(said[0]) if is_short and said else ()


@lru_cache(maxsize=50_000)
def split_glued(part: str) -> tuple[str, ...]:
    """`totalprice` as total and price, where both are words that names are made of; else the part itself."""
    if len(part) < 6 or part in VOCABULARY or part.removesuffix("s") in VOCABULARY:
        return (part,)
    for place in range(len(part) - 2, 2, -1):
        left, right = part[:place], part[place:]
        if left in VOCABULARY and (right in VOCABULARY or right.removesuffix("s") in VOCABULARY):
            return (left, right)
    return (part,)


# What schema names are made of, to split names that are written as one word.
VOCABULARY = frozenset(
    """account acct active actual address age amount area arrival available average avg bal balance bank begin
    billing birth body book branch brand budget campus capacity car category cell change channel city class
    client clerk close code color comment commit company contact content cost count country course create
    credit currency cust customer date day debit delivery department dept depart description detail discount
    distance district doc document due email employee end event exchange extended factory fax file first flag
    flight full gate gender group guest hire home host hotel hour id image income index instruct inventory
    invoice item job key land language last legal length level life line link list loan local location log
    low mail maker manager market max media member middle min mkt mode model month movie name nation net
    number office open opening order original owner paper parent part pass passenger password pay payment
    percent person phone pick picture place plan player point port position post price priority product
    profit project purchase quantity query quote range rate rating receipt record ref region register release
    reorder rep report request required retail return role room route salary sale school score season seat
    section segment sell seller series service ship shipping shop short size song sort source staff start
    state station status stock store street student sub subtotal supplier supply support table target tax team term
    text ticket time title total town track trade train transaction travel type unit update url user valid
    value vendor version visit vote wage weight work year zip boat surface speed high mean median sum net
    gross card field percentage passage postage""".split()
)

# Verbs that only ask; at the start of a question they name nothing.
IMPERATIVES = frozenset(
    "show list return find give count display get name tell select retrieve fetch report provide".split()
)

_AFTER_NOUNS = frozenset(("of", "and", "or"))

PREFIXES = frozenset("dim fct fact stg raw tbl mart int src".split())
SUFFIXES = frozenset(
    "tbl table tab export exports extract dump dataset mst mstr master hdr header catalog catalogue".split()
)
"""What tables' names begin and end with that says nothing of their rows."""

_GROUPS = """
revenue sales turnover income earnings takings
customer client buyer shopper
employee staff worker
product item article goods
order purchase
supplier vendor
manufacturer maker vendor
brand vendor manufacturer
price cost
city town
country nation
amount total value sum
quantity unit
song track
artist band musician singer
movie film
phone telephone
mail email
salary wage pay
category kind type
manager boss supervisor
location place
name title
gender sex
store shop branch
spend expense cost
segment group
teacher instructor
class course
author writer
age old
birthday birth dob
nationality citizenship country
passenger traveller
fare ticket
freight shipping
ship delivery destination
receive receipt
agent representative
reason cause
duration length millisecond runtime
comment remark note
area region
detail line
joined hired
death died dead killed fatality
attendance attended attendee crowd turnout spectator audience
"""
SYNONYMS: dict[str, frozenset[str]] = {}
for _line in _GROUPS.strip().splitlines():
    _stems = frozenset(stem(_word) for _word in _line.split())
    for _each in _stems:
        SYNONYMS[_each] = SYNONYMS.get(_each, frozenset()) | _stems - {_each}

STOP = frozenset(
    """a an the of in on at to for from by with and or is are was were be been being do does did has have had having
    that which who whom whose what where when how many much list show give find tell me us i we you they them their
    its it there this these those all any each every per display get please can could would should will as
    than then also both only about into out up if between among within during some one ones not no never without but
    so such own other another our my your he she his her name's ever just over under above below more less most
    least fewer fewest top bottom number count total sum average mean avg median maximum minimum max min highest
    lowest different distinct unique along together respectively present see want know need let's report overall
    currently still now ago""".split()
)
MONEY = frozenset(
    stem(each) for each in "revenue sales turnover income earnings takings spend spent gross money".split()
)
# Words that ask, or link other words, without naming anything a table could hold.
LINKING = frozenset("belong belongs belonged".split())
"""Verbs that only link, whatever is stored so."""
FILLER = frozenset(
    stem(each)
    for each in """issue issued raise raised log logged bring brought credited worth far gave given
    interpolated fall fell drop rise rose decline positive
    something anything someone anyone very itself alone through
    belong belongs use used using called named name come came live lives located work works order
    ordered buy bought purchase purchased sell sold make made take took place placed contain
    contains include including hold holds held exist exists existence available info information detail
    details record
    records data value values kind type sort ordered sorted order ascending descending alphabetical
    alphabetically recorded registered associated related corresponding given following same common
    popular frequent frequently frequency occurrence selling breakdown break down split compare compared comparison
    change changed grow growth share percentage percent proportion fraction vs versus trend time
    list people go went receive received got earn earned generate generated spend spent pay paid
    appear appears occur occurs happen happened compute calculate result results there's it's here
    currently presently possibly recent recently non account accounts accounted due attributable contribute
    contributed contributes
    constitute represent represents brought bring brings based pass passes passed elapse elapsed lie lies lay issued
    fall falls short stand stands make makes responsible leaving ship shipped write wrote written written produce
    produced direct
    directed teach taught play played win won lose lost start started end ended begin began run ran
    visit visited treat treated serve served offer offered provide provided assign assigned own
    owned owns attend attended enroll enrolled sign signed join joined manage managed head headed
    lead led cost costs weigh weighs last lasts say says side by high low large small big great
    good bad best worst old young new early late long short cheap expensive heavy light many much
    few year month day week quarter date number count amount total their themselves least greatest
    rank ranked ranking entire whole altogether entries entry row rows times ever been still yet
    always single highest lowest each every either neither starting ending containing exactly equal equals
    taken based credited carry carried pass passed brought bring worth handle handled issue
    issued raise raised too really anyway nonetheless nevertheless besides beside plus everybody everyone""".split()
)
