"""Controls: how a trainer makes the tools of an episode harder or easier. All are recorded."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, Field


class Controls(BaseModel):
    """What an episode's tools give at a time.

    Attributes:
        results: search results a page.
        extract_length: characters of a page that one extraction gives.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    results: int = Field(default=10, ge=1, le=50)
    extract_length: int = Field(default=20_000, ge=200, le=1_000_000)
