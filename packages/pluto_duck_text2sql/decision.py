"""What is told of one question that is read as a whole: an answer, a question back, or why there is none.

    readings in order (gathered.py) ─▶ refusals, one by one ─▶ the best that the data stores ─▶ doubts ─▶ candidates

A refusal is a reason in words; each is a method of its own, named for what is wrong. Called by `analyst`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pluto_duck_text2sql.analysis import Analysis, Candidate, Clarification, Links
from pluto_duck_text2sql.asking_back.ambiguity import chosen
from pluto_duck_text2sql.asking_back.doubts import Back, Doubts
from pluto_duck_text2sql.asking_back.in_words import name_in
from pluto_duck_text2sql.asking_back.others import offered, other
from pluto_duck_text2sql.certainty import certainty, grounds
from pluto_duck_text2sql.corrections.amounts import lacks_amount, lacks_person, lacks_time
from pluto_duck_text2sql.data.links import Mention
from pluto_duck_text2sql.gathered import Gatherer
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.language.words import STOP, stem, tokenise
from pluto_duck_text2sql.learned.explain import explained
from pluto_duck_text2sql.learned.model import load
from pluto_duck_text2sql.learned.network import Memory
from pluto_duck_text2sql.pool import Entry, Run, Scored, tells_nothing
from pluto_duck_text2sql.reading.asked_for import listed_in_vain
from pluto_duck_text2sql.reading.left_by_cues import tells_apart
from pluto_duck_text2sql.reading.percentages import added_percentages
from pluto_duck_text2sql.reading.reader import Reader, Reading, Unreadable
from pluto_duck_text2sql.reading.spec import split_spec
from pluto_duck_text2sql.refusing.finer import too_fine
from pluto_duck_text2sql.refusing.kinds_unheld import kind_unheld
from pluto_duck_text2sql.refusing.offers import Offers
from pluto_duck_text2sql.refusing.origins import as_its_own, misread, not_its_own
from pluto_duck_text2sql.refusing.strangers import met_by_chance, strange
from pluto_duck_text2sql.refusing.unheard import in_short, never_named, short_figure, unheard
from pluto_duck_text2sql.refusing.unnamed import of_another_deed, unnamed
from pluto_duck_text2sql.shown.told_values import as_in_tree
from pluto_duck_text2sql.terms.terms import restrictions, told, unheld
from pluto_duck_text2sql.tree import Agg, Compare, columns_in, nodes_in
from pluto_duck_text2sql.trees.term import Said
from pluto_duck_text2sql.trees.titles import assumptions, title
from pluto_duck_text2sql.trees.unstored import missing

_NO_READING = (
    "No reading of this question runs: the tables it names are not connected by any key, or a column does not hold what"
    " is asked of it. Ask in other words, or name the table and column."
)
_NOT_OF_IT = "Nothing says of what is asked that it is from {!r}."
_NO_AMOUNT = "{!r} asks for an amount, and no column that the words name holds one."
_NO_TIME = "The question asks when, and no column that the words name holds a time."
_NO_PERSON = "The question asks who, and no column that the words name tells it."
_NO_BOUND = "Nothing says what is to be {!r}: name the column that is meant."
_BOUND = Pattern(r"(?:over|under|above|below|at least|at most|(?:more|less|fewer|greater) than) \S*\d")
_SPENT_ON = Pattern(
    r"\b(?:we|they|you) (?:spen[dt]|spending|pay|paid|paying) (?:on|for) (?:(?:the|our) )?(?P<what>[a-z]+)\b",
    re.IGNORECASE,
)
_NOT_DONE = Pattern(
    r"\b(?:did|do|does)(?: not|n['’]t) (?!(?:know|care|mind|matter|want|need|count|include|worry)\b)[a-z]+(?: [a-z]+)?",
    re.IGNORECASE,
)
"""What rows did not do; what those who ask do not know or want is no such thing."""
_NO_DENIAL = "Nothing here tells of which rows it holds that they {!r}: name the column or value that is meant."
_SURE_OF_DENIAL = 0.5
"""How sure a reading must be that leaves out no rows where the question denies something."""
_PASSED_OVER = "{!r} names something here, and no reading of the question goes by it."
_LEAST_TELLING = 4
"""How many letters a word has at least that is surely no code or adjective: `new joiners`."""
_IN_PERCENT = "{} is kept in percent of something else, which adds up to no amount. Ask for it itself or on average."
_UNNAMED = "No figure here is called what the question asks for; the nearest is {}, which no word of it names."
_SAID_ALREADY = "All that could be shown of it is what the question says already."
_LOST = "{!r} is none of its readings any more"
_SURE_OF_OTHER_WORDS = 0.95
"""How sure a reading must be where the word for what is asked names nothing."""
_SURE_OF_FEW_WORDS = 0.6
"""How sure it must be where this many words name nothing."""
_MANY_UNKNOWN = 3
_HELD = 0.75
"""How likely the data must hold an answer for words that name nothing not to forbid one: people say much in words of
their own."""
_UNSURE = 0.6
"""Below this an answer is told with other readings beside it."""
_LEAST_LIKELY = 0.15
"""How likely an answer must be at least; below, none of those tried was right."""
_LIKELY = 0.5
"""How likely another reading must be that takes the place of one whose tables do not belong together."""
_ABOUT_AS_LIKELY = 0.5
"""What part of the best one's confidence a reading has at least that takes its place because it passes nothing over."""
_LEAST_REPEATING = 0.25
"""How likely a list of what the question itself says must be."""
_NOTHING = 0.5
"""How likely the network must find it that there is no answer for its word to count beside others."""
_NOTHING_SURELY = 0.85
"""How likely it must find it where words are left over and a reading is unsure."""
_NOTHING_FOR_CERTAIN = 0.95
"""How likely it must find it to be heard against rules that explain every word."""
_CERTAIN = 0.9
"""How sure a reading must be that is told though the data seems to hold no answer."""
_HARDLY = 0.3
"""Below this it hardly doubts that there is one."""
_RANK = Pattern(r"[a-z]+est", re.IGNORECASE)


