"""The command that checks an installation."""

from __future__ import annotations

import sys

import click


@click.command()
def doctor() -> None:
    """Check this installation; exit with 1 if something is wrong."""
    from search_sim.doctor import examine

    findings = examine()
    width = max(len(finding.what) for finding in findings)
    for finding in findings:
        mark = "ok   " if finding.good else "WRONG"
        click.echo(f"{mark}  {finding.what:{width}}  {finding.found}")
        if not finding.good:
            click.echo(f"       {'':{width}}  {finding.advice}")
    if not all(finding.good for finding in findings):
        sys.exit(1)
