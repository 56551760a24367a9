from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from support import make_case

from answers.markdown import to_markdown
from answers.trials import Gold, Options, ScoredTrial
from search_sim.evaluate import (
    EXPLANATIONS,
    REPORT,
    SCORES,
    SUMMARY,
    checked_mode,
    evaluate_files,
    load_gold,
)
from search_sim.folder import export
from search_sim.prompts.prompt import parts_of
from search_sim.prompts.variant import read_variant
from search_sim.trajectory import Trajectory
from worldgen.errors import ConfigurationError, UnknownNameError, WorldFileError
from worldgen.library import domains
from worldgen.worldfile import write_world


@pytest.fixture(scope="module")
def worlds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evaluate") / "worlds"
    folder.mkdir()
    for name in domains()[:2]:
        case = make_case(name)
        write_world(folder / f"{case.world.id}.world", case.built.file)
    return folder


@pytest.fixture(scope="module")
def exported(worlds: Path) -> Path:
    path = worlds.parent / "tasks.jsonl"
    export(worlds, path, "jsonl")
    return path


def right(gold: Gold) -> str:
    return to_markdown([column.name for column in gold.answer.columns], gold.answer.rows)


def line(task_id: str, answer: str | None) -> str:
    return json.dumps({"task_id": task_id, "answer": answer}) + "\n"


def write(path: Path, *lines: str) -> Path:
    path.write_text("".join(lines), encoding="utf-8")
    return path


def read(out: Path) -> tuple[list[dict[str, Any]], dict[str, Any]]:
    scores = (out / SCORES).read_text(encoding="utf-8").split("\n")
    assert scores.pop() == ""
    return [json.loads(score) for score in scores], json.loads((out / SUMMARY).read_text("utf-8"))


def contents(out: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in out.iterdir()}


def test_right_answers_score_one_against_worlds_and_export(
    worlds: Path, exported: Path, tmp_path: Path
) -> None:
    gold = load_gold(worlds)
    answers = write(tmp_path / "a.jsonl", *(line(one.task_id, right(one)) for one in gold.values()))
    for tasks, out in ((worlds, tmp_path / "w"), (exported, tmp_path / "e")):
        evaluate_files(tasks, answers, out)
        scores, summary = read(out)
        assert len(scores) == summary["tasks"] == summary["trials"] == len(gold) > 6
        assert all(score["success"] for score in scores)
        groups = [*summary["by_family"], *summary["by_domain"], *summary["by_task"]]
        for group in (summary["overall"], summary["all_tasks"], *groups):
            assert set(group["mean"].values()) == set(group["max_n"].values()) == {1.0}
        assert {group["domain"] for group in summary["by_domain"]} == set(domains()[:2])
    assert (tmp_path / "w" / SCORES).read_bytes() == (tmp_path / "e" / SCORES).read_bytes()
    assert (tmp_path / "w" / SUMMARY).read_bytes() == (tmp_path / "e" / SUMMARY).read_bytes()


def test_an_export_holds_the_same_tasks_as_its_worlds(worlds: Path, exported: Path) -> None:
    by_world, by_export = load_gold(worlds), load_gold(exported)
    assert list(by_world) == list(by_export)
    for task_id, gold in by_world.items():
        other = by_export[task_id]
        assert gold.answer.model_copy(update={"lineage": ()}) == other.answer
        assert (gold.question, gold.tags) == (other.question, other.tags)
        assert set(gold.tags) == {"family", "domain", "world", "difficulty"}


def test_without_the_comparison_right_answers_still_score_one(
    exported: Path, tmp_path: Path
) -> None:
    records = [json.loads(text) for text in exported.read_text("utf-8").split("\n")[:-1]]
    for record in records:
        del record["comparison"]
    bare = write(tmp_path / "bare.jsonl", *(json.dumps(record) + "\n" for record in records))
    gold, inferred = load_gold(exported), load_gold(bare)
    answers = write(tmp_path / "a.jsonl", *(line(one.task_id, right(one)) for one in gold.values()))
    found = evaluate_files(bare, answers, tmp_path / "out")
    assert found.overall.mean.success == 1.0
    for task_id, one in gold.items():
        for column, other in zip(one.answer.columns, inferred[task_id].answer.columns, strict=True):
            kind = "name" if column.kind == "category" else column.kind
            assert (other.name, other.kind, other.key) == (column.name, kind, column.key)
            assert other.guarded != column.key
            assert other.unit == column.unit


def test_one_world_file_is_enough_whatever_its_name(worlds: Path, tmp_path: Path) -> None:
    path = next(iter(sorted(worlds.glob("*.world"))))
    renamed = tmp_path / "tasks.db"
    renamed.write_bytes(path.read_bytes())
    assert load_gold(path) == load_gold(renamed)