@dataclass(frozen=True)
class _Case:
    """One question: the rules' own reading, every reading in order, the user's terms in it."""

    question: str
    first: Reading | Unreadable
    run: Run | None
    memory: Memory
    scored: Scored
    said: Sequence[Said]

    @property
    def best(self) -> Entry:
        return self.scored.entries[0][0]

    @property
    def mentions(self) -> Sequence[Mention]:
        return self.first.mentions if isinstance(self.first, Reading) else ()

    @property
    def seems_unheld(self) -> bool:
        """Whether the data seems to hold no answer."""
        return self.scored.answerable < load().ranker.least_answerable

    @property
    def seems_held(self) -> bool:
        """Whether the data likely holds an answer, whatever words the question says it in."""
        return self.scored.answerable >= _HELD and self.scored.nothing < _NOTHING

    @property
    def sure(self) -> float:
        """How sure the best reading is."""
        return self.scored.entries[0][1]

    @property
    def least_sure(self) -> float:
        """How sure a reading must be where the word for what is asked names nothing: less where the network, which has
        words of its own for it, hardly doubts that there is an answer. By what the hardest is told it only guesses."""
        is_held = not self.seems_unheld and self.scored.nothing < _HARDLY and not _RANK.fullmatch(self.first.asked)
        return _SURE_OF_FEW_WORDS if is_held else _SURE_OF_OTHER_WORDS

    @cached_property
    def links(self) -> Links:
        return Links.of(self.mentions)

    def with_entries(self, entries: list[tuple[Entry, float]]) -> _Case:
        return replace(self, scored=replace(self.scored, entries=entries))


