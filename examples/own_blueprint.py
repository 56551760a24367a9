"""From a blueprint of one's own to a world with certified tasks.

The blueprint is data, in `own_blueprint.toml` beside this file; copy it and change it. Whatever
contradicts itself in it is refused in one line that says what.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from search_sim import BuiltWorld, build_world
from worldgen import Blueprint, WorldgenError, read_blueprint, write_world

BESIDE = Path(__file__).with_suffix(".toml")


def main() -> None:
    """Build a world from a blueprint, write it, and say what is in it."""
    parser = argparse.ArgumentParser(description="Build a world from a blueprint in TOML.")
    parser.add_argument("--blueprint", type=Path, default=BESIDE, help=f"TOML ({BESIDE.name})")
    parser.add_argument("--seed", type=int, default=7, help="the world's seed (7)")
    parser.add_argument("--tasks", type=int, default=8, help="the number of tasks (8)")
    parser.add_argument(
        "--out", type=Path, default=Path("demo-out"), help="the folder for the world (demo-out)"
    )
    chosen = parser.parse_args()
    try:
        blueprint = read_blueprint(
            chosen.blueprint.read_text(encoding="utf-8"), chosen.blueprint.name
        )
        built = build_world(blueprint, chosen.seed, chosen.tasks)
        chosen.out.mkdir(parents=True, exist_ok=True)
        path = chosen.out / f"{built.file.world.id}.world"
        write_world(path, built.file)
    except (WorldgenError, OSError) as error:
        sys.exit(f"error: {error}")
    describe(blueprint, built)
    print(f"\nThe world is in {path}.")


def describe(blueprint: Blueprint, built: BuiltWorld) -> None:
    """Print what a world holds and what its certificates say."""
    world, web = built.file.world, built.file.web
    print(f"{blueprint.title}\n")
    print(f"world   {world.name}, seed {world.seed}")
    tables = ", ".join(f"{len(rows)} {name}" for name, rows in world.tables.items())
    print(f"rows    {world.row_count}: {tables}")
    print(f"web     {len(web.pages)} pages on {len(web.sites)} sites")
    guarded = [
        f"{table.name}.{column.name}"
        for table in blueprint.tables
        for column in table.details
        if world.roles.guarded_column(table.name, column.name)
    ]
    print(f"guarded {len(guarded)} columns: {', '.join(guarded)}")
    print(f"tasks   {len(built.tasks)}, all of them certified")
    for task, certificate in zip(built.tasks, built.certificates, strict=True):
        cost, leak = certificate.cost.extractions, certificate.closed["reach"].guarded_f1
        print(f"\n[{task.family}] {task.question}")
        print(f"  {len(task.answer.rows)} rows, cells from snippets alone: F1 {leak:.2f}")
        print(f"  pages to open: {cost.least} at least, {cost.used} by the explorer")


if __name__ == "__main__":
    main()
