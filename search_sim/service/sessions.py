"""Sessions: the episodes of a server, by id and by token."""

from __future__ import annotations

import secrets
import threading
from collections import OrderedDict
from dataclasses import dataclass, field

from answers.score import Score
from search_sim.episode import Episode

CAPACITY = 10_000
"""Episodes that are kept; the oldest closed one makes room for a new one."""


class FullError(Exception):
    """Every episode that the server may keep is open."""


@dataclass
class Session:
    """An episode in service. `lock` is held while one of its tools runs."""

    id: str
    token: str
    episode: Episode
    lock: threading.Lock = field(default_factory=threading.Lock)
    score: Score | None = None

    @property
    def closed(self) -> bool:
        """Whether its answer was given."""
        return self.episode.answer_text is not None


class Sessions:
    """The episodes of one server process, in memory."""

    def __init__(self, capacity: int = CAPACITY) -> None:
        """Keep up to `capacity` episodes."""
        self._capacity = capacity
        self._by_id: OrderedDict[str, Session] = OrderedDict()
        self._by_token: dict[str, Session] = {}
        self._lock = threading.Lock()

    def add(self, episode: Episode) -> Session:
        """Take in an episode.

        Raises:
            FullError: all that are kept are open.
        """
        session = Session(f"ep-{secrets.token_hex(8)}", secrets.token_urlsafe(32), episode)
        with self._lock:
            if len(self._by_id) >= self._capacity:
                self._drop_oldest_closed()
            self._by_id[session.id] = session
            self._by_token[session.token] = session
        return session

    def _drop_oldest_closed(self) -> None:
        oldest = next((session for session in self._by_id.values() if session.closed), None)
        if oldest is None:
            raise FullError
        del self._by_id[oldest.id]
        del self._by_token[oldest.token]

    def all(self) -> list[Session]:
        """The episodes that are kept, oldest first."""
        with self._lock:
            return list(self._by_id.values())

    def by_id(self, episode_id: str) -> Session | None:
        """The episode of that id, if it is kept."""
        return self._by_id.get(episode_id)

    def by_token(self, token: str) -> Session | None:
        """The episode whose agent holds that token, if it is kept."""
        return self._by_token.get(token)
