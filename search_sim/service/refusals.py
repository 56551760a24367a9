"""Refusals: every error of the service as JSON with a code, a message and what to do."""

from __future__ import annotations

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException

from search_sim.observation import NOT_SHOWN
from search_sim.service.messages import Problem, Refusal
from search_sim.service.sessions import FullError
from worldgen.errors import (
    ConfigurationError,
    EpisodeClosedError,
    UnknownNameError,
    WorldFileError,
    WorldgenError,
)


class RefusedError(Exception):
    """A request that is refused, with the HTTP status and the body."""

    def __init__(self, status: int, code: str, message: str, hint: str) -> None:
        """Word the refusal."""
        super().__init__(message)
        self.status = status
        self.body = Refusal(error=Problem(code=code, message=message, hint=hint))


def no_key() -> RefusedError:
    """No key or token came, or one that nothing is known of."""
    hint = "send the trainer's key or an episode's token as `Authorization: Bearer ...`"
    return RefusedError(401, "unauthorized", "missing or unknown key", hint)


def trainers_only() -> RefusedError:
    """An agent's token came where only a trainer may be."""
    hint = "an agent may search, extract, use its memory and answer"
    return RefusedError(403, "forbidden", "this path is the trainer's", hint)


def not_shown() -> RefusedError:
    """A page that doesn't exist, or was not shown: the same answer for both."""
    hint = "search for the page, or follow a link to it"
    return RefusedError(404, "page_not_shown", NOT_SHOWN.removeprefix("404: "), hint)


def no_episode(episode_id: str) -> RefusedError:
    """An episode that the server doesn't keep."""
    message = f"no episode {episode_id!r}"
    hint = "closed episodes are dropped when the server needs room; ask for another"
    return RefusedError(404, "unknown_episode", message, hint)


def _worldgen_error(error: WorldgenError) -> RefusedError:
    if isinstance(error, UnknownNameError):
        hint = "GET /api/worlds lists the worlds, /api/worlds/{id}/tasks their tasks"
        return RefusedError(404, "unknown_name", str(error), hint)
    if isinstance(error, EpisodeClosedError):
        return RefusedError(409, "episode_closed", "the answer was given", "start another episode")
    if isinstance(error, ConfigurationError):
        return RefusedError(422, "bad_input", str(error), "correct the request")
    if isinstance(error, WorldFileError):
        hint = "generate the world again, or take it out of the folder"
        return RefusedError(500, "world_damaged", str(error), hint)
    return RefusedError(500, "failed", str(error), "see the server's log")


def _invalid(error: RequestValidationError) -> RefusedError:
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"] if part != "body")
    message = f"{place}: {first['msg']}" if place else str(first["msg"])
    return RefusedError(
        422, "bad_input", message, "correct the request; the rest was not looked at"
    )


def _http_error(error: HTTPException) -> RefusedError:
    codes = {404: ("unknown_path", "docs/http.md lists the paths")}
    codes[405] = ("wrong_method", "docs/http.md lists the paths with their methods")
    code, hint = codes.get(error.status_code, ("refused", "correct the request"))
    return RefusedError(error.status_code, code, str(error.detail), hint)


def install(app: FastAPI) -> None:
    """Let the app answer every error with a `Refusal`."""

    def answer(refused: RefusedError) -> JSONResponse:
        return JSONResponse(refused.body.model_dump(), refused.status)

    @app.exception_handler(RefusedError)
    def _(_request: Request, error: RefusedError) -> JSONResponse:
        return answer(error)

    @app.exception_handler(WorldgenError)
    def _(_request: Request, error: WorldgenError) -> JSONResponse:
        return answer(_worldgen_error(error))

    @app.exception_handler(RequestValidationError)
    def _(_request: Request, error: RequestValidationError) -> JSONResponse:
        return answer(_invalid(error))

    @app.exception_handler(HTTPException)
    def _(_request: Request, error: HTTPException) -> JSONResponse:
        return answer(_http_error(error))

    @app.exception_handler(FullError)
    def _(_request: Request, _error: FullError) -> JSONResponse:
        hint = "let agents answer, or start the server with room for more"
        return answer(RefusedError(503, "too_many_episodes", "all episodes are open", hint))
