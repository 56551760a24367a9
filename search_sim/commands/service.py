"""The command that serves worlds over HTTP."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import TYPE_CHECKING

import click

from search_sim.commands.common import PATH
from search_sim.commands.renderer_options import renderer_options

if TYPE_CHECKING:
    from search_sim.render import Renderer


@click.command()
@click.argument("folder", type=PATH)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", default=8080, show_default=True, type=click.IntRange(0, 65535), help="0: a free one."
)
@click.option(
    "--policy", default="reach", show_default=True, help="For episodes that don't name one."
)
@click.option("--engine", default="tantivy", show_default=True, help="tantivy or whoosh.")
@click.option(
    "--trainer-key", envvar="WORLDGEN_TRAINER_KEY", help="The trainer's key; made if left out."
)
@click.option("--trajectories", type=PATH, help="A file to append every episode to, as JSON lines.")
@renderer_options
def serve(
    folder: Path,
    host: str,
    port: int,
    policy: str,
    engine: str,
    trainer_key: str | None,
    trajectories: Path | None,
    renderer: Renderer,
) -> None:
    """Serve the worlds in FOLDER to agents over HTTP, until interrupted."""
    from search_sim.engines import make_engine
    from search_sim.folder import world_paths
    from search_sim.guard import check_policy
    from search_sim.service.app import make_app
    from search_sim.service.recorder import Recorder
    from search_sim.service.server import listen, url_of
    from search_sim.service.server import serve as run
    from search_sim.service.state import Service
    from search_sim.shelf import Shelf

    default = check_policy(policy)
    shelf = Shelf(world_paths(folder), make_engine(engine))
    for problem in shelf.problems:
        click.echo(f"Left out: {problem}", err=True)
    recorder = Recorder(trajectories) if trajectories else None
    key = trainer_key or secrets.token_urlsafe(24)
    listening = listen(host, port)
    click.echo(f"Serving {len(shelf.headers)} worlds at {url_of(listening)}")
    if not trainer_key:
        click.echo(f"Trainer key: {key}")
    service = Service(shelf, key, default, renderer=renderer, recorder=recorder)
    try:
        run(make_app(service), listening)
    finally:
        service.close()
