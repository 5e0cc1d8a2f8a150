"""A dialogue: the tree of each answer, edited by what leans on it, or begun anew.

Deterministic. What is known of a dialogue's earlier questions is kept, a few hundred of them, so that each costs its
work once; whoever asks again with the same history gets the same tree.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.earlier import Earlier
from pluto_duck_text2sql.followups.asked_before import AskedBefore
from pluto_duck_text2sql.followups.asked_of_them import asks_of_each, asks_what_they_did, tells_of, than_figure
from pluto_duck_text2sql.followups.comparatives import as_superlative, of_those_listed
from pluto_duck_text2sql.followups.counted_too import asks_for_more
from pluto_duck_text2sql.followups.editing import Edits
from pluto_duck_text2sql.followups.frames import framed
from pluto_duck_text2sql.followups.going_back import Back, going_back
from pluto_duck_text2sql.followups.in_money import as_worth
from pluto_duck_text2sql.followups.leaning import may_lean, said_of_nothing
from pluto_duck_text2sql.followups.new_topic import asked_anew
from pluto_duck_text2sql.followups.pronouns import asks_of_nth
from pluto_duck_text2sql.followups.putting_in import PutIn
from pluto_duck_text2sql.followups.ranked_figures import asks_figure
from pluto_duck_text2sql.followups.readings import (
    CERTAIN,
    Ask,
    Edited,
    FollowUp,
    Run,
    Shown,
    Writer,
    as_turn,
    candidate,
    read_alone,
    rows_of,
    unclear,
)
from pluto_duck_text2sql.followups.reasons import by_reason
from pluto_duck_text2sql.followups.referents import tells_of_one
from pluto_duck_text2sql.followups.saying_whole import SaidWhole
from pluto_duck_text2sql.followups.that_time import asks_of_other_time
from pluto_duck_text2sql.followups.the_one import as_that_one
from pluto_duck_text2sql.followups.what_else import but_shown, says_else, without_else
from pluto_duck_text2sql.language.patterns import Pattern
from pluto_duck_text2sql.lately import Lately
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.refusing.refusals import without_answer
from pluto_duck_text2sql.tree import (
    Inside,
    Query,
    all_nodes_in,
)
from pluto_duck_text2sql.trees.parts import is_aggregate, of_those_counted
from pluto_duck_text2sql.trees.titles import title

_MOST_TURNS = 20
_REMEMBERED = 256
_SURE_ALONE, _SURE_OF_THEM = 0.5, 0.4
_OF_THE_LAST = ("only", "restrict", "instead", "about", "same")
"""What frames a change of the last answer: no question of its own."""
_NO_QUESTION = Pattern(
    r"^\W*(?:(?:and|but|now|then) )?(?:with|without|including|plus|along with|together with|only|just|by|per)\b"
    r"|^\W*(?:(?:and|but|now|then|ok(?:ay)?|so)\b,? )*(?:for|of|in|on|at|to|from)\b"
    r"(?!.*\b(?:how|what|which|who|whose|where|when|show|list|give|find|count|number|average|total)\b)[^,]*$"
    r"|^\W*(?:in total|altogether|overall|in all|as an? (?:share|percentage|percent|proportion)|instead)\W*$",
    re.IGNORECASE,
)
"""What begins so changes the last answer or means nothing: asked alone it would lose what it is about."""
_TWO_QUESTIONS = Pattern(
    r"^(?P<one>.+?),? and (?P<other>(?:who|whom|whose|when|where|which|what|how|in which|on which|since when)\b.+)$",
    re.IGNORECASE,
)
_NOTHING_BEFORE = "No answer before this one tells what {!r} stands for: ask the whole question."


class Dialogue:
    """Follows dialogues over one catalog; `ask` reads a question alone, as the option picked of it says."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, reader: Reader, ask: Ask) -> None:
        self._catalog, self._joins, self._reader = catalog, joins, reader
        self._ask = ask = AskedBefore(ask)
        self._writer, self._edits = Writer(catalog, joins), Edits(catalog, joins, reader)
        self._said_whole = SaidWhole(catalog, joins, reader, ask)
        self._put_in = PutIn(catalog, joins, reader, ask)
        self._known = Lately[tuple[Shown, ...]](_REMEMBERED)
        self._turns = Lately[FollowUp | Analysis | None](_REMEMBERED)

    def analysis(
        self, question: str, history: tuple[Earlier, ...], run: Run | None, choice: str | None = None
    ) -> Analysis | None:
        """What a question that leans on `history` means, or why it means nothing; None where it stands alone."""
        if anew := asked_anew(question):
            return self._ask(anew, run, choice)
        found = self._meant(question, history, run, choice)
        return found and as_turn(found, question, len(history))

    def _meant(
        self, question: str, history: tuple[Earlier, ...], run: Run | None, choice: str | None = None
    ) -> Analysis | None:
        """The same, each reading as sure as it says it is."""
        stack = self._stack(history[-_MOST_TURNS:], run)
        question = self._in_plain_words(question, stack)
        if stack and (declined := self._declined(question)):
            return Analysis("cannot_answer", message=declined)
        if history and not stack and (word := said_of_nothing(question.strip(" ?!."))):
            return Analysis("cannot_answer", message=_NOTHING_BEFORE.format(word))
        found = self._turn(question, history, stack, run)
        if found is None and stack and may_lean(question):
            return read_alone(self._ask(question, run, choice))
        if found is None or isinstance(found, Analysis):
            return found
        if found.is_clear:
            return Analysis("answered", tuple(candidate(each, found.missed) for each in found.readings))
        alone = self._alone(question, found, stack, run, choice)
        return alone or Analysis("cannot_answer", message=unclear(question, stack, found))

    def _declined(self, question: str) -> str | None:
        """Why what is said after an answer has none."""
        return without_answer(question, self._catalog.looks_ahead(self._reader.today))

    def _in_plain_words(self, question: str, before: tuple[Shown, ...]) -> str:
        """What asks for the reason told, for the money, or for the higher of the rows before, said so that edits know
        it."""
        if not before:
            return question
        question = as_that_one(question, before[-1].query, self._reader)
        question = of_those_listed(as_superlative(question), before[-1].query, self._reader)
        return as_worth(by_reason(question, before[-1].query, self._catalog), self._reader)

    def _alone(
        self, question: str, found: FollowUp, stack: tuple[Shown, ...], run: Run | None, choice: str | None
    ) -> Analysis | None:
        """A follow-up that no edit explains as a question of its own; None where it is none, or not surely one."""
        if found.stands or _is_no_question(question, stack[-1].query):
            return None
        alone = self._ask(framed(question).without_lead, run, choice)
        sure = alone.candidates[0].confidence if alone.candidates else 0.0
        return read_alone(alone) if alone.status != "cannot_answer" and sure >= _SURE_ALONE else None

    def _both(self, question: str, history: tuple[Earlier, ...], run: Run | None) -> Analysis | None:
        """`which companies are they, and who owns them?`: the second asked of what the first shows, beside it."""
        said = _TWO_QUESTIONS.match(question.strip())
        one = self._meant(said["one"], history, run) if said else None
        if said is None or one is None or not one.candidates:
            return None
        other = self._meant(said["other"], (*history, Earlier(said["one"])), run)
        if other is None or not other.candidates:
            return None
        first, second = one.candidates[0], other.candidates[0]
        shows_all = set(first.tree.select) < set(second.tree.select) and not is_aggregate(second.tree)
        if not shows_all or first.tree.anchor != second.tree.anchor:
            return None
        sure = min(first.confidence, second.confidence)
        return Analysis("answered", (replace(second, confidence=sure, reading=_in_turn(first, second)),))

    def _stack(self, history: tuple[Earlier, ...], run: Run | None) -> tuple[Shown, ...]:
        """The answers so far, the last one last; an answer taken back is gone."""
        if not history:
            return ()
        last, earlier = history[-1], history[:-1]
        place = (history, run is not None)
        return self._known.of(place, lambda: self._grown(last, earlier, self._stack(earlier, run), run))

    def _turn(
        self, question: str, earlier: tuple[Earlier, ...], stack: tuple[Shown, ...], run: Run | None
    ) -> FollowUp | Analysis | None:
        """What a question means after these, of which the stack is; None where it stands alone."""
        if not stack:
            return None
        place = (question, earlier, run is not None)
        return self._turns.of(place, lambda: self._followed(question, earlier, stack, run))

    def answered(self, question: str, run: Run | None, choice: str | None, found: Analysis) -> Analysis:
        """How a question that leans on none was answered, which the next one may lean on."""
        return self._ask.keep(question, run, choice, found)

    def _grown(
        self, asked: Earlier, earlier: tuple[Earlier, ...], before: tuple[Shown, ...], run: Run | None
    ) -> tuple[Shown, ...]:
        """The answers so far with that to one more question; what was not answered is not leaned on."""
        if anew := asked_anew(asked.question):
            return self._grown(replace(asked, question=anew), (), (), run)
        question = self._in_plain_words(asked.question, before)
        if before and self._declined(question):
            return before
        if before and framed(question).has("undo"):
            return before[:-1] or before
        found = self._turn(question, earlier, before, run)
        if isinstance(found, FollowUp) and found.is_clear:
            return (*before, Shown(found.readings[0].query, found.readings[0].confidence))
        if isinstance(found, FollowUp):
            alone = self._alone(question, found, before, run, asked.choice)
            return self._with(alone, before) if alone else before
        return self._with(found or self._ask(question, run, asked.choice), before)

    def _with(self, said: Analysis, before: tuple[Shown, ...]) -> tuple[Shown, ...]:
        """The answers with one more; none where it is in several parts: no edit of one tree changes it."""
        best = said.candidates[0] if said.candidates else None
        if best is None:
            return before
        if best.parts or best.tree.beside:
            return ()
        return (*before, Shown(of_those_counted(best.tree, self._joins), best.confidence))

    def _followed(
        self, question: str, earlier: tuple[Earlier, ...], stack: tuple[Shown, ...], run: Run | None
    ) -> FollowUp | Analysis | None:
        """What a leaning question means; `what else` is what it means without what was shown. None where it stands
        alone."""
        found = self._leaning(question, earlier, stack, run)
        if not says_else(question):
            return found
        best = self._best(question, found, stack, run) or self._put_in.surest(without_else(question), run)
        return self._but_shown(best, stack) or found if best else found

    def _best(
        self, question: str, found: FollowUp | Analysis | None, stack: tuple[Shown, ...], run: Run | None
    ) -> Candidate | None:
        """The answer that goes out for a question, as its edits, its saying whole or it alone tell."""
        if isinstance(found, FollowUp) and found.is_clear:
            return candidate(found.readings[0], found.missed)
        made = self._alone(question, found, stack, run, None) if isinstance(found, FollowUp) else found
        made = made or self._ask(question, run, None)
        return made.candidates[0] if made.status == "answered" and made.candidates else None

    def _but_shown(self, best: Candidate, stack: tuple[Shown, ...]) -> Analysis | None:
        """A listing without the rows shown before; None where it is none, or none of them were."""
        query = but_shown(best.tree, [each.query for each in stack], self._reader)
        sql = self._writer.write(query) if query else None
        if query is None or sql is None:
            return None
        lines = (*best.reading, "else → without those shown before")
        return Analysis("answered", (replace(best, sql=sql, tree=query, reading=lines, title=title(query)),))

    def _leaning(
        self, question: str, earlier: tuple[Earlier, ...], stack: tuple[Shown, ...], run: Run | None
    ) -> FollowUp | Analysis | None:
        """What a leaning question means: an edit of the last tree, or the question said whole where that leaves words
        out. None where it stands alone."""
        if back := going_back(question, [each.query for each in stack], self._reader):
            return self._gone_back(back, earlier, stack, run)
        stack = _leant_on(question, stack)
        if put_in := self._known_turn(question, stack[-1], run):
            return put_in
        found = self._edits.read(question, stack, run, earlier[-1].question if earlier else "")
        told_whole = self._put_in.told(question, stack[-1], found, run)
        if told_whole or found is None:
            return told_whole
        if found.person and not self._tells_of_one(stack[-1].query, run):
            return FollowUp((), stands=True, nobody=found.person)
        of_them = self._asks_of_them(question, stack[-1].query)
        if found.explains and (not of_them or asks_figure(question)):
            return found
        if found.is_clear and framed(question).has(*_OF_THE_LAST):
            return found
        return self._beyond_edits(question, earlier, stack[-1], found, of_them, run)

    def _known_turn(self, question: str, before: Shown, run: Run | None) -> FollowUp | Analysis | None:
        """What is asked in another unit, at a time of day, or of what has the same as the one shown."""
        put_in = self._put_in.in_unit(question, before, run) or self._put_in.at_time(question, before, run)
        return put_in or self._put_in.of_same(question, before, run)

    def _beyond_edits(
        self,
        question: str,
        earlier: tuple[Earlier, ...],
        before: Shown,
        found: FollowUp,
        of_them: bool,
        run: Run | None,
    ) -> FollowUp | Analysis:
        """What no edit explains whole: two questions in one, or the question said whole where that is surer."""
        if both := None if found.is_clear else self._both(question, earlier, run):
            return both
        stood = self._said_whole.asked(question, earlier, before, run)
        sure = stood.candidates[0].confidence if stood else 0.0
        if asks_of_nth(question) and not _shows_one(found):
            return stood or FollowUp((), found.missed, stands=True)
        if not found.is_clear or (of_them and sure >= _SURE_OF_THEM):
            return stood or found
        return stood if stood and sure > found.readings[0].confidence else found

    def _asks_of_them(self, question: str, shown: Query) -> bool:
        """Whether it asks something of the rows before, of one of them, or of another time."""
        asks = _asks_of_them(question, shown) or asks_of_nth(question)
        return asks or asks_of_other_time(framed(question).rest, shown, self._reader)

    def _gone_back(
        self, back: Back, earlier: tuple[Earlier, ...], stack: tuple[Shown, ...], run: Run | None
    ) -> FollowUp | Analysis | None:
        """What is asked of an answer before the last one; that answer itself where nothing is."""
        if back.rest:
            return self._followed(back.rest, earlier, stack[: back.place + 1], run)
        shown = stack[back.place]
        sql = self._writer.write(shown.query)
        lines = (f"back → {title(shown.query)}",)
        return FollowUp((Edited(shown.query, sql, lines, shown.confidence * CERTAIN),) if sql else ())

    def _tells_of_one(self, before: Query, run: Run | None) -> bool:
        """Whether the answer before is of one alone, whom `she` stands for."""
        sql = self._writer.write(before)
        return tells_of_one(before, (rows_of(sql, run) or []) if sql else [], self._reader)


