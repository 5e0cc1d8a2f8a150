"""A dialogue: the tree of each answer, edited by what leans on it, or begun anew.

Deterministic. What is known of a dialogue's earlier questions is kept, a few hundred of them, so that each costs its
work once; whoever asks again with the same history gets the same tree.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any

from pluto_duck_text2sql.analysis import Analysis, Candidate
from pluto_duck_text2sql.asides.in_units import ALONE, InUnits, mean_length
from pluto_duck_text2sql.asides.zeros import whole, without_zeros
from pluto_duck_text2sql.corrections.listed_items import among_items
from pluto_duck_text2sql.corrections.percent_amounts import in_amounts
from pluto_duck_text2sql.corrections.ways import Ways
from pluto_duck_text2sql.corrections.whens import without_deed
from pluto_duck_text2sql.corrections.worst import by_worst
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.earlier import Earlier
from pluto_duck_text2sql.followups.along import courses
from pluto_duck_text2sql.followups.answering import shows
from pluto_duck_text2sql.followups.antecedents import (
    Whole,
    asks_of_each,
    asks_of_nth,
    asks_of_other_time,
    asks_what_they_did,
    tells_of,
    tells_of_one,
    than_figure,
    wholes,
)
from pluto_duck_text2sql.followups.averages import held_against
from pluto_duck_text2sql.followups.contrasts import contrasts, shares
from pluto_duck_text2sql.followups.counted_too import as_many, asks_for_more, others_said
from pluto_duck_text2sql.followups.draft import Draft, Turn
from pluto_duck_text2sql.followups.extremes import extremes_said, of_extreme
from pluto_duck_text2sql.followups.figures import figures
from pluto_duck_text2sql.followups.filters import drops, filters
from pluto_duck_text2sql.followups.fragment import Fragment
from pluto_duck_text2sql.followups.frames import Frame, framed
from pluto_duck_text2sql.followups.going_back import Back, going_back
from pluto_duck_text2sql.followups.groups import groups
from pluto_duck_text2sql.followups.leaning import leans, may_lean, person_said, said_of_nothing, stands
from pluto_duck_text2sql.followups.most_of_those import most_of_those
from pluto_duck_text2sql.followups.new_topic import asked_anew
from pluto_duck_text2sql.followups.ones import asks_for_such, of_such, restricts_alone
from pluto_duck_text2sql.followups.orders import orders
from pluto_duck_text2sql.followups.others import of_others
from pluto_duck_text2sql.followups.others_counted import others_counted
from pluto_duck_text2sql.followups.own_columns import of_own_column
from pluto_duck_text2sql.followups.per_pieces import divided
from pluto_duck_text2sql.followups.ranked_figures import asks_figure, figure_ranked_by
from pluto_duck_text2sql.followups.reasons import by_reason
from pluto_duck_text2sql.followups.regrouped import told_of
from pluto_duck_text2sql.followups.rows import columns, rows
from pluto_duck_text2sql.followups.telling import kept, told
from pluto_duck_text2sql.followups.there import within_first
from pluto_duck_text2sql.followups.times import completed, periods
from pluto_duck_text2sql.followups.torn import is_torn, with_firsts
from pluto_duck_text2sql.followups.trees import once_each, shown_rows
from pluto_duck_text2sql.followups.what_else import but_shown, says_else, without_else
from pluto_duck_text2sql.followups.when_it import when_it_did
from pluto_duck_text2sql.language.words import LEAD, denies
from pluto_duck_text2sql.reading.reader import Reader
from pluto_duck_text2sql.reading.roles import Unreadable
from pluto_duck_text2sql.refusing.refusals import causeless
from pluto_duck_text2sql.tree import (
    Agg,
    Among,
    Col,
    Compare,
    Expr,
    Inside,
    Missing,
    Query,
    Related,
    all_nodes_in,
    columns_in,
)
from pluto_duck_text2sql.trees.parts import conditions, is_aggregate, of_those_counted, tables
from pluto_duck_text2sql.trees.render import Unreachable, render
from pluto_duck_text2sql.trees.titles import title

_MOST_TURNS = 20
_REMEMBERED = 256
_MOST_DRAFTS = 8
_UNEXPLAINED = 0.55
_EMPTY = 0.5
_NEGATIVE = 0.9
_LEAST = 0.3
_CERTAIN = 0.97
_UNFIT = 0.4
_READ_ALONE = 0.6
_SURE_ALONE, _SURE_OF_THEM = 0.5, 0.4
_DENIAL_LOST = 0.4
_HAS_NONE = re.compile(
    r"\b(?:have|has|had|with) no (?!more\b|longer\b)[a-z]|\bwithout (?:an?|any) |\bnever\b", re.IGNORECASE
)
_OF_THE_LAST = ("only", "restrict", "instead", "about", "same")
"""What frames a change of the last answer: no question of its own."""
_NO_QUESTION = re.compile(
    r"^\W*(?:(?:and|but|now|then) )?(?:with|without|including|plus|along with|together with|only|just|by|per)\b"
    r"|^\W*(?:(?:and|but|now|then|ok(?:ay)?|so)\b,? )*(?:for|of|in|on|at|to|from)\b"
    r"(?!.*\b(?:how|what|which|who|whose|where|when|show|list|give|find|count|number|average|total)\b)"
    r"|^\W*(?:in total|altogether|overall|in all|as an? (?:share|percentage|percent|proportion)|instead)\W*$",
    re.IGNORECASE,
)
"""What begins so changes the last answer or means nothing: asked alone it would lose what it is about."""
_ASKS_OF_ONE = re.compile(
    rf"{LEAD}(?:(?:in|at|on|from|for|by|with|to) )?(?:what|which|who|whose|whom|when|where|how)\b", re.IGNORECASE
)
"""A question, which asks for something; an order (`add her city`) puts it beside what is shown."""
_WHAT_THEY = re.compile(r"\bwhat (?:(?:do|does|did) )?(?:each of )?(?:the|each|they)\b", re.IGNORECASE)
_ALTOGETHER = re.compile(
    r"\b(?:total|altogether|together|combined|sum|overall|in all|add up|come to|amount to|between them)\b",
    re.IGNORECASE,
)
"""What asks for one figure of all, where those before were several."""
_TWO_QUESTIONS = re.compile(
    r"^(?P<one>.+?),? and (?P<other>(?:who|whom|whose|when|where|which|what|how|in which|on which|since when)\b.+)$",
    re.IGNORECASE,
)
_NOTHING_BEFORE = "No answer before this one tells what {!r} stands for: ask the whole question."
_EDITS = (drops, rows, periods, filters, columns, figures, groups, shares, orders)
_AT_ONCE = (
    figure_ranked_by,
    of_own_column,
    most_of_those,
    when_it_did,
    held_against,
    told_of,
    of_others,
    others_counted,
    divided,
)
"""Edits that read all that a follow-up says, the first that does alone."""
Run = Callable[[str], list[tuple[Any, ...]]]
Ask = Callable[[str, Run | None, str | None], Analysis]


@dataclass(frozen=True)
class Shown:
    """An answer that a later question may lean on: its tree and how sure it is."""

    query: Query
    confidence: float


@dataclass(frozen=True)
class Edited:
    """A reading of a follow-up: the tree, its SQL, what was kept and changed, how sure it is, and whether it shows what
    the question asks for by name."""

    query: Query
    sql: str
    lines: tuple[str, ...]
    confidence: float
    fits: bool = True


@dataclass(frozen=True)
class FollowUp:
    """What a leaning question may mean, the likeliest first; `missed` are words that nothing explains; `stands` where
    one of its words stands for what was shown, so that it means nothing alone, `person` where that is one of them, who
    is `nobody` where the answer is of several."""

    readings: tuple[Edited, ...]
    missed: tuple[str, ...] = ()
    stands: bool = False
    person: str = ""
    nobody: str = ""

    @property
    def is_clear(self) -> bool:
        """Whether it is read as what it asks for, and no name or number in it is left over."""
        is_read = bool(self.readings) and self.readings[0].fits
        return is_read and not any(not word.islower() for word in self.missed)

    @property
    def explains(self) -> bool:
        """Whether it is read with every word, and shows what is asked for."""
        return self.is_clear and not self.missed


class Dialogue:
    """Follows dialogues over one catalog; `ask` reads a question alone, as the option picked of it says."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, reader: Reader, ask: Ask) -> None:
        self._catalog = catalog
        self._joins = joins
        self._reader = reader
        self._ask = ask
        self._units = InUnits(catalog)
        self._known: OrderedDict[tuple[Any, ...], tuple[Shown, ...]] = OrderedDict()

    def analysis(
        self, question: str, history: tuple[Earlier, ...], run: Run | None, choice: str | None = None
    ) -> Analysis | None:
        """What a question that leans on `history` means, or why it means nothing; None where it stands alone."""
        if anew := asked_anew(question):
            return self._ask(anew, run, choice)
        stack = self._stack(history[-_MOST_TURNS:], run)
        question = by_reason(question, stack[-1].query, self._catalog) if stack else question
        if stack and (declined := causeless(question)):
            return Analysis("cannot_answer", message=declined)
        if history and not stack and (word := said_of_nothing(question.strip(" ?!."))):
            return Analysis("cannot_answer", message=_NOTHING_BEFORE.format(word))
        found = self._followed(question, history, stack, run) if stack else None
        if found is None and stack and may_lean(question):
            return _read_alone(self._ask(question, run, choice))
        if found is None or isinstance(found, Analysis):
            return found
        if found.is_clear:
            return Analysis("answered", tuple(_candidate(each, found.missed) for each in found.readings))
        alone = self._alone(question, found, stack, run, choice)
        return alone or Analysis("cannot_answer", message=_unclear(question, stack, found))

    def _alone(
        self, question: str, found: FollowUp, stack: tuple[Shown, ...], run: Run | None, choice: str | None
    ) -> Analysis | None:
        """A follow-up that no edit explains as a question of its own; None where it is none, or not surely one."""
        if found.stands or _is_no_question(question, stack[-1].query):
            return None
        alone = self._ask(framed(question).without_lead, run, choice)
        sure = alone.candidates[0].confidence if alone.candidates else 0.0
        return _read_alone(alone) if alone.status != "cannot_answer" and sure >= _SURE_ALONE else None

    def _both(self, question: str, history: tuple[Earlier, ...], run: Run | None) -> Analysis | None:
        """`which companies are they, and who owns them?`: the second asked of what the first shows, beside it."""
        said = _TWO_QUESTIONS.match(question.strip())
        one = self.analysis(said["one"], history, run) if said else None
        if said is None or one is None or not one.candidates:
            return None
        other = self.analysis(said["other"], (*history, Earlier(said["one"])), run)
        if other is None or not other.candidates:
            return None
        first, second = one.candidates[0], other.candidates[0]
        shows_all = set(first.tree.select) < set(second.tree.select) and not is_aggregate(second.tree)
        if not shows_all or first.tree.anchor != second.tree.anchor:
            return None
        sure = min(first.confidence, second.confidence)
        return Analysis("answered", (replace(second, confidence=sure, reading=_in_turn(first, second)),))

    def _said_whole(
        self, question: str, earlier: tuple[Earlier, ...], before: Shown, run: Run | None
    ) -> Analysis | None:
        """The question with what its pronouns stand for in their place; None where it has none, or is not answered."""
        sql = self._write(before.query)
        shown = (_rows(sql, run) or []) if sql and run else []
        asked = [each.question for each in earlier]
        ways = list(wholes(question, asked, before.query, self._reader, shown))
        for some in ([each for each in ways if not each.as_asked], [each for each in ways if each.as_asked]):
            found = [made for each in some if (made := self._held(each, run, of_several=len(shown) > 1))]
            if found:
                return max(found, key=lambda each: each.candidates[0].confidence)
        return None

    def _held(self, whole: Whole, run: Run | None, *, of_several: bool) -> Analysis | None:
        """What a question said whole finds of the rows shown before; None where it finds none."""
        alone = self._ask(whole.text, run, None)
        if alone.status != "answered" or not alone.candidates:
            return None
        best = alone.candidates[0]
        query = whole.held(best.tree) if whole.among else best.tree
        query = self._of_each(query, whole) if whole.among and of_several else query
        query = self._by_name(query, whole) if whole.among and of_several else query
        sql = self._write(query)
        rows = _rows(sql, run) if sql else None
        is_open = bool(whole.among) and Ways(self._catalog, self._joins).left_open(query, whole.text) is not None
        if sql is None or not rows or best.confidence < _LEAST or is_open:
            return None
        of = [each for each in whole.among if each in set(conditions(query))]
        lines = (*best.reading, f"asked → {whole.text}", *([f"of → {told(of)}"] if of else []))
        return Analysis("answered", (replace(best, sql=sql, tree=query, reading=lines, title=title(query)),))

    def _of_each(self, query: Query, whole: Whole) -> Query:
        """`what do they earn?` of several: what each has, not what all of them come to."""
        total = query.select[0] if len(query.select) == 1 and not query.group else None
        column = total.of if isinstance(total, Agg) and total.function == "sum" else None
        own = isinstance(column, Col) and column.table == whole.of and isinstance(total, Agg) and not total.where
        asks = bool(_WHAT_THEY.search(whole.text)) and not _ALTOGETHER.search(whole.text)
        return replace(query, select=(column,), flat=False) if own and asks and isinstance(column, Col) else query

    def _by_name(self, query: Query, whole: Whole) -> Query:
        """What several rows have, each beside its name: `when were they hired?`"""
        table = self._catalog.table(*whole.of)
        label = self._reader.resolver.label(table) if table else []
        own = all(isinstance(each, Col) and each.table == whole.of for each in query.select)
        if (
            is_aggregate(query)
            or query.distinct
            or query.limit is not None
            or not own
            or set(label) & set(query.select)
        ):
            return query
        return replace(query, select=(*label, *query.select))

    def _write(self, query: Query) -> str | None:
        try:
            return render(query, self._catalog, self._joins)
        except (Unreachable, KeyError, AttributeError):
            return None

    def _stack(self, history: tuple[Earlier, ...], run: Run | None) -> tuple[Shown, ...]:
        """The answers so far, the last one last; an answer taken back is gone."""
        if not history:
            return ()
        place = (history, run is not None)
        if place not in self._known:
            before = self._stack(history[:-1], run)
            self._remember(place, self._grown(history[-1], history[:-1], before, run))
        return self._known[place]

    def _remember(self, place: tuple[Any, ...], stack: tuple[Shown, ...]) -> None:
        self._known[place] = stack
        while len(self._known) > _REMEMBERED:
            self._known.popitem(last=False)

    def _grown(
        self, asked: Earlier, earlier: tuple[Earlier, ...], before: tuple[Shown, ...], run: Run | None
    ) -> tuple[Shown, ...]:
        if anew := asked_anew(asked.question):
            return self._grown(replace(asked, question=anew), (), (), run)
        question = by_reason(asked.question, before[-1].query, self._catalog) if before else asked.question
        if before and causeless(question):
            return before
        if before and framed(question).has("undo"):
            return before[:-1] or before
        found = self._followed(question, earlier, before, run) if before else None
        if isinstance(found, FollowUp) and found.is_clear:
            return (*before, Shown(found.readings[0].query, found.readings[0].confidence))
        if isinstance(found, FollowUp):
            found = self._alone(question, found, before, run, asked.choice)
            if found is None:
                return before  # what was not answered is not leaned on
        said = found.candidates if found else self._ask(question, run, asked.choice).candidates
        alone = said[:1]
        if alone and (alone[0].parts or alone[0].tree.beside):
            return ()  # no edit of one tree changes an answer in several parts
        return (*before, *(Shown(of_those_counted(each.tree, self._joins), each.confidence) for each in alone))

    def _followed(
        self, question: str, earlier: tuple[Earlier, ...], stack: tuple[Shown, ...], run: Run | None
    ) -> FollowUp | Analysis | None:
        """What a leaning question means; `what else` is what it means without what was shown. None where it stands
        alone."""
        found = self._leaning(question, earlier, stack, run)
        if not says_else(question):
            return found
        best = self._best(question, found, stack, run) or self._surest(without_else(question), run)
        return self._but_shown(best, stack) or found if best else found

    def _best(
        self, question: str, found: FollowUp | Analysis | None, stack: tuple[Shown, ...], run: Run | None
    ) -> Candidate | None:
        """The answer that goes out for a question, as its edits, its saying whole or it alone tell."""
        if isinstance(found, FollowUp) and found.is_clear:
            return _candidate(found.readings[0], found.missed)
        made = self._alone(question, found, stack, run, None) if isinstance(found, FollowUp) else found
        made = made or self._ask(question, run, None)
        return made.candidates[0] if made.status == "answered" and made.candidates else None

    def _but_shown(self, best: Candidate, stack: tuple[Shown, ...]) -> Analysis | None:
        """A listing without the rows shown before; None where it is none, or none of them were."""
        query = but_shown(best.tree, [each.query for each in stack], self._reader)
        sql = self._write(query) if query else None
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
        if in_unit := self._in_unit(question, stack[-1], run):
            return in_unit
        found = self._read(question, stack, run, earlier[-1].question if earlier else "")
        before = stack[-1].query
        if told_whole := self._told_whole(question, stack[-1], found, run):
            return told_whole
        if found is not None and found.person and not self._tells_of_one(before, run):
            return FollowUp((), stands=True, nobody=found.person)
        of_them = (
            _asks_of_them(question, before)
            or asks_of_nth(question)
            or asks_of_other_time(question, before, self._reader)
        )
        if found is None or (found.explains and (not of_them or asks_figure(question))):
            return found
        if found.is_clear and framed(question).has(*_OF_THE_LAST):
            return found
        if both := None if found.is_clear else self._both(question, earlier, run):
            return both
        stood = self._said_whole(question, earlier, _leant_on(question, stack), run)
        sure = stood.candidates[0].confidence if stood else 0.0
        if asks_of_nth(question) and not _shows_one(found):
            return stood or FollowUp((), found.missed, stands=True)
        if not found.is_clear or (of_them and sure >= _SURE_OF_THEM):
            return stood or found
        return stood if sure > found.readings[0].confidence else found

    def _gone_back(
        self, back: Back, earlier: tuple[Earlier, ...], stack: tuple[Shown, ...], run: Run | None
    ) -> FollowUp | Analysis | None:
        """What is asked of an answer before the last one; that answer itself where nothing is."""
        if back.rest:
            return self._followed(back.rest, earlier, stack[: back.place + 1], run)
        shown = stack[back.place]
        sql = self._write(shown.query)
        lines = (f"back → {title(shown.query)}",)
        return FollowUp((Edited(shown.query, sql, lines, shown.confidence * _CERTAIN),) if sql else ())

    def _tells_of_one(self, before: Query, run: Run | None) -> bool:
        """Whether the answer before is of one alone, whom `she` stands for."""
        sql = self._write(before)
        return tells_of_one(before, (_rows(sql, run) or []) if sql else [], self._reader)

    def _in_unit(self, question: str, before: Shown, run: Run | None) -> FollowUp | None:
        """The figures before in the unit that `in weeks` says; None where it says more, or they are in none."""
        said = ALONE.match(question)
        query = self._units.changed(before.query, said["unit"].lower()) if said else None
        sql = self._write(query) if query else None
        if said is None or query is None or sql is None or _rows(sql, run) is None:
            return None
        lines = (*kept(before.query, query), f"in → {said['unit'].lower()}", *mean_length(said["unit"].lower()))
        return FollowUp((Edited(query, sql, lines, before.confidence * _CERTAIN),))

    def _such(self, question: str, before: Shown, found: FollowUp | None, run: Run | None) -> FollowUp | None:
        """The rows before that are as `the open ones` says, where no edit tells that by what they hold themselves."""
        asked = asks_for_such(question, before.query)
        is_told = found is not None and found.explains and restricts_alone(before.query, found.readings[0].query)
        alone = self._ask(asked, run, None) if asked and not is_told else None
        best = alone.candidates[0] if alone and alone.status == "answered" and alone.candidates else None
        query = of_such(before.query, best.tree) if best and best.confidence >= _SURE_ALONE else None
        sql = self._write(query) if query else None
        if query is None or best is None or sql is None or _rows(sql, run) is None:
            return None
        lines = (*kept(before.query, query), f"only → {told(best.tree.where)}")
        return FollowUp((Edited(query, sql, lines, before.confidence * _CERTAIN * best.confidence),))

    def _told_whole(self, question: str, before: Shown, found: FollowUp | None, run: Run | None) -> FollowUp | None:
        """What a whole question of a few of its words says, put into the tree before."""
        return (
            self._such(question, before, found, run)
            or self._extreme(question, before, run)
            or self._deeds(question, before, run)
        )

    def _deeds(self, question: str, before: Shown, run: Run | None) -> FollowUp | None:
        """As many of others as were counted before: `and cancellations?` after new members per month."""
        asked = others_said(question, before.query, self._reader)
        best = self._surest(asked, run) if asked else None
        query = as_many(before.query, best.tree, self._reader) if best else None
        edited = self._edited(query, before, f"counted → {asked}", run) if query else None
        return FollowUp((edited,)) if edited else None

    def _surest(self, question: str, run: Run | None) -> Candidate | None:
        """The best reading of a whole question, where it is sure enough to build on."""
        alone = self._ask(question, run, None)
        best = alone.candidates[0] if alone.status == "answered" and alone.candidates else None
        return best if best is not None and best.confidence >= _SURE_OF_THEM else None

    def _extreme(self, question: str, before: Shown, run: Run | None) -> FollowUp | None:
        """The longest or cheapest of what was counted, by what a whole question for it ranks."""
        for said in extremes_said(question, before.query, self._reader):
            best = self._surest(said.text, run)
            query = of_extreme(before.query, best.tree, said, self._reader) if best else None
            if query and (edited := self._edited(query, before, f"measured → {said.text}", run)):
                return FollowUp((edited,))
        return None

    def _edited(self, query: Query, before: Shown, line: str, run: Run | None) -> Edited | None:
        """A query as a reading of a follow-up; None where it cannot be written, or does not run."""
        sql = self._write(query)
        if sql is None or _rows(sql, run) is None:
            return None
        return Edited(query, sql, (*kept(before.query, query), line), before.confidence * _CERTAIN)

    def _read(self, question: str, stack: tuple[Shown, ...], run: Run | None, said_before: str) -> FollowUp | None:
        rest = without_zeros(question)
        frame = framed(rest or question)
        if frame.has("undo"):
            return self._taken_back(stack)
        turn = self._turn(frame, stack, said_before)
        if turn is None or not leans(frame, turn.fragment):
            return None
        drafts = list(self._drafts(turn))
        if rest and rest != question.strip():
            drafts = [self._with_empty(each) for each in drafts]
        found = list(self._tried(turn, drafts, stack[-1], run))
        missed = min((tuple(self._missed(turn, each)) for each in drafts), key=len, default=())
        by_likelihood = tuple(sorted(found, key=lambda each: -each.confidence))
        return FollowUp(
            by_likelihood, missed, stands(frame.text, turn.fragment), person_said(frame.text, turn.fragment)
        )

    def _turn(self, frame: Frame, stack: tuple[Shown, ...], said_before: str) -> Turn | None:
        earlier = stack[-1].query
        rest = completed(frame.rest, earlier, self._reader)
        frame = replace(frame, rest=rest)
        try:
            fragment = Fragment(self._reader, rest, earlier, narrows=frame.has("only", "restrict"))
        except Unreadable:
            return None
        return Turn(frame, fragment, self._reader, tuple(each.query for each in stack), said_before)

    def _drafts(self, turn: Turn) -> Iterator[Draft]:
        """Every edited tree, the likeliest first."""
        start = within_first(turn) or Draft(turn.earlier)
        if held := next((made for edit in _AT_ONCE if (made := edit(turn))), None):
            yield held
            return
        drafts = courses(turn, start) or contrasts(turn, start) or [start]
        compared = drafts != [start]
        for edit in (orders,) if compared else _EDITS:
            drafts = [made for each in drafts for made in edit(turn, each)][:_MOST_DRAFTS]
        for each in sorted(drafts, key=lambda draft: -self._weight(turn, draft)):
            if each.changes and (each.query != turn.earlier or turn.frame.has("same", "show", "sort_that")):
                yield each

    def _with_empty(self, draft: Draft) -> Draft:
        """A draft with those that have none too."""
        query = whole(draft.query, self._joins)
        return draft.changed(query, "also → those that have none") if query else draft

    def _missed(self, turn: Turn, draft: Draft) -> list[str]:
        return turn.fragment.left_over(set(draft.used))

    def _weight(self, turn: Turn, draft: Draft) -> float:
        missed = self._missed(turn, draft)
        denied = any(map(denies, missed))  # left out, it makes what is said its contrary
        return draft.weight * _UNEXPLAINED ** (len(missed) + denied)

    def _tried(self, turn: Turn, drafts: list[Draft], before: Shown, run: Run | None) -> Iterator[Edited]:
        """The edited trees that can be written and that run; one that finds nothing is lowered."""
        seen: set[str] = set()
        for draft in drafts:
            draft = replace(draft, query=self._corrected(draft.query, turn.frame.text, turn.earlier))
            draft = replace(draft, query=self._alone_asked(draft.query, turn, run))
            sql, weight = self._write(draft.query), self._weight(turn, draft)
            if sql is None or sql in seen or weight < _LEAST or is_torn(draft.query, turn.earlier):
                continue
            seen.add(sql)
            found = _rows(sql, run)
            if found is None:
                continue
            lines = (*kept(turn.earlier, draft.query), *draft.changes)
            weight *= _DENIAL_LOST if _loses_denial(turn.frame.text, turn.earlier, draft.query) else 1.0
            fits = shows(draft.query, turn.frame.text, turn.earlier, self._reader)
            sure = before.confidence * _CERTAIN * weight * _likely(found, turn.frame) * (1.0 if fits else _UNFIT)
            yield Edited(draft.query, sql, lines, sure, fits)

    def _corrected(self, query: Query, text: str, before: Query) -> Query:
        """The tree with what the follow-up says beyond doubt; each row counts once, whatever tables an edit brought."""
        made = in_amounts(by_worst(without_deed(query, text), text), text, self._catalog, self._joins)
        made = among_items(with_firsts(made, before), text, self._catalog)
        return once_each(made, self._reader) if set(tables(made)) - set(tables(before)) else made

    def _alone_asked(self, query: Query, turn: Turn, run: Run | None) -> Query:
        """`where is she based?` of the only one shown: that alone, not beside what was told of her."""
        before, text = turn.earlier, turn.frame.text
        new = tuple(each for each in query.select if each not in before.select)
        is_one = not is_aggregate(before) or bool(before.group)
        adds = turn.frame.has("also") or len(new) == len(query.select) or not set(before.select) & set(query.select)
        if not new or adds or not is_one or not _ASKS_OF_ONE.match(text):
            return query
        sql = self._write(before)
        shown = _rows(sql, run) if sql and run else None
        return self._of_one(query, new, before) if shown is not None and len(shown) == 1 else query

    def _of_one(self, query: Query, new: tuple[Expr, ...], before: Query) -> Query:
        """What is asked of the one row shown; where it was the first of several, of that very one, ties settled."""
        if before.limit is None:
            return replace(query, select=new)
        inside = shown_rows(before, self._reader)
        if inside is None:
            return query
        return Query(inside.left.table, new, (inside,), through=query.through)

    def _taken_back(self, stack: tuple[Shown, ...]) -> FollowUp:
        if len(stack) < 2:
            return FollowUp(())
        sql = self._write(stack[-2].query)
        lines = ("undo → the answer before the last one",)
        return FollowUp((Edited(stack[-2].query, sql, lines, stack[-2].confidence),) if sql else ())


