"""Limits: what the server takes in before it looks at it."""

from __future__ import annotations

from fastapi.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from search_sim.service.messages import Problem, Refusal

LARGEST_BODY = 4_000_000
"""Bytes of a request's body."""


class BodyLimit:
    """Answers 413 to a request whose body is too large; the rest of the body is not read."""

    def __init__(self, app: ASGIApp) -> None:
        """Wrap `app`."""
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and count what comes in."""
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > LARGEST_BODY:
                return {"type": "http.request", "body": b"", "more_body": False}
            return message

        async def unless_too_large(message: Message) -> None:
            if taken <= LARGEST_BODY:
                await send(message)

        await self._app(scope, counted, unless_too_large)
        if taken > LARGEST_BODY:
            await _too_large()(scope, receive, send)


def _too_large() -> JSONResponse:
    message = f"a request's body has at most {LARGEST_BODY:,} bytes"
    problem = Problem(code="too_large", message=message, hint="send less at a time")
    return JSONResponse(Refusal(error=problem).model_dump(), 413)