def _in_turn(first: Candidate, second: Candidate) -> tuple[str, ...]:
    """What both readings tell, once."""
    return tuple(dict.fromkeys((*first.reading, *second.reading)))


def _is_no_question(question: str, before: Query) -> bool:
    """Whether a follow-up that fits nothing asks for nothing by itself either."""
    return bool(_NO_QUESTION.match(question)) or (asks_for_more(question) and is_aggregate(before))


def _shows_one(found: FollowUp) -> bool:
    """Whether an edit leaves a single row of those before."""
    return found.is_clear and any(
        each.limit == 1 or each.nth for each in all_nodes_in(found.readings[0].query) if isinstance(each, Query)
    )


def _leant_on(question: str, stack: tuple[Shown, ...]) -> tuple[Shown, ...]:
    """The answers up to the one whose rows a word stands for: `the first one` is of the last that showed several."""
    several = [n for n, each in enumerate(stack) if _shows_several(each.query)]
    return stack[: several[-1] + 1] if several and asks_of_nth(question) else stack


def _shows_several(query: Query) -> bool:
    """Whether an answer is of several rows, as a listing or figures by group are."""
    first = (each.query for each in query.where if isinstance(each, Inside))
    is_of_one = any(each.limit == 1 or each.nth for each in (query, *first))
    return not is_of_one and (bool(query.group) or not is_aggregate(query))


def _asks_of_them(question: str, shown: Query) -> bool:
    """Whether it asks what those did that were first, for a figure of each row of a listing, for what these did in a
    period, or for what is more than the figure before."""
    if shown.limit is not None and tells_of(question):
        return True
    if is_aggregate(shown):
        return than_figure(question, shown)
    return asks_of_each(question) or asks_what_they_did(question)
