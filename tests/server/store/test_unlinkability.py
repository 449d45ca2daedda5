"""With the whole database file and the list of links nobody can tell whose report is whose.

A thousand people with personal links in two groups get their tickets and hand in, one after the
other in a known order.
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
from server.lifecycle.asking import GIVING_SECONDS
from server.lifecycle.hand_in import store_ballot
from server.lifecycle.invitations import invite
from server.serving import running_services
from server.signing.blinded import signed_by
from server.store.backup import back_up
from server.store.invitations import Gift, asked_for, give_all
from server.surveys.ballots.ballot import Ballot
from server.surveys.tickets import link_hash
from server.web.services import Services
from tests.support.groups import code, with_groups
from tests.support.live import stored
from tests.support.publishing import publish_draft
from tests.support.tickets import use_links

PEOPLE = 1000
GROUPS = ("arm-a", "arm-b")
# Where the server draws one for the closing.
KEY = bytes(range(32))


@dataclass(frozen=True)
class Person:
    """Who came when is the place in the list."""

    id: str
    hash: bytes
    group: str


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
        published = publish_draft(services, staff).published
        survey, database = published.survey, services.database
        links = [
            (link_hash(services.secret, survey.fingerprint, link), group)
            for group in GROUPS
            # As many again stay unused.
            for link in invite(services, "habits", PEOPLE, group)["invitations"]
        ]
        people = [Person(draws.randbytes(16).hex(), *link) for link in draws.sample(links, PEOPLE)]
        for person in people:
            in_group = code(survey, person.group)
            answer = b"\0" + draws.randbytes(255)
            asked = asked_for(signed_by(dict(survey.ticket_keys)[in_group], answer.hex()))
            gift = Gift(published.key, person.hash, in_group, asked, answer)
            assert database.write_in_set(GIVING_SECONDS, give_all, gift)
            report = Report(
                survey.fingerprint, {"smokes": draws.randrange(2), "drinks": draws.randrange(2)}
            )
            assert store_ballot(database, Ballot(survey, person.id, report, in_group))
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


def names_of(crowd: Crowd) -> list[str]:
    """Return the id that each person's report has now: after the closing by the test's own key."""
    (survey,) = stored(crowd.folder)["surveys"]
    return [person.id if survey[4] == "open" else renamed(person.id) for person in crowd.people]


def renamed(id: str) -> str:
    return hashlib.sha256((KEY.hex() + id).encode()).hexdigest()[:32]


def assert_unlinkable(crowd: Crowd, file: bytes) -> None:
    reports = places(file, [id.encode() for id in names_of(crowd)])
    links = places(file, [person.hash for person in crowd.people])
    assert correlation(reports) <= 0.1
    assert correlation(links) <= 0.1
    assert abs(float(spearmanr(reports, links).statistic)) <= 0.1
    for group in GROUPS:
        members = [i for i, person in enumerate(crowd.people) if person.group == group]
        # One is right by chance, whatever their number; seven or more once in 12,000 times.
        found = matched([reports[i] for i in members], [links[i] for i in members])
        assert found < 7


def test_after_closing_no_order_in_the_file_tells_anything(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("server.store.lifecycle.spent.secure_hex", lambda _: KEY.hex())
    ending.close(crowd.services.database, "habits")
    assert crowd.log == b""
    assert_unlinkable(crowd, crowd.file)


def test_the_rows_of_both_tables_come_in_an_order_of_their_own(crowd: Crowd) -> None:
    rows = stored(crowd.folder)
    ids = [row[1] for row in rows["reports"]]
    hashes = [row[1] for row in rows["invitations"]]
    assert ids == sorted(ids)
    assert hashes == sorted(hashes)
    assert correlation([ids.index(person.id) for person in crowd.people]) <= 0.1
    assert correlation([hashes.index(person.hash) for person in crowd.people]) <= 0.1


def test_a_report_and_a_link_have_nothing_in_common_but_the_survey(crowd: Crowd) -> None:
    rows = stored(crowd.folder)
    by_id = {person.id: person for person in crowd.people}
    used = {person.hash for person in crowd.people}
    for survey, id, randomized, checksum, group in rows["reports"]:
        assert (survey, GROUPS[int(group)]) == (1, by_id[id].group)
        assert by_id[id].hash not in (checksum, randomized.encode())
    links = rows["invitations"]
    assert len(links) == 2 * PEOPLE
    # Beside its hash only what was asked and answered: not even the group, which the report has.
    assert {tuple(map(len, row[1:])) for row in links} == {(32, 32, 256)}
    assert {row[1] for row in links if any(row[2])} == used
    parts = {value for row in rows["reports"] for value in row[1:4]}
    assert not any(value in parts for row in links for value in row[1:])


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
    report = Report(survey.fingerprint, {"smokes": 0, "drinks": 0})
    use_links(services, survey, 25)
    for id in ids:
        assert store_ballot(services.database, Ballot(survey, id, report))
    assert back_up(folder.database, tmp_path / "copy.db").is_sound
    file = (tmp_path / "copy.db").read_bytes()
    order = places(file, [id.encode() for id in sorted(ids)])
    assert order in (sorted(order), sorted(order, reverse=True))


def test_giving_a_ticket_moves_nothing_in_the_file(crowd: Crowd) -> None:
    """All hashes lie where they were put ahead, used or not, so their places say nothing."""
    ending.finish_due(crowd.services.database)
    file = crowd.file
    used = {person.hash for person in crowd.people}
    hashes = [row[1] for row in stored(crowd.folder)["invitations"]]
    ranks = [int(hash in used) for hash in sorted(hashes, key=file.index)]
    assert abs(float(spearmanr(ranks, range(len(ranks))).statistic)) <= 0.1
