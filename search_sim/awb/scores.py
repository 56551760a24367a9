"""The third step: numbers from 0 to 100 out of grades from 1 to 5.

A row's grades are the mean of what its judge gave, `(grade - 1) / 4 * 100`. Means stand twice: over
the rows that were graded, as the benchmark's script has them, and with every failure as a 0. Of
several domains, `macro` is the mean of their means, as in the benchmark's published table, and
`micro` the mean over rows, as its script prints.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from answers.intervals import Interval, Ratio, bootstrap
from answers.report import mean
from search_sim.awb.results import Judgement, Prediction
from search_sim.awb.rows import DOMAINS, Key, Row
from search_sim.awb.verdicts import DIMENSIONS, HIGHEST, LOWEST

TOTAL = "total"
MEASURES = (*DIMENSIONS, TOTAL)
"""What is measured: each dimension, and the mean of all five."""

Means = dict[str, float]
"""By measure, from 0 to 100."""


class Outcome(NamedTuple):
    """What became of a row in the end.

    Attributes:
        domain: the row's.
        grades: by measure, from 0 to 100; None if there are none.
        failure: why there are none; None for a row that hasn't been through both steps yet.
    """

    domain: str
    grades: Means | None = None
    failure: str | None = None


@dataclass(frozen=True)
class Group:
    """The rows of a domain, or all.

    Attributes:
        rows, graded, failed, open: how many there are, have grades, failed, are not done yet.
        over_graded: means over the graded rows; None if there are none.
        failures_as_0: means over those and the failed ones; None if there are none.
        interval: of the total over graded rows, at 95 %, by drawing rows anew; None for one row.
    """

    rows: int
    graded: int
    failed: int
    open: int
    over_graded: Means | None
    failures_as_0: Means | None
    interval: Interval | None = None

    def record(self) -> dict[str, Any]:
        """The group as plain JSON data."""
        return dict(vars(self))


@dataclass(frozen=True)
class Scores:
    """What a run is worth.

    Attributes:
        domains: by domain, in the benchmark's order.
        micro: all rows; its means are those over rows.
        macro: the counts of all rows, and the means of the domains' means.
        failures: how many rows failed, by reason, the most frequent first.
    """

    domains: Mapping[str, Group]
    micro: Group
    macro: Group
    failures: Mapping[str, int]


def outcomes(
    rows: Iterable[Row], predictions: Mapping[Key, Prediction], judgements: Mapping[Key, Judgement]
) -> list[Outcome]:
    """What became of each row; a judgement of another prediction than the row's is none."""
    return [_outcome(row, predictions.get(row.key), judgements.get(row.key)) for row in rows]


def grades(scores: Mapping[str, int]) -> Means:
    """Scores from 1 to 5 as grades from 0 to 100, with their total."""
    found = {name: (scores[name] - LOWEST) / (HIGHEST - LOWEST) * 100 for name in DIMENSIONS}
    return {**found, TOTAL: mean(found.values())}


def score(found: Sequence[Outcome]) -> Scores:
    """The numbers of a run; the order of rows doesn't matter."""
    domains = {
        name: [one for one in found if one.domain == name]
        for name in DOMAINS
        if any(one.domain == name for one in found)
    }
    intervals = _intervals(found, domains)
    groups = {name: _group(rows, intervals.get(name)) for name, rows in domains.items()}
    micro = _group(found, intervals.get(""))
    macro = Group(
        *(micro.rows, micro.graded, micro.failed, micro.open),
        _mean_of(group.over_graded for group in groups.values()),
        _mean_of(group.failures_as_0 for group in groups.values()),
    )
    failures = Counter(sorted(one.failure for one in found if one.failure))
    return Scores(groups, micro, macro, dict(failures.most_common()))


def _outcome(row: Row, prediction: Prediction | None, judgement: Judgement | None) -> Outcome:
    if prediction is None:
        return Outcome(row.domain)
    if prediction.failure is not None:
        return Outcome(row.domain, failure=f"model: {prediction.failure}")
    if judgement is None or judgement.prediction_digest != prediction.digest():
        return Outcome(row.domain)
    if judgement.failure is not None:
        return Outcome(row.domain, failure=f"judge: {judgement.failure}")
    return Outcome(row.domain, grades(judgement.scores))


def _group(found: Sequence[Outcome], interval: Interval | None) -> Group:
    graded = [one.grades for one in found if one.grades is not None]
    failed = sum(one.failure is not None for one in found)
    zeros = [dict.fromkeys(MEASURES, 0.0)] * failed
    return Group(
        *(len(found), len(graded), failed, len(found) - len(graded) - failed),
        *(_mean_of(graded), _mean_of([*graded, *zeros]), interval),
    )


def _mean_of(found: Iterable[Means | None]) -> Means | None:
    means = [one for one in found if one is not None]
    if not means:
        return None
    return {name: mean(one[name] for one in means) for name in MEASURES}


def _intervals(found: Sequence[Outcome], domains: Iterable[str]) -> dict[str, Interval]:
    """The intervals of totals by domain; under "" that of all rows."""
    graded = sorted((one.domain, one.grades[TOTAL]) for one in found if one.grades is not None)
    ratios = {}
    for name in ("", *domains):
        weights = [float(name in ("", domain)) for domain, _ in graded]
        totals = [total * weight for (_, total), weight in zip(graded, weights, strict=True)]
        ratios[name] = Ratio(tuple(totals), tuple(weights))
    known = bootstrap(ratios.values())
    return {name: known[ratio] for name, ratio in ratios.items() if ratio in known}
