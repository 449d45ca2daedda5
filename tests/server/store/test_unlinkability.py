"""With the whole database file and the list of links nobody can tell whose report is whose.

A thousand people with personal links in two groups hand in, one after the other in a known order.
All that is random is drawn from fixed seeds, so the figures are the same in every run.
"""

import hashlib
import random
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from scipy.stats import spearmanr

from client.core.report import Report
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.lifecycle.hand_in import hand_in, issue_ticket
from server.lifecycle.invitations import invite
from server.serving import running_services
from server.store.backup import back_up
from server.web.services import Services
from tests.support.groups import with_groups
from tests.support.live import stored
from tests.support.publishing import publish_draft

PEOPLE = 1000
GROUPS = ("arm-a", "arm-b")


@dataclass(frozen=True)
class Person:
    """Who came when is the place in the list."""

    id: str
    ticket: str
    group: str

    @property
    def ticket_hash(self) -> bytes:
        return hashlib.sha256(self.ticket.encode()).digest()


@dataclass(frozen=True)
class Crowd:
    """Those who took part, in the order of their arrival, and all links."""

    folder: DataFolder
    services: Services
    people: list[Person]

    @property
    def file(self) -> bytes:
        return self.folder.database.read_bytes()

    @property
    def log(self) -> bytes:
        return self.folder.database.with_name("candor.db-wal").read_bytes()


@pytest.fixture
def crowd(
    tmp_path: Path, draft: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> Iterator[Crowd]:
    draws = random.Random(11)
    folder = DataFolder(tmp_path / "data")
    folder.create()
    (folder.path / "secret.key").write_text("5a" * 32)
    monkeypatch.setattr(
        "server.invitations.codes.secure_hex", lambda words: draws.randbytes(4 * words).hex()
    )
    with running_services(folder, housekeeping=False) as services:
        staff = {**with_groups(draft, *GROUPS), "access": "invited"}
        survey = publish_draft(services, staff).published.survey
        links = [
            (issue_ticket(services, "habits", invitation=code), group)
            for group in GROUPS
            # As many again stay unused.
            for code in invite(services, "habits", PEOPLE, group)["invitations"]
        ]
        people = [Person(draws.randbytes(16).hex(), *link) for link in draws.sample(links, PEOPLE)]
        for person in people:
            randomized = {"smokes": draws.randrange(2), "drinks": draws.randrange(2)}
            body = Report(survey.fingerprint, randomized).body
            assert hand_in(services, "habits", person.id, body, person.ticket)
        yield Crowd(folder, services, people)


def places(file: bytes, marks: list[bytes]) -> list[int]:
    """Where in the file each of them stands."""
    found = [file.index(mark) for mark in marks]
    assert len(set(found)) == len(marks)
    return found


def correlation(order: list[int]) -> float:
    """Of an order with that of arrival."""
    return abs(float(spearmanr(order, range(len(order))).statistic))


def matched(reports: list[int], links: list[int]) -> int:
    """How many people a reader finds who lays the two orders beside each other."""
    by_report = sorted(range(len(reports)), key=reports.__getitem__)
    by_link = sorted(range(len(links)), key=links.__getitem__)
    return sum(one == other for one, other in zip(by_report, by_link, strict=True))


def assert_unlinkable(crowd: Crowd, file: bytes) -> None:
    reports = places(file, [person.id.encode() for person in crowd.people])
    links = places(file, [person.ticket_hash for person in crowd.people])
    assert correlation(reports) <= 0.1
    assert correlation(links) <= 0.1
    assert abs(float(spearmanr(reports, links).statistic)) <= 0.1
    for group in GROUPS:
        members = [i for i, person in enumerate(crowd.people) if person.group == group]
        # One is right by chance, whatever their number; seven or more once in 12,000 times.
        found = matched([reports[i] for i in members], [links[i] for i in members])
        assert found < 7


def test_after_closing_no_order_in_the_file_tells_anything(crowd: Crowd) -> None:
    ending.close(crowd.services.database, "habits")
    assert crowd.log == b""
    assert_unlinkable(crowd, crowd.file)


def test_the_rows_of_both_tables_come_in_an_order_of_their_own(crowd: Crowd) -> None:
    rows = stored(crowd.folder)
    ids = [row[1] for row in rows["reports"]]
    hashes = [row[1] for row in rows["tickets"]]
    assert ids == sorted(ids)
    assert hashes == sorted(hashes)
    assert correlation([ids.index(person.id) for person in crowd.people]) <= 0.1
    assert correlation([hashes.index(person.ticket_hash) for person in crowd.people]) <= 0.1


def test_a_report_and_a_ticket_have_nothing_in_common_but_the_survey(crowd: Crowd) -> None:
    rows = stored(crowd.folder)
    known = {person.group for person in crowd.people}
    by_id = {person.id: person for person in crowd.people}
    for survey, id, randomized, checksum, group in rows["reports"]:
        assert (survey, GROUPS[int(group)]) == (1, by_id[id].group)
        assert by_id[id].ticket_hash not in (checksum, randomized.encode())
    assert len(rows["tickets"]) == 2 * PEOPLE
    assert {len(row) for row in rows["tickets"]} == {3}
    assert {row[2] for row in rows["tickets"]} == {0, 1}
    # Nothing beside hash and used bit: not even the group, which the report has.
    assert not any(value in known for row in rows["tickets"] for value in row)


def test_before_closing_it_holds_as_soon_as_the_log_is_emptied(crowd: Crowd) -> None:
    """The caretaker does so every few seconds. Until then the log shows what came together."""
    assert crowd.people[-1].id.encode() in crowd.log
    ending.finish_due(crowd.services.database)
    assert crowd.log == b""
    assert_unlinkable(crowd, crowd.file)


def test_a_backup_of_a_few_reports_does_not_keep_their_order(
    services: Services, folder: DataFolder, draft: dict[str, Any], tmp_path: Path
) -> None:
    """All of them lie in one page, in which the last to come lies first; closing is too late."""
    survey = publish_draft(services, {**draft, "access": "invited"}).published.survey
    # Neither that order nor its reverse is that of the ids.
    ids = [bytes([7 * number % 25] * 16).hex() for number in range(25)]
    body = Report(survey.fingerprint, {"smokes": 0, "drinks": 0}).body
    for id, code in zip(ids, invite(services, "habits", 25)["invitations"], strict=True):
        ticket = issue_ticket(services, "habits", invitation=code)
        assert hand_in(services, "habits", id, body, ticket)
    assert back_up(folder.database, tmp_path / "copy.db").is_sound
    file = (tmp_path / "copy.db").read_bytes()
    order = places(file, [id.encode() for id in sorted(ids)])
    assert order in (sorted(order), sorted(order, reverse=True))


def test_spending_a_ticket_moves_nothing_in_the_file(crowd: Crowd) -> None:
    """All hashes lie where they were put ahead, used or not, so their places say nothing."""
    ending.finish_due(crowd.services.database)
    file = crowd.file
    used = {person.ticket_hash for person in crowd.people}
    hashes = [row[1] for row in stored(crowd.folder)["tickets"]]
    ranks = [int(hash in used) for hash in sorted(hashes, key=file.index)]
    assert abs(float(spearmanr(ranks, range(len(ranks))).statistic)) <= 0.1
