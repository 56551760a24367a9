"""Clients of the service: a trainer's, and an agent's tools over HTTP."""

from __future__ import annotations

from types import TracebackType
from typing import Any, Self

import httpx

from search_sim.episode import Counts
from search_sim.observation import NOT_SHOWN, Extract, Result, SearchResponse
from worldgen.errors import ServiceError

PAGE_NOT_SHOWN = "page_not_shown"


class _Client:
    """A connection to a server, with a key."""

    def __init__(self, base: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._http = httpx.Client(base_url=base, headers=headers, timeout=60, trust_env=False)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def _call(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        try:
            response = self._http.request(method, path, json=body)
        except httpx.HTTPError as error:
            raise ServiceError(0, "unreachable", f"{self._http.base_url}: {error}") from error
        if response.is_success:
            return response.json()
        try:
            problem = response.json()["error"]
        except (ValueError, KeyError, TypeError):
            problem = {"code": "unreadable", "message": response.text[:200]}
        raise ServiceError(response.status_code, problem["code"], problem["message"])


class Trainer(_Client):
    """A trainer: makes episodes and reads what became of them."""

    def make_episode(self, **asked: Any) -> dict[str, Any]:
        """Make an episode; takes `world`, `task`, `policy`, `controls` and `seed`.

        Raises:
            ServiceError: the service refused.
        """
        made: dict[str, Any] = self._call("POST", "/api/episodes", asked)
        return made

    def state(self, episode: str) -> dict[str, Any]:
        """How an episode stands.

        Raises:
            ServiceError: the service refused.
        """
        state: dict[str, Any] = self._call("GET", f"/api/episodes/{episode}")
        return state

    def counts(self, episode: str) -> Counts:
        """What an episode has used.

        Raises:
            ServiceError: the service refused.
        """
        return Counts(**self.state(episode)["counts"])

    def trajectory(self, episode: str) -> dict[str, Any]:
        """What has happened in an episode.

        Raises:
            ServiceError: the service refused.
        """
        found: dict[str, Any] = self._call("GET", f"/api/episodes/{episode}/trajectory")
        return found


class HttpTools(_Client):
    """The tools of one episode, over HTTP: what an agent holds instead of an `Episode`."""

    def search(self, *queries: str, page: int = 1) -> SearchResponse:
        """Search with one query or several.

        Raises:
            ServiceError: the service refused.
        """
        found = self._call("POST", "/api/search", {"queries": list(queries), "page": page})
        results = tuple(tuple(Result(**one) for one in some) for some in found["results"])
        return SearchResponse(results=results, text=found["text"])

    def extract(self, url: str, offset: int = 0) -> Extract:
        """Open a page; one that wasn't shown comes back as not found.

        Raises:
            ServiceError: the service refused for another reason.
        """
        try:
            return Extract(**self._call("POST", "/api/extract", {"url": url, "offset": offset}))
        except ServiceError as error:
            if error.code != PAGE_NOT_SHOWN:
                raise
            return Extract(url=url, title="", content=NOT_SHOWN, found=False)

    def memory(self, operation: str, **arguments: Any) -> str:
        """Use the memory; takes `dict` and `key_list`.

        Raises:
            ServiceError: the service refused.
        """
        body = {"operation": operation, **arguments}
        return str(self._call("POST", "/api/memory", body)["text"])

    def answer(self, text: str) -> None:
        """Hand in the answer.

        Raises:
            ServiceError: the service refused.
        """
        self._call("POST", "/api/answer", {"answer": text})
