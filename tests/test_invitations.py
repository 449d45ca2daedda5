"""Invitations: personal links good for one report, group links, and counts that name nobody."""

import csv
import hashlib
import json
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from sqlite_utils import Database

from client import __main__
from client.draft import build_survey
from client.refusal import Refusal
from client.terminal import Commands
from client.transport import SurveyLink
from client.words import secure_hex
from server.commands import COMMANDS
from server.data import DataFolder
from server.life.publishing import publish_draft, rehearse_draft
from server.respondents import tickets
from server.respondents.invitations import LEAST_IN_GROUP, invite, open_to_all, status
from server.serving import running_services
from server.store.records import checksum
from server.store.schema import migrations
from server.store.verify import verify
from tests.clock import FakeClock, at
from tests.live import JSON, Answer, Live
from tests.live import live as run_live

Draft = dict[str, Any]


@pytest.fixture
def staff(folder: DataFolder, draft: Draft) -> Iterator[Live]:
    """A survey by invitation."""
    with run_live(folder, {**draft, "drawn_by": "device"}) as live:
        yield live


def ask_for_ticket(live: Live, invitation: str | None) -> Answer:
    body = b"" if invitation is None else json.dumps({"invitation": invitation}).encode()
    return live.send("POST", f"{live.api}/tickets", body, JSON)


def personal(live: Live, count: int = 1, group: str = "") -> list[str]:
    invitations: list[str] = invite(live.services, "habits", count, group)["invitations"]
    return invitations


def group_key(live: Live, group: str) -> str:
    return str(open_to_all(live.services, "habits", group)["invitations"][0])


def test_a_personal_link_is_good_for_one_report(staff: Live) -> None:
    (ticket,) = personal(staff)
    answer = ask_for_ticket(staff, ticket)
    assert (answer.status, answer.json) == (201, {"ticket": ticket})
    id = secure_hex(4)
    assert staff.put(staff.report(), ticket, id).status == 201
    assert staff.put(staff.report(), ticket, id).status == 200
    again = staff.put(staff.report(), ticket)
    assert (again.status, again.code) == (409, "ticket_spent")
    used = ask_for_ticket(staff, ticket)
    assert (used.status, used.code) == (409, "link_used")
    assert len(staff.stored()["reports"]) == 1


def test_without_a_link_nobody_takes_part(staff: Live) -> None:
    answer = ask_for_ticket(staff, None)
    assert (answer.status, answer.code) == (403, "invitation_missing")
    genuine = tickets.issue(staff.services.secret, staff.survey.fingerprint)
    for invitation in ("", "x", genuine, genuine[:-1] + "0", "0" * 32):
        answer = ask_for_ticket(staff, invitation)
        assert (answer.status, answer.code) == (403, "invitation_unknown")
    # Signed with the right key, yet nobody was invited with it.
    answer = staff.put(staff.report(), genuine)
    assert (answer.status, answer.code) == (403, "invitation_unknown")
    assert staff.stored()["reports"] == staff.stored()["tickets"] == []


@pytest.mark.parametrize("body", [b"[]", b"{}", b'{"invitation":"a","more":"b"}', b"x" * 2000])
def test_a_body_that_is_no_invitation_is_refused(live: Live, body: bytes) -> None:
    assert 400 <= live.send("POST", f"{live.api}/tickets", body, JSON).status < 500


def test_of_an_invitation_only_a_hash_and_a_used_bit_are_kept(staff: Live) -> None:
    made = personal(staff, 30, "north") + personal(staff, 3)
    rows = staff.stored()["tickets"]
    assert sorted(row[1:] for row in rows) == sorted(
        (hashlib.sha256(ticket.encode()).digest(), 0) for ticket in made
    )
    file = b"".join(path.read_bytes() for path in staff.folder.path.iterdir())
    assert [ticket for ticket in made if ticket.split(".")[0].encode() in file] == []


def test_the_test_of_a_draft_is_open_to_everybody(live: Live, draft: Draft) -> None:
    survey = rehearse_draft(live.services, {**draft, "drawn_by": "device"}).published.survey
    test = Live(live.url, live.folder, live.services, survey)
    assert test.put(test.report()).status == 201


def test_an_open_survey_has_no_personal_links_and_says_why(live: Live) -> None:
    with pytest.raises(Refusal, match="narrowed down to personal links") as caught:
        personal(live)
    assert caught.value.code == "not_by_invitation"


def test_a_survey_by_invitation_has_no_open_link(staff: Live) -> None:
    with pytest.raises(Refusal, match="it has personal links, and no open ones"):
        group_key(staff, "arm-a")


def test_the_group_of_an_open_link_is_signed_into_its_tickets(live: Live) -> None:
    key = group_key(live, "arm-a")
    ticket = ask_for_ticket(live, key).json["ticket"]
    assert tickets.group_of(ticket) == "arm-a"
    assert live.put(live.report(smokes=1), ticket).status == 201
    assert live.put(live.report()).status == 201
    forged = ticket.replace("arm-a", "arm-b")
    assert live.put(live.report(), forged).code == "ticket_forged"
    group_key(live, "arm-b")
    assert ask_for_ticket(live, key.replace("arm-a", "arm-b")).code == "invitation_unknown"
    groups = {group.name: group.reports for group in live.services.store.groups("habits")}
    assert groups == {"": 1, "arm-a": 1, "arm-b": 0}


