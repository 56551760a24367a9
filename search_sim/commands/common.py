"""What several commands share: option types, and the progress bar."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from rich.progress import Progress

SEEDS = click.IntRange(0, 2**53 - 1)
PATH = click.Path(path_type=Path)
WORKERS = click.option(
    "--workers", default=1, show_default=True, type=click.IntRange(min=1), help="Processes."
)


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
