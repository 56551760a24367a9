"""The command that evaluates what agents brought back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from search_sim.commands.common import PATH, WORKERS, progress

if TYPE_CHECKING:
    from answers.trials import Evaluation

_MEASURES = {
    "item_f1": "item F1",
    "row_f1": "row F1",
    "guarded_f1": "guarded-cell F1",
    "success": "success",
}


@click.command()
@click.option(
    "--tasks", required=True, type=PATH, help="A folder of worlds, an export, or WideSearch's own."
)
@click.option(
    "--answers",
    required=True,
    type=PATH,
    help="JSON lines: task_id and answer, or trajectories, or WideSearch's responses.",
)
@click.option("--out", required=True, type=PATH, help="The folder for scores and report.")
@click.option(
    "--mode",
    metavar="strict|widesearch",
    help="How to score: strict, but for tasks in WideSearch's own layout.",
)
@click.option("--judge-url", help="An OpenAI-compatible server that WideSearch's scorer asks.")
@click.option("--judge-model", help="The model to ask there.")
@click.option("--judge-key", envvar="WORLDGEN_JUDGE_KEY", help="The server's key, if it has one.")
@click.option(
    "--pass-at",
    "pass_at",
    multiple=True,
    type=click.IntRange(min=1),
    help="A k of pass@k; can be repeated.  [default: 1, 2, 4, ..., trials]",
)
@click.option("--explain", is_flag=True, help="Explain every trial, not the first 200 alone.")
@WORKERS
def evaluate(
    tasks: Path,
    answers: Path,
    out: Path,
    mode: str | None,
    judge_url: str | None,
    judge_model: str | None,
    judge_key: str | None,
    pass_at: tuple[int, ...],
    explain: bool,
    workers: int,
) -> None:
    """Score answers to tasks; several answers to one task are trials."""
    from answers.trials import SHOWN, Options
    from search_sim.evaluate import REPORT, checked_mode, evaluate_files

    options = Options(
        mode=checked_mode(mode, tasks),
        workers=workers,
        keep=None if explain else SHOWN,
        pass_at=tuple(sorted(set(pass_at))),
        judge=_judge(judge_url, judge_model, judge_key),
    )
    with progress() as bars:
        bar = bars.add_task("answers", total=None)
        found = evaluate_files(tasks, answers, out, lambda _: bars.advance(bar), options)
    for problem in found.problems:
        file = answers / problem.source if problem.source else answers
        click.echo(f"Left out: {file}, line {problem.line}: {problem.message}", err=True)
    click.echo(_summary(found))
    click.echo(f"Scores, summary, explanations and report are in {out}; open {out / REPORT}.")


def _judge(url: str | None, model: str | None, key: str | None) -> dict[str, str] | None:
    """The judge that the options describe, as `answers.widesearch.run_case` takes it."""
    if bool(url) != bool(model):
        message = "--judge-url and --judge-model go together; give both or neither"
        raise click.UsageError(message)
    return (
        {"mode": "openai", "url": url, "model": model, "key": key or ""} if url and model else None
    )


def _summary(found: Evaluation) -> str:
    """The overall numbers, as lines of text."""
    answered = f"{len(found.tasks)} tasks answered, {len(found.unanswered)} not"
    overall = found.overall
    lines = [f"{answered}; {len(found.trials)} trials, {overall.failed} unreadable"]
    for name, label in _MEASURES.items():
        if name == "guarded_f1" and not any(task.guarded_columns for task in found.tasks):
            continue
        around = overall.interval(name)
        between = f"  ({around[0]:.3f} to {around[1]:.3f})" if around else ""
        lines.append(f"{label:<17}{getattr(overall.mean, name):.3f}{between}")
    if len(found.trials) > len(found.tasks):
        lines += [f"{f'pass@{one.k}':<17}{one.value:.3f}" for one in overall.pass_at]
    return "\n".join(lines)
