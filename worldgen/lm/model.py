"""The seam: what every transport, and everything wrapped around one, can do."""

from __future__ import annotations

from typing import Protocol

from worldgen.lm.records import Reply, Request


class LanguageModel(Protocol):
    """A language model under its name."""

    @property
    def name(self) -> str:
        """The model's name, as reports give it."""
        ...

    async def complete(self, request: Request, timeout: float) -> Reply:
        """Reply to a request.

        Args:
            request: what is asked.
            timeout: the seconds that it may take, waiting and trying again included.

        Raises:
            LanguageModelError: there is no reply; `kind` says why.
        """
        ...

    async def close(self) -> None:
        """Let go of connections, files and threads; nothing may be asked after that."""
        ...