def test_tallies_are_of_all_groups_unless_one_is_named(live: Live) -> None:
    for group, smokes in (("arm-a", 1), ("arm-a", 1), ("arm-b", 0), ("", 1)):
        ticket = ask_for_ticket(live, group_key(live, group) or None).json["ticket"]
        assert live.put(live.report(smokes=smokes), ticket).status == 201
    counted = {
        group: (published.reports, tallies["smokes"].counts)
        for group in (None, "", "arm-a", "arm-b")
        for published, tallies in [live.services.store.tallies("habits", group=group)]
    }
    assert counted == {
        None: (4, (1, 3)),
        "": (1, (0, 1)),
        "arm-a": (2, (0, 2)),
        "arm-b": (1, (1, 0)),
    }
    assert verify(live.folder.database).problems == []
    with pytest.raises(Refusal, match="has no group 'arm-c'"):
        live.services.store.tallies("habits", group="arm-c")


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE reports SET in_group = 'arm-b' WHERE in_group = 'arm-a'",
        "UPDATE groups SET reports = 2 WHERE name = 'arm-a'",
        "UPDATE tallies SET count = count + 1 WHERE in_group = 'arm-b'",
    ],
)
def test_verification_notices_a_group_that_was_changed(live: Live, statement: str) -> None:
    group_key(live, "arm-b")
    ticket = ask_for_ticket(live, group_key(live, "arm-a")).json["ticket"]
    live.put(live.report(), ticket)
    assert verify(live.folder.database).problems == []
    live.services.store._file.write(lambda db: db.execute(statement))
    assert verify(live.folder.database).problems != []


def test_verification_notices_a_ticket_that_nobody_issued(staff: Live) -> None:
    personal(staff, 2)
    add = "INSERT INTO tickets VALUES (1, randomblob(32), 0)"
    staff.services.store._file.write(lambda db: db.execute(add))
    assert verify(staff.folder.database).problems == [
        "habits version 1: issued tickets: stored 2, counted 3"
    ]


@pytest.mark.parametrize("group", ["Arm A", "-a", "a" * 32, "a.b", "ä", "a;b"])
def test_a_name_that_cannot_stand_in_a_link_is_no_group(live: Live, group: str) -> None:
    with pytest.raises(Refusal) as caught:
        group_key(live, group)
    assert caught.value.code == "bad_group"


def test_a_group_of_a_few_personal_links_is_refused(staff: Live) -> None:
    with pytest.raises(Refusal, match="fewer would tell whose report it is"):
        personal(staff, LEAST_IN_GROUP - 1, "north")
    assert staff.stored()["tickets"] == []


def test_the_status_counts_and_never_says_which(staff: Live) -> None:
    north = personal(staff, 20, "north")
    personal(staff, 5)
    for ticket in north[:3]:
        assert staff.put(staff.report(), ticket).status == 201
    found = status(staff.services, "habits")
    assert found == {
        "slug": "habits",
        "by_invitation": True,
        "groups": [
            {"group": "", "issued": 5, "used": 0, "unused": 5},
            {"group": "north", "issued": 20, "used": 3, "unused": 17},
        ],
    }


def test_a_closed_survey_invites_nobody(staff: Live) -> None:
    staff.services.store.close_survey("habits")
    with pytest.raises(Refusal, match="is closed: it cannot invite anybody"):
        personal(staff)


def test_invitations_are_on_record_without_their_tickets(staff: Live) -> None:
    (ticket,) = personal(staff)
    entry = staff.services.store.history("habits")[0]
    assert (entry.action, entry.details) == ("invite", {"version": 1, "group": "", "count": 1})
    assert ticket[:32] not in str(staff.services.store.whole_history())


def test_small_groups_are_merged_when_the_reports_are_deleted(
    clock: FakeClock, folder: DataFolder, draft: Draft
) -> None:
    with at(clock, folder, {**draft, "delete_on": "2026-12-24"}) as live:
        for group in [*["arm-a"] * 50, "arm-b"]:
            ticket = ask_for_ticket(live, group_key(live, group)).json["ticket"]
            live.put(live.report(smokes=1), ticket)
        clock.now = "2026-12-24T00:00:00Z"
        live.services.store.tend()
        assert [(item.name, item.reports) for item in live.services.store.groups("habits")] == [
            ("", 51)
        ]
        _, tallies = live.services.store.tallies("habits")
        assert tallies["smokes"].counts == (0, 51)
        assert verify(folder.database).problems == []


def test_a_new_version_has_links_of_its_own(staff: Live, draft: Draft) -> None:
    (ticket,) = personal(staff)
    changed = {**draft, "drawn_by": "device", "title": "Vices"}
    publish_draft(staff.services, changed, new_version=True)
    assert ask_for_ticket(staff, ticket).code == "invitation_unknown"