class Decision:
    """Decides over one catalog."""

    def __init__(self, reader: Reader, gatherer: Gatherer, doubts: Doubts, offers: Offers) -> None:
        self._reader, self._gatherer, self._doubts, self._offers = reader, gatherer, doubts, offers
        self._catalog, self._joins = reader.catalog, reader.joins
        self._refusals = (
            self._names_nothing,
            self._unknown,
            self._no_amount,
            self._no_time,
            self._no_person,
            self._unbound,
            self._undenied,
            self._passed_over,
            self._unspent,
            self._in_percent,
            self._too_fine,
            self._unheld_words,
            self._unnamed,
            self._unheld,
            self._nothing_new,
            self._unlisted,
            self._of_another,
            self._others_own,
            self._unstored_itself,
            self._unstored_kind,
            self._unheard,
            self._unlikely,
        )

    def analysis(
        self, question: str, first: Reading | Unreadable, run: Run | None, choice: str | None, most: int
    ) -> Analysis:
        """What is told of `question`; `choice` is the option picked of it, `most` the candidates told at most."""
        said = self._reader.terms.find(tokenise(question))
        case = _Case(question, first, run, *self._gatherer.gathered(question, first, run), said)
        if not case.scored.entries:
            return _refused(self._undefined(case) or _NO_READING, case)
        if case.seems_unheld:
            case = case.with_entries(_explained_first(case.scored.entries))
        case = self._heeding_first(self._sensible_first(case))
        reason = next((why for each in self._refusals if (why := each(case))), "")
        if reason:
            return _refused(reason, case)
        lacking, case = self._stored_first(case)
        return _refused(lacking, case) if lacking else self._told(case, choice, most)

    def _sensible_first(self, case: _Case) -> _Case:
        """Where the best reading joins what does not belong together, the next likely one that does not leads."""
        if not self._meets_by_chance(case.best, case):
            return case
        others = (each for each in case.scored.entries if self._is_likely(each[0], case))
        pair = next((each for each in others if not self._meets_by_chance(each[0], case)), None)
        return case.with_entries(_moved_ahead(pair, case.scored.entries)) if pair else case

    def _heeding_first(self, case: _Case) -> _Case:
        """Where the best reading leaves out what no answer may, the next one that does not leads, if it is likely,
        finds the same, or is about as likely as the best."""
        if not case.best.unsaid or not case.first.passed_over(case.best.query):
            return case
        whole = next((each for each in case.scored.entries if self._may_lead(each, case)), None)
        return case.with_entries(_moved_ahead(whole, case.scored.entries)) if whole else case

    def _meets_by_chance(self, entry: Entry, case: _Case) -> bool:
        return bool(met_by_chance(entry.query, case.mentions, self._catalog, self._joins))

    def _may_lead(self, pair: tuple[Entry, float], case: _Case) -> bool:
        """Whether a reading that says all is likely, about as likely as the best, or finds its rows."""
        entry, sure = pair
        is_same = bool(entry.rows) and entry.finds_as(case.best)
        is_as_good = is_same or sure >= _ABOUT_AS_LIKELY * case.sure
        return self._is_likely(entry, case) or (entry.unsaid == 0 and is_as_good)

    def _is_likely(self, entry: Entry, case: _Case) -> bool:
        return entry.unsaid == 0 and (entry.explains or certainty(grounds(entry, case.scored)) >= _LIKELY)

    def _undefined(self, case: _Case) -> str:
        """Why what the user's glossary says of the question is nowhere in the data."""
        glossary = [each for each in case.said if not each.term.is_of_question]
        query = case.first.query if isinstance(case.first, Reading) else None
        return unheld(glossary, query, self._joins) or ""

    def _names_nothing(self, case: _Case) -> str:
        """`How many?`, `banana`: at most one word that could name something, and it does not. Where rows can be looked
        at and all are of one table, what is asked without any such word is of these."""
        words = [token for token in tokenise(case.question) if token.lower not in STOP]
        if not words and case.run is not None and len(self._catalog.tables) == 1:
            return ""
        explained = any(entry.explains for entry, _ in case.scored.entries)
        if len(words) > 1 or case.memory.graph.is_linked or explained or self._names_value(case):
            return ""
        return self._offers.declined(case.question, case.first.unclaimed)

    def _names_value(self, case: _Case) -> bool:
        """Whether the only table stores what the question says, or the reading goes by it: `how many movies`."""
        hits = [hit for each in self._reader.named(case.question) for hit in each.hits]
        compared = [each.right for each in nodes_in(case.best.query) if isinstance(each, Compare)]
        return bool(hits) and (len(self._catalog.tables) == 1 or any(each.value in compared for each in hits))

    def _unknown(self, case: _Case) -> str:
        """Words that name nothing, where the rules do not explain every word."""
        unknown = () if case.seems_held else _unknown_words(case.first, case.best, case.sure, case.least_sure)
        undone = self._undone(case)
        words = dict.fromkeys([*unknown, *undone, *(case.first.unclaimed if undone else ())])
        if case.best.explains or not words:
            return ""
        return self._undefined(case) or self._offers.declined(case.question, [*words])

    def _unheld(self, case: _Case) -> str:
        """Data that seems to hold no answer, where the rules do not explain every word."""
        is_certain = case.sure >= _CERTAIN and case.scored.nothing < _NOTHING
        if case.best.explains or not case.seems_unheld or is_certain:
            return ""
        return self._undefined(case) or self._unsure(case)

    def _unheld_words(self, case: _Case) -> str:
        """The same, where words are left over that tell what is not held."""
        return self._unheld(case) if case.first.unclaimed else ""

    def _undone(self, case: _Case) -> list[str]:
        """A deed that nothing keeps, told by the time of another."""
        deed = of_another_deed(case.first.unclaimed, case.question, case.best.query, self._catalog)
        return [deed] if deed else []

    def _nothing_new(self, case: _Case) -> str:
        if not tells_nothing(case.best.query):
            return ""
        is_unlikely = certainty(grounds(case.best, case.scored)) < _LEAST_REPEATING
        return self._declined(_SAID_ALREADY, case) if is_unlikely or case.scored.nothing > _NOTHING else ""

    def _unlisted(self, case: _Case) -> str:
        """What the question lists to be shown names nothing."""
        listed = split_spec(case.question)[1] if isinstance(case.first, Reading) else ()
        name = listed_in_vain(listed, case.mentions) if listed else None
        return self._offers.declined(case.question, [name]) if name else ""

    def _of_another(self, case: _Case) -> str:
        """A place or thing that the question says it of, and nothing in the data does."""
        place = case.mentions and not_its_own(case.question, case.best.query, case.mentions, self._joins)
        place = place or misread(case.question, case.best.query)
        return self._declined(_NOT_OF_IT.format(place), case) if place else ""

    def _others_own(self, case: _Case) -> str:
        """What is asked of a thing, and only another thing has."""
        reason = strange(case.question, case.best.query, case.mentions, self._catalog, self._joins)
        return self._declined(reason, case) if reason else ""

    def _unstored_itself(self, case: _Case) -> str:
        """A value that is not stored where the question says that it is."""
        own = as_its_own(case.best.query, case.mentions, self._catalog, self._joins)
        return (missing(own, self._catalog, self._joins, case.run) or "") if case.run and own else ""

    def _unstored_kind(self, case: _Case) -> str:
        """A value that is not stored, said before the name of its column."""
        kind = kind_unheld(case.question, case.best.query, case.first.unclaimed, case.mentions, self._catalog)
        return (missing(kind, self._catalog, self._joins, case.run) or "") if case.run and kind else ""

    def _no_amount(self, case: _Case) -> str:
        amount = lacks_amount(case.question, case.best.query, case.best.rows, self._catalog, self._joins)
        return self._declined(_NO_AMOUNT.format(amount), case) if amount else ""

    def _no_time(self, case: _Case) -> str:
        lacks = lacks_time(case.question, case.best.query, case.best.rows, self._catalog)
        return self._declined(_NO_TIME, case) if lacks else ""

    def _no_person(self, case: _Case) -> str:
        lacks = lacks_person(case.question, case.best.query, self._catalog)
        return self._declined(_NO_PERSON, case) if lacks else ""

    def _unbound(self, case: _Case) -> str:
        """A bound that the answer would pass over: `employees over 50 who left`, where it is of no column."""
        lost = next((each for each in case.first.lost_by(case.best.query) if _BOUND.match(each)), None)
        return self._declined(_NO_BOUND.format(lost), case) if lost else ""

    def _undenied(self, case: _Case) -> str:
        """`lessons that did not happen`, of which nothing tells: an answer that denies nothing says the contrary."""
        found = _NOT_DONE.search(case.question)
        if found is None or case.best.explains or case.scored.entries[0][1] >= _SURE_OF_DENIAL:
            return ""
        return "" if tells_apart(case.best.query) else self._declined(_NO_DENIAL.format(found[0]), case)

    def _passed_over(self, case: _Case) -> str:
        """What is stored, or grouped by, and would be left out without a word."""
        if not case.best.unsaid or case.said or case.scored.entries[0][1] >= _SURE_OF_FEW_WORDS:
            return ""
        words = [each for each in case.first.passed_over(case.best.query) if len(each) >= _LEAST_TELLING]
        return self._declined(_PASSED_OVER.format(words[0]), case) if words else ""

    def _unspent(self, case: _Case) -> str:
        """`how much do we pay for shipping`, where nothing is called so: what is taken in for goods is none of it."""
        found = _SPENT_ON.search(case.question)
        named = {token.stem for each in case.mentions for token in tokenise(each.text)}
        is_named = found is None or {stem(found["what"].lower()), found["what"].lower()} & {*named, *STOP} or case.said
        sums = [each.of for each in case.best.query.select if isinstance(each, Agg) and each.function == "sum"]
        is_income = not is_named and any(each in self._reader.resolver.money() for each in sums)
        return self._offers.declined(case.question, [found["what"]]) if found and is_income else ""

    def _in_percent(self, case: _Case) -> str:
        """A sum of what is told in percent."""
        column = next(added_percentages(case.best.query, tokenise(case.question)), "")
        return self._declined(_IN_PERCENT.format(column), case) if column else ""

    def _unnamed(self, case: _Case) -> str:
        """A figure of what no word of the question names, nor the user's glossary defines."""
        tokens = tokenise(case.question)
        is_known = case.said or case.seems_held
        column = (
            "" if is_known else unnamed(tokens, case.best.query, case.mentions, self._catalog, self._reader.resolver)
        )
        return self._declined(_UNNAMED.format(column), case) if column else ""

    def _unheard(self, case: _Case) -> str:
        """Words that tell of what is not here."""
        if case.best.explains or case.said:
            return ""
        left = never_named(case.first.unclaimed, case.mentions)
        words = short_figure(left, case.question)
        if not words and not case.seems_held:
            words = unheard(left, case.question, case.best.query, load().network.name_vectors)
        return self._offers.declined(case.question, words) if words else ""

    def _unlikely(self, case: _Case) -> str:
        """A reading that is hardly likely to be the one meant, where the rules do not explain every word or the network
        is certain that there is no answer; it has to be likelier where words are left over and the network doubts."""
        known = replace(grounds(case.best, case.scored), is_empty=0.0)  # that nothing is found may be the answer
        least = _SURE_OF_FEW_WORDS if not case.best.explains and self._is_doubted(case) else _LEAST_LIKELY
        is_known = case.best.explains and case.scored.nothing < _NOTHING_FOR_CERTAIN
        is_likely = is_known or case.seems_held or certainty(known) >= least
        return "" if is_likely or case.said else self._unsure(case)

    def _is_doubted(self, case: _Case) -> bool:
        """Whether words are left over that no short name is for, and the network finds that there is no answer."""
        left = [each for each in case.first.unclaimed if not in_short(each, case.best.query)]
        return bool(left) and case.scored.nothing >= _NOTHING_SURELY

    def _unsure(self, case: _Case) -> str:
        """The words left over, or the figure that no word names, else that no reading is sure."""
        unnamed = "" if case.first.unclaimed else self._unnamed(case)
        return unnamed or self._offers.declined(case.question, case.first.unclaimed)

    def _too_fine(self, case: _Case) -> str:
        """A time of day, a month or a day where the data keeps only longer times."""
        return too_fine(case.question, case.best.query, case.mentions, self._catalog)

    def _declined(self, reason: str, case: _Case) -> str:
        return reason + self._offers.nearest(case.question)

    def _stored_first(self, case: _Case) -> tuple[str, _Case]:
        """What the best reading looks for and is not stored, unless the rules explain one that is: then that leads."""
        lacking = self._lacking(case.best, case)
        if not lacking:
            return "", case
        pairs = case.scored.entries
        held = next((each for each in pairs if each[0].explains and not self._lacking(each[0], case)), None)
        return ("", case.with_entries(_moved_ahead(held, pairs))) if held else (lacking, case)

    def _lacking(self, entry: Entry, case: _Case) -> str:
        if case.run is None:
            return ""
        return missing(entry.query, self._catalog, self._joins, case.run, restrictions(case.said)) or ""

    def _told(self, case: _Case, choice: str | None, most: int) -> Analysis:
        """The answer, or the question back where two readings fit and none is picked."""
        back, remark = self._doubts.of(case.question, case.first, case.memory, case.scored.entries, case.run)
        if choice:
            picked = _as_picked(case, back, choice)
            lost = "" if picked else _LOST.format(choice)
            return Analysis("answered", _remarked(self._candidates(picked or case, (), most), lost), links=case.links)
        ahead = [entry for _, entry in back.options] if back else []
        candidates = self._candidates(case, ahead, most)
        if back:
            asked = Clarification(back.question, back.labels, back.is_bare)
            return Analysis("needs_input", candidates, asked, links=case.links)
        others = offered(case.scored.entries) if candidates[0].confidence < _UNSURE else ()
        return Analysis("answered", _remarked(candidates, remark), links=case.links, others=others)

    def _candidates(self, case: _Case, ahead: Sequence[Entry], most: int) -> tuple[Candidate, ...]:
        shown = [*ahead, *(entry for entry, _ in case.scored.entries if entry not in ahead)]
        return tuple(self._candidate(each, case) for each in shown[:most])

    def _candidate(self, entry: Entry, case: _Case) -> Candidate:
        """The entry for people: the rules explain what the network wrote where both wrote the same."""
        rests = grounds(entry, case.scored)
        alike = (each.reading for each, _ in case.scored.entries if each.reading and each.sql == entry.sql)
        reading = entry.reading or next(alike, None)
        graph, sketch = case.memory.graph, entry.sketch
        lines = reading.lines if reading else explained(graph, sketch, entry.query) if sketch else []
        tables = tuple(sorted({f"{each.table[0]}.{each.table[1]}" for each in columns_in(entry.query)}))
        return Candidate(
            entry.sql,
            round(certainty(rests), 3),
            title(entry.query),
            tuple(told(case.said, entry.query, as_in_tree(lines, entry.query), self._reader.terms.metrics)),
            tuple(dict.fromkeys(reading.assumptions if reading else assumptions(entry.query))),
            entry.query,
            tables,
            grounds=rests,
        )


