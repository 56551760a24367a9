"""The scripted model: a response for each request, without a socket.

A response depends on the request, the seed, what is configured, and how often this very request
has come before; the last one for faults alone, so that trying again can help.
"""

from __future__ import annotations

import json
import math
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from search_sim.fake_model.body import ChatBody, check, digest_of
from search_sim.fake_model.chat import read_page
from search_sim.fake_model.faults import FAULTS, check_fault, check_shares, draw_fault
from search_sim.fake_model.job import Job, Said
from search_sim.fake_model.refusal import RefusedRequestError
from search_sim.fake_model.registry import JOINT
from search_sim.fake_model.scripts import DEFAULT, LEAK, SCRIPTS
from worldgen.errors import ConfigurationError, UnknownNameError
from worldgen.seeds import child_seed, generator

MODEL = "fake"
"""The name of the model that writes and fails as the server is configured."""
CREATED = 1_893_456_000
"""When every reply was made, in seconds: the start of 2030, so that none needs a clock."""
RETRY_AFTER = 1
"""Seconds that a 429 asks to wait."""
CHARACTERS_A_TOKEN = 4
MOST_REMEMBERED = 100_000
"""Requests of which it is known how often they came; those that came longest ago are forgotten."""

_JSON = "application/json"
_HTML = b"<!doctype html><html><head><title>502</title></head><body>Bad gateway</body></html>"
_WORDS = {
    "429": "too many requests; try again later",
    "500": "the engine died",
    "503": "the model is loading",
}


class Outgoing(NamedTuple):
    """What goes out for one request.

    Attributes:
        body: the body, of which a cut response sends the first half.
        retry_after: seconds, for the header of that name; None for no header.
        delay: seconds to wait before it.
    """

    status: int
    body: bytes
    media_type: str = _JSON
    retry_after: int | None = None
    delay: float = 0.0
    cut: bool = False

    @property
    def headers(self) -> dict[str, str]:
        """The headers that say more than of what type and length the body is."""
        return {} if self.retry_after is None else {"retry-after": str(self.retry_after)}


