"""Figures for the operator, in Prometheus' format: no match, no player, no path with an id.

They are for the operator alone all the same (`routes/operations.py`): a counter of accepted commands moves when a seat passes
in secret, and on a quiet server a watcher could see which.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, ProcessCollector, generate_latest

from ...service import tracing
from ...service.ports.events import Memory
from ...service.runtime.connections import crowd
from ...service.runtime.siblings import Siblings

if TYPE_CHECKING:
    from opentelemetry.metrics import Histogram as OtelHistogram

    from .sse import Streams

SECONDS = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0)
MEDIA_TYPE = b"text/plain; version=0.0.4; charset=utf-8"


PUBLISH_SECONDS = 5.0
"""How old the figures of a sibling may be."""


class Metrics:
    """The figures of one app. Counting costs a microsecond or two.

    Where *siblings* answer at the same address, a collector meets one of them at random. So each publishes its figures
    to the others and returns those of all, with the label `process`; sums would jump when one of them restarts.
    """

    def __init__(self, streams: Streams, ahead_ms: Callable[[], int], siblings: Siblings | None = None) -> None:
        self._siblings = siblings
        self._registry = CollectorRegistry()
        self._deployment = CollectorRegistry()
        ProcessCollector(registry=self._registry)
        self._requests = Counter("tafelrunde_requests", "Requests answered.", ("operation", "status"), registry=self._registry)
        self._problems = Counter("tafelrunde_problems", "Problems told, by type.", ("type",), registry=self._registry)
        self._seconds = Histogram(
            "tafelrunde_request_seconds",
            "Time to answer, without streams.",
            ("operation",),
            buckets=SECONDS,
            registry=self._registry,
        )
        Gauge("tafelrunde_streams", "Streams that are open.", registry=self._registry).set_function(lambda: streams.count)
        Gauge("tafelrunde_connections", "Connections that are open.", registry=self._registry).set_function(lambda: crowd.count)
        Gauge(
            "tafelrunde_connections_refused",
            "Connections refused since the start of the process: their address had too many.",
            registry=self._registry,
        ).set_function(lambda: crowd.refused)
        self._alarms = Gauge(
            "tafelrunde_bot_alarms", "Thoughts of bots that took so long that they were broken off.", registry=self._deployment
        )
        Gauge(
            "tafelrunde_clock_ahead_seconds",
            "How far the clock of this machine is ahead of the store's (negative: behind).",
            registry=self._registry,
        ).set_function(lambda: ahead_ms() / 1000)
        self._failing = Gauge(
            "tafelrunde_failing_work", "Work that failed ten times in a row and is tried rarely.", registry=self._deployment
        )
        self._memory = Gauge("tafelrunde_store_memory_bytes", "Memory that the store's server uses.", registry=self._deployment)
        self._memory_limit = Gauge(
            "tafelrunde_store_memory_limit_bytes",
            "Memory from which on the store's server refuses writes; 0 if it has no limit.",
            registry=self._deployment,
        )
        self._archives = Gauge(
            "tafelrunde_archives_unreadable", "1 while archived matches cannot be read, otherwise 0.", registry=self._deployment
        )
        self._otel: OtelHistogram | None = None
        self._counters: dict[tuple[str, int], Counter] = {}
        self._timers: dict[str, Histogram] = {}

    def offer(self) -> None:
        """Offer the figures as OpenTelemetry metrics as well, if this process traces."""
        if tracing.is_on() and self._otel is None:
            from .otel_metrics import offer  # noqa: PLC0415 - the extra `otel` may be missing

            self._otel = offer(self._registry, SECONDS)

    def count(self, operation: str, status: int, problem: str, seconds: float) -> None:
        """Count an answer."""
        counter = self._counters.get((operation, status))
        if counter is None:
            counter = self._counters[operation, status] = self._requests.labels(operation, str(status))
        counter.inc()
        timer = self._timers.get(operation)
        if timer is None:
            timer = self._timers[operation] = self._seconds.labels(operation)
        timer.observe(seconds)
        if self._otel is not None:
            self._otel.record(seconds, {"tafelrunde.operation": operation, "http.response.status_code": status})
        if problem:
            self._problems.labels(problem).inc()

    def note_alarms(self, alarms: int) -> None:
        """Set how many bot thoughts were cut off in the whole deployment."""
        self._alarms.set(alarms)

    def note_failing(self, count: int) -> None:
        """Set how much work keeps failing in the whole deployment."""
        self._failing.set(count)

    def note_archives(self, *, unreadable: bool) -> None:
        """Set whether archived matches cannot be read."""
        self._archives.set(unreadable)

    def note_memory(self, memory: Memory | None) -> None:
        """Set the memory of the store's server; unknown values are NaN."""
        self._memory.set(memory.used if memory is not None else math.nan)
        self._memory_limit.set(memory.limit if memory is not None else math.nan)

    def text(self) -> bytes:
        """Return all figures: of this process, of its siblings as they were a few seconds ago, and of the deployment."""
        own = generate_latest(self._registry)
        if self._siblings is not None:
            own = label({**dict(self._siblings.read_published()), self._siblings.name: own})
        return own + generate_latest(self._deployment)

    async def keep_published(self) -> None:
        """Show the siblings the figures of this process, until cancelled."""
        while self._siblings is not None:
            self.publish()
            await asyncio.sleep(PUBLISH_SECONDS)

    def publish(self) -> None:
        """Show the siblings the figures of this process, if there are any."""
        if self._siblings is not None:
            self._siblings.publish(generate_latest(self._registry))


def label(figures: Mapping[str, bytes]) -> bytes:
    """Return the figures of several processes as one text, each sample with the name of its process."""
    families: dict[bytes, tuple[dict[bytes, None], list[bytes]]] = {}
    for process, text in sorted(figures.items()):
        heads = dict[bytes, None]()
        samples = list[bytes]()
        for line in text.splitlines():
            if line.startswith(b"# HELP"):
                heads, samples = families.setdefault(line, ({}, []))
            if line.startswith(b"#"):
                heads[line] = None
            else:
                samples.append(_with_label(line, b'process="%s"' % process.encode()))
    return b"".join(b"\n".join((*heads, *samples, b"")) for heads, samples in families.values())


def _with_label(sample: bytes, label: bytes) -> bytes:
    name, space, value = sample.rpartition(b" ")
    bare, brace, labels = name.partition(b"{")
    return bare + b"{" + label + (b"," + labels if brace else b"}") + space + value
