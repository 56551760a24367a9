from __future__ import annotations

import re
import subprocess
import sys
from html.parser import HTMLParser

import pytest

from answers.html_report import Comparison, html_report
from answers.markdown import to_markdown
from answers.table import AnswerColumn, AnswerTable
from answers.trials import SHOWN, Gold, Problem, Trial, evaluate

TABLE = AnswerTable(
    columns=(
        AnswerColumn(name="Port", kind="name", key=True),
        AnswerColumn(name="Depth (m)", kind="number", guarded=True, decimals=1, unit="m"),
    ),
    rows=(("Ossary", 7.2), ("Kell", 12.0), ("Elm", 3.0)),
)
TAGS = {"family": "top", "domain": "island-ferries", "difficulty": "0.45"}
GOLD = {
    task_id: Gold(task_id, f"Which ports of {task_id} are deep?", TABLE, TAGS)
    for task_id in ("task-a", "task-b", "task-c")
}
HEADINGS = ["Port", "Depth (m)"]
RIGHT = to_markdown(HEADINGS, TABLE.rows)
MIXED = to_markdown(HEADINGS, [("Ossary", 7.2), ("Kell", 13), ("Elm", None), ("Oak", 1)])
VOID = {"meta", "br"}


class Page(HTMLParser):
    """Checks that tags are balanced, and keeps elements and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())

    def count(self, tag: str, css: str = "") -> int:
        return sum(
            name == tag and (not css or css in (attributes.get("class") or "").split())
            for name, attributes in self.tags
        )


def page(*trials: Trial | Problem) -> Page:
    return Page(html_report(evaluate(GOLD, trials), GOLD))


def test_the_page_shows_numbers_groups_and_tasks() -> None:
    shown = page(Trial("task-a", RIGHT, 1), Trial("task-b", MIXED, 2), Trial("task-b", RIGHT, 3))
    for words in (
        "3 tasks, 2 answered; 3 trials; 0 answers that could not be read; 0 lines",
        "Row F1 0.821 0.643 to 1.000 best of trials 1.000 over all tasks 0.548",
        "By family Family Item F1 Row F1 Guarded-cell F1 Success Tasks Trials Unreadable top 0.8",
        "By domain Domain Item F1",
        "Which ports of task-b are deep?",
        "Trial 1 line 2 item F1 0.571; row F1 0.286; guarded-cell F1 0.286; not right in full;",
        "Trial 2 line 3 item F1 1.000; row F1 1.000; guarded-cell F1 1.000; right in full;",
        "3 rows wanted, 4 said",
    ):
        assert words in shown.text
    assert shown.count("details", "task") == 2
    assert shown.count("section", "trial") == 3


def test_cells_are_marked_by_colour_and_by_sign_and_word() -> None:
    shown = page(Trial("task-a", MIXED, 1))
    cells = [attributes for tag, attributes in shown.tags if tag == "td" and "title" in attributes]
    marks = [(cell["class"] or "").split()[0] for cell in cells]
    wanted = ["right", "right", "right", "wrong", "right", "missing"]
    assert marks == [*wanted, *wanted, "invented", "invented"]
    assert [re.split(r"\W", cell["title"] or "")[0] for cell in cells] == marks
    signs = [
        attributes["aria-label"]
        for tag, attributes in shown.tags
        if tag == "span" and attributes.get("role") == "img"
    ]
    assert signs == marks
    for sign in "✓✗∅!·":
        assert sign in shown.text


def test_what_could_not_be_scored_is_listed() -> None:
    shown = page(
        Problem(4, "invalid JSON: Expecting value at character 1"),
        Trial("nope", RIGHT, 5),
        Trial("task-a", "I found nothing.", 6),
        Trial("task-a", None, 7),
    )
    assert "line 4: invalid JSON: Expecting value at character 1" in shown.text
    assert "line 5: there is no task 'nope'" in shown.text
    assert "Nothing could be scored: the reply holds no table." in shown.text
    assert "Nothing could be scored: there is no reply." in shown.text
    assert "Tasks without an answer task-b task-c" in shown.text
    assert shown.count("pre") == 1


def test_intervals_stand_beside_means_and_micro_averages_beside_macro() -> None:
    shown = page(Trial("task-a", RIGHT, 1), Trial("task-b", MIXED, 2))
    for words in (
        "Item F1 0.786 0.571 to 1.000",
        "Ranges are 95% confidence intervals over tasks",
        "Item F1 0.786 0.571 to 1.000 0.769 0.571 to 1.000 0.714 0.500 to 1.000 0.833 0.667 to",
        "By difficulty Difficulty",
        "0.4-0.6",
    ):
        assert words in shown.text
    alone = page(Trial("task-a", RIGHT, 1)).text
    assert "Ranges are" not in alone
    assert " to 1.000" not in alone


def test_trials_are_grouped_by_agent_and_pass_at_k_is_told() -> None:
    trials = [
        Trial(task_id, text, tags={"agent": agent})
        for task_id in ("task-a", "task-b")
        for agent, text in (("steady", RIGHT), ("hasty", MIXED))
    ]
    text = page(*trials).text
    assert "By agent Agent Item F1 Row F1 Guarded-cell F1 Success Tasks Trials" in text
    assert "hasty 0.571" in text
    assert "steady 1.000" in text
    assert "One of them right in full (pass@k) Tasks with so many trials 1 0.500" in text
    assert "2 1.000" in text
    tags = [Trial("task-a", RIGHT, tags={"note": f"n{n}"}) for n in range(51)]
    assert "Too many values to group by: note." in page(*tags).text


def test_why_answers_could_not_be_read_is_counted() -> None:
    shown = page(*(Trial("task-a", text) for text in (None, "none", None, RIGHT)))
    assert (
        "Answers that could not be read Why Trials there is no reply 2 the reply holds no table 1"
        in shown.text
    )


def test_plots_have_axes_and_a_text_alternative() -> None:
    shown = page(Trial("task-a", RIGHT, 1), Trial("task-b", MIXED, 2))
    plots = [attributes for tag, attributes in shown.tags if attributes.get("role") == "img"]
    names = [plot["aria-labelledby"] for plot in plots if "aria-labelledby" in plot]
    assert names == ["difficulty-title difficulty-text", "family-title family-text"]
    for words in (
        "F1 against difficulty Means by band of difficulty. 0.4-0.6: all cells 0.786 (0.571 to "
        "1.000), guarded cells 0.643 (0.286 to 1.000).",
        "difficulty of the task",
        "F1 by family Means by family. top: all cells 0.786",
    ):
        assert words in shown.text
    assert shown.count("circle", "dot") == 2 + 1
    assert not any("style" in attributes for tag, attributes in shown.tags if tag == "svg")


def test_without_difficulty_and_family_there_is_no_plot() -> None:
    gold = {"a": Gold("a", "?", TABLE)}
    shown = Page(html_report(evaluate(gold, [Trial("a", RIGHT)]), gold))
    assert shown.count("svg") == 0
    assert "Plots" not in shown.text


def test_lists_of_problems_and_of_tasks_are_cut() -> None:
    gold = {name: Gold(name, "?", TABLE) for name in (f"task-{n}" for n in range(450))}
    problems = [Problem(n, "broken") for n in range(1, 301)]
    shown = Page(html_report(evaluate(gold, problems), gold))
    assert "line 200: broken and 100 more" in shown.text
    assert "task-199 and 250 more" in shown.text
    assert "No trial was scored." in shown.text


def test_lacking_columns_and_rows_read_in_part_are_told() -> None:
    text = "| Port | x |\n|---|---|\n| Ossary | 1 | 2 |\n"
    shown = page(Trial("task-a", text, 1))
    assert "Columns that the answer lacks: Depth (m)." in shown.text
    assert "1 row longer than the headings, read in part." in shown.text


HOSTILE = (
    "</pre></details></main><script>alert(1)</script>\"'><img src=x onerror=alert(1)>{{ 7*7 }}"
)


def test_hostile_content_is_escaped() -> None:
    hostile = to_markdown([HOSTILE, "Port"], [(HOSTILE, HOSTILE), (HOSTILE, "Ossary")])
    gold = {HOSTILE: Gold(HOSTILE, HOSTILE, TABLE, {"family": HOSTILE, "domain": HOSTILE})}
    evaluation = evaluate(
        {**GOLD, **gold},
        [
            Trial(HOSTILE, hostile, 1, {"agent": HOSTILE}),
            Trial(HOSTILE, HOSTILE, 2),
            Trial(HOSTILE + "!", "", 3),
            Problem(4, HOSTILE),
        ],
    )
    text = html_report(
        evaluation,
        {**GOLD, **gold},
        title=HOSTILE,
        facts={HOSTILE: HOSTILE},
        comparison=Comparison([HOSTILE], [[HOSTILE]], HOSTILE),
    )
    shown = Page(text)
    assert not {"script", "img"} & {tag for tag, _ in shown.tags}
    assert not any(name.startswith("on") for _, attributes in shown.tags for name in attributes)
    assert "{{ 7*7 }}" in shown.text
    assert "<script>alert(1)</script>" in shown.text


def test_a_megabyte_in_a_cell_is_cut() -> None:
    text = to_markdown(HEADINGS, [("W" * 1_000_000, 1)]) + "x" * 1_000_000
    report = html_report(evaluate(GOLD, [Trial("task-a", text, 1)]), GOLD)
    assert len(report) < 60_000
    assert "The first 8,000 of 2,000," in Page(report).text


def test_unprintable_characters_are_shown_as_such() -> None:
    text = to_markdown(HEADINGS, [("a\x00b\ud800\x1b[31m", 1)])
    report = html_report(evaluate(GOLD, [Trial("task-a", text, 1)]), GOLD)
    assert "a\ufffdb" in report
    assert not re.search(r"[\x00\x1b]", report)
    assert report.encode()


def test_the_first_trials_are_shown_and_it_says_so() -> None:
    shown = page(*(Trial("task-a", RIGHT, line) for line in range(1, SHOWN + 2)))
    assert shown.count("section", "trial") == SHOWN
    assert "The first 200 of 201 trials are shown." in shown.text
    assert "trials are shown" not in page(Trial("task-a", RIGHT, 1)).text


def test_the_page_needs_nothing_from_outside_and_no_script() -> None:
    report = html_report(evaluate(GOLD, [Trial("task-a", MIXED, 1)]), GOLD)
    shown = Page(report)
    assert {tag for tag, _ in shown.tags}.isdisjoint({"script", "link", "img", "iframe", "base"})
    assert not any({"src", "href"} & set(attributes) for _, attributes in shown.tags)
    assert "url(" not in report
    assert "@import" not in report
    policy = next(a for tag, a in shown.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'"
    assert "prefers-color-scheme: dark" in report


def test_the_comparison_and_facts_are_the_callers() -> None:
    evaluation = evaluate(GOLD, [Trial("task-a", RIGHT)])
    comparison = Comparison(["Agent", "Item F1"], [["explorer", "1.000"]], "Agents by policy")
    report = html_report(
        evaluation, GOLD, title="Demo", facts={"Tasks": "worlds"}, comparison=comparison
    )
    text = Page(report).text
    assert text.startswith("Demo Demo Tasks worlds")
    assert "Agents by policy Agent Item F1 explorer 1.000" in text
    assert "line 0" not in text


def test_measures_that_no_answer_has_are_not_shown() -> None:
    table = AnswerTable(columns=TABLE.columns[:1], rows=(("Ossary",),))
    gold = {"a": Gold("a", "?", table)}
    evaluation = evaluate(gold, [Trial("a", to_markdown(["Port"], table.rows))])
    text = Page(html_report(evaluation, gold)).text
    assert "uarded" not in text
    assert "best of trials" not in text
    assert "(none)" in text


@pytest.mark.parametrize("hash_seed", ["0", "1"])
def test_the_page_is_the_same_on_every_run(hash_seed: str) -> None:
    script = (
        "import sys\n"
        "from test_html_report import GOLD, MIXED\n"
        "from answers.html_report import html_report\n"
        "from answers.trials import Trial, evaluate\n"
        "assert 'jinja2' not in sys.modules\n"
        "sys.stdout.write(html_report(evaluate(GOLD, [Trial('task-a', MIXED, 1)]), GOLD))\n"
    )
    run = subprocess.run(
        [sys.executable, "-c", script],
        check=True,
        capture_output=True,
        cwd=__file__.rpartition("/")[0],
        env={"PYTHONHASHSEED": hash_seed, "PYTHONIOENCODING": "utf-8"},
    )
    assert run.stdout.decode() == html_report(evaluate(GOLD, [Trial("task-a", MIXED, 1)]), GOLD)
