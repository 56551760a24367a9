"""The options that say who writes result pages, shared by the commands that render them."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click

from search_sim.commands.common import PATH, JsonObject
from worldgen.errors import ConfigurationError, UnknownNameError

if TYPE_CHECKING:
    from search_sim.render import Renderer

RENDERERS = ("template", "lwm")
_PREFIX = "lwm_"

Command = TypeVar("Command", bound=Callable[..., Any])

_OPTIONS = (
    click.option(
        "--renderer",
        default="template",
        show_default=True,
        help="Who writes result pages: template, or lwm, a language world model.",
    ),
    click.option(
        "--lwm-url", envvar="WORLDGEN_LWM_URL", help="The model's OpenAI-compatible server."
    ),
    click.option("--lwm-vllm", help="Load this model with vLLM in this process, without a server."),
    click.option(
        "--lwm-vllm-options",
        type=JsonObject(),
        default="{}",
        help="What vLLM loads it with, such as '{\"tensor_parallel_size\": 4}'.",
    ),
    click.option("--lwm-model", help="Its name there; the only one that is served if left out."),
    click.option("--lwm-key", envvar="WORLDGEN_LWM_KEY", help="The server's key, if it has one."),
    click.option(
        "--lwm-deadline",
        default=20.0,
        show_default=True,
        type=click.FloatRange(min=0, min_open=True),
        help="Seconds that a search may take, before the template stands in.",
    ),
    click.option(
        "--lwm-prompt",
        default="search",
        show_default=True,
        help="A prompt variant (see `worldgen lwm prompts`), or a TOML file.",
    ),
    click.option(
        "--lwm-temperature",
        default=0.6,
        show_default=True,
        type=click.FloatRange(min=0),
        help="How freely replies are drawn; 0: always the likeliest token.",
    ),
    click.option(
        "--lwm-max-tokens",
        default=32_768,
        show_default=True,
        type=click.IntRange(min=1),
        help="Tokens of a reply, thinking included.",
    ),
    click.option(
        "--lwm-thinking/--no-lwm-thinking",
        default=None,
        help="Whether a model that can think first shall; left to the server if left out.",
    ),
    click.option(
        "--lwm-history",
        default=16_000,
        show_default=True,
        type=click.IntRange(min=0),
        help="Tokens of past turns in a prompt, estimated; whole turns are left out, oldest first.",
    ),
    click.option(
        "--lwm-concurrency",
        default=64,
        show_default=True,
        type=click.IntRange(min=1),
        help="Requests to the model at a time.",
    ),
    click.option("--lwm-cache", type=PATH, help="A file that keeps replies, by request."),
)


def renderer_options(command: Command) -> Command:
    """Give a command these options; it gets the renderer that they describe as `renderer`."""

    @wraps(command)
    def with_renderer(renderer: str, **options: Any) -> Any:
        lwm = {n.removeprefix(_PREFIX): v for n, v in options.items() if n.startswith(_PREFIX)}
        rest = {n: v for n, v in options.items() if not n.startswith(_PREFIX)}
        made = make_renderer(renderer, lwm)
        try:
            return command(renderer=made, **rest)
        finally:
            made.close()

    found: Any = with_renderer
    for option in reversed(_OPTIONS):
        found = option(found)
    return found  # type: ignore[no-any-return]


def make_renderer(name: str, lwm: dict[str, Any]) -> Renderer:
    """The renderer of that name.

    Args:
        name: `template` or `lwm`.
        lwm: the options of a language world model, without their prefix.

    Raises:
        ConfigurationError: the model can't be asked for its name, or an option can't be used.
        UnknownNameError: there is no such renderer or prompt variant.
    """
    if name not in RENDERERS:
        raise UnknownNameError(name, "renderer", RENDERERS)
    if name == "lwm":
        return _model_renderer(lwm)
    from search_sim.render import TemplateRenderer

    return TemplateRenderer()


def _model_renderer(lwm: dict[str, Any]) -> Renderer:
    from search_sim.lwm.renderer import ModelRenderer, Settings
    from search_sim.prompts.variant import read_variant
    from worldgen.lm.background import background
    from worldgen.lm.connect import Connection, connect, served_model
    from worldgen.lm.in_process import VllmModel
    from worldgen.lm.records import Sampling

    url, key = lwm["url"] or "", lwm["key"] or ""
    if bool(url) == bool(lwm["vllm"]):
        message = "--renderer lwm needs --lwm-url, the model's server, or else --lwm-vllm"
        raise ConfigurationError(message)
    variant = read_variant(lwm["prompt"])
    transport = VllmModel(lwm["vllm"], **lwm["vllm_options"]) if lwm["vllm"] else None
    connection = Connection(
        url=url,
        model=lwm["model"] or lwm["vllm"] or background().run(served_model(url, key)),
        key=key,
        concurrency=lwm["concurrency"],
        cache=lwm["cache"],
    )
    settings = Settings(
        variant=variant,
        sampling=Sampling(
            temperature=lwm["temperature"],
            max_tokens=lwm["max_tokens"],
            thinking=lwm["thinking"],
        ),
        deadline=lwm["deadline"],
        history_tokens=lwm["history"],
    )
    return ModelRenderer(connect(connection, transport), settings)
