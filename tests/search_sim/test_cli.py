from __future__ import annotations

import json
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from answers.markdown import to_markdown
from search_sim.cli import main
from search_sim.client import Trainer
from search_sim.folder import read_tasks, world_paths
from search_sim.generate import Batch, generate
from worldgen.library import domains

HEAVY = (
    *("fastapi", "faker", "httpx", "jinja2", "networkx", "pydantic", "rich", "sqlalchemy"),
    *("sqlglot", "tantivy", "uvicorn", "whoosh"),
)


def _run(*arguments: str | Path | int) -> Result:
    return CliRunner().invoke(main, [str(a) for a in arguments])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    found = tmp_path_factory.mktemp("worlds")
    generate(Batch(1, 3, ("island-ferries",), 4), found)
    return found


@pytest.mark.parametrize("command", [(), *((name,) for name in sorted(main.commands))])
def test_each_command_has_help(command: Sequence[str]) -> None:
    result = _run(*command, "--help")
    assert result.exit_code == 0
    assert result.output.startswith("Usage: ")
    for name, found in main.commands.items():
        assert found.help, name


def test_help_is_fast_and_loads_nothing_heavy() -> None:
    script = (
        "import sys\n"
        "from search_sim.cli import main\n"
        "try:\n    main(['--help'])\n"
        f"finally:\n    print([m for m in {HEAVY!r} if m in sys.modules], file=sys.stderr)\n"
    )
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert run.stderr.strip() == "[]"
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    assert used < 0.5


def test_domains() -> None:
    assert "island-ferries" in _run("domains").output
    records = json.loads(_run("domains", "--json").output)
    assert [r["id"] for r in records] == list(domains())
    assert {r["strategy"] for r in records} == {"private", "long-tail", "time-shifted"}


def test_generate_export_certify(folder: Path, tmp_path: Path) -> None:
    made = _run("generate", "--out", tmp_path / "w", "--count", 1, "--seed", 3, "--tasks", 4)
    assert made.exit_code == 0, made.output
    assert "1 worlds, 4 tasks" in made.output
    exported = _run("export", folder, "--out", tmp_path / "t.jsonl")
    assert exported.output == f"4 tasks in {tmp_path / 't.jsonl'}\n"
    certified = _run("certify", folder)
    assert certified.exit_code == 0
    assert "4 of 4 tasks are certified" in certified.output