@dataclass
class FakeModel:
    """A model that writes what a script says.

    Attributes:
        script: what it writes (`search_sim.fake_model.scripts`).
        faults: the share of requests that each fault takes (`search_sim.fake_model.faults`).
        latency: seconds that every response takes.
        truth: what the `leak` script knows: for URLs, true sentences that must not be told.
        late_seconds: what the fault `late` adds to the latency.
        structured: whether it takes `response_format`; if not, it refuses it.
        keep: whether to keep the bodies of all requests.
        outcomes: how many requests met each fault, got a reply (`ok`), or were refused.
        bodies: the requests that were kept, in the order in which they came.
    """

    script: str = DEFAULT
    faults: Mapping[str, float] = field(default_factory=dict)
    latency: float = 0.0
    truth: Mapping[str, Sequence[str]] = field(default_factory=dict, repr=False)
    seed: int = 0
    late_seconds: float = 30.0
    structured: bool = True
    keep: bool = False
    outcomes: Counter[str] = field(default_factory=Counter, init=False)
    bodies: list[dict[str, Any]] = field(default_factory=list, init=False, repr=False)

    def __post_init__(self) -> None:
        """Check the configuration.

        Raises:
            ConfigurationError: a share, a time or the truth can't be used.
            UnknownNameError: there is no such script or fault.
        """
        SCRIPTS.get(self.script)
        check_shares(self.faults)
        if not all(0 <= time < math.inf for time in (self.latency, self.late_seconds)):
            message = "latency and late_seconds are seconds, 0 or more"
            raise ConfigurationError(message)
        if any(isinstance(truths, str) for truths in self.truth.values()):
            message = "a truth is a list of sentences for each URL"
            raise ConfigurationError(message)
        if self.script == LEAK and not self.truth:
            message = "the script leak needs a truth to leak (--truth FILE)"
            raise ConfigurationError(message)
        self._lock = threading.Lock()
        self._seen: OrderedDict[str, int] = OrderedDict()

    @property
    def requests(self) -> int:
        """How many requests there have been."""
        return self.outcomes.total()

    @property
    def models(self) -> tuple[str, ...]:
        """The names under which it can be asked."""
        scripts = [name for name in SCRIPTS if name != LEAK or self.truth]
        pairs = [f"{script}{JOINT}{fault}" for script in scripts for fault in FAULTS]
        return (MODEL, *scripts, *pairs)

    def respond(self, record: dict[str, Any]) -> Outgoing:
        """The response to the JSON object of a chat completion.

        Raises:
            RefusedRequestError: the object is no such request, or asks for what isn't there.
        """
        try:
            body = check(record)
            request = digest_of(record)
            script, fault = self._chosen(body.model)
            self._check_format(body)
        except RefusedRequestError:
            self._count(record, "refused")
            raise
        before = self._came_before(request)
        if fault is None:
            fault = draw_fault(self.faults, self.seed, request, before)
        self._count(record, fault or "ok")
        return self._response(body, _Asked(request, before, script), fault)

    def _chosen(self, model: str) -> tuple[str, str | None]:
        """The script and the fault that a model's name stands for; None leaves the fault open."""
        if model == MODEL:
            return self.script, None
        script, joint, fault = model.partition(JOINT)
        try:
            SCRIPTS.get(script)
            found = check_fault(fault) if joint else None
        except UnknownNameError as error:
            known = UnknownNameError(model, "model", self.models)
            raise RefusedRequestError(str(known), 404, "model_not_found") from error
        if script == LEAK and not self.truth:
            message = "the model leak needs a truth to leak: start the server with --truth FILE"
            raise RefusedRequestError(message, 404, "model_not_found")
        return script, found

    def _check_format(self, body: ChatBody) -> None:
        if body.structured and not self.structured:
            message = "response_format: this server offers no structured output"
            raise RefusedRequestError(message, code="unsupported_parameter")

    def _came_before(self, request: str) -> int:
        with self._lock:
            before = self._seen.pop(request, 0)
            self._seen[request] = before + 1
            if len(self._seen) > MOST_REMEMBERED:
                self._seen.popitem(last=False)
        return before

    def _count(self, record: dict[str, Any], outcome: str) -> None:
        with self._lock:
            self.outcomes[outcome] += 1
            if self.keep:
                self.bodies.append(record)

    def _response(self, body: ChatBody, asked: _Asked, fault: str) -> Outgoing:
        delay = self.latency + (self.late_seconds if fault == "late" else 0)
        if fault in _WORDS:
            return _failed(int(fault), delay)
        if fault == "not-json":
            return Outgoing(200, _HTML, "text/html", delay=delay)
        said = _limited(self._said(body, asked), body.most_tokens)
        if fault == "truncate":
            said = Said(said.text[: len(said.text) // 2], "length")
        reply = self._reply(body, asked, said)
        if fault == "no-choices":
            reply["choices"] = []
        return Outgoing(200, json.dumps(reply).encode(), delay=delay, cut=fault == "cut")

    def _said(self, body: ChatBody, asked: _Asked) -> Said:
        chat = body.chat
        job = Job(
            messages=chat,
            page=read_page(chat, body.structured),
            structured=body.structured,
            thinking=body.thinking,
            truth=self.truth,
            rng=generator(self.seed, "script", asked.script, asked.request),
        )
        return SCRIPTS.get(asked.script)(job)

    def _reply(self, body: ChatBody, asked: _Asked, said: Said) -> dict[str, Any]:
        prompt = sum(tokens(message.content) for message in body.chat)
        completion = tokens(said.text)
        message = {"role": "assistant", "content": said.text}
        return {
            "id": f"chatcmpl-{child_seed(self.seed, asked.request, asked.before):016x}",
            "object": "chat.completion",
            "created": CREATED,
            "model": body.model,
            "choices": [{"index": 0, "message": message, "finish_reason": said.finish}],
            "usage": {
                "prompt_tokens": prompt,
                "completion_tokens": completion,
                "total_tokens": prompt + completion,
            },
        }


class _Asked(NamedTuple):
    """Which request it is: its digest, how often it came before, and the script that replies."""

    request: str
    before: int
    script: str


def tokens(text: str) -> int:
    """How many tokens a text counts for."""
    return math.ceil(len(text) / CHARACTERS_A_TOKEN)


def _limited(said: Said, most: int | None) -> Said:
    if most is None or not said.limited or tokens(said.text) <= most:
        return said
    return Said(said.text[: most * CHARACTERS_A_TOKEN], "length")


def _failed(status: int, delay: float) -> Outgoing:
    error = RefusedRequestError(_WORDS[str(status)], status, "fault")
    pause = RETRY_AFTER if status == 429 else None
    return Outgoing(status, json.dumps(error.body).encode(), retry_after=pause, delay=delay)


def listed(models: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Models as a server lists them."""
    for name in models:
        yield {"id": name, "object": "model", "created": CREATED, "owned_by": "worldgen"}
