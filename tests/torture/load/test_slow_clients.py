"""Slow clients at a small scale: everybody is answered; how fast is for the full scale."""

from server.serving import IDLE_SECONDS
from tests.torture.load.slow_clients import Toll, judge, suffer
from tests.torture.row import Silent


def test_slow_clients_cost_nobody_an_answer_even_if_they_take_all_connections() -> None:
    toll = suffer(1, slow=100, too_many=2050, reports=300, newcomers=8, progress=Silent())
    assert toll.problems == []
    # A newcomer who had to wait for the deadline of the slow ones would wait for all of it.
    assert max(toll.waits) < 0.9 * IDLE_SECONDS
    assert len(toll.shares) == 1
    assert len(toll.waits) == 8
    assert len(toll.acknowledged) == 608


def test_a_lost_answer_and_a_low_rate_are_noticed() -> None:
    assert list(judge(Toll(shares=[0.7, 0.8, 0.9]))) == []
    assert list(judge(Toll(shares=[0.7, 0.79, 0.9]))) == ["less than 80% of the rate was kept"]
    late = Toll(shares=[1.0], waits=[0.1, 14.0])
    assert list(judge(late)) == ["a newcomer waited for 14 s"]
    lost = Toll(shares=[1.0], problems=["a report found no answer"])
    assert list(judge(lost)) == ["a report found no answer"]
