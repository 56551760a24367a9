"""Inspecting a world file: what it holds, as plain data and as text."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

from queries.task import Task
from worldgen.worldfile import WorldFile, read_world


def describe(path: Path) -> dict[str, Any]:
    """What a world file holds, as plain data.

    Raises:
        WorldFileError: it is missing, no world, or damaged.
    """
    file = read_world(path)
    world = file.world
    pages = Counter(page.site for page in file.web.pages)
    return {
        "id": world.id,
        "name": world.name,
        "domain": world.blueprint.id,
        "strategy": world.blueprint.strategy,
        "seed": world.seed,
        "version": file.version,
        "content_digest": file.content_digest(),
        "rows": world.row_count,
        "tables": [_table(file, table.name) for table in world.blueprint.tables],
        "sites": [
            {"kind": s.kind, "name": s.name, "home": s.home, "pages": pages[s.id]}
            for s in file.web.sites
        ],
        "tasks": [_task(file, task_id) for task_id in sorted(file.sections.get("tasks", {}))],
    }


def _table(file: WorldFile, name: str) -> dict[str, Any]:
    world = file.world
    table = world.blueprint.table(name)
    roles = {column.name: world.roles.column(name, column.name) for column in table.columns}
    return {
        "name": name,
        "kind": table.kind,
        "rows": len(world.tables[name]),
        "existence": world.roles.rows.get(name, "open"),
        "roles": roles,
    }


def _task(file: WorldFile, task_id: str) -> dict[str, Any]:
    task = Task.model_validate(file.sections["tasks"][task_id])
    certificate = file.sections.get("certificates", {}).get(task_id, {})
    return {
        "id": task_id,
        "family": task.family,
        "difficulty": task.difficulty,
        "rows": len(task.answer.rows),
        "pages_needed": task.pages_needed,
        "question": task.question,
        "certified": certificate.get("failures") == [],
    }


def write_description(record: dict[str, Any]) -> str:
    """The description as text for a terminal."""
    lines = [
        f"{record['id']}: {record['name']}, {record['domain']} ({record['strategy']})",
        f"seed {record['seed']}, worldgen {record['version']}, digest {record['content_digest']}",
        "",
        f"{record['rows']} rows",
    ]
    for table in record["tables"]:
        roles = ", ".join(f"{column} {role}" for column, role in table["roles"].items())
        guarded = ", rows guarded" if table["existence"] == "guarded" else ""
        lines.append(f"  {table['name']:12} {table['rows']:4}  {roles}{guarded}")
    lines += ["", f"{sum(site['pages'] for site in record['sites'])} pages"]
    for site in record["sites"]:
        lines.append(f"  {site['kind']:12} {site['pages']:4}  {site['name']}, {site['home']}")
    lines += ["", f"{len(record['tasks'])} tasks"]
    for task in record["tasks"]:
        mark = "certified" if task["certified"] else "NOT CERTIFIED"
        lines.append(
            f"  {task['id']}  {task['family']}, difficulty {task['difficulty']}, "
            f"{task['rows']} rows from {task['pages_needed']} pages, {mark}"
        )
        lines.append(f"      {task['question']}")
    return "\n".join(lines)
