"""What a question says beyond doubt, put right in a tree, whoever wrote it.

The network writes most of a query well and misses what is said in one word: that something is counted, that two hours
are 7,200 seconds, that the third is wanted, that a category has a name. Called by `gathered` before anything is run.

Each rule takes a tree and gives it back, changed or as it is, and is told what its parameters name: the question, the
catalog, how tables join, which columns are meant. Rules go by what those before them made, so their order is fixed.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from functools import partial
from inspect import signature
from typing import Any

from pluto_duck_text2sql.corrections.actual_amounts import as_it_came_in
from pluto_duck_text2sql.corrections.against_the_mean import against_the_mean
from pluto_duck_text2sql.corrections.amounts import showing_when
from pluto_duck_text2sql.corrections.amounts_counted import above_none
from pluto_duck_text2sql.corrections.balances import each_way_added, of_last_row
from pluto_duck_text2sql.corrections.bases import of_base
from pluto_duck_text2sql.corrections.both_counted import both_counted
from pluto_duck_text2sql.corrections.both_ends import by_both_ends
from pluto_duck_text2sql.corrections.bounded_totals import of_totals
from pluto_duck_text2sql.corrections.bounds import as_bounded, as_bounded_by_years
from pluto_duck_text2sql.corrections.called import by_their_own_name, of_asked_rows
from pluto_duck_text2sql.corrections.contrasted import contrasted
from pluto_duck_text2sql.corrections.currencies import in_one_currency
from pluto_duck_text2sql.corrections.days_counted import days_once_each
from pluto_duck_text2sql.corrections.days_of_deeds import without_deed
from pluto_duck_text2sql.corrections.dearest import by_pay, by_price
from pluto_duck_text2sql.corrections.denials import affirmed, denied, denied_once, unset
from pluto_duck_text2sql.corrections.doers import by_deeds
from pluto_duck_text2sql.corrections.done import with_deeds
from pluto_duck_text2sql.corrections.each_listed import by_each_listed
from pluto_duck_text2sql.corrections.each_side import by_each_side
from pluto_duck_text2sql.corrections.ever import of_any_row
from pluto_duck_text2sql.corrections.extended_prices import of_whole_lines
from pluto_duck_text2sql.corrections.for_none import ForNone
from pluto_duck_text2sql.corrections.from_when_to_when import from_when_to_when
from pluto_duck_text2sql.corrections.gross_or_net import in_said_way
from pluto_duck_text2sql.corrections.groups_counted import number_of_groups
from pluto_duck_text2sql.corrections.groups_of_kinds import by_asked_kind, by_kind
from pluto_duck_text2sql.corrections.half_years import by_half_years
from pluto_duck_text2sql.corrections.head_lines import of_first_lines, of_line_amounts
from pluto_duck_text2sql.corrections.headings import headed
from pluto_duck_text2sql.corrections.hours import by_hour_of_day, of_moments
from pluto_duck_text2sql.corrections.how_often import so_often
from pluto_duck_text2sql.corrections.in_charge import in_charge
from pluto_duck_text2sql.corrections.inclusions import with_included
from pluto_duck_text2sql.corrections.kinds_asked import each_once
from pluto_duck_text2sql.corrections.kinds_without import of_all_rows
from pluto_duck_text2sql.corrections.labels import Named, by_code
from pluto_duck_text2sql.corrections.lapses import lapsed
from pluto_duck_text2sql.corrections.last_levels import as_of_last_day
from pluto_duck_text2sql.corrections.letters import with_letters
from pluto_duck_text2sql.corrections.listed_items import among_items
from pluto_duck_text2sql.corrections.listed_with import by_name_first
from pluto_duck_text2sql.corrections.longer_names import by_whole_name, without_shorter
from pluto_duck_text2sql.corrections.mass_nouns import as_quantities, by_all_of_it
from pluto_duck_text2sql.corrections.meant_so import as_meant
from pluto_duck_text2sql.corrections.months_alone import of_latest_month
from pluto_duck_text2sql.corrections.moving_units import by_moving_unit
from pluto_duck_text2sql.corrections.named_rows import counting_rows, of_named_rows
from pluto_duck_text2sql.corrections.named_winners import of_known_names
from pluto_duck_text2sql.corrections.namesakes import with_namesakes
from pluto_duck_text2sql.corrections.nests import of_rows, within
from pluto_duck_text2sql.corrections.newcomers import by_first_times
from pluto_duck_text2sql.corrections.none_counted import with_none_of
from pluto_duck_text2sql.corrections.none_of_such import not_of_such, of_all_owners, with_some, without_any
from pluto_duck_text2sql.corrections.nth import nth
from pluto_duck_text2sql.corrections.numbered import by_number
from pluto_duck_text2sql.corrections.of_all import of_said_others
from pluto_duck_text2sql.corrections.once_each import each_value_once, once_each
from pluto_duck_text2sql.corrections.participles import as_done
from pluto_duck_text2sql.corrections.parts_counted import each_once_of_parts
from pluto_duck_text2sql.corrections.per_owner import by_what_is_said, of_each_owner
from pluto_duck_text2sql.corrections.per_thing import per_row, per_thing
from pluto_duck_text2sql.corrections.percent_amounts import in_amounts
from pluto_duck_text2sql.corrections.pieces import as_kept, as_sold, in_money, in_pieces, of_orders
from pluto_duck_text2sql.corrections.planned_spans import as_it_went
from pluto_duck_text2sql.corrections.pointing_nowhere import pointing_nowhere
from pluto_duck_text2sql.corrections.range_ends import of_one_amount, of_said_end
from pluto_duck_text2sql.corrections.ranked_as_asked import ranked_as_asked
from pluto_duck_text2sql.corrections.role_holders import of_all_alike, of_role_holders
from pluto_duck_text2sql.corrections.running_totals import of_new_ones
from pluto_duck_text2sql.corrections.said import (
    by_what_is_shown,
    counts_such,
    in_said_order,
    in_said_scale,
    in_sum,
    of_whom,
    with_keys_first,
    with_part_on_top,
    with_who_last,
    without_idle_joins,
)
from pluto_duck_text2sql.corrections.said_once import of_one_time
from pluto_duck_text2sql.corrections.said_sorts import by_letters, by_said_columns
from pluto_duck_text2sql.corrections.same_rows import of_the_same_rows
from pluto_duck_text2sql.corrections.several import counted_apart
from pluto_duck_text2sql.corrections.shapes import Shapes
from pluto_duck_text2sql.corrections.single_rows import by_one_row
from pluto_duck_text2sql.corrections.so_many_rows import with_so_many
from pluto_duck_text2sql.corrections.sold import of_sales_that_stood
from pluto_duck_text2sql.corrections.sound import (
    of_marks,
    of_typical_ones,
    sound,
    without_mean_moments,
    without_summed_marks,
)
from pluto_duck_text2sql.corrections.span_units import in_said_units
from pluto_duck_text2sql.corrections.stored_counts import added_up
from pluto_duck_text2sql.corrections.stored_none import as_stored_none
from pluto_duck_text2sql.corrections.stored_units import in_stored_units
from pluto_duck_text2sql.corrections.text_once import of_one_column
from pluto_duck_text2sql.corrections.things_counted import counted_once, owners_once, pieces_of_each, worth_of_each
from pluto_duck_text2sql.corrections.ties import with_said_ties
from pluto_duck_text2sql.corrections.together import added_together
from pluto_duck_text2sql.corrections.two_cycles import by_both_parts
from pluto_duck_text2sql.corrections.unit_costs import of_all_pieces
from pluto_duck_text2sql.corrections.versions import Versions
from pluto_duck_text2sql.corrections.ways import Ways
from pluto_duck_text2sql.corrections.weekends import of_whole_weekends
from pluto_duck_text2sql.corrections.when_done import when_done, when_first_or_last
from pluto_duck_text2sql.corrections.whens import Whens
from pluto_duck_text2sql.corrections.who_did import by_who_did
from pluto_duck_text2sql.corrections.whole_units import of_whole_units
from pluto_duck_text2sql.corrections.wholes import of_said_whole
from pluto_duck_text2sql.corrections.winners import placed_first
from pluto_duck_text2sql.corrections.with_amounts import with_amounts
from pluto_duck_text2sql.corrections.within_periods import within_periods
from pluto_duck_text2sql.corrections.working_days import in_working_days
from pluto_duck_text2sql.corrections.worst import by_worst
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.heads import heads
from pluto_duck_text2sql.data.joins import JoinGraph
from pluto_duck_text2sql.data.masses import masses
from pluto_duck_text2sql.data.snapshots import snapshots
from pluto_duck_text2sql.data.statements import statements
from pluto_duck_text2sql.data.things import things
from pluto_duck_text2sql.terms.lasting import in_hours, when_it_begins
from pluto_duck_text2sql.tree import (
    Query,
)
from pluto_duck_text2sql.trees.durations import Durations
from pluto_duck_text2sql.trees.resolve import Resolver
from pluto_duck_text2sql.trees.selves import below_named, beside_theirs
from pluto_duck_text2sql.trees.wide import looking_back

Rule = Callable[..., Query]

_MEASURED: tuple[Rule, ...] = (
    by_whole_name,
    as_it_came_in,
    of_named_rows,
    counting_rows,
    above_none,
    of_one_amount,
    of_said_end,
    within,
    of_rows,
    as_bounded,
    as_bounded_by_years,
    against_the_mean,
    of_said_others,
    of_any_row,
    of_totals,
    with_so_many,
    so_often,
    sound,
    in_said_units,
    in_working_days,
    in_stored_units,
    added_up,
    of_whole_lines,
    in_money,
    of_all_pieces,
    as_kept,
    as_sold,
    of_orders,
    worth_of_each,
    pieces_of_each,
    of_each_owner,
    by_what_is_said,
    of_new_ones,
    of_last_row,
    each_way_added,
    in_one_currency,
    of_marks,
    without_summed_marks,
    of_typical_ones,
    in_amounts,
    in_said_way,
    of_one_column,
    without_mean_moments,
    as_it_went,
    in_hours,
    as_done,
    in_pieces,
    as_quantities,
    by_moving_unit,
    by_half_years,
    by_hour_of_day,
    by_both_parts,
    of_moments,
    headed,
    once_each,
    each_value_once,
    days_once_each,
    by_number,
)
"""What is counted, added up and compared, and in which unit."""

_WHICH: tuple[Rule, ...] = (
    with_none_of,
    with_some,
    with_amounts,
    denied,
    with_included,
    affirmed,
    unset,
    as_stored_none,
    denied_once,
    pointing_nowhere,
    with_deeds,
    without_any,
    not_of_such,
    of_all_owners,
    by_first_times,
    as_meant,
    by_deeds,
    with_letters,
)
"""Which rows: those that are there or not, what is denied, what was done."""

_PLACED: tuple[Rule, ...] = (
    of_one_time,
    of_latest_month,
    as_of_last_day,
    of_whole_units,
    nth,
    contrasted,
    lapsed,
)
"""Which of them by their place, or since when."""

_SHOWN: tuple[Rule, ...] = (
    per_thing,
    per_row,
    without_shorter,
    by_price,
    by_pay,
    by_name_first,
    ranked_as_asked,
    by_worst,
    in_said_order,
    in_said_scale,
    with_part_on_top,
    of_base,
    within_periods,
    counts_such,
    of_whom,
    beside_theirs,
    by_what_is_shown,
    with_keys_first,
    with_who_last,
    in_sum,
    of_all_rows,
    without_idle_joins,
    showing_when,
    from_when_to_when,
    when_done,
    when_first_or_last,
    without_deed,
    below_named,
    of_all_alike,
    of_role_holders,
    in_charge,
    by_kind,
    by_asked_kind,
    of_the_same_rows,
    by_each_side,
    by_each_listed,
    of_whole_weekends,
    by_who_did,
    by_all_of_it,
    added_together,
    of_said_whole,
    counted_apart,
    when_it_begins,
    by_one_row,
    placed_first,
    each_once,
    each_once_of_parts,
    counted_once,
    owners_once,
    with_namesakes,
    of_known_names,
)
"""What is shown, in which order, of whom, each how often."""

_LAST: tuple[Rule, ...] = (
    by_their_own_name,
    of_asked_rows,
    of_sales_that_stood,
    of_line_amounts,
    of_first_lines,
    by_both_ends,
    by_code,
    among_items,
    both_counted,
    by_said_columns,
    by_letters,
    number_of_groups,
    with_said_ties,
)
"""What the whole tree settles."""


class Corrections:
    """Puts trees right over one catalog."""

    def __init__(self, catalog: Catalog, joins: JoinGraph, today: dt.date) -> None:
        resolver = Resolver(catalog, joins)
        known = {"catalog": catalog, "joins": joins, "today": today}
        known |= {"things": things(catalog), "statements": statements(catalog), "masses": masses(catalog)}
        known |= {"snapshots": snapshots(catalog), "heads": heads(catalog)}
        known |= {"resolver": resolver, "durations": Durations(catalog, resolver)}
        whens, ways = Whens(catalog, joins), Ways(catalog, joins)
        shapes, named = Shapes(catalog, joins, resolver), Named(catalog, joins, resolver)
        for_none, versions = ForNone(catalog, joins), Versions(catalog, joins)
        which: tuple[Rule, ...] = (*_WHICH, for_none.applied, whens.applied, *_PLACED, named.applied)
        begun: tuple[Rule, ...] = (*_MEASURED, *which, looking_back)
        ended: tuple[Rule, ...] = (shapes.applied, *_SHOWN, ways.applied, ways.by_named, *_LAST, versions.applied)
        self._rules = [_told(rule, known) for rule in (*begun, *ended)]

    def applied(self, query: Query, question: str) -> Query:
        """The tree with all that the question says beyond doubt."""
        for rule in self._rules:
            made = rule(query, question)
            if made is not query and made != query:  # an equal one would not know what is kept with the tree
                query = made
        return query


def _told(rule: Rule, known: Mapping[str, Any]) -> Callable[[Query, str], Query]:
    """A rule that wants a tree and a question alone, told all else that its parameters name."""
    wants = signature(rule).parameters
    told = partial(rule, **{name: known[name] for name in wants if name in known})
    return told if "question" in wants else lambda query, question: told(query)
