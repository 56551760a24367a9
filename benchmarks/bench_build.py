"""What building a world costs: CPU seconds by stage, and how large worlds and their files are."""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from benchmarks.common import Stopwatch, options, positive, print_table, seconds
from queries.propose import Rejection, propose_tasks
from queries.scene import Scene
from queries.task import Task
from search_sim.build import MOST_ROUNDS
from search_sim.certify import Certificate, certify
from search_sim.open_world import OpenWorld
from worldgen.blueprint import Blueprint
from worldgen.identity import versions, world_id, world_seed
from worldgen.library import domain, domains
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.rules import check_rules
from worldgen.tables import connect
from worldgen.worldfile import SUFFIX, WorldFile, read_world, write_world

ROOT_SEED = 20
STAGES = ("populate", "check", "publish", "propose", "index", "certify", "write", "read")


@dataclass(frozen=True)
class Size:
    """How large a world is."""

    rows: int
    pages: int
    statements: int
    tasks: int
    sampled: int
    file_bytes: int


SIZES: dict[str, Callable[[Size], int]] = {
    "rows": lambda size: size.rows,
    "pages": lambda size: size.pages,
    "statements": lambda size: size.statements,
    "tasks": lambda size: size.tasks,
    "plans sampled": lambda size: size.sampled,
    "file size, KiB": lambda size: size.file_bytes // 1024,
}


def build(watch: Stopwatch, blueprint: Blueprint, seed: int, task_count: int) -> Size:
    """Build a world as `search_sim.build` does, write it and read it back, stage by stage."""
    made = {"tasks": task_count}
    with watch.stage("populate"):
        world = populate(blueprint, seed, world_id(blueprint, seed, made))
    with watch.stage("check"):
        connection = connect(world)
        check_rules(world, connection)
    with watch.stage("publish"):
        web = publish(world)
    tasks, certificates, sampled = accept(watch, Scene(world, web, connection), task_count)
    connection.close()
    sections = {
        "tasks": {task.task_id: task.model_dump(mode="json") for task in tasks},
        "certificates": {found.task_id: found.model_dump(mode="json") for found in certificates},
    }
    file = WorldFile(world, web, made, versions()["worldgen"], sections)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{world.id}{SUFFIX}"
        with watch.stage("write"):
            write_world(path, file)
        with watch.stage("read"):
            read_world(path)
        file_bytes = path.stat().st_size
    watch.lap()
    statements = sum(len(page.statements) for page in web.pages)
    return Size(world.row_count, len(web.pages), statements, len(tasks), sampled, file_bytes)


def accept(watch: Stopwatch, scene: Scene, count: int) -> tuple[list[Task], list[Certificate], int]:
    """Propose and certify until there are enough tasks; also how many plans that took."""
    opened = OpenWorld(scene.world, scene.web)
    with watch.stage("index"):
        _ = opened.masked, opened.full, opened.lexicon
    tasks: list[Task] = []
    certificates: list[Certificate] = []
    sampled = 0
    proposals = propose_tasks(scene, MOST_ROUNDS)
    while len(tasks) < count:
        with watch.stage("propose"):
            proposed = next(proposals, None)
        if proposed is None:
            break
        sampled += 1
        if isinstance(proposed, Rejection):
            continue
        with watch.stage("certify"):
            certificate = certify(opened, proposed)
        if certificate.passed:
            tasks.append(proposed)
            certificates.append(certificate)
    return tasks, certificates, sampled


def show(watches: Mapping[str, Stopwatch], sizes: Mapping[str, list[Size]], title: str) -> None:
    """Print the tables, a line for each domain."""
    found = {name: watch.medians() for name, watch in watches.items()}
    headings = ("domain", *STAGES)
    spent = [
        [name, *(seconds(by_stage[stage]) for stage in STAGES), seconds(sum(by_stage.values()))]
        for name, by_stage in found.items()
    ]
    print_table(f"CPU seconds a world: {title}", (*headings, "sum"), spent)
    shares = [
        [name, *(f"{by_stage[stage] / sum(by_stage.values()):.1%}" for stage in STAGES)]
        for name, by_stage in found.items()
    ]
    print_table("Share of the sum", headings, shares)
    counts = [
        [name, *(f"{statistics.median(map(of, built)):,.0f}" for of in SIZES.values())]
        for name, built in sizes.items()
    ]
    print_table(f"Size of a world: {title}", ("domain", *SIZES), counts)


def main() -> None:
    """Build some worlds of each domain and print what that took."""
    parser = options(__doc__)
    parser.add_argument(
        "--domain", action="append", choices=domains(), help="repeat for several (all; one, quick)"
    )
    parser.add_argument("--worlds", type=positive, help="worlds of each domain (3; 1, quick)")
    parser.add_argument("--tasks", type=positive, help="tasks a world (6; 4, quick)")
    chosen = parser.parse_args()
    count = chosen.worlds or (1 if chosen.quick else 3)
    tasks = chosen.tasks or (4 if chosen.quick else 6)
    names = chosen.domain or (domains()[:1] if chosen.quick else domains())
    # The first world of a process also pays for imports and for lists of real names.
    build(Stopwatch(), domain(names[0]), ROOT_SEED, 1)
    watches = {name: Stopwatch() for name in names}
    seeds = [world_seed(ROOT_SEED, number) for number in range(count)]
    sizes = {
        name: [build(watch, domain(name), seed, tasks) for seed in seeds]
        for name, watch in watches.items()
    }
    show(watches, sizes, f"median of {count}, with {tasks} tasks each")


if __name__ == "__main__":
    main()
