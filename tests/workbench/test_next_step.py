"""What comes next in a survey's life is said for every state, and how far it is."""

from dataclasses import replace
from typing import Any

import pytest

from server.store.researchers import access
from server.surveys.records import Published
from server.surveys.researchers import Role
from server.surveys.schedule import Schedule
from server.surveys.states import State
from server.workbench.next_step import next_step
from tests.support.live import Live
from tests.support.publishing import publish_draft
from tests.support.researcher import hire, logged_in


@pytest.mark.parametrize(
    ("state", "by_invitation", "reports", "said", "view"),
    [
        (State.NOT_YET_OPEN, False, 0, "It opens on 2031-01-01.", "invitations"),
        (State.OPEN, False, 0, "Next: send its link to people.", "invitations"),
        (State.OPEN, True, 0, "Next: make personal links", "invitations"),
        (State.OPEN, True, 70, "Its results appear when it is closed.", "invitations"),
        (State.OPEN, False, 49, "Public results start at 50 reports.", "results"),
        (State.OPEN, False, 50, "until there are 500 or until 2031-12-31 23:59 UTC.", "results"),
        (State.COLLECTING, True, 0, "and answer from 2031-02-01 on", "invitations"),
        (State.ANSWERING, True, 9, "Its results appear when it is closed.", "invitations"),
        (State.FULL, False, 50, "Next: look at the results, then close it for ever", "survey"),
        (State.FULL, True, 50, "Next: close it for ever or take more reports", "survey"),
        (State.CLOSING, False, 50, "pages that are already open", "results"),
        (State.CLOSING, True, 50, "Its results appear when it is closed.", "invitations"),
        (State.CLOSED, False, 50, "download what you need", "export"),
        (State.CLOSED, True, 19, "Too few people took part", "results"),
        (State.CLOSED, True, 20, "download what you need", "export"),
        (State.ARCHIVED, False, 50, "download what you need", "export"),
        (State.PURGED, False, 50, "deleted as promised", "results"),
        (State.TRASHED, False, 50, "removed for good on 2031-01-31.", "survey"),
    ],
)
def test_every_state_says_what_comes_next(
    live: Live, state: State, by_invitation: bool, reports: int, said: str, view: str
) -> None:
    survey = replace(
        live.survey,
        access="invited" if by_invitation else "open",
        answer_from="2031-02-01" if by_invitation else None,
    )
    schedule = Schedule("2031-01-01T00:00:00Z", "2032-01-01T00:00:00Z", 500)
    step = next_step(
        Published(1, survey, state, schedule, reports, "digest", trashed="2031-01-01T12:00:00Z")
    )
    assert said in step.sentence
    assert step.view == view


def test_a_survey_that_closes_by_number_says_how_far_it_is(
    live: Live, draft: dict[str, Any]
) -> None:
    hire(live, "ana")
    other = {**draft, "slug": "other"}
    publish_draft(live.services, other, schedule=Schedule(closes_at=500))
    live.services.database.write(access.give_role, "other", "ana", Role.OWNER)
    ana = logged_in(live, "ana")
    for path in ("/workbench", "/workbench/surveys/other"):
        assert "<dt>Reports</dt><dd>0 of 500</dd>" in ana.get(path).body.decode()


def test_no_link_is_offered_that_takes_no_reports(arms: Live, draft: dict[str, Any]) -> None:
    hire(arms, "ana")
    publish_draft(arms.services, {**draft, "slug": "open"})
    for slug in ("habits", "open"):
        arms.services.database.write(access.give_role, slug, "ana", Role.OWNER)
    ana = logged_in(arms, "ana")
    plain = f"/s/habits#{arms.survey.fingerprint}"
    page = ana.get("/workbench/surveys/habits").body.decode()
    assert (plain in page, "every group has a link of its own" in page) == (False, True)
    page = ana.get("/workbench/surveys/open").body.decode()
    assert ("/s/open#" in page, "every group has a link of its own" in page) == (True, False)
