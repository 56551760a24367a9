"""The command line: `worldgen` and its subcommands.

Heavy modules are imported where they are used.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from worldgen.errors import WorldgenError

if TYPE_CHECKING:
    from rich.progress import Progress

    from search_sim.demo import Line
    from search_sim.folder import Verdict

SEEDS = click.IntRange(0, 2**53 - 1)
FOLDER = click.Path(path_type=Path)


class _Group(click.Group):
    """Turns what is raised on purpose, and what the system refuses, into one line and code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except WorldgenError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            message = f"{error.filename or 'system'}: {error.strerror or error}"
            raise click.ClickException(message) from error


@click.group(
    cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="worldgen")
def main() -> None:
    """Fictional worlds in which search agents are trained: generate, export, certify."""


@main.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def domains(as_json: bool) -> None:
    """List the blueprints and the strategies that they follow."""
    from worldgen import library

    found = [library.domain(name) for name in library.domains()]
    if as_json:
        records = [
            {
                "id": b.id,
                "version": b.version,
                "strategy": b.strategy,
                "title": b.title,
                "tables": [t.name for t in b.tables],
                "sites": [s.kind for s in b.sites],
            }
            for b in found
        ]
        click.echo(json.dumps(records, indent=2))
        return
    width = max(len(b.id) for b in found)
    for blueprint in found:
        click.echo(f"{blueprint.id:{width}}  {blueprint.strategy:10}  {blueprint.title}")


@main.command()
@click.option("--out", required=True, type=FOLDER, help="The folder for world files and manifest.")
@click.option("--count", required=True, type=click.IntRange(min=1), help="How many worlds.")
@click.option("--seed", required=True, type=SEEDS, help="The root of all seeds.")
@click.option(
    "--domain", "names", multiple=True, help="A blueprint; repeat for several. All if left out."
)
@click.option(
    "--tasks", default=10, show_default=True, type=click.IntRange(min=1), help="Tasks a world."
)
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Processes."
)
def generate(
    out: Path, count: int, seed: int, names: tuple[str, ...], tasks: int, workers: int
) -> None:
    """Generate worlds with certified tasks: one .world file each, and a manifest."""
    from search_sim.generate import Batch, accepted_share
    from search_sim.generate import generate as run

    batch = Batch(count, seed, tuple(dict.fromkeys(names)), tasks)
    batch.configuration()
    with _progress() as progress:
        bar = progress.add_task("worlds", total=count)
        manifest = run(batch, out, workers, lambda _: progress.advance(bar))
    made = sum(entry["tasks"]["accepted"] for entry in manifest["worlds"])
    share = accepted_share([manifest])
    click.echo(f"{count} worlds, {made} tasks ({share:.0%} of sampled plans) in {out}")


@main.command()
@click.argument("folder", type=FOLDER)
@click.option("--format", "format_name", default="jsonl", show_default=True, help="The format.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="The file to write.")
def export(folder: Path, format_name: str, out: Path) -> None:
    """Export the tasks of the worlds in FOLDER, one JSON line each."""
    from search_sim.folder import export as run

    click.echo(f"{run(folder, out, format_name)} tasks in {out}")


@main.command()
@click.argument("folder", type=FOLDER)
@click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Processes."
)
def certify(folder: Path, workers: int) -> None:
    """Measure every task of the worlds in FOLDER again; exit with 1 if one fails."""
    from search_sim.folder import certify_folder, world_paths

    with _progress() as progress:
        bar = progress.add_task("worlds", total=len(world_paths(folder)))
        verdicts = certify_folder(folder, workers, lambda _: progress.advance(bar))
    _report(verdicts)
    if any(verdict.problems for verdict in verdicts):
        sys.exit(1)


def _report(verdicts: list[Verdict]) -> None:
    failed = [verdict for verdict in verdicts if verdict.problems]
    for verdict in failed:
        click.echo(f"FAILED {verdict.task.task_id}: {'; '.join(verdict.problems)}")
    if verdicts:
        certificates = [verdict.certificate for verdict in verdicts]
        for policy in certificates[0].closed:
            mean = sum(c.closed[policy].guarded_f1 for c in certificates) / len(certificates)
            most = max(c.closed[policy].guarded_f1 for c in certificates)
            click.echo(
                f"from snippets under {policy:5}: "
                f"guarded-cell F1 {mean:.3f} on average, {most:.3f} at most"
            )
    click.echo(f"{len(verdicts) - len(failed)} of {len(verdicts)} tasks are certified")


@main.command()
@click.option(
    "--out", default="demo-out", show_default=True, type=FOLDER, help="The folder for results."
)
@click.option("--seed", default=7, show_default=True, type=SEEDS, help="The root of all seeds.")
@click.option(
    "--tasks", default=10, show_default=True, type=click.IntRange(min=1), help="Tasks a world."
)
@click.option(
    "--workers", default=2, show_default=True, type=click.IntRange(min=1), help="Processes."
)
def demo(out: Path, seed: int, tasks: int, workers: int) -> None:
    """Build two worlds, let three reference agents answer their tasks, and show how they fare."""
    from search_sim.demo import run_demo
    from search_sim.generate import Batch

    batch = Batch(2, seed, ("island-ferries", "company-intranet"), tasks)
    with _progress() as progress:
        bar = progress.add_task("building two worlds", total=None)
        lines = run_demo(
            out,
            batch,
            workers,
            started=lambda total: progress.update(bar, total=total),
            step=lambda what: progress.update(bar, advance=1, description=what),
        )
    _show(lines)
    click.echo(f"Worlds, trajectories and this table are in {out}.")


def _show(lines: list[Line]) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from search_sim.demo import HEADINGS

    table = Table(title=f"Means over {lines[0].tasks} tasks", box=SIMPLE)
    for number, heading in enumerate(HEADINGS):
        narrow = heading.replace(" F1", "\nF1").replace("Extractions", "Extrac-\ntions")
        table.add_column(narrow, justify="left" if number < 2 else "right", no_wrap=number == 0)
    for line in lines:
        table.add_row(*line.cells(), end_section=line.policy == lines[-1].policy)
    Console().print(table)


def _progress() -> Progress:
    """A progress bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (
        TextColumn("{task.description:28}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, disable=not console.is_terminal)