def test_a_broken_line_is_named_and_the_rest_scored(worlds: Path, tmp_path: Path) -> None:
    gold = load_gold(worlds)
    first, second, *rest = gold.values()
    answers = write(
        tmp_path / "a.jsonl",
        line(first.task_id, right(first)),
        '{"task_id": "broken\n',
        "\n",
        line(second.task_id, None),
        line(first.task_id, "no table \u2028 here"),
        line("nobody's", ""),
        '{"task_id": 7, "answer": ""}\n',
    )
    done: list[ScoredTrial] = []
    found = evaluate_files(worlds, answers, tmp_path / "out", done.append)
    scores, summary = read(tmp_path / "out")
    assert [(score["task_id"], score["line"], score["trial"]) for score in scores] == [
        (first.task_id, 1, 1),
        (second.task_id, 4, 1),
        (first.task_id, 5, 2),
    ]
    assert [score["problem"] for score in scores] == [
        None,
        "there is no reply",
        "the reply holds no table",
    ]
    assert summary["problems"] == [
        {"line": 2, "message": "invalid JSON: Unterminated string starting at character 13"},
        {"line": 6, "message": 'there is no task "nobody\'s"'},
        {"line": 7, "message": "task_id is a number, not a text"},
    ]
    assert (summary["answered"], summary["trials"], summary["failed"]) == (2, 3, 2)
    assert summary["unanswered"] == [one.task_id for one in rest]
    assert summary["overall"]["mean"]["item_f1"] == 0.25
    assert summary["overall"]["max_n"]["item_f1"] == 0.5
    assert done == list(found.trials)
    report = (tmp_path / "out" / REPORT).read_text("utf-8")
    assert "line 6: there is no task" in report
    assert rest[0].task_id in report


def test_a_second_run_gives_the_same_bytes(worlds: Path, tmp_path: Path) -> None:
    one = next(iter(load_gold(worlds).values()))
    hostile = right(one) + "| <script> | " + "W" * 1_000_000 + " | \ud800 |"
    answers = write(tmp_path / "a.jsonl", line(one.task_id, hostile), line(one.task_id, "\x00"))
    evaluate_files(worlds, answers, tmp_path / "out")
    first = contents(tmp_path / "out")
    evaluate_files(worlds, answers, tmp_path / "out")
    evaluate_files(worlds, answers, tmp_path / "deep" / "er")
    assert first == contents(tmp_path / "out") == contents(tmp_path / "deep" / "er")
    assert set(first) == {SCORES, SUMMARY, REPORT, EXPLANATIONS}
    assert b"<script" not in first[REPORT]


@pytest.mark.parametrize("broken", ["html_report", "ScoredTrial.record"])
def test_what_stood_there_stays_if_writing_fails(
    worlds: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broken: str
) -> None:
    task_id = next(iter(load_gold(worlds)))
    evaluate_files(worlds, write(tmp_path / "a.jsonl", line(task_id, "one")), tmp_path / "out")
    before = contents(tmp_path / "out")

    def fail(*_: object, **__: object) -> str:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(f"search_sim.evaluate.{broken}", fail)
    with pytest.raises(OSError, match="No space"):
        evaluate_files(worlds, write(tmp_path / "a.jsonl", line(task_id, "two")), tmp_path / "out")
    assert contents(tmp_path / "out") == before


RECORD = '{"task_id": "a", "columns": ["Port"], "key_columns": ["Port"], "rows": [["Ossary"]]}\n'


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("",), "tasks.jsonl: holds no tasks"),
        (("\n \n",), "tasks.jsonl: holds no tasks"),
        ((RECORD, "{"), "tasks.jsonl, line 2: invalid JSON: Expecting property name"),
        ((RECORD, "\n", "[]"), "tasks.jsonl, line 3: a list, not an object"),
        (("{}",), "tasks.jsonl, line 1: task_id: Field required"),
        ((RECORD.replace('"a"', "7"),), "tasks.jsonl, line 1: task_id: Input should be a valid"),
        ((RECORD, RECORD), "tasks.jsonl, line 2: there are two tasks 'a'"),
        (
            (RECORD.replace('[["Ossary"]]', '[["Ossary"], [null]]'),),
            "tasks.jsonl, line 1: rows.1.0: a cell is a text or a number",
        ),
        (
            (RECORD.replace('[["Ossary"]]', '[["Ossary", 1]]'),),
            "tasks.jsonl, line 1: answer: row 1 has 2 cells for 1 columns",
        ),
        (
            (RECORD.replace('[["Ossary"]]', "[[1e999]]"),),
            "tasks.jsonl, line 1: rows.0.0: a cell is a text or a number",
        ),
        (
            (RECORD.replace('s": ["Port"], "rows"', 's": ["Ship"], "rows"'),),
            "tasks.jsonl, line 1: the key column 'Ship' is none of the columns",
        ),
        (
            (RECORD.replace("Ossary", "\\ud800"),),
            "tasks.jsonl, line 1: it holds half a character",
        ),
    ],
)
def test_a_file_of_tasks_that_cannot_be_read_is_one_clear_line(
    tmp_path: Path, lines: tuple[str, ...], message: str
) -> None:
    with pytest.raises(ConfigurationError) as raised:
        load_gold(write(tmp_path / "tasks.jsonl", *lines))
    assert message in str(raised.value)
    assert "\n" not in str(raised.value)