def _read_alone(alone: Analysis) -> Analysis:
    """A question that may lean, but was read without those before it: less sure, and it says so."""
    line = "Read as a question of its own, not of the answers before."
    said = tuple(
        replace(each, confidence=round(each.confidence * _READ_ALONE, 3), assumptions=(*each.assumptions, line))
        for each in alone.candidates
    )
    return replace(alone, candidates=said)


def _in_turn(first: Candidate, second: Candidate) -> tuple[str, ...]:
    """What both readings tell, once."""
    return tuple(dict.fromkeys((*first.reading, *second.reading)))


def _is_no_question(question: str, before: Query) -> bool:
    """Whether a follow-up that fits nothing asks for nothing by itself either."""
    return bool(_NO_QUESTION.match(question)) or (asks_for_more(question) and is_aggregate(before))


def _loses_denial(text: str, before: Query, after: Query) -> bool:
    """Whether `which have no plan` leaves nothing in the tree that denies."""
    if not _HAS_NONE.search(text):
        return False
    return sum(map(_denies, all_nodes_in(after))) <= sum(map(_denies, all_nodes_in(before)))


def _denies(node: Any) -> bool:
    is_none = isinstance(node, Missing) and not node.negated
    is_unlike = isinstance(node, Compare) and (node.operator == "!=" or node.right == 0)
    return is_none or is_unlike or (isinstance(node, Related | Inside | Among) and node.negated)


