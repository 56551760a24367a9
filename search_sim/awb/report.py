"""What a run is worth, for people and for programs: `report.md` and `scores.json`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

from answers.markdown import to_markdown
from search_sim import manifest
from search_sim.awb.results import Judgement, Prediction, Result, read_results
from search_sim.awb.runs import JUDGEMENTS, PREDICTIONS, read_config, read_run_rows
from search_sim.awb.scores import MEASURES, Group, Means, Scores, outcomes, score
from worldgen.errors import ConfigurationError

SCORES, REPORT = "scores.json", "report.md"
"""The files that scoring a run writes."""

HEADINGS = ("Domain", "Graded", *(name.capitalize() for name in MEASURES))

_NONE = "-"


@dataclass(frozen=True)
class Report:
    """A run's numbers, and what they are the numbers of.

    Attributes:
        config: the run's configuration, by step.
        scores: the numbers.
        tokens: what the replies cost, by step and kind.
    """

    config: Mapping[str, Any]
    scores: Scores
    tokens: Mapping[str, Mapping[str, int]]

    def record(self) -> dict[str, Any]:
        """The report as plain JSON data; means are rounded to what can matter."""
        infer, judge = self.config["infer"], self.config["judge"]
        record = {
            "benchmark": "AgentWorldBench",
            "model": infer["model"],
            "judge": judge["judge"],
            "judge_prompts": judge["judge_prompts"],
            "macro": self.scores.macro.record(),
            "micro": self.scores.micro.record(),
            "domains": {name: group.record() for name, group in self.scores.domains.items()},
            "failures": dict(self.scores.failures),
            "left_out": self.config.get("left_out", []),
            "tokens": {step: dict(counts) for step, counts in self.tokens.items()},
            "configuration": {"infer": infer, "judge": judge},
        }
        return {name: _rounded(part) for name, part in record.items()}

    def tables(self) -> dict[str, list[tuple[str, ...]]]:
        """The numbers by title, as cells below `HEADINGS`: a row a domain, then macro and micro.

        Without failures the two ways to count them are one, and so is the table.
        """
        groups = {**self.scores.domains, "macro": self.scores.macro, "micro": self.scores.micro}
        over_graded = [(name, *_cells(one, one.over_graded)) for name, one in groups.items()]
        found = {"Over the rows that were graded": over_graded}
        if self.scores.micro.failed:
            found["With every failure as a 0"] = [
                (name, *_cells(one, one.failures_as_0)) for name, one in groups.items()
            ]
        return found

    def facts(self) -> dict[str, str]:
        """What the numbers are of, by name."""
        model, judge = self.config["infer"], self.config["judge"]
        left_out, failures = self.config.get("left_out", []), self.scores.failures.items()
        found = {
            "Model": f"{model['model']} ({_sampling(model)})",
            "Judge": f"{judge['judge']} ({_sampling(judge)})",
            "Judge prompts": _prompts(judge),
            "Rows": _counts(self.scores.micro),
            "Failures": ", ".join(f"{why} ({count})" for why, count in failures),
            "Lines left out of the data": str(len(left_out) or ""),
            "Micro total, 95 % interval": _between(self.scores.micro),
            "Tokens": "; ".join(_tokens(step, counts) for step, counts in self.tokens.items()),
            "Scored by": f"worldgen {version('worldgen')}",
        }
        return {name: words for name, words in found.items() if words}

    def markdown(self) -> str:
        """The report as Markdown."""
        facts = "".join(f"- {name}: {words}\n" for name, words in self.facts().items())
        parts = [f"# AgentWorldBench\n\n{facts}"]
        for title, rows in self.tables().items():
            parts += [f"## {title}\n", to_markdown(HEADINGS, rows)]
        parts += [_INTERVALS, self._intervals(), _NOTES]
        return "\n".join(parts)

    def _intervals(self) -> str:
        groups = {**self.scores.domains, "micro": self.scores.micro}
        rows = [
            (name, *(f"{end:.2f}" for end in group.interval))
            for name, group in groups.items()
            if group.interval
        ]
        return to_markdown(("Domain", "from", "to"), rows)


_INTERVALS = "## 95 % intervals of totals over graded rows\n"
_NOTES = """\
Each dimension is graded from 1 to 5 and shown from 0 to 100, as (grade - 1) / 4 * 100; a row's
total is the mean of its five. macro: the mean of the domains' means, as in the benchmark's
published table. micro: the mean over all rows, as its script prints. Numbers of different judges,
or of different judge prompts, can't be compared.
"""


def report(folder: Path) -> Report:
    """Score a run, and write its scores and report beside it.

    Raises:
        ConfigurationError: there is no run in the folder, or it hasn't been judged.
    """
    config, rows = read_config(folder), read_run_rows(folder)
    predictions = read_results(folder / PREDICTIONS, Prediction)
    judgements = read_results(folder / JUDGEMENTS, Judgement)
    if not judgements or not isinstance(config.get("judge"), dict):
        message = f"{folder} holds no judgements; `worldgen awb judge {folder}` makes them"
        raise ConfigurationError(message)
    tokens = {
        "infer": _count(predictions.values()),
        "judge": _count(judgements.values()),
    }
    found = Report(config, score(outcomes(rows, predictions, judgements)), tokens)
    manifest.write(folder / SCORES, found.record())
    (folder / REPORT).write_text(found.markdown(), encoding="utf-8")
    return found


def _cells(group: Group, means: Means | None) -> tuple[str, ...]:
    numbers = [f"{means[name]:.2f}" for name in MEASURES] if means else [_NONE] * len(MEASURES)
    return f"{group.graded}/{group.rows}", *numbers


def _counts(group: Group) -> str:
    counts = f"{group.rows}, of which {group.graded} graded, {group.failed} failed"
    return counts + (f", {group.open} not done yet" if group.open else "")


def _prompts(judge: Mapping[str, Any]) -> str:
    name, ours = judge["judge_prompts"], judge["judge_message"]
    return str(name) if name == ours else f"{name}, in the messages of {ours}"


def _between(group: Group) -> str:
    return "{:.2f} to {:.2f}".format(*group.interval) if group.interval else ""


def _sampling(config: Mapping[str, Any]) -> str:
    names = ("temperature", "top_p", "top_k", "max_tokens", "thinking", "seed")
    known = {name: config.get(name) for name in names}
    return ", ".join(f"{name} {value}" for name, value in known.items() if value is not None)


def _count(results: Iterable[Result]) -> dict[str, int]:
    known = list(results)
    return {
        "prompt": sum(one.prompt_tokens for one in known),
        "completion": sum(one.completion_tokens for one in known),
    }


def _tokens(step: str, counts: Mapping[str, int]) -> str:
    return f"{step} {counts['prompt']:,} in, {counts['completion']:,} out"


def _rounded(value: Any) -> Any:
    """Plain data with its floats rounded, so that they read well and are equal everywhere."""
    if isinstance(value, float):
        return round(value, 4)
    if isinstance(value, dict):
        return {name: _rounded(part) for name, part in value.items()}
    return [_rounded(part) for part in value] if isinstance(value, list | tuple) else value
