"""The commands that run AgentWorldBench: infer, judge, score."""

from __future__ import annotations

import json
import sys
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click

from search_sim.commands.common import PATH, SEEDS, JsonObject, progress

if TYPE_CHECKING:
    from search_sim.awb.asking import Calls
    from search_sim.awb.report import Report
    from search_sim.awb.results import Made
    from search_sim.awb.serving import Server
    from worldgen.lm.model import LanguageModel
    from worldgen.lm.records import Sampling

Command = TypeVar("Command", bound=Callable[..., None])

_INTERRUPTED = 130
"""The exit status of what a Ctrl-C ended."""


@click.group()
def awb() -> None:
    """AgentWorldBench: how well a model foretells what an environment shows next.

    `infer` asks the model, `judge` has another one grade its predictions, `score` makes the
    numbers. All three work on one folder; `infer` and `judge` go on where they were stopped.
    """


_ASKING = (
    click.option("--url", default="", help="An OpenAI-compatible server, with or without /v1."),
    click.option("--model", default="", help="Its model; the only one if left out."),
    click.option(
        "--vllm", default="", metavar="PATH", help="Load this model with vLLM, instead of --url."
    ),
    click.option(
        "--vllm-options",
        type=JsonObject(),
        default="{}",
        help="What vLLM loads it with, such as '{\"tensor_parallel_size\": 4}'.",
    ),
    click.option(
        "--concurrency",
        default=32,
        show_default=True,
        type=click.IntRange(min=1),
        help="Rows in flight at a time.",
    ),
    click.option(
        "--timeout",
        default=600.0,
        show_default=True,
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds that a reply may take.",
    ),
    click.option("--cache", type=PATH, help="A file that keeps replies; none is asked for twice."),
    click.option(
        "--temperature",
        default=0.6,
        show_default=True,
        type=click.FloatRange(min=0),
        help="How freely replies are drawn; 0: always the likeliest token.",
    ),
    click.option(
        "--seed", default=0, show_default=True, type=SEEDS, help="What replies are drawn with."
    ),
)


def _asking(command: Command) -> Command:
    """Give a command the options of those that ask a model."""
    for option in reversed(_ASKING):
        command = option(command)
    return command


@awb.command()
@click.argument("data", type=PATH)
@click.option("--out", required=True, type=PATH, help="The folder of the run.")
@click.option(
    "--domain", "domains", multiple=True, help="A domain; repeat for several. All if left out."
)
@click.option("--limit", type=click.IntRange(min=1), help="The first so many rows of each domain.")
@click.option(
    "--key",
    envvar="WORLDGEN_LWM_KEY",
    show_envvar=True,
    default="",
    help="The server's key, if it has one.",
)
@click.option(
    "--top-p",
    default=0.95,
    show_default=True,
    type=click.FloatRange(0, 1, min_open=True),
    help="Draw from the likeliest tokens that make up this share.",
)
@click.option(
    "--top-k",
    default=20,
    show_default=True,
    type=click.IntRange(min=0),
    help="Draw from so many of the likeliest tokens; 0: not sent.",
)
@click.option(
    "--max-tokens",
    default=32_768,
    show_default=True,
    type=click.IntRange(min=0),
    help="Tokens of a reply at most, thinking included; 0: not sent.",
)
@_asking
def infer(
    data: Path,
    out: Path,
    domains: tuple[str, ...],
    limit: int | None,
    top_p: float,
    top_k: int,
    max_tokens: int,
    **asked: Any,
) -> None:
    """Ask a model for predictions.

    DATA is the folder of the benchmark's *_test.jsonl files.
    """
    from search_sim.awb.infer import infer as run
    from search_sim.awb.rows import choose, read_bench
    from worldgen.lm.records import Sampling

    server = _server(asked)
    bench = choose(read_bench(data), tuple(dict.fromkeys(domains)), limit)
    for problem in bench.problems:
        file = data / problem.source
        click.echo(f"Left out: {file}, line {problem.line}: {problem.message}", err=True)
    sampling = Sampling(asked["temperature"], top_p, top_k or None, max_tokens or None)
    calls = _calls(asked, sampling)
    made = _run(server, len(bench.rows), lambda model, done: run(bench, out, model, calls, done))
    click.echo(_told(made, "predictions", out))
    _need_one(made)


