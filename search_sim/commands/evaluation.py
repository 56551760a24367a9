"""The command that evaluates what agents brought back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from search_sim.commands.common import PATH, progress

if TYPE_CHECKING:
    from answers.trials import Evaluation


@click.command()
@click.option("--tasks", required=True, type=PATH, help="A folder of worlds, or an export of it.")
@click.option("--answers", required=True, type=PATH, help="JSON lines of task_id and answer.")
@click.option("--out", required=True, type=PATH, help="The folder for scores and report.")
def evaluate(tasks: Path, answers: Path, out: Path) -> None:
    """Score answers to tasks; several answers to one task are trials."""
    from search_sim.evaluate import REPORT, evaluate_files

    with progress() as bars:
        bar = bars.add_task("answers", total=None)
        found = evaluate_files(tasks, answers, out, lambda _: bars.advance(bar))
    for problem in found.problems:
        click.echo(f"Left out: {answers}, line {problem.line}: {problem.message}", err=True)
    click.echo(_summary(found))
    click.echo(f"Scores, summary and report are in {out}; open {out / REPORT}.")


def _summary(found: Evaluation) -> str:
    """The overall numbers, as lines of text."""
    answered = f"{len(found.tasks)} tasks answered, {len(found.unanswered)} not"
    mean = found.overall.mean
    return "\n".join(
        (
            f"{answered}; {len(found.trials)} trials, {found.overall.failed} unreadable",
            f"item F1          {mean.item_f1:.3f}",
            f"row F1           {mean.row_f1:.3f}",
            f"guarded-cell F1  {mean.guarded_f1:.3f}",
            f"success          {mean.success:.3f}",
        )
    )
