"""What every wrapper has in common: the model inside it, its name and its end."""

from __future__ import annotations

from worldgen.lm.model import LanguageModel


class Wrapper:
    """A language model around another one; a subclass says how it completes."""

    def __init__(self, inner: LanguageModel) -> None:
        """Keep the inner one."""
        self._inner = inner

    @property
    def name(self) -> str:
        """The model's name."""
        return self._inner.name

    async def close(self) -> None:
        """Close the inner one."""
        await self._inner.close()