def test_a_file_from_before_the_groups_is_brought_up_to_date(
    folder: DataFolder, draft: Draft
) -> None:
    survey = build_survey(draft)
    randomized = '{"drinks":0,"smokes":1}'
    bound = checksum(survey.fingerprint, "a" * 32, randomized)
    folder.create()
    old = Database(sqlite3.connect(folder.database, isolation_level=None))
    migrations.apply(old, stop_before="groups")
    old.execute(
        "INSERT INTO surveys (id, slug, version, fingerprint, state, reports) "
        "VALUES (1, 'habits', 1, ?, 'open', 1)",
        [survey.fingerprint],
    )
    old.execute("INSERT INTO documents VALUES (1, ?)", [survey.document])
    old.execute("INSERT INTO reports VALUES (1, ?, ?, ?)", ["a" * 32, randomized, bound])
    old.execute("INSERT INTO tickets VALUES (1, randomblob(32), 1)")
    for question, cell, count in (("smokes", 0, 0), ("smokes", 1, 1), ("drinks", 0, 1)):
        old.execute("INSERT INTO tallies VALUES (1, ?, ?, ?)", [question, cell, count])
    old.execute("INSERT INTO tallies VALUES (1, 'drinks', 1, 0)")
    old.close()
    with running_services(folder) as services:
        published, tallies = services.store.tallies("habits", group="")
        assert (published.reports, tallies["smokes"].counts) == (1, (0, 1))
    assert verify(folder.database).problems == []


def candor(live: Live, *arguments: object) -> Result:
    with live.folder.announced(live.url, "https://surveys.example.org"):
        return CliRunner().invoke(
            Commands("candor", commands=COMMANDS),
            ["invite", "habits", *map(str, arguments), "--data", str(live.folder.path)],
        )


def test_the_command_writes_the_links_once_for_their_owner_only(
    staff: Live, tmp_path: Path
) -> None:
    out = tmp_path / "links.csv"
    result = candor(staff, "--count", 25, "--group", "north", "--out", out)
    assert (result.exit_code, result.output) == (0, f"Wrote 25 personal links to {out}\n")
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    with out.open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert {row["group"] for row in rows} == {"north"}
    links = [SurveyLink.parse(row["link"]) for row in rows]
    assert len({link.invitation for link in links}) == 25
    for link in links:
        assert (link.fingerprint, link.group) == (staff.survey.fingerprint, "north")
    assert candor(staff, "--count", 25, "--group", "north", "--out", out).exit_code == 2
    assert len(staff.stored()["tickets"]) == 25
    assert "north: 25 issued, 0 used, 25 unused\n" in candor(staff, "--status").output


def test_publishing_says_how_a_survey_by_invitation_gets_its_links(
    folder: DataFolder, draft: Draft, tmp_path: Path
) -> None:
    file = tmp_path / "survey.json"
    for drawn_by in ("ticket", "device"):
        file.write_text(json.dumps({**draft, "slug": drawn_by, "drawn_by": drawn_by}))
        result = CliRunner().invoke(
            Commands("candor", commands=COMMANDS),
            ["publish", str(file), "--data", str(folder.path)],
        )
        assert result.exit_code == 0, result.output
        assert ("candor invite device --count N" in result.output) == (drawn_by == "device")


def test_the_command_prints_the_open_link_and_draws_it(live: Live, tmp_path: Path) -> None:
    qr = tmp_path / "poster.svg"
    result = candor(live, "--qr", qr)
    expected = f"https://surveys.example.org/s/habits#{live.survey.fingerprint}\n"
    assert (result.exit_code, result.output) == (0, expected)
    assert b"<svg" in qr.read_bytes()
    grouped = candor(live, "--open-link", "--group", "arm-a").output
    assert grouped.startswith(expected.strip() + ";arm-a.")
    assert "arm-a: 0 reports\n" in candor(live, "--status").output


@pytest.mark.parametrize(
    "arguments",
    [[], ["--count", 5, "--status"], ["--open-link", "--out", "x.csv"], ["--count", 0]],
)
def test_choices_that_make_no_sense_are_refused(live: Live, arguments: list[object]) -> None:
    assert candor(live, *arguments).exit_code == 2
    assert live.stored()["tickets"] == []


def answer(live: Live, outbox: Path, fragment: str) -> Result:
    url = f"{live.url}/s/habits#{live.survey.fingerprint}{fragment}"
    return CliRunner().invoke(
        __main__.main, ["answer", url, "--outbox", str(outbox)], input="2\n1\ny\n"
    )


def test_the_terminal_answers_with_a_personal_link_and_tells_the_group(
    staff: Live, tmp_path: Path
) -> None:
    ticket = personal(staff, 20, "north")[0]
    first = answer(staff, tmp_path / "first", f";{ticket}")
    assert first.exit_code == 0, first.output
    assert "They also see the group of your link: north." in first.output
    second = answer(staff, tmp_path / "second", f";{ticket}")
    assert (second.exit_code, "one came with this link already" in second.output) == (2, True)
    missing = answer(staff, tmp_path / "second", "")
    assert (missing.exit_code, "open the whole link" in missing.output) == (2, True)
    assert len(staff.stored()["reports"]) == 1
