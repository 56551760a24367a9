from __future__ import annotations

import ast
import importlib
from pathlib import Path

import pytest

PACKAGES = ("answers", "queries", "search_sim", "worldgen")


@pytest.mark.parametrize("name", PACKAGES)
def test_all_is_exact(name: str) -> None:
    package = importlib.import_module(name)
    stub = Path(str(package.__file__)).with_suffix(".pyi").read_text(encoding="utf-8")
    body = ast.parse(stub).body
    imported = [a.name for node in body if isinstance(node, ast.ImportFrom) for a in node.names]
    stated = next(ast.literal_eval(node.value) for node in body if isinstance(node, ast.Assign))
    assert stated == sorted(imported) == sorted(package.__all__)
    for attribute in stated:
        found = getattr(package, attribute)
        assert getattr(found, "__module__", name).split(".")[0] in (name, "typing")
