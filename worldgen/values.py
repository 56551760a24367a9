"""Value models: how the cells of a column are drawn, as data of a blueprint.

`worldgen.populate` draws them. A path names another column that a model reads: `column` of the
same row, or `reference.column` of the row that a reference points to.
"""

from __future__ import annotations

import datetime as dt
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field

Path = str


class _Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", allow_inf_nan=False)

    def reads(self) -> tuple[Path, ...]:
        """The paths of the columns that the model reads."""
        return ()


class Factor(_Model):
    """What a number is multiplied by.

    With `by`, the factor of the category that stands at the path; with `power`, the number at
    the path over `base`, to that power. "Prices fit their class" is the first, "longer ships
    carry more" the second.
    """

    path: Path
    by: dict[str, float] = {}
    power: float = 0.0
    base: float = 1.0


class Choice(_Model):
    """One of several texts, by weight."""

    model: Literal["choice"]
    options: dict[str, float]


class Lognormal(_Model):
    """A positive number around a median: `sigma` is the standard deviation of its logarithm.

    The result is cut to `[low, high]` and rounded to a multiple of `step`.
    """

    model: Literal["lognormal"]
    median: float
    sigma: float
    low: float
    high: float
    step: float = 1
    times: tuple[Factor, ...] = ()

    def reads(self) -> tuple[Path, ...]:
        """The paths of its factors."""
        return tuple(factor.path for factor in self.times)


class Trend(_Model):
    """A yearly series that bends slowly: a lognormal start, then growth that drifts.

    Each year grows by a rate that keeps `memory` of the last year's and adds normal noise of
    standard deviation `wobble` around `growth`.
    """

    model: Literal["trend"]
    start: Lognormal
    growth: float = 0.02
    wobble: float = 0.04
    memory: float = 0.6

    def reads(self) -> tuple[Path, ...]:
        """The paths that the start reads."""
        return self.start.reads()


class DateBetween(_Model):
    """A day between two days, both included."""

    model: Literal["date_between"]
    first: dt.date
    last: dt.date


class DateAfter(_Model):
    """A day that follows the latest of other dates by some days, and `last` at the latest."""

    model: Literal["date_after"]
    after: tuple[Path, ...]
    days: tuple[int, int]
    last: dt.date

    def reads(self) -> tuple[Path, ...]:
        """The paths of the dates that it follows."""
        return self.after


class Rank(_Model):
    """1 for the highest number in column `of`, within the rows that agree in `within`."""

    model: Literal["rank"]
    of: str
    within: str | None = None

    def reads(self) -> tuple[Path, ...]:
        """The column that is ranked, and the grouping one."""
        return (self.of,) if self.within is None else (self.of, self.within)


class Share(_Model):
    """Whole percentages that sum to 100 over the rows that agree in `within`."""

    model: Literal["share"]
    within: str

    def reads(self) -> tuple[Path, ...]:
        """The grouping column."""
        return (self.within,)


class Reference(_Model):
    """A row of the table that the column points to; `skew` 0 is uniform, 1 strongly uneven."""

    model: Literal["reference"]
    skew: float = 0.3


class Person(_Model):
    """An invented person's name: a common given name, an invented family name."""

    model: Literal["person"]


ValueModel = Annotated[
    Choice | Lognormal | Trend | DateBetween | DateAfter | Rank | Share | Reference | Person,
    Field(discriminator="model"),
]
