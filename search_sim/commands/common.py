"""What several commands share: option types, and the progress bar."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.progress import Progress

SEEDS = click.IntRange(0, 2**53 - 1)
PATH = click.Path(path_type=Path)
WORKERS = click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Processes."
)


class JsonObject(click.ParamType[dict[str, Any]]):
    """A JSON object on the command line, as a dictionary."""

    name = "JSON"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> dict[str, Any]:
        """Read the object."""
        try:
            found = json.loads(value) if isinstance(value, str) else value
        except ValueError:
            found = None
        if not isinstance(found, dict):
            self.fail(f'{value!r} is no JSON object, such as {{"tensor_parallel_size": 4}}')
        return found


def progress() -> Progress:
    """A progress bar on standard error, if that is a terminal."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
    )

    columns = (
        TextColumn("{task.description:28}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    console = Console(stderr=True)
    return Progress(*columns, console=console, disable=not console.is_terminal)