def _damaged(folder: Path, tmp_path: Path, kind: str) -> Path:
    target = tmp_path / kind
    target.mkdir()
    whole = next(folder.glob("*.world")).read_bytes()
    content = {"text": b"no world", "truncated": whole[: len(whole) // 2], "empty": b""}[kind]
    (target / "bad.world").write_bytes(content)
    return target


@pytest.mark.parametrize("kind", ["text", "truncated", "empty"])
@pytest.mark.parametrize("command", ["certify", "export"])
def test_a_damaged_world_is_one_clear_line(
    folder: Path, tmp_path: Path, kind: str, command: str
) -> None:
    options: list[str | Path] = ["--out", tmp_path / "t.jsonl"] if command == "export" else []
    result = _run(command, _damaged(folder, tmp_path, kind), *options)
    assert result.exit_code == 1
    assert result.output.count("\n") == 1
    assert result.output.startswith("Error: ")
    assert "bad.world" in result.output
    assert not (tmp_path / "t.jsonl").exists()


MODEL = ("--renderer", "lwm", "--lwm-url", "http://127.0.0.1:9", "--lwm-model", "m")
WRONG: list[tuple[tuple[str, ...], str]] = [
    (("certify", "{tmp}/nowhere"), "no such folder"),
    (("certify", "{tmp}"), "holds no .world files"),
    (("export", "{tmp}/nowhere", "--out", "x"), "no such folder"),
    (("export", "{folder}", "--format", "jsonk", "--out", "x"), "did you mean 'jsonl'"),
    (("export", "{folder}", "--out", "/proc/nowhere/x"), "/proc/nowhere"),
    (
        ("generate", "--out", "{tmp}/x", "--count", "1", "--seed", "1", "--domain", "island-fery"),
        "did you mean 'island-ferries'",
    ),
    (
        ("generate", "--out", "{tmp}/x", "--count", "1", "--seed", "1", "--domain", "no.toml"),
        "blueprint 'no.toml': can't be read",
    ),
    (("serve", "{tmp}/nowhere"), "no such folder"),
    (("serve", "{tmp}"), "holds no .world files"),
    (("serve", "{folder}", "--policy", "teas"), "did you mean 'tease'"),
    (("serve", "{folder}", "--engine", "woosh"), "did you mean 'whoosh'"),
    (("serve", "{folder}", "--renderer", "lwn"), "did you mean 'lwm'"),
    (("serve", "{folder}", "--renderer", "lwm"), "needs --lwm-url"),
    (("serve", "{folder}", "--renderer", "lwm", "--lwm-url", "http://127.0.0.1:9"), "can't ask"),
    (("serve", "{folder}", *MODEL, "--lwm-prompt", "serch"), "did you mean 'search'"),
    (("serve", "{folder}", *MODEL, "--lwm-cache", "{file}"), "can't be used as a cache"),
    (("serve", "{folder}", "--trajectories", "{tmp}"), "can't be written to"),
    (("verify-lwm", "{tmp}"), "holds no .world files"),
    (("inspect", "{file}"), "is no world file"),
    (("inspect", "{tmp}/nowhere.world"), "no such file"),
    (("evaluate", "--tasks", "{folder}", "--answers", "{tmp}/no", "--out", "x"), "no such file"),
    (("evaluate", "--tasks", "{tmp}/no", "--answers", "{file}", "--out", "x"), "no such file"),
    (("generate", "--out", "{file}", "--count", "1", "--seed", "1"), "is a file"),
]


@pytest.mark.parametrize(("arguments", "words"), WRONG, ids=[" ".join(w[0]) for w in WRONG])
def test_wrong_input_is_one_clear_line(
    folder: Path, tmp_path: Path, arguments: tuple[str, ...], words: str
) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    result = _run(*(a.format(tmp=tmp_path, folder=folder, file=file) for a in arguments))
    assert result.exit_code == 1
    assert words in result.output
    assert result.output.strip().count("\n") == 0


@pytest.mark.parametrize(
    "arguments",
    [
        ("generate", "--count", "1"),
        ("generate", "--out", "x", "--count", "0", "--seed", "1"),
        ("nope",),
    ],
)
def test_usage_errors_exit_with_2(arguments: tuple[str, ...]) -> None:
    result = _run(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.output


def test_demo_makes_its_table_and_report(tmp_path: Path) -> None:
    result = _run("demo", "--out", tmp_path / "demo", "--tasks", 4, "--workers", 1)
    assert result.exit_code == 0, result.output
    table = (tmp_path / "demo" / "table.md").read_text()
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    by_agent = {(row[0], row[1]): row for row in rows}
    assert len(by_agent) == 9
    for policy in ("reach", "tease", "open"):
        assert by_agent["explorer", policy][2:6] == ["1.000"] * 4
        assert by_agent["never searches", policy][2:6] == ["0.000"] * 4
    assert by_agent["snippet reader", "tease"][4] == "0.000"
    assert float(by_agent["snippet reader", "reach"][4]) <= 0.15
    assert float(by_agent["snippet reader", "open"][4]) >= 0.6
    lines = (tmp_path / "demo" / "trajectories.jsonl").read_text().split("\n")[:-1]
    assert len(lines) == 72
    agents = {json.loads(line)["agent"] for line in lines}
    assert agents == {"explorer", "snippet reader", "never searches"}
    report = (tmp_path / "demo" / "report.html").read_text()
    assert "Agents and policies" in report
    assert "snippet reader" in report


def test_evaluate_names_broken_lines_and_scores_the_rest(folder: Path, tmp_path: Path) -> None:
    tasks = [task for path in world_paths(folder) for task in read_tasks(path)]
    lines = [
        json.dumps(
            {
                "task_id": task.task_id,
                "answer": to_markdown([c.name for c in task.answer.columns], task.answer.rows),
            }
        )
        for task in tasks
    ]
    answers = tmp_path / "answers.jsonl"
    answers.write_text("\n".join([lines[0], "{broken", *lines[1:]]) + "\n")
    exported = tmp_path / "tasks.jsonl"
    assert _run("export", folder, "--out", exported).exit_code == 0
    for source in (folder, exported):
        result = _run("evaluate", "--tasks", source, "--answers", answers, "--out", tmp_path / "r")
        assert result.exit_code == 0, result.output
        assert "answers.jsonl, line 2: " in result.output
        assert "4 tasks answered, 0 not; 4 trials" in result.output
        assert "success          1.000" in result.output
        assert (tmp_path / "r" / "report.html").is_file()


def test_inspect_shows_tables_roles_and_tasks(folder: Path) -> None:
    path = world_paths(folder)[0]
    text = _run("inspect", path).output
    assert "county_id locator" in text
    assert text.count("certified") == 4
    record = json.loads(_run("inspect", path, "--json").output)
    assert record["rows"] == sum(table["rows"] for table in record["tables"])
    assert len(record["tasks"]) == 4
    assert {site["kind"] for site in record["sites"]} >= {"official", "press", "forum"}


def test_doctor_finds_this_installation_well() -> None:
    result = _run("doctor")
    assert result.exit_code == 0, result.output
    assert "four siblings" in result.output
    assert "WRONG" not in result.output


def test_doctor_says_what_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("search_sim.doctor.OLDEST_SQLITE", (99, 0))
    result = _run("doctor")
    assert result.exit_code == 1
    assert "WRONG  sqlite" in result.output


def test_serve_prints_url_and_key_and_leaves_broken_worlds_out(
    folder: Path, tmp_path: Path
) -> None:
    good = world_paths(folder)[0]
    (tmp_path / good.name).write_bytes(good.read_bytes())
    (tmp_path / "broken.world").write_bytes(b"no world")
    command = [sys.executable, "-m", "search_sim", "serve", str(tmp_path), "--port", "0"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        assert run.stderr is not None
        served, key = run.stdout.readline(), run.stdout.readline()
        base = served.split(" at ")[1].strip()
        assert served.startswith("Serving 1 worlds at http://127.0.0.1:")
        with Trainer(base, key.removeprefix("Trainer key: ").strip()) as trainer:
            made = trainer.make_episode(seed=1)
        assert made["question"]
        port = base.rpartition(":")[2]
        taken = _run("serve", tmp_path, "--port", port)
        assert taken.exit_code == 1
        assert "name another with --port" in taken.output
        run.terminate()
        assert "Left out: " in run.stderr.readline()