def _refused(reason: str, case: _Case) -> Analysis:
    return Analysis("cannot_answer", message=reason, links=case.links)


def _unknown_words(first: Reading | Unreadable, best: Entry, confidence: float, least: float) -> Sequence[str]:
    """The words that forbid a reading of this confidence: what is asked names nothing that the reading uses and it is
    below the `least`, what tells the rows apart names nothing and nothing restricts them, or much of the question does.
    """
    if best.asks_else and confidence < least:
        return [first.asked]
    if best.tells_else and confidence < _SURE_OF_OTHER_WORDS:
        return [first.told]
    is_much = len(first.unclaimed) >= _MANY_UNKNOWN and confidence < _SURE_OF_FEW_WORDS
    return first.unclaimed if is_much else ()


def _explained_first(scored: list[tuple[Entry, float]]) -> list[tuple[Entry, float]]:
    """Where the data seems to lack an answer, a reading that explains every word speaks against it."""
    return sorted(scored, key=lambda pair: not pair[0].explains)


def _moved_ahead(pair: tuple[Entry, float], scored: Sequence[tuple[Entry, float]]) -> list[tuple[Entry, float]]:
    return [pair, *(each for each in scored if each is not pair)]


def _as_picked(case: _Case, back: Back | None, choice: str) -> _Case | None:
    """The case with the reading first that the option stands for; None where it is none of them any more."""
    picked = (back.picked(choice) if back else None) or other(case.scored.entries, choice)
    if not picked:
        having = chosen(case.scored.entries, name_in(choice))
        return case.with_entries(having) if having else None
    confidence = case.scored.entries[0][1]
    others = (each for each in case.scored.entries if each[0].sql != picked.sql)
    return case.with_entries([(picked, confidence), *others])


def _remarked(candidates: tuple[Candidate, ...], remark: str | None) -> tuple[Candidate, ...]:
    """The candidates, the first with what was assumed besides."""
    if not remark:
        return candidates
    first = candidates[0]
    return (replace(first, assumptions=(*first.assumptions, remark)), *candidates[1:])
