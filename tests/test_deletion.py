"""Deletion dates: no survey is published without one."""

from typing import Any

import pytest

from client.refusal import Refusal
from server.publishing import publish_draft, rehearse_draft
from server.services import Services
from server.store import Schedule

NOON = "2026-11-20T12:00:00Z"
Draft = dict[str, Any]


def without_day(draft: Draft) -> Draft:
    return {name: value for name, value in draft.items() if name != "delete_on"}


def test_a_survey_without_a_deletion_date_is_not_published(
    services: Services, draft: Draft
) -> None:
    with pytest.raises(Refusal, match="such as delete_on: 2027-12-31") as caught:
        publish_draft(services, without_day(draft))
    assert (caught.value.code, caught.value.field) == ("delete_on_missing", "delete_on")


def test_a_draft_can_be_tested_without_a_deletion_date(services: Services, draft: Draft) -> None:
    assert rehearse_draft(services, without_day(draft)).created


@pytest.mark.parametrize(
    ("delete_on", "closes", "fault"),
    [
        ("2026-11-19", None, "later than today"),
        ("2026-11-20", None, "later than today"),
        ("2026-11-21", None, None),
        ("2026-11-30", "2026-12-01", "after the last day"),
        ("2026-12-01", "2026-12-01", "after the last day"),
        ("2026-12-02", "2026-12-01", None),
        ("2027-02-29", None, "a day such as"),
        ("2999-12-31", "2026-12-01", None),
    ],
)
def test_the_deletion_date_comes_after_today_and_after_the_last_report(
    delete_on: str, closes: str | None, fault: str | None
) -> None:
    schedule = Schedule.of_days(None, closes, NOON)
    if fault is None:
        schedule.require_deletion(delete_on, NOON)
        return
    with pytest.raises(Refusal, match=fault) as caught:
        schedule.require_deletion(delete_on, NOON)
    assert (caught.value.code, caught.value.field) == ("bad_delete_on", "delete_on")
