from __future__ import annotations

from answers.groups import Group, by_tag, task_result, untried
from answers.markdown import to_markdown
from answers.plots import WIDTH, difficulty_plot, family_plot
from answers.table import AnswerColumn, AnswerTable
from answers.trials import Evaluation, Gold, Trial, evaluate

TABLE = AnswerTable(
    columns=(
        AnswerColumn(name="Port", kind="name", key=True),
        AnswerColumn(name="Depth", kind="number", guarded=True),
    ),
    rows=(("Ossary", 7), ("Kell", 12)),
)
RIGHT = to_markdown(["Port", "Depth"], TABLE.rows)
WRONG = to_markdown(["Port", "Depth"], [("Ossary", 1), ("Kell", 1)])


def evaluation(*places: tuple[str, str, str]) -> Evaluation:
    gold = {
        f"t{n}": Gold(f"t{n}", "?", TABLE, {"family": family, "difficulty": difficulty})
        for n, (family, difficulty, _) in enumerate(places)
    }
    return evaluate(gold, [Trial(f"t{n}", text) for n, (_, _, text) in enumerate(places)])


FOUND = evaluation(("top", "0", RIGHT), ("top", "0.1", WRONG), ("absent", "1.0", RIGHT))


def test_a_task_stands_at_its_difficulty_and_f1() -> None:
    plot = difficulty_plot(FOUND.tasks, FOUND.groups["difficulty"], guarded=True)
    assert plot
    left, top, right, bottom = plot.frame
    assert plot.dots[0] == (left, top)
    assert plot.dots[2] == (right, top)
    assert plot.dots[1].x == round(left + (right - left) / 10, 1)
    assert plot.dots[1].y == (top + bottom) / 2
    assert [label.text for label in plot.x_ticks] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert plot.y_title
    assert (plot.x_title.text, plot.y_title.text) == ("difficulty of the task", "F1")
    assert plot.described.startswith("Means by band of difficulty. 0-0.2: all cells 0.750 (0.500")


def test_whiskers_run_between_the_ends_of_the_interval() -> None:
    plot = family_plot(FOUND.groups["family"], guarded=True)
    assert plot
    absent, _, top, guarded = plot.estimates
    assert absent.start == absent.end == absent.at
    assert top.start.x < top.at.x < top.end.x
    assert top.series == "item_f1"
    assert guarded.series == "guarded_f1"
    assert guarded.start.x == plot.frame[0]
    assert [label.text for label in plot.y_ticks] == ["absent", "top"]
    assert plot.height > plot.frame[3]


def test_everything_stands_within_the_box() -> None:
    for plot in (
        difficulty_plot(FOUND.tasks, FOUND.groups["difficulty"], guarded=True),
        family_plot(FOUND.groups["family"], guarded=False),
    ):
        assert plot
        points = [
            *plot.dots,
            *(label.at for label in (*plot.x_ticks, *plot.y_ticks, plot.x_title)),
            *(point for one in plot.estimates for point in (one.at, one.start, one.end)),
        ]
        assert all(0 <= at.x <= WIDTH and 0 <= at.y <= plot.height for at in points)


def test_what_exceeds_one_stands_at_the_edge() -> None:
    gold = Gold("a", "?", TABLE, {"difficulty": "0.5"})
    (trial,) = evaluate({"a": gold}, [Trial("a", RIGHT)]).trials
    over = trial.model_copy(update={"score": trial.score.model_copy(update={"item_f1": 1.5})})
    plot = difficulty_plot([task_result(gold, [over])], (), guarded=False)
    assert plot
    assert plot.dots[0].y == plot.frame[1]


def test_there_is_no_plot_of_nothing() -> None:
    bare = untried(Gold("a", "?", TABLE, {"difficulty": "hard"}))
    assert difficulty_plot([bare], by_tag("difficulty", [bare], ()), guarded=True) is None
    assert family_plot(by_tag("family", [bare], ()), guarded=True) is None
    many: list[Group] = [
        group.model_copy(update={"tags": {"family": f"f{n}"}})
        for n in range(41)
        for group in by_tag("family", [bare], ())
    ]
    assert family_plot(many, guarded=True) is None
    long = [many[0].model_copy(update={"tags": {"family": "a-very-long-family-name"}})]
    plot = family_plot(long, guarded=False)
    assert plot
    assert plot.y_ticks[0].text == "a-very-long-famil…"
