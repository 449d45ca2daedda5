"""Figures are computed once per tally, one at a time, and kept within a limit of bytes."""

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from estimators.counting.tally import Tally
from estimators.shares.draws import Draw
from server.results.figures import figure
from server.results.kept import KEPT, Kept
from server.results.shown import public_results
from server.web.limits import Limit
from tests.support.live import Live
from tests.support.surveys import EVERY_KIND

CROSS = {"row_prompt": "R", "rows": ["r", "s"], "column_prompt": "S", "columns": ["t", "u", "v"]}
QUESTIONS = [
    *EVERY_KIND["questions"],
    {"id": "y", "kind": "cross", "prompt": "Y", **CROSS, "decline": "true"},
    {"id": "z", "kind": "number", "prompt": "Z", "lo": "0", "hi": "30", "decline": "true"},
]
SURVEY = build_survey({**EVERY_KIND, "epsilon": "0.8", "questions": QUESTIONS})


def foreign(text: Any) -> Any:
    """Return a text, or each text of a list, as another language would have it."""
    if isinstance(text, tuple):
        return tuple(map(foreign, text))
    return text and f"~{text}"


@pytest.mark.parametrize("question", SURVEY.questions, ids=lambda question: question.id)
@pytest.mark.parametrize("cell", [0, 3])
def test_figures_of_another_language_are_those_that_it_would_compute(
    question: Any, cell: int
) -> None:
    """Reports that all say the same are uneven, so that every warning has its labels."""
    marks, cells = question.mechanism.marks, question.mechanism.cells
    counts = [30 * marks] * cells
    counts[cell % cells] += 40 * marks
    tally = Tally.of_cells(counts, marks)
    other = question.translated({name: foreign(text) for name, text in question.texts.items()})
    drawn = Draw(tally.n, 1, 3)
    assert figure(question, tally, drawn).labelled(other) == figure(other, tally, drawn)


def test_every_reader_in_every_language_gets_what_was_computed_once(live: Live) -> None:
    live.fill(37)
    live.fill(13, smokes=1, drinks=1)
    before = KEPT.computed
    for path in ("results", "results?language=de", "results?language=ar", "estimates.json"):
        assert live.get(f"/s/habits/{path}").status == 200
    assert live.get("/s/habits/figures/smokes.svg").status == 200
    # Two questions, and what readers learn unless another survey with these questions is kept.
    assert 2 <= KEPT.computed - before <= 3


def test_a_new_snapshot_is_computed_and_the_old_one_is_not_shown(live: Live) -> None:
    live.fill(50)
    old = live.get("/s/habits/estimates.json").json["estimates"]
    live.fill(50, smokes=1)
    shown = public_results(live.services.database, "habits")
    new = live.get("/s/habits/estimates.json").json["estimates"]
    assert [row["value"] for row in new] == [
        row["value"] for item in shown.figures(shown.survey.questions) for row in item.rows
    ]
    assert new != old


def test_one_value_is_computed_at_a_time_and_each_once() -> None:
    kept, at_once, most, times = Kept(Limit(1, "results_busy", 16, 60)), 0, 0, Counter[int]()

    def compute(key: int) -> int:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        times[key] += 1
        pause.wait(0.005)
        at_once -= 1
        return key * key

    pause = threading.Event()
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda n: kept.get(n % 4, lambda: compute(n % 4)), range(64)))
    assert found == [(n % 4) ** 2 for n in range(64)]
    assert (most, times) == (1, Counter(range(4)))


def test_who_waits_too_long_is_refused_and_a_failure_does_not_block_the_next() -> None:
    kept = Kept(Limit(1, "results_busy", 8, 0.01))

    def beside() -> int:
        # While this is computed, another thread asks for something else.
        with ThreadPoolExecutor(1) as pool:
            busy = pool.submit(kept.get, "b", lambda: 2)
            with pytest.raises(Refusal, match="too many people are reading results"):
                busy.result()
        return 1

    assert kept.get("a", beside) == 1
    with pytest.raises(ZeroDivisionError):
        kept.get("c", lambda: 1 // 0)
    assert kept.get("c", lambda: 3) == 3
    assert kept.get("c", lambda: 4) == 3


def test_who_waits_for_a_value_gets_it_and_whoever_comes_after_too_many_is_sent_away() -> None:
    kept, go_on = Kept(Limit(1, "drawing_busy", 3, 60)), Counter[str]()

    def compute() -> str:
        while not go_on["refused"]:
            pause.wait(0.01)
        return f"drawn {kept.computed + 1}"

    def ask(_: int) -> str:
        try:
            return kept.get("a", compute)
        except Refusal as refusal:
            go_on["refused"] += 1
            return refusal.code

    pause = threading.Event()
    with ThreadPoolExecutor(9) as pool:
        found = Counter(pool.map(ask, range(9)))
    # One computed and three waited; those who came later, and got it, came when it was there.
    assert found["drawing_busy"] >= 1
    assert found["drawn 1"] >= 4
    assert found.total() == found["drawing_busy"] + found["drawn 1"] == 9


def test_the_least_recently_used_are_dropped_beyond_the_limit() -> None:
    kept = Kept(Limit(1, "results_busy"), most_bytes=400)
    # Each takes a little over 100 bytes, which cannot be compressed.
    values = {name: bytes(hash((name, at)) % 256 for at in range(100)) for name in "abcd"}
    for name in "abc":
        kept.get(name, partial(values.get, name))
    kept.get("a", lambda: b"")
    kept.get("d", lambda: values["d"])
    assert kept.computed == 4
    assert [kept.get(name, lambda: b"new") for name in "acd"] == [values[name] for name in "acd"]
    assert kept.get("b", lambda: b"new") == b"new"
