"""What people call metrics that no expression over rows says: cumulative ones, conversions, those with offsets. Pure.

Beside label, name and synonyms these are the usual ways to say what they are of: `revenue to date`, `rolling 7 day
revenue`, `conversion from visits to orders`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

_OVER_ALL_TIME = ("{0} to date", "{0} so far", "cumulative {0}", "running total of {0}", "running {0}")
_OVER_WINDOW = (
    *("{0} of last {1}", "{0} in last {1}", "{0} over last {1}", "{0} rolling {1}"),
    *("rolling {1} {0}", "{1} rolling {0}", "trailing {1} {0}", "moving {1} {0}"),
)
_TO_DATE = ("{0} {1} to date", "{1} to date {0}", "{0} of {1} to date", "{0} since start of {1}")
_TO_DATE_SHORT = ("{1}td {0}", "{0} {1}td")
_RATE = (
    *("conversion from {0} to {1}", "conversion rate from {0} to {1}", "{0} to {1} conversion", "{0} to {1} rate"),
    *("{0} to {1} conversion rate", "conversion of {0} to {1}", "conversion of {0} into {1}"),
)
_COUNT = ("number of conversions from {0} to {1}", "conversions from {0} to {1}", "{0} that led to {1}")


@dataclass(frozen=True)
class Spoken:
    """A metric, the terms that name it (lower case), and what it is; `last_day` is SQL for the data's, '' unknown."""

    metric: str
    type: str
    terms: tuple[str, ...]
    meaning: str
    last_day: str = ""


def spoken(project: str, manifest: Mapping[str, Any]) -> Iterator[Spoken]:
    """The metrics of one project's semantic manifest that have to be computed by MetricFlow."""
    metrics = manifest.get("metrics", ())
    for each in metrics:
        if each["type"] in ("cumulative", "conversion") or _has_offset(each):
            terms = [each.get("label") or "", each["name"].replace("_", " "), *_synonyms(each), *_ways(each, metrics)]
            described = f": {each['description']}" if each.get("description") else ""
            meaning = f"the metric {each['name']}{described} (dbt: {project})"
            lowered = tuple(dict.fromkeys(term.lower() for term in terms if term))
            yield Spoken(each["name"], each["type"], lowered, meaning, _last_day(_measure(each), manifest))


def _has_offset(metric: Any) -> bool:
    inputs = metric["type_params"].get("metrics") or ()
    return any(each.get("offset_window") or each.get("offset_to_grain") for each in inputs)


def _synonyms(metric: Any) -> list[str]:
    found = ((metric.get("config") or {}).get("meta") or {}).get("synonyms") or []
    return [found] if isinstance(found, str) else list(map(str, found))


def _ways(metric: Any, metrics: Sequence[Any]) -> Iterator[str]:
    params = metric["type_params"]
    if metric["type"] == "cumulative":
        for name in _names(params["measure"], metrics):
            yield from _cumulated(metric, name, metrics)
    elif metric["type"] == "conversion":
        conversion = params["conversion_type_params"]
        ways = _COUNT if conversion.get("calculation") == "conversions" else _RATE
        for base in _names(conversion["base_measure"], metrics):
            for then in _names(conversion["conversion_measure"], metrics):
                yield from (way.format(base, then) for way in ways)


def _cumulated(metric: Any, name: str, metrics: Sequence[Any]) -> Iterator[str]:
    window, grain = _window(metric), _grain(metric)
    if window:
        yield from (way.format(name, f"{window['count']} {window['granularity']}") for way in _OVER_WINDOW)
    if grain:
        yield from (way.format(name, grain) for way in _TO_DATE)
        yield from (way.format(name, grain[0]) for way in _TO_DATE_SHORT)
    if not window and (not grain or not _has_all_time(metric, metrics)):
        yield from (way.format(name) for way in _OVER_ALL_TIME)


def _has_all_time(metric: Any, metrics: Sequence[Any]) -> bool:
    """Whether another metric cumulates the same from the very first day on, and is what `to date` means."""
    same = (each for each in metrics if each["type"] == "cumulative" and _measure(each) == _measure(metric))
    return any(not _window(each) and not _grain(each) for each in same)


def _measure(metric: Any) -> str:
    """What it is of; of a conversion what it begins with."""
    params = metric["type_params"]
    conversion = params.get("conversion_type_params") or {}
    return str((params.get("measure") or conversion.get("base_measure") or {}).get("name"))


def _last_day(measure: str, manifest: Mapping[str, Any]) -> str:
    """The last day of a measure's own time."""
    for model in manifest.get("semantic_models", ()):
        for each in model["measures"]:
            if each["name"] == measure:
                time = each.get("agg_time_dimension") or (model.get("defaults") or {}).get("agg_time_dimension")
                column = next((d.get("expr") or d["name"] for d in model["dimensions"] if d["name"] == time), None)
                relation = model["node_relation"]["relation_name"]
                return f"SELECT CAST(max({column}) AS DATE) FROM {relation}" if column else ""
    return ""


def _window(metric: Any) -> Any:
    params = metric["type_params"]
    return (params.get("cumulative_type_params") or {}).get("window") or params.get("window")


def _grain(metric: Any) -> str:
    params = metric["type_params"]
    return str((params.get("cumulative_type_params") or {}).get("grain_to_date") or params.get("grain_to_date") or "")


def _names(measure: Any, metrics: Sequence[Any]) -> list[str]:
    """What a measure is called: as the simple metrics of it are, else by its own name."""
    simple = [each for each in metrics if each["type"] == "simple" and _measure(each) == measure["name"]]
    labels = [each.get("label") or each["name"] for each in simple if not each.get("filter")]
    names = [*labels, *(each["name"] for each in simple if not each.get("filter")), measure["name"]]
    return list(dict.fromkeys(each.replace("_", " ").lower() for each in names))
