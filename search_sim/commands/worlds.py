"""Commands on worlds: domains, generate, inspect, export, certify."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from search_sim.commands.common import PATH, SEEDS, WORKERS, progress

if TYPE_CHECKING:
    from search_sim.folder import Verdict


@click.command()
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
        click.echo(f"{blueprint.id:{width}}  {blueprint.strategy:12}  {blueprint.title}")


@click.command()
@click.option("--out", required=True, type=PATH, help="The folder for world files and manifest.")
@click.option("--count", required=True, type=click.IntRange(min=1), help="How many worlds.")
@click.option("--seed", required=True, type=SEEDS, help="The root of all seeds.")
@click.option(
    "--domain",
    "names",
    multiple=True,
    help="A blueprint, or its TOML file; repeat for several. All if left out.",
)
@click.option(
    "--tasks", default=10, show_default=True, type=click.IntRange(min=1), help="Tasks a world."
)
@click.option("--resume", is_flag=True, help="Keep worlds that an earlier run has finished.")
@WORKERS
def generate(
    out: Path,
    count: int,
    seed: int,
    names: tuple[str, ...],
    tasks: int,
    resume: bool,
    workers: int,
) -> None:
    """Generate worlds with certified tasks: one .world file each, and a manifest."""
    from search_sim.generate import Batch
    from search_sim.generate import generate as run
    from search_sim.manifest import accepted_share

    batch = Batch(count, seed, tuple(dict.fromkeys(names)), tasks)
    with progress() as bars:
        bar = bars.add_task("worlds", total=count)
        manifest = run(batch, out, workers, lambda _: bars.advance(bar), resume)
    made = sum(entry["tasks"]["accepted"] for entry in manifest["worlds"])
    share = accepted_share([manifest])
    click.echo(f"{count} worlds, {made} tasks ({share:.0%} of sampled plans) in {out}")


@click.command()
@click.argument("file", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def inspect(file: Path, as_json: bool) -> None:
    """Show what a world FILE holds: tables, roles, sites, tasks."""
    from search_sim.inspect_world import describe, write_description

    record = describe(file)
    click.echo(json.dumps(record, indent=2) if as_json else write_description(record))


@click.command()
@click.argument("folder", type=PATH)
@click.option(
    "--format", "format_name", default="jsonl", show_default=True, help="The file's format."
)
@click.option("--out", required=True, type=PATH, help="The file to write.")
def export(folder: Path, format_name: str, out: Path) -> None:
    """Export the tasks of the worlds in FOLDER, one JSON line each."""
    from search_sim.folder import export as run

    click.echo(f"{run(folder, out, format_name)} tasks in {out}")


@click.command()
@click.argument("folder", type=PATH)
@WORKERS
def certify(folder: Path, workers: int) -> None:
    """Measure every task of the worlds in FOLDER again; exit with 1 if one fails."""
    from search_sim.folder import certify_folder, world_paths

    with progress() as bars:
        bar = bars.add_task("worlds", total=len(world_paths(folder)))
        verdicts = certify_folder(folder, workers, lambda _: bars.advance(bar))
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
            shares = [certificate.closed[policy].guarded_f1 for certificate in certificates]
            mean, most = sum(shares) / len(shares), max(shares)
            click.echo(
                f"from snippets under {policy:5}: "
                f"guarded-cell F1 {mean:.3f} on average, {most:.3f} at most"
            )
    click.echo(f"{len(verdicts) - len(failed)} of {len(verdicts)} tasks are certified")
