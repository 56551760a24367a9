"""What a judge is told: our own texts, or a folder laid out as the benchmark's repository is.

Our texts stand in `judge_prompts.toml`. A folder brings the system messages alone
(`FOLDER/{domain}/judge_system_prompt.txt`); how the material is laid out and the answer asked for
stays ours.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict

from search_sim.awb.rows import DOMAINS, Row, bare
from worldgen.canonical import digest
from worldgen.errors import ConfigurationError
from worldgen.lm.records import Message

FILE = "judge_system_prompt.txt"

_OURS = "judge_prompts.toml"


class _Message(BaseModel):
    """The parts of a judge's user message: headings, and what to do."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    history: str
    no_history: str
    action: str
    prediction: str
    reference: str
    task: str


class _Texts(BaseModel):
    """What our file holds."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    name: str
    version: int
    rubric: str
    message: _Message
    domains: dict[str, str]


@dataclass(frozen=True)
class JudgePrompts:
    """The texts that a judge gets, under a name and a version.

    Attributes:
        name, version: of the system messages.
        message: the name and version of the user message.
        systems: the system message of each domain.
    """

    name: str
    version: str
    message: str
    systems: Mapping[str, str]

    def configuration(self) -> dict[str, Any]:
        """What judgements depend on."""
        return {
            "judge_prompts": f"{self.name} {self.version}",
            "judge_message": self.message,
            "judge_prompts_digest": digest(dict(self.systems), 16),
        }

    def messages(self, row: Row, prediction: str) -> tuple[Message, ...]:
        """What a judge is asked about a prediction."""
        said = _user_message(row, prediction)
        return Message("system", self.systems[row.domain]), Message("user", said)


def our_prompts() -> JudgePrompts:
    """The texts that come with worldgen."""
    texts = _texts()
    systems = {
        domain: f"{texts.rubric.strip()}\n\n{texts.domains[domain].strip()}" for domain in DOMAINS
    }
    version = str(texts.version)
    return JudgePrompts(texts.name, version, f"{texts.name} {version}", systems)


def prompts_from(folder: Path, domains: Iterable[str]) -> JudgePrompts:
    """The texts of a folder with a file for each of some domains; the version is their digest.

    Raises:
        ConfigurationError: there is no such folder, or no text for one of the domains.
    """
    if not folder.is_dir():
        message = f"no such folder: {folder}"
        raise ConfigurationError(message)
    systems = {domain: _read(folder / domain / FILE) for domain in sorted(domains)}
    name, version = folder.resolve().name, digest(systems, 6)
    return replace(our_prompts(), name=name, version=version, systems=systems)


@cache
def _texts() -> _Texts:
    text = files("search_sim.awb").joinpath(_OURS).read_text(encoding="utf-8")
    return _Texts.model_validate(tomllib.loads(text))


def _read(path: Path) -> str:
    try:
        text = path.read_text(encoding="utf-8").strip()
    except FileNotFoundError as error:
        message = f"no such file: {path}; a folder of judge prompts has one for each domain"
        raise ConfigurationError(message) from error
    except UnicodeDecodeError as error:
        message = f"{path} is no UTF-8 text"
        raise ConfigurationError(message) from error
    if not text:
        message = f"{path} is empty"
        raise ConfigurationError(message)
    return text


def _user_message(row: Row, prediction: str) -> str:
    headings = _texts().message
    # No text can hold its own digest: a prediction can't end its part and go on as the judge's.
    seal = digest([row.history, row.action, prediction, row.reference], 4)
    turns = [
        part
        for number, (action, observation) in enumerate(row.history, 1)
        for part in (
            _between(f"turn {number}, action", seal, action),
            _between(f"turn {number}, observation", seal, bare(observation)),
        )
    ]
    parts = [
        *((headings.history, *turns) if turns else (headings.no_history,)),
        *(headings.action, _between("latest action", seal, row.action)),
        *(headings.prediction, _between("prediction", seal, bare(prediction))),
        *(headings.reference, _between("reference", seal, bare(row.reference))),
        headings.task.strip(),
    ]
    return "\n\n".join(parts)


def _between(name: str, seal: str, text: str) -> str:
    return f"[{name} {seal} begins]\n{text}\n[{name} {seal} ends]"
