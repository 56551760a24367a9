"""The HTTP interface: trainers make and read episodes, agents act in them.

Routes run in threads and hold their episode's lock, so calls of one agent follow each other and
agents don't wait for each other. A search may wait for a language model, so there are many threads.
"""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Annotated, Any

from anyio.to_thread import current_default_thread_limiter
from fastapi import APIRouter, Depends, FastAPI, Request, Response
from prometheus_client import CONTENT_TYPE_LATEST

from answers.score import score
from search_sim.episode import Episode
from search_sim.service import messages as m
from search_sim.service import refusals
from search_sim.service.limits import BodyLimit
from search_sim.service.metrics import write_metrics
from search_sim.service.sessions import Session
from search_sim.service.state import Service
from search_sim.tools import TOOLS
from search_sim.trajectory import Trajectory
from worldgen.seeds import generator

THREADS = 512
"""Calls that run at a time; one that waits for a language model takes up a thread, little else."""


@asynccontextmanager
async def _lifespan(app: FastAPI) -> AsyncIterator[None]:
    current_default_thread_limiter().total_tokens = THREADS
    yield


def make_app(service: Service) -> FastAPI:
    """The application over a service."""
    app = FastAPI(
        title="worldgen", docs_url=None, redoc_url=None, openapi_url=None, lifespan=_lifespan
    )
    app.state.service = service
    app.add_middleware(BodyLimit)
    refusals.install(app)
    app.include_router(agents)
    app.include_router(trainers, dependencies=[Depends(_trainer)])

    @app.get("/healthz")
    def healthz() -> dict[str, Any]:
        """Whether the server runs."""
        return {"ok": True, "worlds": len(service.shelf.headers)}

    @app.get("/metrics", dependencies=[Depends(_trainer)])
    def metrics() -> Response:
        """What the server does, in Prometheus' text format."""
        return Response(write_metrics(service), media_type=CONTENT_TYPE_LATEST)

    return app


# ---------------------------------------------------------------- who asks


async def _service(request: Request) -> Service:
    service: Service = request.app.state.service
    return service


def _bearer(request: Request) -> str:
    scheme, _, key = request.headers.get("authorization", "").partition(" ")
    return key.strip() if scheme.lower() == "bearer" else ""


def _same(one: str, other: str) -> bool:
    return secrets.compare_digest(one.encode(), other.encode())


async def _trainer(request: Request) -> None:
    service, key = await _service(request), _bearer(request)
    if _same(key, service.trainer_key):
        return
    raise refusals.trainers_only() if service.sessions.by_token(key) else refusals.no_key()


async def _session(request: Request) -> Session:
    session = (await _service(request)).sessions.by_token(_bearer(request))
    if session is None:
        raise refusals.no_key()
    return session


TheService = Annotated[Service, Depends(_service)]
TheSession = Annotated[Session, Depends(_session)]


@contextmanager
def _counted(service: Service, session: Session) -> Iterator[None]:
    """Count the call that an episode records, if it records one."""
    turns = session.episode.trajectory.turns
    before = len(turns)
    yield
    for turn in turns[before:]:
        service.traffic.saw(turn)


# ---------------------------------------------------------------- agents

agents = APIRouter(prefix="/api")


@agents.post("/search")
def search(service: TheService, session: TheSession, asked: m.Search) -> m.Found:
    """Search with one query or up to five."""
    with session.lock, _counted(service, session):
        response = session.episode.search(*asked.all(), page=asked.page)
    return m.Found(results=[list(found) for found in response.results], text=response.text)


@agents.post("/extract")
def extract(service: TheService, session: TheSession, asked: m.Open) -> m.Opened:
    """Open a page that the episode was shown."""
    with session.lock, _counted(service, session):
        page = session.episode.extract(asked.url, asked.offset)
    if not page.found:
        raise refusals.not_shown()
    return m.Opened(**page.model_dump(exclude={"found"}))


@agents.post("/memory")
def memory(service: TheService, session: TheSession, asked: m.Note) -> m.Noted:
    """Keep notes, or read them back."""
    with session.lock, _counted(service, session):
        return m.Noted(text=session.episode.memory(asked.operation, asked.entries, asked.key_list))


@agents.post("/answer")
def answer(service: TheService, session: TheSession, asked: m.Answer) -> m.Accepted:
    """Hand in the answer, which closes the episode."""
    with session.lock, _counted(service, session):
        session.episode.answer(asked.answer)
        task = session.episode.task
        session.score = score(task.answer, asked.answer, {"family": task.family})
        session.episode.trajectory.score = session.score
        if service.recorder:
            service.recorder.write(session.episode.trajectory)
    return m.Accepted()


# ---------------------------------------------------------------- trainers

trainers = APIRouter(prefix="/api")


@trainers.post("/episodes", status_code=201)
def make_episode(service: TheService, asked: m.NewEpisode) -> m.EpisodeMade:
    """Make an episode: what isn't named is drawn by the seed, and the seed itself if left out."""
    seed = asked.seed if asked.seed is not None else secrets.randbelow(2**53)
    rng = generator(seed, "episode")
    world_id, task_id = service.shelf.draw(rng, asked.world, asked.task)
    world = service.shelf.open(world_id)
    policy = asked.policy or service.policy
    episode = Episode(world, world.task(task_id), policy, seed, asked.controls, service.renderer)
    session = service.sessions.add(episode)
    service.traffic.made()
    return m.EpisodeMade(
        episode=session.id, token=session.token, question=episode.task.question, tools=TOOLS
    )


def _kept(service: TheService, episode_id: str) -> Session:
    session = service.sessions.by_id(episode_id)
    if session is None:
        raise refusals.no_episode(episode_id)
    return session


Kept = Annotated[Session, Depends(_kept)]


@trainers.get("/episodes/{episode_id}")
def episode_state(session: Kept) -> m.EpisodeState:
    """How an episode stands."""
    episode = session.episode
    return m.EpisodeState(
        episode=session.id,
        world=episode.task.world_id,
        task=episode.task.task_id,
        policy=episode.policy,
        seed=episode.seed,
        state="closed" if session.closed else "open",
        score=session.score,
        counts=episode.counts,
    )


@trainers.get("/episodes/{episode_id}/trajectory")
def trajectory(session: Kept) -> Trajectory:
    """What has happened in an episode."""
    with session.lock:
        return session.episode.trajectory.model_copy(deep=True)


@trainers.get("/worlds")
def worlds(service: TheService) -> dict[str, list[m.WorldSummary]]:
    """The worlds that are served."""
    return {"worlds": [_summary(service, world_id) for world_id in service.shelf.headers]}


@trainers.get("/worlds/{world_id}")
def world(service: TheService, world_id: str) -> m.WorldSummary:
    """One world."""
    return _summary(service, world_id)


def _summary(service: Service, world_id: str) -> m.WorldSummary:
    header = service.shelf.header(world_id)
    return m.WorldSummary(
        id=header.id,
        domain=header.domain,
        name=header.name,
        title=header.title,
        seed=header.seed,
        tasks=len(service.shelf.tasks(world_id)),
    )


@trainers.get("/worlds/{world_id}/tasks")
def tasks(service: TheService, world_id: str) -> dict[str, list[dict[str, Any]]]:
    """A world's tasks, as the `jsonl` export has them."""
    found = service.shelf.open(world_id).tasks
    return {"tasks": [found[task_id].export() for task_id in sorted(found)]}
