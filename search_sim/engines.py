"""The search engines by name; the library of one is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from search_sim.engine import Document, Engine
from worldgen.errors import UnknownNameError

MakeEngine = Callable[[Sequence[Document]], Engine]

ENGINES = ("tantivy", "whoosh")


def make_engine(name: str) -> MakeEngine:
    """The engine of that name; its library is imported here.

    Raises:
        UnknownNameError: there is none.
    """
    if name == "tantivy":
        from search_sim.tantivy_engine import TantivyEngine

        return TantivyEngine
    if name == "whoosh":
        from search_sim.whoosh_engine import WhooshEngine

        return WhooshEngine
    raise UnknownNameError(name, "engine", ENGINES)
