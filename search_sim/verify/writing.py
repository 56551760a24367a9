"""Writing a report, for people and for programs."""

from __future__ import annotations

from typing import Any

from search_sim.verify.scores import PUBLISHED, TEMPLATE, AxisScore, Report


def as_record(report: Report) -> dict[str, Any]:
    """The report as plain data, failures counted, beside the published figures."""
    record = report.model_dump(mode="json", exclude={"failures"})
    return {**record, "failures": len(report.failures), "published": dict(PUBLISHED)}


def as_text(report: Report) -> str:
    """The report as a table, with the first failure of each check that didn't hold."""
    lines = [
        f"{report.axes[0].cases} cases in {len(report.worlds)} worlds; renderer: {report.renderer}",
        "",
        *_table(report),
        "",
        "published best: of the best model in the paper (Qwen-AgentWorld, arXiv 2606.24597),",
        "on that paper's own cases.",
        "",
        *_authors(report),
        *_broken(report),
    ]
    return "\n".join(lines)


def _table(report: Report) -> list[str]:
    rows = [("axis", "score", "checks held", "cases passed", "published best")]
    for axis in report.axes:
        held, checked = sum(c.held for c in axis.checks), sum(c.cases for c in axis.checks)
        rows.append(
            (
                axis.axis,
                _shown(axis),
                f"{held} of {checked}",
                f"{axis.passed} of {axis.cases}",
                f"{PUBLISHED[axis.axis]:.1f}",
            )
        )
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    return ["  ".join(_cells(row, widths)).rstrip() for row in rows]


def _cells(row: tuple[str, ...], widths: list[int]) -> list[str]:
    name, *numbers = zip(row, widths, strict=True)
    return [name[0].ljust(name[1]), *(cell.rjust(width) for cell, width in numbers)]


def _shown(axis: AxisScore) -> str:
    """The score with one decimal, which is 100.0 only where it is 100."""
    return f"{axis.score if axis.perfect else min(axis.score, 99.9):.1f}"


def _authors(report: Report) -> list[str]:
    authors = report.authors
    lines = [f"{authors.results} results on {authors.pages} pages"]
    if report.renderer != TEMPLATE:
        counts = {
            "by the model": authors.by_model,
            "  at its first reply": authors.at_first_reply,
            **{f"by the template: {why}": n for why, n in authors.by_template.items()},
        }
        width = max(map(len, counts))
        shares = {what: count / max(authors.results, 1) for what, count in counts.items()}
        lines += [f"  {what:{width}}  {share:6.1%}" for what, share in shares.items()]
        asked = f"the model was asked {authors.attempts} times"
        lines.append(f"{asked}; {authors.faults} faults were found, {authors.alarms} alarms raised")
    if authors.to_state:
        share = authors.stated / authors.to_state
        lines.append(f"{authors.to_state} results had a disclosed fact to state; {share:.1%} do")
    return lines


def _broken(report: Report) -> list[str]:
    """The checks that didn't hold everywhere, each with its first failure."""
    lines = []
    for axis in report.axes:
        for check in axis.checks:
            if check.held == check.cases:
                continue
            found = [f for f in report.failures if (f.axis, f.check) == (axis.axis, check.name)]
            first = found[0]
            lines += [
                "",
                f"FAILED {axis.axis}, {check.name}: held in {check.held} of {check.cases} cases",
                f"       case {first.case}, turn {first.turn}: {first.problem}",
            ]
    return lines
