"""The command that shows the main job, small."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from search_sim.commands.common import PATH, SEEDS, progress

if TYPE_CHECKING:
    from search_sim.demo import Line


@click.command()
@click.option(
    "--out", default="demo-out", show_default=True, type=PATH, help="The folder for results."
)
@click.option("--seed", default=7, show_default=True, type=SEEDS, help="The root of all seeds.")
@click.option(
    "--tasks", default=10, show_default=True, type=click.IntRange(min=1), help="Tasks a world."
)
@click.option(
    "--workers", default=2, show_default=True, type=click.IntRange(min=1), help="Processes."
)
def demo(out: Path, seed: int, tasks: int, workers: int) -> None:
    """Build two worlds, serve them, let three reference agents answer, and show how they fare."""
    from search_sim.demo import REPORT, run_demo
    from search_sim.generate import Batch

    batch = Batch(2, seed, ("island-ferries", "company-intranet"), tasks)
    with progress() as bars:
        bar = bars.add_task("building two worlds", total=None)
        lines = run_demo(
            out,
            batch,
            workers,
            started=lambda total: bars.update(bar, total=total),
            step=lambda what: bars.update(bar, advance=1, description=what),
        )
    _show(lines)
    click.echo(f"Worlds, trajectories and this table are in {out}; open {out / REPORT}.")


def _show(lines: list[Line]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from search_sim.demo import HEADINGS

    table = Table(title=f"Means over {lines[0].tasks} tasks", box=SIMPLE, padding=(0, 1, 0, 0))
    names = 2
    for number, heading in enumerate(HEADINGS):
        narrow = (
            heading.replace("-cell", "\ncell") if "-" in heading else heading.replace(" ", "\n")
        )
        table.add_column(narrow, justify="left" if number < names else "right", no_wrap=True)
    for line in lines:
        table.add_row(*line.cells(), end_section=line.policy == lines[-1].policy)
    Console().print(table)
