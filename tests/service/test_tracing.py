"""Traces: a request, its command and its append are one trace, what follows links to it, and nothing personal is in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from opentelemetry import trace
from opentelemetry.sdk.metrics import MeterProvider
from opentelemetry.sdk.metrics.export import InMemoryMetricReader
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from tafelrunde.api.http import otel_metrics
from tafelrunde.domain.match import MatchId
from tafelrunde.service import tracing
from tafelrunde.service.memory_store import memory_stores
from tafelrunde.service.ports.agenda import AgendaKind
from tafelrunde.service.runtime.match_task import attempt
from tafelrunde.service.settings import LimitSettings, Settings
from tests.support.table import Table, opened

pytestmark = pytest.mark.anyio
SPANS = InMemorySpanExporter()
SETTINGS = Settings(bot_pause_ms=0, limits=LimitSettings(rate_limits=False), otel=True)
TRACE, PARENT = "4bf92f3577b34da6a3ce929d0e0e4736", "00f067aa0ba902b7"


@pytest.fixture(scope="module", autouse=True)
def set_up() -> None:
    """Set up OpenTelemetry as a host would, once: a process can do so only once."""
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(SPANS))
    trace.set_tracer_provider(provider)


@pytest.fixture(autouse=True)
def traced() -> Iterator[None]:
    """Begin with no spans, and leave no other test traced."""
    SPANS.clear()
    yield
    tracing.end()


def spans(name: str) -> Sequence[ReadableSpan]:
    """Return the spans of a name."""
    return [span for span in SPANS.get_finished_spans() if span.name == name]


def ids(span: ReadableSpan) -> tuple[str, str]:
    """Return the trace and the span."""
    here = span.get_span_context()
    assert here is not None
    return f"{here.trace_id:032x}", f"{here.span_id:016x}"


def links(span: ReadableSpan) -> set[tuple[str, str]]:
    """Return what a span links to."""
    return {(f"{link.context.trace_id:032x}", f"{link.context.span_id:016x}") for link in span.links}


async def begun(table: Table) -> tuple[str, str]:
    """Begin a match against a bot, as a client with a trace of its own."""
    _, token = await table.player("Ada Lovelace")
    wish = {"game": "coup", "seats": 2, "bots": [{"seat": 1, "bot": "random"}], "start": True, "options": {"first_seat": 1}}
    SPANS.clear()
    header = [("traceparent", f"00-{TRACE}-{PARENT}-01")]
    return (await table.post("/matches", token, wish, headers=header)).json["match"], token


async def test_request_and_all_that_it_causes_are_linked() -> None:
    """The client's trace goes on through the request to the append; list and bots link to the request, and theirs to them."""
    async with opened(SETTINGS) as table:
        match, token = await begun(table)
        (request,) = spans("POST /matches")
        (append,) = spans("append")
        assert request.parent is not None
        assert (ids(request)[0], f"{request.parent.span_id:016x}") == (TRACE, PARENT)
        assert ids(append)[0] == TRACE
        assert request.attributes is not None
        assert request.attributes["http.response.status_code"] == 201
        await table.project(match)
        assert links(spans("project")[0]) == {ids(request)}
        application = table.application
        work = application.process_manager.play_bots(MatchId(match))
        await attempt(work, MatchId(match), AgendaKind.WORK, application.stores.agenda, application.now_ms, application.failures)
        (job,) = spans("job")
        assert links(job) == {ids(request)}
        assert {ids(each)[0] for each in spans("command")} == {ids(job)[0]}
        await table.project(match)
        assert ids(job) in links(spans("project")[1])
        SPANS.clear()
        await table.play(match, token)
        (command,) = spans("command")
        assert command.attributes is not None
        assert command.attributes["tafelrunde.command"] == "Play"


async def test_no_trace_has_anything_personal_or_hidden() -> None:
    """No name, token, player, card or error text in any name, attribute, event or status; an error is named by its type."""
    async with opened(SETTINGS) as table:
        match, token = await begun(table)
        player = (await table.get("/me", token)).json["id"]
        await table.play_bots(match)
        await table.play(match, token)
        await table.post(f"/matches/{match}/commands", token, {"decision": 999, "command": {"type": "coup.take-income"}})
        said = "".join(span.to_json() for span in SPANS.get_finished_spans())
        for secret in (token, player, "Ada", "Lovelace", "coup.", "Traceback"):
            assert secret not in said
        failed = [span for span in spans("command") if span.attributes and "error.type" in span.attributes]
        assert [dict(span.attributes or {})["error.type"] for span in failed] == ["DecisionNotOpen"]
        assert all(set(span.attributes or {}) <= tracing.ATTRIBUTES for span in SPANS.get_finished_spans())
        with pytest.raises(KeyError), tracing.span("x") as mark:
            mark.set("player", player)


async def test_metrics_have_the_names_and_values_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    """Counters and gauges as at /metrics, and the time of each request by its operation."""
    reader = InMemoryMetricReader()
    monkeypatch.setattr(otel_metrics.metrics, "get_meter", MeterProvider([reader]).get_meter)
    async with opened(SETTINGS) as table:
        await table.get("/games")
        await table.get("/games")
        data = reader.get_metrics_data()
        assert data is not None
        found: dict[str, Any] = {
            metric.name: metric.data.data_points
            for resource in data.resource_metrics
            for scope in resource.scope_metrics
            for metric in scope.metrics
        }
        counted = [point.value for point in found["tafelrunde_requests_total"] if point.attributes["operation"] == "listGames"]
        assert counted == [2.0]
        assert "tafelrunde_streams" in found
        (timed,) = [
            each for each in found["http.server.request.duration"] if each.attributes["tafelrunde.operation"] == "listGames"
        ]
        assert timed.count == 2


async def test_without_the_setting_nothing_is_traced() -> None:
    """No span, correlation ids as they were, and one and the same block for every span."""
    async with opened(stores=memory_stores()) as table:
        match, token = await begun(table)
        await table.play_bots(match)
        assert (await table.play(match, token)).status == 200
    assert SPANS.get_finished_spans() == ()
    assert tracing.span("x") is tracing.span("y") is tracing.NOTHING
    assert tracing.correlation_id() == ""


def test_what_is_no_trace_leads_nowhere() -> None:
    """A malformed header begins a trace of its own, and a correlation id from before is no link."""
    tracing.use()
    with tracing.span("one", parent="00-zz-1-01", after="a1b2-7"):
        pass
    (span,) = spans("one")
    assert span.parent is None
    assert links(span) == set()
