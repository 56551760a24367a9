"""One distribution, four sibling packages, locks that any machine can use.

`queries` and `answers` exist on PyPI under other owners: these tests fail where one of those
stands in for ours.
"""

from __future__ import annotations

import importlib.util
import json
import re
import tomllib
from importlib.metadata import distribution, packages_distributions
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from urllib.request import url2pathname

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ("answers", "queries", "search_sim", "worldgen")
LOCKS = ("requirements.lock", "requirements-dev.lock")
PIN = re.compile(r"([a-z0-9]+(?:-[a-z0-9]+)*)==([0-9][A-Za-z0-9.]*) \\")
HASH = re.compile(r"    --hash=sha256:[0-9a-f]{64}(?: \\)?")


def project() -> dict[str, Any]:
    table: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return table


def normal(requirement: str) -> str:
    """The name in a requirement, as PyPI spells names."""
    name = re.match(r"[A-Za-z0-9._-]+", requirement)
    assert name, requirement
    return re.sub(r"[-_.]+", "-", name[0]).lower()


def pins(lock: str) -> dict[str, str]:
    matches = map(PIN.fullmatch, (ROOT / lock).read_text().splitlines())
    return {match[1]: match[2] for match in matches if match}


def folder_of(package: str) -> Path:
    spec = importlib.util.find_spec(package)
    assert spec, f"{package} is not installed"
    assert spec.origin, f"{package} has no __init__.py"
    return Path(spec.origin).resolve().parent


def installed_in() -> Path:
    """The folder that the distribution `worldgen` brings its packages from."""
    found = distribution("worldgen")
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    if origin.get("dir_info", {}).get("editable"):
        return Path(url2pathname(urlsplit(origin["url"]).path)).resolve()
    return Path(str(found.locate_file(""))).resolve()


@pytest.mark.parametrize("package", PACKAGES)
def test_package_belongs_to_the_distribution(package: str) -> None:
    assert folder_of(package) == installed_in() / package


@pytest.mark.parametrize("package", PACKAGES)
def test_no_other_distribution_owns_the_package(package: str) -> None:
    owners = {normal(name) for name in packages_distributions().get(package, [])}
    assert owners <= {"worldgen"}


def test_installed_version_is_the_project_version() -> None:
    assert distribution("worldgen").version == project()["version"]


@pytest.mark.parametrize("lock", LOCKS)
def test_lock_holds_pins_and_hashes_alone(lock: str) -> None:
    lines = (ROOT / lock).read_text().splitlines()
    strange = [line for line in lines if not PIN.fullmatch(line) and not HASH.fullmatch(line)]
    assert strange == [], "no index, host, option or path may stand in a lock"


def test_locks_pin_what_the_project_asks_for() -> None:
    core = {normal(requirement) for requirement in project()["dependencies"]}
    dev = {normal(requirement) for requirement in project()["optional-dependencies"]["dev"]}
    assert core - pins("requirements.lock").keys() == set()
    assert (core | dev) - pins("requirements-dev.lock").keys() == set()


def test_development_lock_extends_the_runtime_lock() -> None:
    assert pins("requirements.lock").items() <= pins("requirements-dev.lock").items()


def test_the_doctor_looks_for_every_library() -> None:
    from search_sim.doctor import LIBRARIES

    with (ROOT / "pyproject.toml").open("rb") as file:
        wanted = tomllib.load(file)["project"]["dependencies"]
    assert list(LIBRARIES) == sorted(re.split(r"[<>=]", one)[0] for one in wanted)
