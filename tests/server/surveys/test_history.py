"""Snapshots isolate nobody: everything that was ever published, in every combination."""

import random
from collections.abc import Iterator
from itertools import combinations, product

import numpy as np
import pytest

from client.authoring.draft.survey import build_survey
from client.core.survey import Survey
from server.surveys.crowd import edges_of, isolates
from server.surveys.disclosure import LEAST_IN_GROUP, MINIMUM, Sizes, next_milestone
from server.surveys.history import History, next_figures
from server.surveys.public_figures import PublicFigures, Stock
from server.surveys.strays import are_too_few, stray_groups

COEFFICIENTS = range(-2, 3)
MOST_COMBINED = 6
MOST_SUBSETS = 20
SURVEYS = 30
GROUPS = ("", "arm-a", "arm-b", "arm-c")
SNAPSHOTS = 5
# The cells of a question tell the reports of a group apart that came between two snapshots.
CELLS = len(GROUPS) * SNAPSHOTS
# By group and question the reports that came, by the snapshot before which they came.
Arrivals = dict[str, dict[str, list[int]]]


def some_survey(asked: int) -> Survey:
    question = {
        "kind": "one_of",
        "prompt": "When and with which link?",
        "options": [f"option {cell}" for cell in range(CELLS)],
        "epsilon": "5",
    }
    survey = build_survey(
        {
            "slug": "history",
            "title": "History",
            "delete_on": "2030-01-01",
            "questions": [{**question, "id": id} for id in ("one", "two")],
            **({"ask_each_person": str(asked)} if asked else {}),
        }
    )
    assert {question.mechanism.marks for question in survey.questions} == {1}
    return survey


def stock(survey: Survey, arrivals: Arrivals, held: tuple[str, ...], tells: bool) -> Stock:
    """Return what is stored: each report is in the cell of its group and its snapshot."""
    counts = {
        group: {id: _cells(group, came) for id, came in by_question.items()}
        for group, by_question in arrivals.items()
    }
    sizes = {
        group: sum(map(sum, came.values())) // (1 if survey.ask_each_person else 2)
        for group, came in arrivals.items()
    }
    return Stock(survey, sum(sizes.values()), sizes, counts, held, tells)


def _cells(group: str, came: list[int]) -> list[int]:
    cells = [0] * CELLS
    start = SNAPSHOTS * GROUPS.index(group)
    cells[start : start + len(came)] = came
    return cells


def history_of(seed: int, asked: int) -> Iterator[tuple[Stock, PublicFigures]]:
    """Take snapshots of a random survey, the last at its closing; yield each with the reports."""
    draw = random.Random(seed)
    survey, figures = some_survey(asked), PublicFigures()
    groups = GROUPS[: draw.randint(2, len(GROUPS))]
    arrivals: Arrivals = {group: {"one": [], "two": []} for group in groups}
    n = 0
    # Small numbers without a group, as plain links next to those of study arms bring.
    shares = [draw.choice((0, 0.01, 0.05, 0.3)), *(draw.random() for _ in groups[1:])]
    for snapshot in range(SNAPSHOTS):
        is_last = snapshot == SNAPSHOTS - 1
        new = draw.choice((1, 30, 60, 200)) if is_last else next_milestone(n) - n
        n += new
        _add(draw, arrivals, draw.choices(groups, shares, k=new), asked)
        shares = [shares[0], *(max(0.01, share + draw.uniform(-0.5, 0.5)) for share in shares[1:])]
        now = stock(survey, arrivals, (), True)
        if is_last:
            keeps = draw.random() < 0.7
            is_held = keeps and are_too_few(now.sizes, LEAST_IN_GROUP)
            held = stray_groups(now.sizes, LEAST_IN_GROUP) if is_held else ()
            now = stock(survey, arrivals, held, keeps)
        figures = now.next(figures) or figures
        yield now, figures


def _add(draw: random.Random, arrivals: Arrivals, came: list[str], asked: int) -> None:
    for by_question in arrivals.values():
        for counts in by_question.values():
            counts.append(0)
    for group in came:
        for id in draw.sample(["one", "two"], asked or 2):
            arrivals[group][id][-1] += 1