@awb.command()
@click.argument("folder", type=PATH)
@click.option(
    "--key",
    envvar="WORLDGEN_JUDGE_KEY",
    show_envvar=True,
    default="",
    help="The server's key, if it has one.",
)
@click.option(
    "--judge-prompts",
    type=PATH,
    help="A folder with DOMAIN/judge_system_prompt.txt, instead of our own texts.",
)
@click.option(
    "--max-tokens",
    default=0,
    show_default=True,
    type=click.IntRange(min=0),
    help="Tokens of a reply at most, thinking included; 0: not sent.",
)
@_asking
def judge(folder: Path, judge_prompts: Path | None, max_tokens: int, **asked: Any) -> None:
    """Have a judge grade predictions.

    FOLDER is what `infer` was given as --out. Each prediction is held against what really came.
    """
    from dataclasses import replace

    from search_sim.awb.judge_prompts import our_prompts, prompts_from
    from search_sim.awb.judging import SAMPLING, predictions_of
    from search_sim.awb.judging import judge as run
    from search_sim.awb.runs import read_config

    server = _server(asked)
    domains = read_config(folder)["infer"]["domains"]
    prompts = prompts_from(judge_prompts, domains) if judge_prompts else our_prompts()
    total = len(predictions_of(folder))
    sampling = replace(SAMPLING, temperature=asked["temperature"], max_tokens=max_tokens or None)
    calls = _calls(asked, sampling)
    made = _run(server, total, lambda model, done: run(folder, model, prompts, calls, done))
    click.echo(_told(made, "judgements", folder))
    _need_one(made)


@awb.command()
@click.argument("folder", type=PATH)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def score(folder: Path, as_json: bool) -> None:
    """Make numbers and a report.

    FOLDER holds a run that was judged; scores.json and report.md are written into it.
    """
    from search_sim.awb.report import REPORT, SCORES
    from search_sim.awb.report import report as run

    found = run(folder)
    if as_json:
        click.echo(json.dumps(found.record(), indent=2, ensure_ascii=False))
        return
    _show(found)
    click.echo(f"{SCORES} and {REPORT} are in {folder}.")


def _server(asked: dict[str, Any]) -> Server:
    from search_sim.awb.serving import Server, check

    names = ("url", "model", "key", "vllm", "vllm_options", "concurrency", "cache")
    server = Server(**{name: asked[name] for name in names})
    check(server)
    return server


def _calls(asked: dict[str, Any], sampling: Sampling) -> Calls:
    from search_sim.awb.asking import Calls

    return Calls(sampling, asked["seed"], asked["concurrency"], asked["timeout"])


def _run(
    server: Server,
    total: int,
    work: Callable[[LanguageModel, Callable[[Made], None]], Awaitable[list[Made]]],
) -> list[Made]:
    """Do a step with a progress bar; a Ctrl-C leaves what is done so far."""
    import asyncio

    from search_sim.awb.serving import opened

    async def step() -> list[Made]:
        async with opened(server) as model:
            return await work(model, lambda _: bars.advance(bar))

    with progress() as bars:
        bar = bars.add_task("rows", total=total)
        try:
            return asyncio.run(step())
        except KeyboardInterrupt:
            bars.stop()
            click.echo("Stopped; the same command goes on from here.", err=True)
            sys.exit(_INTERRUPTED)


def _told(made: Sequence[Made], what: str, folder: Path) -> str:
    """What became of rows, in a line or two."""
    from collections import Counter

    failures = Counter(sorted(one.failure for one in made if one.failure is not None))
    good = f"{len(made) - failures.total()} {what} in {folder}"
    if not failures:
        return good
    reasons = ", ".join(f"{reason} ({count})" for reason, count in failures.most_common())
    return f"{good}; failed: {reasons}\nThe same command tries what failed again."


def _need_one(made: Sequence[Made]) -> None:
    """Exit with 1 if every row failed."""
    if all(one.failure is not None for one in made):
        click.echo(f"The last failure: {made[-1].message}", err=True)
        sys.exit(1)


def _show(found: Report) -> None:
    from rich.box import SIMPLE
    from rich.console import Console
    from rich.table import Table

    from search_sim.awb.report import HEADINGS

    console = Console()
    for title, rows in found.tables().items():
        table = Table(title=title, box=SIMPLE, padding=(0, 1, 0, 0), pad_edge=False)
        for place, heading in enumerate(HEADINGS):
            table.add_column(heading, justify="right" if place else "left", no_wrap=True)
        for place, row in enumerate(rows, 1):
            table.add_row(*row, end_section=place == len(rows) - 2)
        console.print(table)
    for name, words in found.facts().items():
        click.echo(f"{name}: {words}")
