"""The days of a survey and the hours of a grace: what makes sense, and that they are fixed."""

from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import reading
from server.surveys.schedule import Schedule, after, utc_now
from server.surveys.states import State
from tests.support.clock import NOON, FakeClock, at
from tests.support.live import Live
from tests.support.publishing import publish_draft

Draft = dict[str, Any]


@pytest.mark.parametrize(
    ("opens", "closes", "code"),
    [
        ("soon", None, "bad_opens"),
        ("2026-02-30", None, "bad_opens"),
        ("20261201", None, "bad_opens"),
        ("2026-12-01T00:00", None, "bad_opens"),
        ("9999-12-31", None, "bad_opens"),
        ("", None, "bad_opens"),
        (None, "2026-11-19", "bad_closes"),
        (None, "9999-12-31", "bad_closes"),
        ("2026-12-02", "2026-12-01", "bad_closes"),
    ],
)
def test_days_that_make_no_sense_are_refused(
    opens: str | None, closes: str | None, code: str
) -> None:
    with pytest.raises(Refusal) as caught:
        Schedule.of_days(opens, closes, NOON)
    assert (caught.value.code, caught.value.field) == (code, code.removeprefix("bad_"))


def test_today_may_be_the_first_and_the_last_day() -> None:
    schedule = Schedule.of_days("2026-11-20", "2026-11-20", NOON)
    assert schedule == Schedule("2026-11-20T00:00:00Z", "2026-11-21T00:00:00Z")


@pytest.mark.parametrize("hours", ["0", "-1", "721", "1e3", "two", "", "NaN"])
def test_a_grace_that_is_no_grace_is_refused(live: Live, hours: str) -> None:
    with pytest.raises(Refusal, match="grace must be"):
        ending.begin_closing(live.services, "habits", hours)
    assert reading.newest(live.services.database.reader, "habits").state is State.OPEN


def test_a_grace_may_be_a_part_of_an_hour_and_is_rounded_up_to_a_second() -> None:
    assert after(NOON, "0.5") == "2026-11-20T12:30:00Z"
    assert after(NOON, "0.000001") == "2026-11-20T12:00:01Z"


def test_the_clock_is_in_utc(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "Pacific/Kiritimati")
    from datetime import UTC, datetime

    assert abs(datetime.fromisoformat(utc_now()) - datetime.now(UTC)).total_seconds() < 3600


def test_the_days_of_a_published_survey_are_fixed(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, draft, opens="2026-12-01") as live:
        same = Schedule.of_days("2026-12-01", None, NOON)
        assert not publish_draft(live.services, draft, schedule=same).created
        assert not publish_draft(live.services, draft).created
        other = Schedule.of_days("2026-12-02", None, NOON)
        with pytest.raises(Refusal, match="is published and not yet open: its days are fixed"):
            publish_draft(live.services, draft, schedule=other)
