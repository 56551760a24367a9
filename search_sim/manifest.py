"""The manifest of a folder of worlds: what was asked for, and what was made."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from worldgen.canonical import digest
from worldgen.errors import ConfigurationError
from worldgen.worldfile import SUFFIX, WorldFile

MANIFEST, TIMINGS = "manifest.json", "timings.json"
ACCEPTANCE = "acceptance"
"""The section of a world file that counts its sampled and rejected plans."""


def head(configuration: dict[str, Any]) -> dict[str, Any]:
    """The part of a manifest that is known before anything is made."""
    return {"configuration": configuration, "configuration_digest": digest(configuration)}


def claim(folder: Path, configuration: dict[str, Any]) -> None:
    """Make a folder the batch's own, before there is any world in it.

    Raises:
        ConfigurationError: it is no folder, or holds worlds of another configuration.
    """
    if folder.exists() and not folder.is_dir():
        message = f"{folder} is a file; name a folder to generate into"
        raise ConfigurationError(message)
    found = folder / MANIFEST
    if found.exists():
        _same_configuration(folder, read(found).get("configuration"), configuration)
    elif folder.exists() and any(folder.glob(f"*{SUFFIX}")):
        message = f"{folder} holds worlds without a manifest; generate into another folder"
        raise ConfigurationError(message)
    folder.mkdir(parents=True, exist_ok=True)
    for leftover in folder.glob(f".*{SUFFIX}.*.tmp"):
        leftover.unlink(missing_ok=True)
    write(found, {**head(configuration), "complete": False, "worlds": []})


def _same_configuration(folder: Path, theirs: Any, ours: dict[str, Any]) -> None:
    if theirs == ours:
        return
    theirs = theirs if isinstance(theirs, dict) else {}
    changed = sorted(key for key in {*theirs, *ours} if theirs.get(key) != ours.get(key))
    parts = [
        f"{key} {theirs.get(key)} there, {ours.get(key)} here"
        if isinstance(ours.get(key), int)
        else key
        for key in changed
    ]
    message = (
        f"{folder} holds worlds of another configuration ({'; '.join(parts)}); "
        "generate into another folder"
    )
    raise ConfigurationError(message)


def entry(file: WorldFile, content_digest: str) -> dict[str, Any]:
    """The entry of a world, all of it told by its file."""
    world = file.world
    families = Counter(task["plan"]["family"] for task in file.sections["tasks"].values())
    counts = file.sections[ACCEPTANCE]["plans"]
    return {
        "id": world.id,
        "file": f"{world.id}{SUFFIX}",
        "seed": world.seed,
        "domain": world.blueprint.id,
        "content_digest": content_digest,
        "rows": world.row_count,
        "pages": len(file.web.pages),
        "tasks": {
            "sampled": counts["sampled"],
            "accepted": len(file.sections["tasks"]),
            "families": dict(sorted(families.items())),
            "rejected": sum(counts["reasons"].values()),
            "reasons": counts["reasons"],
        },
    }


def write(path: Path, record: Any) -> None:
    """Write a record as JSON, whole or not at all."""
    temporary = path.with_name(f".{path.name}.tmp")
    temporary.write_text(json.dumps(record, indent=2, sort_keys=True) + "\n", encoding="utf-8")
    temporary.replace(path)


def read(path: Path) -> dict[str, Any]:
    """Read a record.

    Raises:
        ConfigurationError: the file holds none.
    """
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        message = f"{path} is damaged: it is no JSON; remove it or generate into another folder"
        raise ConfigurationError(message) from error
    return record if isinstance(record, dict) else {}


def accepted_share(manifests: Sequence[dict[str, Any]]) -> float:
    """The share of sampled plans that became tasks, over the worlds of some manifests."""
    tasks = [entry["tasks"] for manifest in manifests for entry in manifest["worlds"]]
    sampled: int = sum(t["sampled"] for t in tasks)
    accepted: int = sum(t["accepted"] for t in tasks)
    return accepted / max(sampled, 1)
