"""The group of a link: signed into tickets, counted apart, and needed where the link sets it."""

from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.lifecycle.invitations import invite
from server.store import reading
from server.store.verify import verify
from server.surveys import tickets
from server.surveys.disclosure import LEAST_IN_GROUP
from tests.support.groups import with_factors, with_groups
from tests.support.inviting import ask_for_ticket, group_key
from tests.support.live import Live
from tests.support.publishing import publish_draft, try_draft

Draft = dict[str, Any]


def sizes(live: Live) -> dict[str, int]:
    groups = reading.groups_of(live.services.database.reader, "habits")
    return {group.name: group.reports for group in groups}


def test_a_published_survey_has_all_its_groups_and_no_others(arms: Live) -> None:
    assert sizes(arms) == {"": 0, "0": 0, "1": 0, "2": 0}
    assert arms.stored()["reports"] == []


def test_the_group_of_an_open_link_is_signed_into_its_tickets(arms: Live) -> None:
    key = group_key(arms, "arm=arm-b")
    ticket = ask_for_ticket(arms, {"group": key}).json["ticket"]
    assert tickets.check(arms.services.secret, arms.survey, ticket) == "1"
    assert arms.post(arms.report(smokes=1), ticket).status == 201
    forged = ticket.replace(".1.", ".2.")
    assert arms.post(arms.report(), forged).code == "ticket_forged"
    assert ask_for_ticket(arms, {"group": f"2{key[1:]}"}).code == "invitation_unknown"
    assert sizes(arms) == {"": 0, "0": 0, "1": 1, "2": 0}


def test_the_plain_link_of_a_survey_with_groups_takes_no_report(arms: Live) -> None:
    answer = ask_for_ticket(arms, {})
    assert (answer.status, answer.code) == (403, "link_without_group")
    genuine = tickets.issue(arms.services.secret, arms.survey.fingerprint)
    answer = arms.post(arms.report(), genuine)
    assert (answer.status, answer.code) == (403, "link_without_group")
    assert arms.stored()["reports"] == []


def test_the_test_of_a_draft_takes_reports_without_a_group(live: Live, draft: Draft) -> None:
    survey = try_draft(live.services, with_groups(draft)).published.survey
    test = Live(live.url, live.folder, live.services, survey)
    assert test.post(test.report()).status == 201


def test_a_new_version_has_groups_and_links_of_its_own(arms: Live, draft: Draft) -> None:
    key = group_key(arms, "arm-a")
    publish_draft(arms.services, with_factors(draft), new_version=True)
    assert ask_for_ticket(arms, {"group": key}).code == "invitation_unknown"
    assert sizes(arms) == {"": 0, "0-0": 0, "0-1": 0, "1-0": 0, "1-1": 0}
    assert ask_for_ticket(arms, {"group": group_key(arms, "arm=control, site=north")}).status == 201


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE reports SET in_group = '1' WHERE in_group = '0'",
        "UPDATE groups SET reports = 2 WHERE name = '0'",
        "UPDATE tallies SET count = count + 1 WHERE in_group = '1'",
        "DELETE FROM groups WHERE name = '2'",
    ],
)
def test_verification_notices_a_group_that_was_changed(arms: Live, statement: str) -> None:
    arms.post(arms.report(), arms.ticket("arm-a"))
    assert verify(arms.folder.database).problems == []
    arms.services.database.write(lambda db: db.execute(statement))
    assert verify(arms.folder.database).problems != []


def test_a_group_of_a_few_personal_links_is_refused(sites: Live) -> None:
    with pytest.raises(Refusal, match="with fewer, its reports could be traced to people"):
        invite(sites.services, "habits", LEAST_IN_GROUP - 1, "north")
    assert sites.stored()["invitations"] == []
