"""The scripted model behind HTTP, as OpenAI-compatible servers are."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from fastapi import FastAPI, Request
from fastapi.responses import JSONResponse, Response
from starlette.exceptions import HTTPException
from starlette.types import Receive, Scope, Send

from search_sim.fake_model.body import LARGEST_BODY, parse
from search_sim.fake_model.fake import FakeModel, Outgoing, listed
from search_sim.fake_model.refusal import RefusedRequestError
from search_sim.service.server import serving

_WRONG_METHOD = 405

_cutting = ContextVar("cutting", default=False)
"""Whether the response that is being sent is cut on purpose."""


def make_fake_app(fake: FakeModel) -> FastAPI:
    """The application over a scripted model."""
    app = FastAPI(title="worldgen lwm fake", docs_url=None, redoc_url=None, openapi_url=None)
    logging.getLogger("uvicorn.error").addFilter(_unless_cutting)

    @app.post("/v1/chat/completions")
    async def complete(request: Request) -> Response:
        """Write a reply, or fail to."""
        outgoing = fake.respond(parse(await _body(request)))
        if outgoing.delay:
            await asyncio.sleep(outgoing.delay)
        return _sent(outgoing)

    @app.get("/v1/models")
    async def models() -> dict[str, Any]:
        """The names under which the model can be asked."""
        return {"object": "list", "data": list(listed(fake.models))}

    @app.get("/healthz")
    async def healthz() -> dict[str, Any]:
        """Whether the server runs, and what it has done."""
        return {"ok": True, "script": fake.script, "outcomes": dict(fake.outcomes)}

    @app.exception_handler(RefusedRequestError)
    async def _(_request: Request, error: RefusedRequestError) -> JSONResponse:
        return JSONResponse(error.body, error.status)

    @app.exception_handler(HTTPException)
    async def _(request: Request, error: HTTPException) -> JSONResponse:
        message = f"{request.method} {request.url.path}: {error.detail}"
        code = "wrong_method" if error.status_code == _WRONG_METHOD else "unknown_path"
        refused = RefusedRequestError(message, error.status_code, code)
        return JSONResponse(refused.body, refused.status)

    return app


@contextmanager
def serving_fake(fake: FakeModel, host: str = "127.0.0.1", port: int = 0) -> Iterator[str]:
    """Serve in a thread of this process while the context lasts, and give the URL.

    Raises:
        ConfigurationError: the port is in use.
    """
    with serving(make_fake_app(fake), host, port) as url:
        yield url


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > LARGEST_BODY:
            message = f"a request's body has at most {LARGEST_BODY:,} bytes"
            raise RefusedRequestError(message, 413, "too_large")
    return bytes(body)


def _sent(outgoing: Outgoing) -> Response:
    kind = _CutResponse if outgoing.cut else Response
    return kind(outgoing.body, outgoing.status, outgoing.headers, outgoing.media_type)


class _CutResponse(Response):
    """A response that announces its whole length, sends half, and ends: the server hangs up."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        _cutting.set(True)
        half = bytes(self.body)[: len(self.body) // 2]
        await send(
            {
                "type": "http.response.start",
                "status": self.status_code,
                "headers": self.raw_headers,
            }
        )
        await send({"type": "http.response.body", "body": half, "more_body": True})


def _unless_cutting(_record: logging.LogRecord) -> bool:
    """Whether to log: uvicorn complains of an incomplete response, which a cut one is to be."""
    return not _cutting.get()
