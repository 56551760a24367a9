"""Commands around language world models: a scripted one, and the prompts."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import click

from search_sim.commands.common import PATH, SEEDS

_SECONDS = click.FloatRange(min=0)
_NAMES = """\
\b
Scripts
  honest      truthful pages of results, from the prompt's passages alone
  invent      invented numbers, dates, names and categories in every snippet
  guess       a guess for every value that is withheld, also from the query
  leak        the truth in disguise (needs --truth)
  copy        the whole prompt
  garbage     noise, now and then megabytes of it
  empty       nothing
  think-only  thinking that never ends
  refuse      polite prose
  shuffle     right snippets in wrong places

\b
Faults
  late        the reply comes --late-seconds later
  429         too many requests, with Retry-After
  500, 503    server errors
  cut         the connection closes in the middle of the body
  truncate    half of the text, with the finish reason "length"
  not-json    a page of HTML
  no-choices  a reply without a choice
"""


@click.group()
def lwm() -> None:
    """Language world models: a scripted server, and the prompts that models are asked with."""


@lwm.command(epilog=_NAMES)
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port", default=8090, show_default=True, type=click.IntRange(0, 65535), help="0: a free one."
)
@click.option("--script", default="honest", show_default=True, help="What it writes.")
@click.option(
    "--fault",
    "faults",
    multiple=True,
    metavar="NAME=SHARE",
    help="A fault, and its share of the requests from 0 to 1; repeat for several.",
)
@click.option(
    "--latency", default=0.0, show_default=True, type=_SECONDS, help="Seconds for every reply."
)
@click.option(
    "--late-seconds",
    default=30.0,
    show_default=True,
    type=_SECONDS,
    help="Seconds more for the fault late.",
)
@click.option(
    "--truth", type=PATH, help="For the script leak: JSON, a list of true sentences for each URL."
)
@click.option("--seed", default=0, show_default=True, type=SEEDS, help="The root of all draws.")
@click.option("--no-structured", is_flag=True, help="Refuse response_format.")
def fake(
    host: str,
    port: int,
    script: str,
    faults: tuple[str, ...],
    latency: float,
    late_seconds: float,
    truth: Path | None,
    seed: int,
    no_structured: bool,
) -> None:
    """Serve a scripted model to OpenAI-compatible clients, until interrupted.

    The model named "fake" writes and fails as the options say. A request may also name a script,
    with a fault that it then always meets: "leak", "honest+late".
    """
    from search_sim.fake_model.app import make_fake_app
    from search_sim.fake_model.fake import MODEL, FakeModel
    from search_sim.fake_model.faults import parse_shares
    from search_sim.fake_model.truth import read_truth
    from search_sim.service.server import listen, serve, url_of

    model = FakeModel(
        script=script,
        faults=parse_shares(faults),
        latency=latency,
        truth={} if truth is None else read_truth(truth),
        seed=seed,
        late_seconds=late_seconds,
        structured=not no_structured,
    )
    listening = listen(host, port)
    url = f"{url_of(listening)}/v1"
    click.echo(f"Serving the script {script} at {url}")
    options = f"--renderer lwm --lwm-url {url} --lwm-model {MODEL}"
    click.echo(f"To have it write results: worldgen serve FOLDER {options}")
    serve(make_fake_app(model), listening)


@lwm.command()
@click.option("--show", "name", help="Print the texts of one: its name, or its TOML file.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def prompts(name: str | None, as_json: bool) -> None:
    """List the prompt variants: name, version, form of reply, and id."""
    from search_sim.prompts.variant import read_variant, variants

    if name is not None:
        variant = read_variant(name)
        record = {"id": variant.id, **variant.model_dump()}
        click.echo(json.dumps(record, indent=2) if as_json else _texts(record))
        return
    keys = ("name", "version", "reply", "id")
    records = [{key: getattr(read_variant(v), key) for key in keys} for v in variants()]
    if as_json:
        click.echo(json.dumps(records, indent=2))
        return
    width = max(len(record["name"]) for record in records)
    for record in records:
        click.echo("{name:{width}}  {version:2}  {reply:4}  {id}".format(width=width, **record))


def _texts(record: dict[str, Any]) -> str:
    """A variant as a reader sees it: each text under its part's name."""
    parts = [f"{record['id']}, replies as {record['reply']}"]
    for part, text in record.items():
        if part not in ("id", "name", "version", "reply"):
            parts.append(f"--- {part.replace('_', ' ')} ---\n\n{text.strip()}")
    return "\n\n".join(parts)
