"""Invitations at the workbench: links as a file, open links with a code, counts for reminders."""

import csv
import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from client.core.tickets.ticket import read
from client.terminal.transport import SurveyLink
from client.wording.comparison import first_digits
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import audit_log, reading
from server.store.researchers import access
from server.surveys.researchers import Role
from tests.support.groups import with_groups
from tests.support.inviting import ticket_of
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft
from tests.support.qr import texts_in
from tests.support.researcher import Browser, hire, logged_in

OPEN, STAFF = "/workbench/surveys/habits", "/workbench/surveys/staff"


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """An open survey with groups, and one by invitation."""
    with run_live(folder, with_groups(draft)) as running:
        places = with_groups(draft, "north", "south", id="site")
        publish_draft(running.services, {**places, "slug": "staff", "access": "invited"})
        for name, role in (("edi", Role.EDITOR), ("vera", Role.VIEWER)):
            hire(running, name, role)
            running.services.database.write(access.give_role, "staff", name, role)
        yield running


@pytest.fixture
def edi(live: Live) -> Browser:
    return logged_in(live, "edi")


def test_personal_links_come_as_a_file_once(live: Live, edi: Browser, tmp_path: Path) -> None:
    answer = edi.post(f"{STAFF}/invitations", count="25", group="north")
    assert answer.status == 200, answer.body
    assert 'filename="staff-north-links.csv"' in answer.headers["Content-Disposition"]
    rows = list(csv.DictReader(io.StringIO(answer.body.decode("utf-8-sig"))))
    links = [SurveyLink.parse(row["link"]) for row in rows]
    assert len({link.invitation for link in links}) == 25
    staff = reading.newest(live.services.database.reader, "staff").survey
    assert read(ticket_of(links[0], tmp_path)).group == "0"
    page = edi.get(f"{STAFF}/invitations").body.decode()
    assert "nothing that is stored joins a link and a report" in page
    assert "<td>25</td><td>1</td>" in page
    # What must be the same for everybody stands where links are made.
    assert f"{live.url.removeprefix('http://')}/s/staff" in page
    assert first_digits(staff.fingerprint) in page
    assert links[0].invitation not in page
    entry = audit_log.entries_since_removal(live.services.database.reader, "staff")[0]
    assert (entry.actor, entry.action) == ("edi", "invite")


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"count": "", "group": "north"}, "Please enter a number"),
        ({"count": "0", "group": "north"}, "between 1 and 10000"),
        ({"count": "5", "group": "north"}, "at least 20"),
        ({"count": "30", "group": "The North"}, "Not a valid choice"),
    ],
)
def test_what_cannot_be_made_is_said_at_the_form(
    live: Live, edi: Browser, fields: dict[str, str], words: str
) -> None:
    answer = edi.post(f"{STAFF}/invitations", **fields)
    assert answer.status == 400
    assert words in answer.body.decode()
    assert live.stored()["invitations"] == []


def test_an_open_survey_offers_its_link_groups_and_codes(live: Live, edi: Browser) -> None:
    page = edi.get(f"{OPEN}/invitations").body.decode()
    assert f"{live.url}/s/habits#{live.survey.fingerprint};0." in page
    for group in ("arm-a", "arm=arm-b"):
        code = edi.get(f"{OPEN}/qr.svg?group={group}")
        assert (code.status, code.headers["Content-Type"]) == (200, "image/svg+xml; charset=utf-8")
        assert b"<svg" in code.body
        picture = edi.get(f"{OPEN}/qr.png?group={group}")
        assert picture.status == 200
        (link,) = texts_in(picture.body)
        assert f'href="{link}"' in page
        assert f";{'ab'.index(group[-1])}." in link
    for group in ("", "arm-x"):
        assert edi.get(f"{OPEN}/qr.svg?group={group}").status == 400


def test_viewers_count_and_make_nothing(live: Live) -> None:
    vera = logged_in(live, "vera")
    page = vera.get(f"{STAFF}/invitations").body.decode()
    assert "How many took part" in page
    assert "Personal links</h2>" not in page
    assert vera.post(f"{STAFF}/invitations", count="25").status == 403
    assert live.stored()["invitations"] == []


def test_a_closed_survey_invites_nobody_at_the_workbench(live: Live, edi: Browser) -> None:
    ending.close(live.services.database, "staff")
    assert "Personal links</h2>" not in edi.get(f"{STAFF}/invitations").body.decode()
    answer = edi.post(f"{STAFF}/invitations", count="25", group="north")
    assert answer.status == 409
    assert b"is closed: it cannot invite anybody" in answer.body
    assert edi.post(f"{OPEN}/invitations", count="25", group="arm-a").status == 409


def test_an_open_survey_has_a_link_for_a_shared_device_and_one_by_invitation_has_none(
    edi: Browser,
) -> None:
    opened = edi.get(f"{OPEN}/invitations").body.decode()
    assert "One device for many people" in opened
    assert ";kiosk" in opened
    assert ";kiosk" not in edi.get(f"{STAFF}/invitations").body.decode()
