"""The command that verifies the search environment."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from search_sim.commands.common import PATH, SEEDS, progress
from search_sim.commands.renderer_options import renderer_options

if TYPE_CHECKING:
    from search_sim.render import Renderer
    from search_sim.verify.scores import AxisScore, Report
    from search_sim.verify.worlds import Worlds


@click.command(name="verify-lwm")
@click.argument("folder", required=False, type=PATH)
@click.option(
    "--cases", default=50, show_default=True, type=click.IntRange(min=1), help="How many cases."
)
@click.option("--seed", default=7, show_default=True, type=SEEDS, help="The root of all seeds.")
@click.option(
    "--concurrency",
    default=8,
    show_default=True,
    type=click.IntRange(min=1),
    help="Cases that are played at a time.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.option("--out", type=PATH, help="A file for the failures, one JSON line each.")
@renderer_options
def verify_lwm(
    folder: Path | None,
    cases: int,
    seed: int,
    concurrency: int,
    as_json: bool,
    out: Path | None,
    renderer: Renderer,
) -> None:
    """Verify that search obeys its settings and stays consistent over long episodes.

    Plays generated cases in the worlds in FOLDER, or in one world of each blueprint, and checks
    by rules what comes back. Exits with 1 where controllability is below 100, or consistency is
    and no model wrote.
    """
    from search_sim.verify.run import Options, verify
    from search_sim.verify.writing import as_record, as_text

    with progress() as bars:
        bar = bars.add_task("worlds", total=None)
        worlds = _worlds(folder, seed)
        bars.update(bar, description="cases", total=cases)
        options = Options(cases, seed, concurrency)
        report = verify(worlds, renderer, options, lambda _: bars.advance(bar))
    if out:
        _write_failures(report, out)
    click.echo(json.dumps(as_record(report), indent=2) if as_json else as_text(report))
    if not all(axis.perfect or _excused(axis, report) for axis in report.axes):
        sys.exit(1)


def _worlds(folder: Path | None, seed: int) -> Worlds:
    from search_sim.folder import world_paths
    from search_sim.shelf import Shelf
    from search_sim.verify.worlds import OnShelf, build_worlds

    if folder is None:
        return build_worlds(seed)
    shelf = Shelf(world_paths(folder))
    for problem in shelf.problems:
        click.echo(f"Left out: {problem}", err=True)
    return OnShelf(shelf)


def _excused(axis: AxisScore, report: Report) -> bool:
    """A model may write what its page doesn't say, as long as that tells nothing."""
    from search_sim.verify.scores import TEMPLATE

    return axis.axis == "consistency" and report.renderer != TEMPLATE


def _write_failures(report: Report, out: Path) -> None:
    temporary = out.with_name(f".{out.name}.tmp")
    temporary.write_bytes(
        "".join(f"{failure.model_dump_json()}\n" for failure in report.failures).encode()
    )
    temporary.replace(out)
