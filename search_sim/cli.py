"""The command line: `worldgen` and its subcommands, each in a module of `search_sim.commands`.

Commands import what is heavy when they run, so that `--help` stays fast.
"""

from __future__ import annotations

from typing import Any

import click

from search_sim.commands import (
    awb,
    chats,
    demo,
    doctor,
    evaluation,
    lwm,
    service,
    verify,
    worlds,
)
from worldgen.errors import WorldgenError


class _Group(click.Group):
    """Turns what is raised on purpose, and what the system refuses, into one line and code 1."""

    def invoke(self, ctx: click.Context) -> Any:
        """Run a command."""
        try:
            return super().invoke(ctx)
        except WorldgenError as error:
            raise click.ClickException(str(error)) from error
        except OSError as error:
            message = f"{error.filename or 'system'}: {error.strerror or error}"
            raise click.ClickException(message) from error


@click.group(
    cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100}
)
@click.version_option(package_name="worldgen")
def main() -> None:
    """Fictional worlds in which search agents are trained: generate, serve, score."""


for command in (
    *(worlds.domains, worlds.generate, worlds.inspect, worlds.export, worlds.certify),
    *(service.serve, evaluation.evaluate, chats.chats, verify.verify_lwm, lwm.lwm, awb.awb),
    *(demo.demo, doctor.doctor),
):
    main.add_command(command)
