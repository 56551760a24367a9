"""Notes as an agent expects them to be kept: the plainest memory that there is."""

from __future__ import annotations

from search_sim.verify.actions import Note


class Notes:
    """Notes by key, changed as the memory tool says that it changes them."""

    def __init__(self) -> None:
        """Start empty."""
        self._notes: dict[str, str] = {}

    def apply(self, action: Note) -> dict[str, str] | None:
        """Carry out an operation.

        Returns:
            The notes that must come back, or None where the operation gives none back.
        """
        keys = list(self._notes) if action.operation.endswith("_all") else action.keys
        if action.operation.startswith("retrieve"):
            return {key: self._notes[key] for key in keys if key in self._notes}
        if action.operation.startswith("remove"):
            for key in keys:
                self._notes.pop(key, None)
            return None
        there = action.operation == "update"
        changed = {k: v for k, v in action.entries.items() if (k in self._notes) == there}
        self._notes |= changed
        return None
