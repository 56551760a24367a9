"""The doctor: is this installation the one that worldgen's promises are about?"""

from __future__ import annotations

import importlib
import sqlite3
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, packages_distributions, version
from pathlib import Path

PACKAGES = ("answers", "queries", "search_sim", "worldgen")
LIBRARIES = (
    *("anyio", "click", "dateparser", "faker", "fastapi", "httpx", "jinja2", "lazy-loader"),
    *(
        "networkx",
        "prometheus-client",
        "pydantic",
        "rich",
        "sqlalchemy",
        "sqlglot",
        "tantivy",
        "tenacity",
    ),
    *("uvicorn", "whoosh3"),
)
OLDEST_PYTHON = (3, 11)
OLDEST_SQLITE = (3, 35)


@dataclass(frozen=True)
class Finding:
    """What one check found, and what to do if it isn't good."""

    what: str
    good: bool
    found: str
    advice: str = ""


def examine() -> list[Finding]:
    """Every check's finding, in order; a check that fails to run is a bad finding."""
    checks = (_python, _siblings, _owner, _libraries, _sqlite, _engines, _scratch)
    return [_safely(check) for check in checks]


def _safely(check: Callable[[], Finding]) -> Finding:
    try:
        return check()
    except Exception as error:
        name = check.__name__.strip("_")
        return Finding(name, False, f"{type(error).__name__}: {error}", "install worldgen again")


def _python() -> Finding:
    good = sys.version_info >= OLDEST_PYTHON
    found = ".".join(map(str, sys.version_info[:3]))
    return Finding("python", good, found, "worldgen needs Python 3.11 or newer")


def _siblings() -> Finding:
    """The names `queries` and `answers` belong to other projects too."""
    folders = {
        name: Path(str(importlib.import_module(name).__file__)).parent.parent for name in PACKAGES
    }
    good = len(set(folders.values())) == 1
    found = ", ".join(f"{name} in {folder}" for name, folder in sorted(folders.items()))
    advice = (
        "install worldgen in an environment of its own: another project's package is in the way"
    )
    return Finding("packages", good, "four siblings" if good else found, advice)


def _owner() -> Finding:
    owners = packages_distributions()
    strangers = {
        name: sorted(set(owners.get(name, [])) - {"worldgen"})
        for name in PACKAGES
        if set(owners.get(name, [])) - {"worldgen"}
    }
    found = "; ".join(f"{name} also from {', '.join(o)}" for name, o in strangers.items())
    advice = "install worldgen in an environment of its own"
    return Finding(
        "distribution", not strangers, found or f"worldgen {version('worldgen')}", advice
    )


def _libraries() -> Finding:
    missing, found = [], []
    for name in LIBRARIES:
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    text = f"missing: {', '.join(missing)}" if missing else ", ".join(found)
    return Finding("libraries", not missing, text, "pip install -r requirements.lock")


def _sqlite() -> Finding:
    good = sqlite3.sqlite_version_info >= OLDEST_SQLITE
    return Finding("sqlite", good, sqlite3.sqlite_version, "world files need SQLite 3.35 or newer")


def _engines() -> Finding:
    from search_sim.engine import Document
    from search_sim.engines import ENGINES, make_engine

    pages = [Document("Harbour", "board", "nine berths"), Document("Quay", "board", "one crane")]
    broken = [name for name in ENGINES if make_engine(name)(pages).search("crane") != [1]]
    found = f"broken: {', '.join(broken)}" if broken else ", ".join(ENGINES)
    return Finding("engines", not broken, found, "pip install -r requirements.lock")


def _scratch() -> Finding:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "probe").write_text("x", encoding="utf-8")
    return Finding("scratch space", True, tempfile.gettempdir())
