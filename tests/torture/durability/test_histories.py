"""Random histories at a small scale."""

from tests.torture.durability import histories
from tests.torture.row import Silent


def test_random_histories_have_the_same_answers_and_rows_as_one_report_at_a_time() -> None:
    outcome = histories.run(25, 20261116, Silent(), steps=12)
    assert outcome.met, outcome
