"""Masking: what remains of a statement when guarded facts are withheld.

A guarded claim's span becomes its placeholder. A statement goes whole where what is guarded can't
be cut out: a claim that spans all of it, or a guarded fact that its writer read outside the spans.
Masking looks at column roles alone, so a mask is the same for every row and every task.
"""

from __future__ import annotations

from collections.abc import Collection

from worldgen.facts import Fact
from worldgen.pages import Claim, Statement
from worldgen.roles import Roles


def reveal(statement: Statement, roles: Roles, disclosed: Collection[Fact] = ()) -> str | None:
    """The statement's text with every guarded claim withheld but those in `disclosed`.

    Returns:
        The text, or None where the statement is dropped whole.
    """
    if roles.any_guarded(statement.depends_on):
        return None
    parts, at = [], 0
    for claim in statement.claims:
        if not _withheld(claim, roles, disclosed):
            continue
        if statement.spans_all(claim):
            return None
        parts += [statement.text[at : claim.start], claim.placeholder]
        at = claim.end
    return "".join((*parts, statement.text[at:]))


def mask(statement: Statement, roles: Roles) -> str | None:
    """The statement as search may show it before anything is disclosed."""
    return reveal(statement, roles)


def _withheld(claim: Claim, roles: Roles, disclosed: Collection[Fact]) -> bool:
    return claim.fact not in disclosed and (
        roles.guarded(claim.fact) or roles.any_guarded(claim.depends_on)
    )