def test_another_tools_tasks(tmp_path: Path) -> None:
    tasks = write(tmp_path / "tasks.jsonl", "\ufeff", RECORD.replace("}", ', "domain": "ports"}'))
    (gold,) = load_gold(tasks).values()
    assert (gold.question, gold.tags) == ("", {"domain": "ports"})


def test_paths_that_cannot_be_used(worlds: Path, tmp_path: Path) -> None:
    answers = write(tmp_path / "answers.jsonl")
    empty = tmp_path / "empty"
    empty.mkdir()
    out = tmp_path / "out"
    for tasks, found, target, message in (
        (worlds, tmp_path / "nowhere.jsonl", out, "nowhere.jsonl: no such file"),
        (worlds, empty, out, "empty: is a folder, not a file of answers"),
        (worlds, answers, answers, "answers.jsonl: is a file; name a folder"),
        (tmp_path / "nowhere", answers, out, "nowhere: no such file or folder"),
        (empty, answers, out, "empty holds no .world files"),
        (answers, answers, out, "answers.jsonl: holds no tasks"),
    ):
        with pytest.raises(ConfigurationError) as raised:
            evaluate_files(tasks, found, target)
        assert message in str(raised.value)
    assert not out.exists()


def test_a_damaged_world_is_named(worlds: Path, tmp_path: Path) -> None:
    whole = next(worlds.glob("*.world")).read_bytes()
    (tmp_path / "bad.world").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(WorldFileError, match=r"bad\.world"):
        load_gold(tmp_path)


def test_a_task_that_two_files_hold_is_an_error(worlds: Path, tmp_path: Path) -> None:
    path = next(worlds.glob("*.world"))
    for name in ("one.world", "two.world"):
        (tmp_path / name).write_bytes(path.read_bytes())
    with pytest.raises(ConfigurationError, match=r"two\.world: there are two tasks"):
        load_gold(tmp_path)


def trajectory(task_id: str, answer: str | None, **fields: Any) -> str:
    record = Trajectory(
        task_id=task_id,
        world_id="w",
        policy="tease",
        effective_policy="tease",
        seed=1,
        question="?",
        prompt=parts_of(read_variant(), "Ferries."),
        agent="explorer",
        answer=answer,
        **fields,
    )
    return record.model_dump_json() + "\n"


def test_trajectories_are_scored_by_their_answers(worlds: Path, tmp_path: Path) -> None:
    first, second, *_ = load_gold(worlds).values()
    answers = write(
        tmp_path / "trajectories.jsonl",
        trajectory(first.task_id, right(first)),
        trajectory(second.task_id, None, failure="no calls left"),
        '{"turns": []}\n',
    )
    found = evaluate_files(worlds, answers, tmp_path / "out")
    scores, summary = read(tmp_path / "out")
    assert [score["success"] for score in scores] == [True, False]
    assert {"agent": "explorer", "policy": "tease"}.items() <= scores[0]["tags"].items()
    assert summary["failures"] == {"the agent failed: no calls left": 1}
    assert [group["agent"] for group in summary["by_agent"]] == ["explorer"]
    assert [group["policy"] for group in summary["by_policy"]] == ["tease"]
    assert [problem.line for problem in found.problems] == [3]


def test_one_worker_and_three_write_the_same_bytes(worlds: Path, tmp_path: Path) -> None:
    gold = list(load_gold(worlds).values())
    lines = [line(one.task_id, right(one) if n % 3 else "?") for n, one in enumerate(gold * 12)]
    answers = write(tmp_path / "a.jsonl", *lines, "{\n", *lines)
    assert len(lines) > 100
    for workers in (1, 3):
        evaluate_files(worlds, answers, tmp_path / f"{workers}", options=Options(workers=workers))
    assert contents(tmp_path / "1") == contents(tmp_path / "3")


