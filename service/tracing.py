"""Traces by OpenTelemetry: how long a request, its command, the append, and what follows in other processes took.

Off unless TAFELRUNDE_OTEL says so, and then nothing of OpenTelemetry is imported. What follows a command in another process links
to it: the command's place in its trace is the correlation id that its entries are stored with, so no queue has to carry it.

Attributes come from an allow-list, and errors are named by their type alone, so that no token, card, name or command can get into
a trace by accident.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import TYPE_CHECKING, Final

from .extras import missing_package

if TYPE_CHECKING:
    from opentelemetry.trace import Link, Span, Tracer

NAME = "tafelrunde"
ATTRIBUTES: Final = frozenset(
    {"http.request.method", "http.response.status_code", "http.route", "tafelrunde.command", "tafelrunde.events"}
    | {"tafelrunde.game", "tafelrunde.job", "tafelrunde.match", "tafelrunde.operation", "error.type"}
)
"""What a span may say. `tafelrunde.command` is what the match is asked (`Play`), never what a player chose."""
SERVER, INTERNAL, CONSUMER = "SERVER", "INTERNAL", "CONSUMER"
_CORRELATION = re.compile(r"([0-9a-f]{32})-([0-9a-f]{16})")
_PARENT = re.compile(r"00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})")

_tracers: list[Tracer] = []


class Mark:
    """A span under way; without tracing it takes what it gets, and does nothing with it."""

    __slots__ = ("_span",)

    def __init__(self, span: Span | None = None) -> None:
        self._span = span

    def set(self, name: str, value: str | int) -> None:
        """Note an attribute; raise KeyError for one that is not on the list."""
        if self._span is None:
            return
        if name not in ATTRIBUTES:
            raise KeyError(name)
        self._span.set_attribute(name, value)


NOTHING: AbstractContextManager[Mark] = nullcontext(Mark())


def is_on() -> bool:
    """Return whether this process traces."""
    return bool(_tracers)


def use() -> None:
    """Trace from now on, into what the process has set up for OpenTelemetry; raise StartupRefused if that is not installed."""
    try:
        from opentelemetry import trace
    except ModuleNotFoundError as missing:
        raise missing_package("TAFELRUNDE_OTEL", missing) from missing
    _tracers[:] = [trace.get_tracer(NAME)]


def end() -> None:
    """Trace no longer."""
    _tracers.clear()


def export(process: str) -> None:
    """Set up OpenTelemetry in one of our processes: OTLP over HTTP, as its variables (`OTEL_...`) say. Raises StartupRefused."""
    use()
    try:
        from opentelemetry import metrics, trace
        from opentelemetry.exporter.otlp.proto.http.metric_exporter import OTLPMetricExporter
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.metrics import MeterProvider
        from opentelemetry.sdk.metrics.export import PeriodicExportingMetricReader
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ModuleNotFoundError as missing:
        raise missing_package("TAFELRUNDE_OTEL", missing) from missing
    from importlib.metadata import version

    resource = Resource.create({"service.name": NAME, "service.version": version(NAME), "service.instance.id": process})
    provider = TracerProvider(resource=resource)
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    metrics.set_meter_provider(MeterProvider([PeriodicExportingMetricReader(OTLPMetricExporter())], resource=resource))
    use()


def span(
    name: str, attributes: Mapping[str, str | int] = {}, *, kind: str = INTERNAL, after: str = "", parent: str = ""
) -> AbstractContextManager[Mark]:
    """Return a block that is one span. *after* is the correlation id of what caused it, *parent* a `traceparent` header."""
    if not _tracers:
        return NOTHING
    return _span(name, attributes, kind, after, parent)


@contextmanager
def _span(name: str, attributes: Mapping[str, str | int], kind: str, after: str, parent: str) -> Generator[Mark]:
    from opentelemetry.trace import SpanKind, StatusCode

    with _tracers[0].start_as_current_span(
        name,
        context=_remote(parent),  # pyright: ignore[reportArgumentType] - None stands for the current one
        kind=SpanKind[kind],
        attributes={key: value for key, value in attributes.items() if key in ATTRIBUTES},
        links=_links(after),
        record_exception=False,
        set_status_on_exception=False,
    ) as found:
        try:
            yield Mark(found)
        except Exception as error:
            found.set_status(StatusCode.ERROR)
            found.set_attribute("error.type", type(error).__name__)
            raise


def follow(after: str) -> None:
    """Link the current span to what a correlation id names, unless that is this span."""
    from opentelemetry import trace

    for link in _links(after) if after != correlation_id() else ():
        trace.get_current_span().add_link(link.context)


def correlation_id() -> str:
    """Return the place of the current span as a correlation id; empty without one."""
    if not _tracers:
        return ""
    from opentelemetry import trace

    here = trace.get_current_span().get_span_context()
    return f"{here.trace_id:032x}-{here.span_id:016x}" if here.is_valid else ""


def _links(after: str) -> list[Link]:
    """Return a link to the span that a correlation id names; none if it was written without tracing."""
    from opentelemetry.trace import Link, SpanContext

    found = _CORRELATION.fullmatch(after)
    return [] if found is None else [Link(SpanContext(int(found[1], 16), int(found[2], 16), is_remote=True))]


def _remote(parent: str) -> object:
    """Return the context of a `traceparent` header; None if there is none, or it is malformed."""
    from opentelemetry.trace import NonRecordingSpan, SpanContext, TraceFlags, set_span_in_context

    found = _PARENT.fullmatch(parent)
    if found is None:
        return None
    here = SpanContext(int(found[1], 16), int(found[2], 16), is_remote=True, trace_flags=TraceFlags(int(found[3], 16)))
    return set_span_in_context(NonRecordingSpan(here))
