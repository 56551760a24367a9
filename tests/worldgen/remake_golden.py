"""Writes golden.json anew: the digest of one world of each domain; with `--print`, prints it."""

from __future__ import annotations

import json
import sys
from pathlib import Path

from worldgen.library import domain, domains
from worldgen.populate import populate
from worldgen.publish import publish
from worldgen.worldfile import WorldFile

GOLDEN = Path(__file__).with_name("golden.json")
SEED = 20_290_314


def digests() -> dict[str, str]:
    """The content digests, under an id and a version that no release changes."""
    found = {}
    for name in domains():
        world = populate(domain(name), SEED, f"{name}-golden")
        file = WorldFile(world, publish(world), {"tasks": 0}, "golden")
        found[name] = file.content_digest()
    return found


def main() -> None:
    """Write or print."""
    text = json.dumps(digests(), indent=2) + "\n"
    if "--print" in sys.argv[1:]:
        sys.stdout.write(text)
    else:
        GOLDEN.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
