"""The figures of a process as OpenTelemetry metrics: the same names and labels as at `/metrics`, and the time of each request."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

from opentelemetry import metrics
from opentelemetry.metrics import CallbackOptions, Histogram, Observation
from prometheus_client import CollectorRegistry
from prometheus_client.samples import Sample

NAME = "tafelrunde"
DURATION = "http.server.request.duration"
"""The name that OpenTelemetry's conventions give it."""


def offer(registry: CollectorRegistry, seconds: tuple[float, ...]) -> Histogram:
    """Offer all counters and gauges of a registry, and return the histogram for the times of requests."""
    meter = metrics.get_meter(NAME)
    for family in registry.collect():
        if family.type == "counter":
            name = f"{family.name}_total"
            meter.create_observable_counter(name, [_observer(registry, name)], description=family.documentation)
        elif family.type == "gauge":
            meter.create_observable_gauge(family.name, [_observer(registry, family.name)], description=family.documentation)
    about = "Time to answer, without streams."
    return meter.create_histogram(DURATION, unit="s", description=about, explicit_bucket_boundaries_advisory=seconds)


def _observer(registry: CollectorRegistry, name: str) -> Callable[[CallbackOptions], Iterable[Observation]]:
    def observe(_: CallbackOptions) -> Iterator[Observation]:
        with suppress(Exception):  # a figure that is not there now, as while the store is down, is left out
            for sample in _samples(registry, name):
                yield Observation(sample.value, sample.labels)

    return observe


def _samples(registry: CollectorRegistry, name: str) -> Iterator[Sample]:
    """Yield what a registry has under a name."""
    found = registry.restricted_registry([name])
    return (sample for family in found.collect() for sample in family.samples)
