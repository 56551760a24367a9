"""The template says what it was given: neither the auditor nor the alarm may find anything."""

from __future__ import annotations

from itertools import count

import pytest
from audit_support import Opened

from search_sim.audit import reading
from search_sim.audit.auditor import audit


def test_every_template_snippet_traces(opened: Opened) -> None:
    for result in opened.results():
        assert audit(result.snippet, result.given, opened.vocabulary) == (), result.snippet


def test_every_template_snippet_that_discloses_traces(opened: Opened) -> None:
    told = 0
    for result, claim in opened.disclosures(0.3):
        assert audit(result.snippet, result.given, opened.vocabulary) == (), result.snippet
        told += str(claim.value) in result.snippet
    assert told


def test_template_snippets_trace_by_the_rules_for_new_sentences_too(
    opened: Opened, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = count()
    monkeypatch.setattr(reading, "exact", lambda tokens: f"sentence {next(numbers)}")
    for result in opened.results(share=0.4):
        assert audit(result.snippet, result.given, opened.vocabulary) == (), result.snippet


def test_the_alarm_is_silent_on_every_template_snippet(opened: Opened) -> None:
    for result in opened.results():
        assert opened.alarm.count(result.page.url, result.snippet, result.shown) == 0


def test_the_alarm_is_silent_on_what_was_disclosed(opened: Opened) -> None:
    for result, _ in opened.disclosures(0.3):
        assert opened.alarm.count(result.page.url, result.snippet, result.shown) == 0
