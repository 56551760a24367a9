"""A world file read with the standard library alone: its tables, a page, a task's SQL.

The world's own tables are those whose names don't start with `_`; those that do are worldgen's.
"""

from __future__ import annotations

import argparse
import json
import sqlite3
import sys
import zlib
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

DEMO = Path("demo-out/worlds")


def main() -> None:
    """Print what a world file holds, and run one of its tasks."""
    parser = argparse.ArgumentParser(description="Read a .world file with plain SQLite.")
    parser.add_argument(
        "world", nargs="?", type=Path, help=f"a .world file (the first in {DEMO}, if left out)"
    )
    parser.add_argument("--task", type=int, default=1, help="the number of the task (1)")
    chosen = parser.parse_args()
    path = chosen.world or min(DEMO.glob("*.world"), default=None)
    if path is None or not path.is_file():
        sys.exit(f"error: no world file at {path or DEMO}; `make demo` makes some")
    # Read-only, since a world whose rows change has no certificate any more.
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as world:
        try:
            show_tables(world)
            show_page(world)
            run_task(world, chosen.task)
        except sqlite3.DatabaseError as error:
            sys.exit(f"error: {path} can't be read as a world: {error}")


def show_tables(world: sqlite3.Connection) -> None:
    """Print the world's own tables."""
    query = "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
    names = [name for (name,) in world.execute(query)]
    print("Tables")
    for name in names:
        if not name.startswith("_"):
            columns = [column for _, column, *_ in world.execute(f'PRAGMA table_info("{name}")')]
            (count,) = world.execute(f'SELECT COUNT(*) FROM "{name}"').fetchone()  # noqa: S608
            print(f"  {name} ({', '.join(columns)}): {count} rows")


def show_page(world: sqlite3.Connection) -> None:
    """Print a page as an agent that opens it would see it, and how many there are."""
    (count,) = world.execute("SELECT COUNT(*) FROM _pages").fetchone()
    middle = "SELECT url, body FROM _pages ORDER BY url LIMIT 1 OFFSET ?"
    url, body = world.execute(middle, (count // 2,)).fetchone()
    print(f"\nOne of {count} pages: {url}\n")
    for line in zlib.decompress(body).decode().splitlines():
        print(f"  {line}".rstrip())


def run_task(world: sqlite3.Connection, number: int) -> None:
    """Run a task's SQL, and compare what it gives with the answer that the file keeps."""
    records = [json.loads(text) for (text,) in world.execute("SELECT record FROM _tasks")]
    if not 1 <= number <= len(records):
        sys.exit(f"error: there are {len(records)} tasks, and no number {number}")
    task = records[number - 1]
    cursor = world.execute(task["sql"])
    rows = cursor.fetchall()
    print(f"\nTask {number} of {len(records)}: {task['question']}\n\n{task['sql']}\n")
    show_rows([name for name, *_ in cursor.description], rows)
    same = rows == [tuple(row) for row in task["answer"]["rows"]]
    print(f"\n{len(rows)} rows, {'the' if same else 'NOT the'} answer that the task keeps")


def show_rows(headings: Sequence[str], rows: Sequence[Sequence[object]]) -> None:
    """Print rows, aligned."""
    lines = [headings, *([str(value) for value in row] for row in rows)]
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    for line in lines:
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print(f"  {'  '.join(cells)}".rstrip())


if __name__ == "__main__":
    main()
