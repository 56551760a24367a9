"""Refusals: why a request gets no reply, in the words and with the status of an OpenAI server."""

from __future__ import annotations

from typing import Any

TOO_MANY, SERVER_SIDE = 429, 500


class RefusedRequestError(Exception):
    """A request that is refused.

    Attributes:
        status: the HTTP status.
        code: what is wrong, in a word for programs.
    """

    def __init__(self, message: str, status: int = 400, code: str = "invalid_value") -> None:
        """Keep the parts."""
        super().__init__(message)
        self.status, self.code = status, code

    @property
    def body(self) -> dict[str, Any]:
        """What the client is told."""
        return {"error": {"message": str(self), "type": self._type, "code": self.code}}

    @property
    def _type(self) -> str:
        if self.status >= SERVER_SIDE:
            return "server_error"
        return "rate_limit_error" if self.status == TOO_MANY else "invalid_request_error"