def test_explanations_are_of_the_first_trials_or_of_all(worlds: Path, tmp_path: Path) -> None:
    gold = next(iter(load_gold(worlds).values()))
    answers = write(tmp_path / "a.jsonl", *[line(gold.task_id, right(gold))] * 5)
    for keep, count in ((2, 2), (None, 5)):
        evaluate_files(worlds, answers, tmp_path / "out", options=Options(keep=keep))
        lines = (tmp_path / "out" / EXPLANATIONS).read_text("utf-8").split("\n")[:-1]
        assert [json.loads(text)["trial"] for text in lines] == list(range(1, count + 1))
        rows = json.loads(lines[0])["rows"]
        assert {cell["mark"] for row in rows for cell in row["cells"]} == {"right"}


EVALUATION = {
    "unique_columns": ["city"],
    "required": ["city", "area(km2)"],
    "eval_pipeline": {
        "city": {"preprocess": ["norm_str"], "metric": ["exact_match"]},
        "area(km2)": {
            "preprocess": ["extract_number"],
            "metric": ["number_near"],
            "criterion": 0.05,
        },
    },
}


@pytest.fixture
def layout(tmp_path: Path) -> Path:
    folder = tmp_path / "widesearch"
    (folder / "gold").mkdir(parents=True)
    (folder / "out").mkdir()
    records = [
        {"instance_id": f"ws_{n}", "query": "?", "evaluation": EVALUATION, "language": "en"}
        for n in (1, 2)
    ]
    write(folder / "tasks.jsonl", *(json.dumps(record) + "\n" for record in records))
    for n in (1, 2):
        write(folder / "gold" / f"ws_{n}.csv", "City,Area (km2)\nVelmora,100\nOssary,310\n")
        for trial, area in enumerate((102, 200)):
            reply = f"| City | Area (km2) |\n|---|---|\n| velmora | {area} |\n| Ossary | 310 |\n"
            response = {"instance_id": f"ws_{n}", "response": reply, "trial_idx": trial}
            name = f"some_model_ws_{n}_{trial}_response.jsonl"
            write(folder / "out" / name, json.dumps(response) + "\n")
    write(folder / "out" / "broken.jsonl", "{\n")
    return folder


def test_a_folder_in_the_layout_of_widesearch(layout: Path, tmp_path: Path) -> None:
    for answers in (layout, layout / "out"):
        mode = checked_mode(None, layout)
        found = evaluate_files(layout, answers, tmp_path / "r", options=Options(mode=mode))
        assert (found.mode, len(found.trials), len(found.tasks)) == ("widesearch", 4, 2)
        assert [trial.score.item_f1 for trial in found.trials] == [1.0, 0.75, 1.0, 0.75]
        assert [trial.score.success for trial in found.trials] == [True, False, True, False]
        assert found.overall.micro["item_f1"] == 14 / 16
        assert [one.value for one in found.overall.pass_at] == [0.5, 1.0]
        assert [group.tags for group in found.groups["agent"]] == [{"agent": "some_model"}]
        assert found.problems[0].source.endswith("broken.jsonl")
        text = (tmp_path / "r" / REPORT).read_text("utf-8")
        assert "public WideSearch scorer" in text
        assert "1 line that could not be scored" in text
        explained = (tmp_path / "r" / EXPLANATIONS).read_text("utf-8").split("\n")[0]
        assert json.loads(explained)["mode"] == "widesearch"
    strict = evaluate_files(layout, layout, tmp_path / "s")
    assert [trial.score.item_f1 for trial in strict.trials] == [0.75] * 4


def test_broken_tasks_in_the_layout_of_widesearch_are_one_clear_line(layout: Path) -> None:
    (layout / "gold" / "ws_2.csv").unlink()
    with pytest.raises(ConfigurationError, match=r"tasks\.jsonl, line 2: there is no gold table"):
        load_gold(layout)


def test_the_mode_is_checked(worlds: Path, layout: Path, tmp_path: Path) -> None:
    assert checked_mode(None, worlds) == checked_mode("strict", layout) == "strict"
    assert checked_mode(None, layout) == "widesearch"
    assert checked_mode(None, tmp_path / "nowhere") == "strict"
    with pytest.raises(UnknownNameError, match="did you mean 'widesearch'"):
        checked_mode("widesaerch", worlds)
    answers = write(tmp_path / "a.jsonl")
    with pytest.raises(ConfigurationError, match="has no pipeline of WideSearch"):
        evaluate_files(worlds, answers, tmp_path / "out", options=Options(mode="widesearch"))
