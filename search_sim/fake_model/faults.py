"""Faults: how the transport fails, each on its share of the requests."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from worldgen.errors import ConfigurationError, UnknownNameError
from worldgen.seeds import generator

FAULTS = ("late", "429", "500", "503", "cut", "truncate", "not-json", "no-choices")
"""late: the reply comes after `late_seconds`. 429, 500, 503: the server says so. cut: the
connection closes in the middle of the body. truncate: half of the text, with the finish reason
`length`. not-json: a page of HTML. no-choices: a reply without one."""

_ROUNDING = 1e-9


def check_fault(name: str) -> str:
    """The name of a fault.

    Raises:
        UnknownNameError: there is none of that name.
    """
    if name not in FAULTS:
        raise UnknownNameError(name, "fault", FAULTS)
    return name


def check_shares(shares: Mapping[str, float]) -> None:
    """Check that each share is one, and that there is room for all of them.

    Raises:
        ConfigurationError: a share is not between 0 and 1, or all together are more than 1.
        UnknownNameError: there is no fault of a name.
    """
    for name, share in shares.items():
        check_fault(name)
        if not 0 <= share <= 1:
            message = f"the share of the fault {name} is {share:g}, not between 0 and 1"
            raise ConfigurationError(message)
    total = math.fsum(shares.values())
    if total > 1 + _ROUNDING:
        message = f"the shares of the faults add up to {total:g}, more than 1"
        raise ConfigurationError(message)


def parse_shares(texts: Sequence[str]) -> dict[str, float]:
    """Shares as the command line has them: `late=0.1`.

    Raises:
        ConfigurationError: one is written otherwise, or stands there twice.
    """
    shares: dict[str, float] = {}
    for text in texts:
        name, _, share = text.partition("=")
        try:
            number = float(share)
        except ValueError as error:
            message = f"a fault is written NAME=SHARE, for example late=0.1, not {text!r}"
            raise ConfigurationError(message) from error
        if name in shares:
            message = f"the fault {name} stands there twice"
            raise ConfigurationError(message)
        shares[name] = number
    return shares


def draw_fault(shares: Mapping[str, float], seed: int, request: str, before: int) -> str:
    """The fault of one request; empty for none.

    Args:
        shares: the share of each fault.
        seed: the server's.
        request: the request's digest.
        before: how often this request has come before.
    """
    left = generator(seed, "fault", request, before).random()
    for name in FAULTS:
        left -= shares.get(name, 0)
        if left < 0:
            return name
    return ""