def published(seed: int, asked: int, question: str) -> tuple[np.ndarray, np.ndarray]:
    """Return which cells each figure that was ever shown counts, and how many each cell has."""
    seen, cells = set[tuple[int, ...]](), np.zeros(CELLS, dtype=np.int64)
    for now, figures in history_of(seed, asked):
        seen.add(tuple(figures.counts(question)))
        seen.update(tuple(figures.counts(question, [name])) for name in figures.groups)
        cells = sum((np.array(counts[question]) for counts in now.counts.values()), 0 * cells)
    rows = np.array([row for row in sorted(seen) if row], dtype=np.int64).reshape(-1, CELLS)
    # Reports that came together with equal links are always counted together.
    assert ((rows == 0) | (rows == cells)).all()
    return (rows > 0).astype(np.int64), cells


def fewest_involved(figures: np.ndarray, cells: np.ndarray) -> int:
    """Combine the figures, some at a time; return the fewest reports that are involved."""
    some = min(len(figures), MOST_COMBINED)
    chosen = np.array(list(product(COEFFICIENTS, repeat=some)), dtype=float)
    subsets = list(combinations(range(len(figures)), some))
    fewest = []
    for rows in random.Random(1).sample(subsets, min(len(subsets), MOST_SUBSETS)):
        involved = (chosen @ figures[list(rows)] != 0) @ cells
        fewest.append(int(involved[involved > 0].min()))
    return min(fewest)


@pytest.mark.parametrize("asked", [0, 1])
@pytest.mark.parametrize("seed", range(SURVEYS))
def test_no_combination_of_figures_isolates_fewer_than_fifty(seed: int, asked: int) -> None:
    for question in ("one", "two"):
        figures, cells = published(seed, asked, question)
        if len(figures):
            assert fewest_involved(figures, cells) >= MINIMUM


def test_the_random_surveys_show_groups_and_hold_back_strays() -> None:
    last = [list(history_of(seed, asked))[-1][1] for seed in range(SURVEYS) for asked in (0, 1)]
    assert len([each for each in last if len(each.groups) > 1]) > 20
    assert len([each for each in last if each.strays]) > 5


def test_the_latecomer_is_not_what_is_left_of_two_totals_and_two_groups() -> None:
    """All 200 less c, less d, less all 50, was the one report of b that came last."""
    first = History({}).arrived({"a": 10, "b": 40}).published((), renews_total=True)
    second = first.arrived({"c": 25, "d": 25}).published((), renews_total=True)
    now = second.arrived({"b": 41, "c": 75, "d": 74})
    naive = now.published(["c", "d"], renews_total=True)
    assert isolates(edges_of(naive.parts), 2)
    figures = next_figures(now, ["a", "b", "c", "d"])
    assert figures is not None
    assert figures.groups == {"c", "d"}
    assert figures.history.total == 199
    assert not isolates(edges_of(figures.history.parts), MINIMUM)


def sizes_after(*steps: Sizes) -> tuple[set[str], int, int]:
    """Publish after each step; return the groups that are shown, the total and what it leaves."""
    history = History({})
    for sizes in steps:
        figures = next_figures(history.arrived(sizes), list(sizes))
        history = figures.history if figures else history.arrived(sizes)
    shown = {name for name, size in history.shown.items() if size}
    return shown, history.total, sum(history.waiting.values())


def test_one_stray_costs_a_study_arm_of_1500_nothing() -> None:
    assert sizes_after({"": 1, "arm-a": 1500, "arm-b": 1499}) == ({"arm-a", "arm-b"}, 2999, 1)


def test_fifty_strays_are_counted() -> None:
    steps = {"": 49, "arm-a": 200}, {"": 99, "arm-a": 250}
    assert sizes_after(*steps) == ({"arm-a", ""}, 349, 0)


def test_a_stray_among_the_first_fifty_costs_no_group_but_a_newer_total() -> None:
    early, later = {"": 1, "arm-a": 25, "arm-b": 24}, {"": 1, "arm-a": 1500, "arm-b": 1499}
    shown, total, _ = sizes_after(early, later)
    assert (shown, total) == ({"arm-a", "arm-b"}, 50)


def test_many_groups_are_decided_quickly_enough_to_store_a_report() -> None:
    """Two hundred groups in every interval; each is tried, none by brute force."""
    history, n = History({}), 0
    for _ in range(8):
        n = 2 * n + 60
        sizes = {f"site-{i}": n + i % 7 for i in range(200)}
        figures = next_figures(history.arrived({**sizes, "": 1}), list(sizes))
        assert figures is not None
        assert len(figures.groups) == 200
        history = figures.history
