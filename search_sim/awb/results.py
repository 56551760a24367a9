"""What became of rows, and the files that hold it: JSON lines, appended as rows finish.

The last line of a row counts. A line that a kill cut short is dropped when the file is opened
again, and so its row is done again.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Generic, Self, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from answers.answers_file import parse_object
from search_sim.awb.rows import Key
from worldgen.canonical import canonical_json, digest
from worldgen.errors import ConfigurationError


class Result(BaseModel):
    """What asking a model about a row gave.

    Attributes:
        task, id, turn_idx: the row.
        failure: why there is nothing, in a word or two to count by; None if there is something.
        message: the failure in a line.
        tries: how often the model was asked, over all runs.
        prompt_tokens, completion_tokens: of the replies that came in the last run, summed.
        reply: the model's last words, whole.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    task: str
    id: int | str
    turn_idx: int
    failure: str | None = None
    message: str = ""
    tries: int = 1
    prompt_tokens: int = 0
    completion_tokens: int = 0
    reply: str = ""

    @property
    def key(self) -> Key:
        """The row's key."""
        return self.task, self.id, self.turn_idx

    def line(self) -> str:
        """The result as a line of JSON."""
        return canonical_json(self.model_dump(mode="json")) + "\n"


class Prediction(Result):
    """What a model under test expects.

    Attributes:
        prediction: the observation, out of the reply.
        finish: why the reply stopped.
    """

    prediction: str = ""
    finish: str = ""

    def digest(self) -> str:
        """What a judgement names the prediction by."""
        return digest(self.prediction, 16)


class Judgement(Result):
    """What a judge says of a prediction.

    Attributes:
        prediction_digest: the prediction.
        scores: by dimension, from 1 to 5; none after a failure.
        strengths, weaknesses: in the judge's words.
    """

    prediction_digest: str
    scores: dict[str, int] = {}
    strengths: tuple[str, ...] = ()
    weaknesses: tuple[str, ...] = ()


Made = TypeVar("Made", bound=Result)


class Journal(Generic[Made]):
    """A file of results that is being added to.

    Attributes:
        found: the last result of each row.
    """

    def __init__(self, path: Path, kind: type[Made]) -> None:
        """Open a file, made if there is none, and read what it holds.

        Raises:
            ConfigurationError: a line of it is none of ours.
        """
        self.found = read_results(path, kind)
        self._path = path
        self._file = path.open("ab")
        self._file.truncate(_whole_lines(path))

    def __enter__(self) -> Self:
        """Nothing more; leaving closes the file."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self._file.close()

    def add(self, made: Made) -> None:
        """Append a result, so that killing the process right after loses nothing."""
        self._file.write(made.line().encode())
        self._file.flush()
        self.found[made.key] = made

    def settle(self, order: Iterable[Key]) -> list[Made]:
        """Write the file again, a line a row in the order of the rows; then it can't be added to.

        Returns:
            The results in that order; rows without one are left out.
        """
        self._file.close()
        made = [self.found[key] for key in order if key in self.found]
        temporary = self._path.with_name(f".{self._path.name}.tmp")
        temporary.write_bytes("".join(one.line() for one in made).encode())
        temporary.replace(self._path)
        return made


def read_results(path: Path, kind: type[Made]) -> dict[Key, Made]:
    """The last result of each row in a file, if there is one.

    Raises:
        ConfigurationError: a line of it is none of ours.
    """
    whole = path.read_bytes()[: _whole_lines(path)] if path.exists() else b""
    found: dict[Key, Made] = {}
    for number, line in enumerate(whole.split(b"\n")[:-1], 1):
        made = _read(line, kind, f"{path}, line {number}")
        found[made.key] = made
    return found


def _whole_lines(path: Path) -> int:
    """The length in bytes of a file's lines that have their end."""
    return path.read_bytes().rfind(b"\n") + 1


def _read(line: bytes, kind: type[Made], where: str) -> Made:
    try:
        return kind.model_validate(parse_object(line))
    except ValidationError as error:
        first: dict[str, Any] = dict(error.errors()[0])
        message = f"{where}: {'.'.join(map(str, first['loc']))}: {first['msg']}"
        raise ConfigurationError(message) from error
    except ValueError as error:
        message = f"{where}: {error}"
        raise ConfigurationError(message) from error
