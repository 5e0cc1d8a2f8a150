"""A question in the words that every part of the analyst knows, whichever rule or network reads it then.

    question ─▶ which rows are told of ─▶ plain words, turns of phrase (turns_of_phrase.py)
             ─▶ deeds as rows, states, events ─▶ grains, units, growth ─▶ the names that the data has

`Group customers by country and count them` is the number of customers by country. The order counts: a later rule finds
what an earlier one wrote. What depends on the data asks what its names and stored values are, and nothing else.
"""

from __future__ import annotations

from pluto_duck_text2sql.corrections.named_grains import grain_last
from pluto_duck_text2sql.data.catalog import Catalog
from pluto_duck_text2sql.data.name_index import NameIndex
from pluto_duck_text2sql.language.remarks import tidy
from pluto_duck_text2sql.rewording.aged import with_ages
from pluto_duck_text2sql.rewording.as_long import as_lasting
from pluto_duck_text2sql.rewording.as_named import by_agents, with_flags_denied, with_numbers
from pluto_duck_text2sql.rewording.asked_too import of_rows, with_asked_too
from pluto_duck_text2sql.rewording.at_work import with_leavers
from pluto_duck_text2sql.rewording.billed import as_invoiced
from pluto_duck_text2sql.rewording.busiest import with_events
from pluto_duck_text2sql.rewording.business_turns import (
    as_best_time,
    as_click_rate,
    as_course,
    as_growth,
    as_return_on_spend,
    as_sale_value,
    as_sales_made,
)
from pluto_duck_text2sql.rewording.by_flags import by_flags
from pluto_duck_text2sql.rewording.by_id import by_id
from pluto_duck_text2sql.rewording.collected import as_received
from pluto_duck_text2sql.rewording.counts_said import as_number_of, per_each_by, with_counts, with_rows_counted
from pluto_duck_text2sql.rewording.deed_nouns import with_states
from pluto_duck_text2sql.rewording.deed_verbs import with_counted_deeds, with_deeds
from pluto_duck_text2sql.rewording.for_free import as_of_no_price
from pluto_duck_text2sql.rewording.fuller_names import by_short_names
from pluto_duck_text2sql.rewording.given_back import as_given_back
from pluto_duck_text2sql.rewording.grains_said import keys_first, of_dates
from pluto_duck_text2sql.rewording.idioms import in_plain_words
from pluto_duck_text2sql.rewording.in_digits import in_digits
from pluto_duck_text2sql.rewording.initials import by_initials
from pluto_duck_text2sql.rewording.kinds import with_things
from pluto_duck_text2sql.rewording.letters_said import with_letters_said
from pluto_duck_text2sql.rewording.listed_figures import in_listed_figures
from pluto_duck_text2sql.rewording.none_for import none_in_the_last
from pluto_duck_text2sql.rewording.not_passed import as_not_passed
from pluto_duck_text2sql.rewording.of_weather import of_weather
from pluto_duck_text2sql.rewording.outcome_rates import with_outcomes
from pluto_duck_text2sql.rewording.reached import how_reached
from pluto_duck_text2sql.rewording.reasons_given import of_reason
from pluto_duck_text2sql.rewording.reasons_told import as_reasons
from pluto_duck_text2sql.rewording.restated import without_restated
from pluto_duck_text2sql.rewording.told_by_column import without_told_deeds
from pluto_duck_text2sql.rewording.turns_of_phrase import in_turns
from pluto_duck_text2sql.rewording.unattended import as_without_carer
from pluto_duck_text2sql.rewording.unit_words import at_kept_rates, bound_by_one, in_kept_units, nights_as_days
from pluto_duck_text2sql.rewording.verbs_said import with_columns_said
from pluto_duck_text2sql.rewording.weighed_up import weighed_up


def reworded(question: str, names: NameIndex, catalog: Catalog) -> str:
    """The question in plainer words; itself where there are none."""
    text = question
    for stage in (_of_whom, _in_plain_turns, _of_deeds, _in_times_and_units, _by_names):
        text = stage(text, names, catalog)
    return question if text == question else tidy(text)


def _of_whom(text: str, names: NameIndex, catalog: Catalog) -> str:
    """Which rows are told of: how many of something they have, who looks after them, at what price, of what age."""
    text = how_reached(in_listed_figures(per_each_by(with_letters_said(text), names)), names)
    text = with_columns_said(text, catalog)
    text = none_in_the_last(of_weather(weighed_up(without_restated(in_digits(text))), names), names)
    text = with_asked_too(of_rows(text, names), names)
    text = nights_as_days(with_counts(by_id(grain_last(with_leavers(text)), names), names), names)
    text = bound_by_one(as_without_carer(as_lasting(as_invoiced(as_received(text, names), names), catalog), catalog))
    text = as_of_no_price(as_not_passed(text, names, catalog), catalog)
    return without_told_deeds(with_ages(text, catalog, names), catalog)


def _in_plain_turns(text: str, names: NameIndex, catalog: Catalog) -> str:
    """Initials, idioms and verbs in plain words, then turns of phrase."""
    text = as_reasons(of_reason(as_given_back(by_flags(text, names), names, catalog), catalog), catalog)
    text = with_deeds(in_plain_words(by_initials(text, names, catalog), names, catalog), names, catalog)
    return in_turns(as_course(as_best_time(text, names), names, catalog))


def _of_deeds(text: str, names: NameIndex, catalog: Catalog) -> str:
    """What was done, as rows that are counted, as states and as events."""
    text = with_rows_counted(with_counted_deeds(text, names, catalog), names)
    return with_states(with_events(text, catalog), names, catalog)


def _in_times_and_units(text: str, names: NameIndex, catalog: Catalog) -> str:
    """Grains, the value of one sale, units, growth."""
    text = of_dates(keys_first(text, names), names)
    return as_growth(in_kept_units(as_sale_value(as_sales_made(text, names), names), names))


def _by_names(text: str, names: NameIndex, catalog: Catalog) -> str:
    """Outcomes, rates, flags, doers and numbers by the names that the data has for them."""
    text = with_things(with_outcomes(text, names, catalog), names, catalog)
    text = at_kept_rates(as_return_on_spend(as_click_rate(text, names), names), names)
    text = by_agents(with_flags_denied(text, names, catalog), names)
    return as_number_of(with_numbers(by_short_names(text, names, catalog), names), names)