def _shows_one(found: FollowUp) -> bool:
    """Whether an edit leaves a single row of those before."""
    return found.is_clear and any(
        each.limit == 1 or each.nth for each in all_nodes_in(found.readings[0].query) if isinstance(each, Query)
    )


def _leant_on(question: str, stack: tuple[Shown, ...]) -> Shown:
    """The answer whose rows a word stands for: `the first one` is of the last one that showed several."""
    listed = [each for each in stack if each.query.order and each.query.limit != 1]
    return listed[-1] if listed and asks_of_nth(question) else stack[-1]


def _asks_of_them(question: str, shown: Query) -> bool:
    """Whether it asks what those did that were first, for a figure of each row of a listing, for what these did in a
    period, or for what is more than the figure before."""
    if shown.limit is not None and tells_of(question):
        return True
    if is_aggregate(shown):
        return than_figure(question, shown)
    return asks_of_each(question) or asks_what_they_did(question)


def _rows(sql: str, run: Run | None) -> list[tuple[Any, ...]] | None:
    """What is found, [(True,)] where nothing is run, None where it does not run."""
    if run is None:
        return [(True,)]
    try:
        return run(sql)
    except Exception:  # noqa: BLE001 - whatever the caller's runner raises, this reading does not run
        return None


def _likely(rows: list[tuple[Any, ...]], frame: Frame) -> float:
    """How likely such rows are meant: none hardly, and a difference is said as what is more."""
    if not any(value is not None for row in rows for value in row):
        return _EMPTY
    negative = len(rows) == 1 and len(rows[0]) == 1 and isinstance(rows[0][0], int | float | Decimal) and rows[0][0] < 0
    return _NEGATIVE if negative and frame.has("difference") else 1.0


def _candidate(reading: Edited, missed: Sequence[str]) -> Candidate:
    names = tuple(sorted({f"{each.table[0]}.{each.table[1]}" for each in columns_in(reading.query)}))
    left = (f"Nothing was made of {' or '.join(map(repr, missed))}.",) if missed else ()
    sure = round(reading.confidence, 3)
    return Candidate(reading.sql, sure, title(reading.query), reading.lines, left, reading.query, names)


def _unclear(question: str, stack: Sequence[Shown], found: FollowUp) -> str:
    """What to say where a follow-up fits nothing."""
    if framed(question).has("undo"):
        return "There is no answer before this one to go back to."
    if found.nobody:
        before = title(stack[-1].query)
        return f"The answer before ({before}) shows no single one that {found.nobody!r} stands for: say the name."
    said = " or ".join(map(repr, found.missed)) or repr(question.strip())
    return (
        f"This leans on the answer before ({title(stack[-1].query)}), but {said} names nothing that could change in it."
        " Say a period, a stored value, a column to group or sort by, or ask the whole question."
    )
