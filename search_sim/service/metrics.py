"""Metrics: what a server and its language world model do, in Prometheus' text format."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, TypeVar

from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import (
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
    Metric,
)
from prometheus_client.registry import Collector

from search_sim.lwm.renderer import ModelRenderer
from search_sim.lwm.tally import BOUNDS, Tally
from search_sim.service.state import Service


def write_metrics(service: Service) -> bytes:
    """All metrics of a server, as a scraper reads them."""
    registry = CollectorRegistry()
    ProcessCollector(registry=registry)
    registry.register(_Collector(service))
    return generate_latest(registry)


class _Collector(Collector):
    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[Metric]:
        yield from _service(self._service)
        renderer = self._service.renderer
        if isinstance(renderer, ModelRenderer):
            yield from _renderer(renderer.tally)
            yield from _model(renderer.counts.snapshot())


def _service(service: Service) -> Iterable[Metric]:
    sessions, traffic = service.sessions.all(), service.traffic
    calls = {(tool,): count for tool, count in sorted(traffic.calls.items())}
    yield _gauge("worlds", "Worlds that are served", len(service.shelf.headers))
    yield _gauge("episodes_kept", "Episodes in memory", len(sessions))
    yield _gauge("episodes_open", "Episodes without an answer", sum(not s.closed for s in sessions))
    yield _counter("episodes", "Episodes that were made", {(): traffic.episodes})
    yield _counter("tool_calls", "Calls of tools", calls, ("tool",))
    alarms = {(): traffic.alarms}
    yield _counter("alarms", "Undisclosed facts that a model stated to an agent", alarms)


def _renderer(tally: Tally) -> Iterable[Metric]:
    results = dict(sorted(tally.results.items()))
    yield _counter("results", "Results by author and reason", results, ("by", "reason"))
    yield _counter("result_pages", "Pages of results", {(): tally.pages})
    yield _counter("replies_sent_back", "Replies beyond a page's first", {(): tally.sent_back})
    yield _counter("reply_faults", "Faults found in replies", {(): tally.faults})
    buckets = [*zip(map(str, BOUNDS), tally.within, strict=True), ("+Inf", tally.searches)]
    yield _histogram("render_seconds", "Seconds that a search's pages took", buckets, tally.seconds)


def _model(counts: Mapping[str, Any]) -> Iterable[Metric]:
    failures = {(kind,): count for kind, count in counts["failures"].items()}
    yield _gauge("lwm_in_flight", "Requests to the model under way", counts["in_flight"])
    for name, text in _COUNTED.items():
        yield _counter(f"lwm_{name}", text, {(): counts[name]})
    yield _counter("lwm_failures", "Requests without a reply", failures, ("kind",))
    buckets = list(counts["buckets"].items())
    yield _histogram("lwm_seconds", "Seconds that a request took", buckets, counts["seconds"])


Labels = TypeVar("Labels", bound=tuple[str, ...])

_COUNTED = {
    "requests": "Requests to the model",
    "replies": "Replies, those from the cache included",
    "cached": "Replies from the cache",
    "abandoned": "Requests that were given up",
    "retries": "Attempts beyond a request's first",
    "prompt_tokens": "Tokens of prompts, as the server counts them",
    "completion_tokens": "Tokens of replies, as the server counts them",
}


def _gauge(name: str, text: str, value: float) -> Metric:
    return GaugeMetricFamily(f"worldgen_{name}", text, value=value)


def _counter(
    name: str,
    text: str,
    values: Mapping[Labels, float],
    labels: tuple[str, ...] = (),
) -> Metric:
    family = CounterMetricFamily(f"worldgen_{name}", text, labels=labels)
    for key, value in values.items():
        family.add_metric(key, value)
    return family


def _histogram(name: str, text: str, buckets: Sequence[tuple[str, float]], total: float) -> Metric:
    return HistogramMetricFamily(f"worldgen_{name}", text, buckets=buckets, sum_value=total)
