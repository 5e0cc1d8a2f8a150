"""The kinds of questions that are made of several answers or of a part of one, in the order in which they are tried."""

from __future__ import annotations

from pluto_duck_text2sql.frames.above import Above
from pluto_duck_text2sql.frames.above_average import AboveAverage
from pluto_duck_text2sql.frames.actives import Actives
from pluto_duck_text2sql.frames.against_average import AgainstAverage
from pluto_duck_text2sql.frames.ages_then import AgesThen
from pluto_duck_text2sql.frames.agos import Agos
from pluto_duck_text2sql.frames.all_alike import AllAlike
from pluto_duck_text2sql.frames.alongside import Alongside
from pluto_duck_text2sql.frames.averages import Averages
from pluto_duck_text2sql.frames.banded import Banded
from pluto_duck_text2sql.frames.below import Below
from pluto_duck_text2sql.frames.beside import TwoPeriods
from pluto_duck_text2sql.frames.bests import Bests
from pluto_duck_text2sql.frames.birthdays import Birthdays
from pluto_duck_text2sql.frames.bookends import Bookends
from pluto_duck_text2sql.frames.but_not import ButNot
from pluto_duck_text2sql.frames.compounds import Compounds
from pluto_duck_text2sql.frames.concentration import Concentration
from pluto_duck_text2sql.frames.contests import Contests
from pluto_duck_text2sql.frames.conversions import Conversions
from pluto_duck_text2sql.frames.courses import Courses
from pluto_duck_text2sql.frames.doing_both import DoingBoth
from pluto_duck_text2sql.frames.dormant import Dormant
from pluto_duck_text2sql.frames.empty_days import EmptyDays
from pluto_duck_text2sql.frames.event_rates import EventRates
from pluto_duck_text2sql.frames.everywhere import Everywhere
from pluto_duck_text2sql.frames.extras import Extras
from pluto_duck_text2sql.frames.first_times import FirstTimes
from pluto_duck_text2sql.frames.flag_rates import FlagRates
from pluto_duck_text2sql.frames.followed import Followed
from pluto_duck_text2sql.frames.histograms import Histograms
from pluto_duck_text2sql.frames.in_one_period import InOnePeriod
from pluto_duck_text2sql.frames.kinds_with_none import KindsWithNone
from pluto_duck_text2sql.frames.means_of_groups import MeansOfGroups
from pluto_duck_text2sql.frames.movers import Movers
from pluto_duck_text2sql.frames.new_of_shared import NewOfShared
from pluto_duck_text2sql.frames.newness import NewAndReturning
from pluto_duck_text2sql.frames.of_those import OfThose
from pluto_duck_text2sql.frames.only_keys import OnlyKeys
from pluto_duck_text2sql.frames.only_such import OnlySuch
from pluto_duck_text2sql.frames.parts_of_years import PartsOfYears
from pluto_duck_text2sql.frames.per_piece import PerPiece
from pluto_duck_text2sql.frames.quotients import Quotients
from pluto_duck_text2sql.frames.ranked_groups import RankedGroups
from pluto_duck_text2sql.frames.rate_ranks import RateRanks
from pluto_duck_text2sql.frames.rates import Rates
from pluto_duck_text2sql.frames.rates_of_some import RatesOfSome
from pluto_duck_text2sql.frames.repeat_rates import RepeatRates
from pluto_duck_text2sql.frames.row_a_year import RowAYear
from pluto_duck_text2sql.frames.same_of_year import SameOfYear
from pluto_duck_text2sql.frames.same_periods import SamePeriods
from pluto_duck_text2sql.frames.shared_counts import SharedCounts
from pluto_duck_text2sql.frames.shares_of_some import SharesOfSome
from pluto_duck_text2sql.frames.spans import Spans
from pluto_duck_text2sql.frames.steady import Steady
from pluto_duck_text2sql.frames.tallies import Tallies
from pluto_duck_text2sql.frames.taxes import Taxes
from pluto_duck_text2sql.frames.tenures import Tenures
from pluto_duck_text2sql.frames.two_spans import TwoSpans
from pluto_duck_text2sql.frames.waiting import Waiting
from pluto_duck_text2sql.frames.week_parts import WeekParts
from pluto_duck_text2sql.frames.with_and_without import WithAndWithout

KINDS = (
    *(
        Taxes,
        Extras,
        Everywhere,
        Banded,
        SharedCounts,
        RatesOfSome,
        AllAlike,
        OnlySuch,
        PartsOfYears,
        SameOfYear,
        RowAYear,
        AgesThen,
        Below,
        Above,
        Actives,
        NewOfShared,
        InOnePeriod,
        NewAndReturning,
        RepeatRates,
        Concentration,
        AboveAverage,
        FirstTimes,
        Followed,
        Agos,
        Tenures,
        Birthdays,
        Dormant,
        Waiting,
        EmptyDays,
        AgainstAverage,
        WithAndWithout,
        Spans,
        MeansOfGroups,
        Averages,
        Steady,
        Contests,
        Movers,
        RateRanks,
        PerPiece,
        OnlyKeys,
        Conversions,
        FlagRates,
        EventRates,
        KindsWithNone,
        ButNot,
        DoingBoth,
        Quotients,
        OfThose,
        SharesOfSome,
        Alongside,
        Bookends,
        WeekParts,
        TwoSpans,
        TwoPeriods,
        Courses,
    ),
    *(Histograms, SamePeriods, Tallies, Bests, Compounds, Rates, RankedGroups),
)
"""The first that finds its frame in a question answers it."""
