"""A run's folder: its configuration, its rows, and what became of them.

A folder is one model's run over one choice of rows, judged by one judge. Going on with it under
another configuration is refused, since its numbers would then be of two things.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path
from typing import Any, Literal

from search_sim import manifest
from search_sim.awb.rows import DOMAINS, Bench, Row, load_rows
from worldgen.canonical import canonical_json, digest_lines
from worldgen.errors import ConfigurationError

CONFIG, ROWS, PREDICTIONS, JUDGEMENTS = (
    *("config.json", "rows.jsonl", "predictions.jsonl", "judgements.jsonl"),
)

Step = Literal["infer", "judge"]

_RESULTS: dict[Step, str] = {"infer": PREDICTIONS, "judge": JUDGEMENTS}
_WORDS: dict[Step, str] = {"infer": "predictions", "judge": "judgements"}
_LONGEST = 60


def start(folder: Path, bench: Bench, configuration: Mapping[str, Any]) -> None:
    """Make a folder a run's own, or find it to be so, and put the rows into it.

    Args:
        folder: the folder, held.
        bench: the rows, and the lines that were left out.
        configuration: what predictions depend on beside the rows.

    Raises:
        ConfigurationError: it holds other things, or a run of another configuration.
    """
    if not (folder / CONFIG).exists() and any(not _is_leftover(one) for one in folder.iterdir()):
        message = f"{folder} holds files and no {CONFIG}; name a new folder, or that of a run"
        raise ConfigurationError(message)
    lines = [canonical_json(row.model_dump(mode="json")) for row in bench.rows]
    asked = {
        "rows": len(lines),
        "domains": [name for name in DOMAINS if any(row.domain == name for row in bench.rows)],
        "rows_digest": digest_lines(lines),
    }
    config = _agreed(folder, "infer", {**configuration, **asked})
    left_out = [problem.record() for problem in bench.problems]
    # In this order: rows without a configuration would look like someone else's.
    manifest.write(folder / CONFIG, {**config, "left_out": left_out})
    _write_lines(folder / ROWS, lines)


def start_judging(folder: Path, configuration: Mapping[str, Any]) -> None:
    """Make a run's folder that of one judge.

    Raises:
        ConfigurationError: it holds no run, or another judge's judgements.
    """
    read_config(folder)
    manifest.write(folder / CONFIG, _agreed(folder, "judge", configuration))


def read_config(folder: Path) -> dict[str, Any]:
    """A run's configuration, by step.

    Raises:
        ConfigurationError: there is no such folder, or no run in it.
    """
    if not folder.is_dir():
        message = f"no such folder: {folder}"
        raise ConfigurationError(message)
    config = manifest.read(folder / CONFIG) if (folder / CONFIG).exists() else {}
    if not isinstance(config.get("infer"), dict):
        message = f"{folder} holds no run; `worldgen awb infer DATA --out {folder}` makes one"
        raise ConfigurationError(message)
    return config


def read_run_rows(folder: Path) -> tuple[Row, ...]:
    """The rows of a run.

    Raises:
        ConfigurationError: there is no run in the folder, or its rows are not those it began with.
    """
    expected = read_config(folder)["infer"].get("rows_digest")
    rows = load_rows(folder / ROWS)
    if digest_lines(canonical_json(row.model_dump(mode="json")) for row in rows) != expected:
        message = f"{folder / ROWS} was changed; its rows are not those that the model was asked"
        raise ConfigurationError(message)
    return rows


@contextmanager
def held(folder: Path) -> Iterator[None]:
    """Keep other processes from writing to a folder, made if missing, while the context lasts.

    Raises:
        ConfigurationError: one is, or the folder is a file.
    """
    if folder.exists() and not folder.is_dir():
        message = f"{folder} is a file; name a folder"
        raise ConfigurationError(message)
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        _lock(handle, folder)
        yield
    finally:
        os.close(handle)


def _lock(handle: int, folder: Path) -> None:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as error:
        message = f"another process is at work on {folder}; wait for it"
        raise ConfigurationError(message) from error


def _agreed(folder: Path, step: Step, configuration: Mapping[str, Any]) -> dict[str, Any]:
    """The folder's configuration with that of a step, which must be that of its results."""
    ours = {**configuration, "worldgen": version("worldgen")}
    config = manifest.read(folder / CONFIG) if (folder / CONFIG).exists() else {}
    theirs, results = config.get(step), folder / _RESULTS[step]
    if isinstance(theirs, dict) and theirs != ours and _holds_something(results):
        changed = [key for key in sorted({*theirs, *ours}) if theirs.get(key) != ours.get(key)]
        parts = "; ".join(_difference(key, theirs.get(key), ours.get(key)) for key in changed)
        message = (
            f"{folder} holds {_WORDS[step]} of another configuration ({parts}); "
            f"{_ADVICE[step].format(results=results.name)}"
        )
        raise ConfigurationError(message)
    return {**config, step: ours}


_ADVICE: dict[Step, str] = {
    "infer": "name another folder",
    "judge": "copy the folder without {results} to judge anew",
}


def _is_leftover(path: Path) -> bool:
    """Whether a run that was killed left a file half written."""
    return path.name.startswith(".") and path.name.endswith(".tmp")


def _holds_something(path: Path) -> bool:
    return path.exists() and path.stat().st_size > 0


def _difference(key: str, theirs: object, ours: object) -> str:
    shown = f"{key} {theirs} there, {ours} here"
    return key if key.endswith("_digest") or len(shown) > _LONGEST else shown


def _write_lines(path: Path, lines: list[str]) -> None:
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_bytes("".join(f"{line}\n" for line in lines).encode())
    temporary.replace(path)
