"""Spans and counts, sent by OpenTelemetry's SDK and its exporter for OTLP over HTTP.

Loaded by `telemetry.py`, only where an endpoint is set. The providers are this module's own, not those of the process,
so that no other library's spans leave by them. Where, how often and with which headers is read from the SDK's
variables. The work never waits for the collector; only the end of a server does, for `_GOODBYE_S` at most.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.metadata import version

from opentelemetry import context as contexts
from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.metrics import Counter, Histogram, Meter
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
from opentelemetry.sdk.resources import OTELResourceDetector, Resource
from opentelemetry.sdk.trace import RandomIdGenerator, TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import Span, SpanKind, Status, StatusCode, get_current_span, set_span_in_context
from opentelemetry.trace.propagation.tracecontext import TraceContextTextMapPropagator

from pluto_duck_backend.app.core import counts
from pluto_duck_backend.app.core.errors import PlutoDuckError
from pluto_duck_backend.app.core.logs import parent, trace_id
from pluto_duck_backend.app.core.spans import Attributes, Kind

_SCOPE = "pluto_duck"
_GOODBYE_S = 3.0
_KINDS = {"internal": SpanKind.INTERNAL, "server": SpanKind.SERVER, "client": SpanKind.CLIENT}
Hide = Callable[[str], str]


class Sender:
    """Sends until it is closed. Raises ValueError where a variable of the SDK is not usable."""

    def __init__(self, quotes: bool, hide: Hide) -> None:
        resource = Resource({"service.name": "pluto-duck", "service.version": version("pluto-duck")})
        resource = resource.merge(OTELResourceDetector().detect())
        traces, metrics = OTLPSpanExporter(), OTLPMetricExporter()
        self._quotes, self._hide = quotes, hide
        self._traces = TracerProvider(resource=resource, shutdown_on_exit=False, id_generator=_IdsOfTheLog())
        self._traces.add_span_processor(BatchSpanProcessor(traces))
        self._tracer = self._traces.get_tracer(_SCOPE)
        reader = PeriodicExportingMetricReader(metrics)
        self._meters = MeterProvider([reader], resource=resource, shutdown_on_exit=False)
        meter = self._meters.get_meter(_SCOPE)
        self._instruments = {family.name: _instrument(meter, family) for family in counts.FAMILIES}

    @contextmanager
    def span(self, name: str, attributes: Attributes, leaf: bool, kind: Kind) -> Iterator[_Told]:
        """A child of the span at hand, else of the caller's, else the first of the request's trace."""
        span = self._tracer.start_span(name, _context(), _KINDS[kind], attributes=dict(attributes))
        attached = None if leaf else contexts.attach(set_span_in_context(span))
        told = _Told(span, self._quotes, self._hide)
        try:
            yield told
        except BaseException as raised:
            if not told.failed:
                told.fail(raised.code if isinstance(raised, PlutoDuckError) else type(raised).__name__)
            raise
        finally:
            if attached:
                contexts.detach(attached)
            span.end()

    def traceparent(self) -> str:
        """The span at hand, as the W3C's header."""
        carrier = dict[str, str]()
        TraceContextTextMapPropagator().inject(carrier)
        return carrier.get("traceparent", "")

    def count(self, family: counts.Family, value: float, values: counts.Labels) -> None:
        """What `counts` has counted."""
        labels = dict(zip(family.labels, values, strict=True))
        instrument = self._instruments[family.name]
        if isinstance(instrument, Histogram):
            instrument.record(value, labels)
        else:
            instrument.add(value, labels)

    def close(self) -> None:
        """Send what is left, within a moment."""
        last = threading.Thread(target=self._end, name="goodbye to the collector", daemon=True)
        last.start()
        last.join(_GOODBYE_S)

    def _end(self) -> None:
        self._meters.shutdown(timeout_millis=_GOODBYE_S * 1000)
        self._traces.shutdown()


class _Told:
    """A span as the rest of the program knows it."""

    def __init__(self, span: Span, quotes: bool, hide: Hide) -> None:
        self._span, self._quotes, self._hide = span, quotes, hide
        self.failed = False

    def tell(self, attributes: Attributes) -> None:
        self._span.set_attributes(dict(attributes))

    def rename(self, name: str) -> None:
        self._span.update_name(name)

    def quote(self, name: str, text: str) -> None:
        if self._quotes:
            self._span.set_attribute(name, self._hide(text))

    def fail(self, kind: str) -> None:
        self.failed = True
        self._span.set_attribute("error.type", kind)
        self._span.set_status(Status(StatusCode.ERROR))


class _IdsOfTheLog(RandomIdGenerator):
    """A trace that nobody began before us has the id that the log has."""

    def generate_trace_id(self) -> int:
        return int(trace_id(), 16)


def _context() -> Context | None:
    if get_current_span().get_span_context().is_valid:
        return None
    return TraceContextTextMapPropagator().extract({"traceparent": parent()})


def _instrument(meter: Meter, family: counts.Family) -> Histogram | Counter:
    """The same name as at /metrics, less the unit, which a collector that writes for Prometheus adds again."""
    if isinstance(family, counts.Durations):
        return meter.create_histogram(
            family.name.removesuffix("_seconds"), "s", family.told, explicit_bucket_boundaries_advisory=counts.BOUNDS
        )
    return meter.create_counter(family.name.removesuffix("_total"), description=family.told)
