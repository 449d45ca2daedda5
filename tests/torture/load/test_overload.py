"""Overload at a small scale: statuses and what is stored; how fast is for the full scale."""

from dataclasses import replace

from tests.torture.load.overload import judge, overload
from tests.torture.row import Silent


def test_whoever_is_refused_may_try_again_and_nothing_acknowledged_is_lost() -> None:
    found = overload(1, times=4, reports=400, rest=0, connections=1000, progress=Silent())
    assert list(judge(found)) == []
    assert found.count(201) > 0
    # The same run would have been noticed with any of these faults.
    found.lost = 1
    assert list(judge(found)) == ["1 acknowledged reports are lost"]
    found.lost = 0
    first, *others = found.during[0].replies
    for fault in (replace(first, status=500), replace(first, status=503, head=b"")):
        found.during[0].replies = [fault, *others]
        assert len(list(judge(found))) == 1
    found.during[0].replies = others
    assert list(judge(found)) == ["some were never answered"]
