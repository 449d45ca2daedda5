"""Drafts: tested under a link of their own, apart from all that is real, and gone on publishing."""

import json
from pathlib import Path
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.commands import operating
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.store import reading
from server.store.database import open_reader
from server.store.researchers import access, accounts
from server.store.verify import verify
from server.surveys.researchers import Role
from server.web.services import Services
from tests.support.live import Live, everywhere
from tests.support.publishing import publish_as, publish_draft, try_as, try_draft

Draft = dict[str, Any]


def rehearsed(live: Live, draft: Draft) -> Live:
    """The same server, seen from the test of a draft."""
    survey = try_draft(live.services, draft).published.survey
    return Live(live.url, live.folder, live.services, survey)


@pytest.fixture
def rehearsal(live: Live, draft: Draft) -> Live:
    """A draft of the next version of a survey that is open meanwhile."""
    return rehearsed(live, draft)


def test_a_draft_has_a_document_of_its_own(live: Live, rehearsal: Live, draft: Draft) -> None:
    served = live.get("/t/habits/document.json")
    assert served.body == rehearsal.survey.document
    assert served.json["test"] is True
    assert served.json["version"] == 2
    assert "test" not in live.get("/s/habits/document.json").json
    real = publish_draft(live.services, {**draft, "title": "Vices"}, new_version=True)
    assert real.published.survey.version == 2
    assert rehearsed(live, draft).survey.fingerprint != real.published.survey.fingerprint


def test_a_draft_needs_no_published_survey(live: Live, draft: Draft) -> None:
    other = rehearsed(live, {**draft, "slug": "other"})
    assert other.survey.version == 1
    assert live.get("/t/other").status == 200
    assert live.get("/s/other").status == 404
    assert other.post(other.report()).status == 201


def test_reports_to_a_draft_are_counted_apart_from_the_real_ones(
    live: Live, rehearsal: Live
) -> None:
    before = live.stored()
    for smokes in (1, 1, 0):
        assert rehearsal.post(rehearsal.report(smokes=smokes)).status == 201
    assert live.stored() == before
    assert len(rehearsal.stored()["reports"]) == 3
    assert live.get("/t/habits/estimates.json").json["n"] == 3
    assert live.get("/s/habits/estimates.json").json["n"] == 0
    live.post(live.report())
    assert len(rehearsal.stored()["reports"]) == 3


def test_tickets_and_reports_of_a_test_are_refused_by_the_survey_and_the_reverse(
    live: Live, rehearsal: Live
) -> None:
    before = live.stored(), rehearsal.stored()
    for here, there in ((live, rehearsal), (rehearsal, live)):
        stray = here.post(here.report(), there.ticket())
        assert (stray.status, stray.code) == (403, "ticket_forged")
        misled = here.post(there.report(), there.ticket())
        assert (misled.status, misled.code) == (400, "wrong_fingerprint")
    assert (live.stored(), rehearsal.stored()) == before


def test_the_pages_of_a_test_say_so_and_those_of_a_survey_never(
    live: Live, rehearsal: Live
) -> None:
    for path in ("", "/results"):
        assert b"<strong>TEST</strong>" in live.get(f"/t/habits{path}").body
        assert b"TEST" not in live.get(f"/s/habits{path}").body
    assert b"<strong>TEST</strong>" in live.get("/t/nowhere").body
    assert b"TEST" not in live.get("/s/nowhere").body


def test_downloads_from_a_test_say_so(live: Live, rehearsal: Live) -> None:
    assert live.get("/t/habits/estimates.json").json["test"] is True
    name = live.get("/t/habits/estimates.csv").headers["Content-Disposition"]
    assert "habits-v2-TEST-estimates.csv" in name
    assert "test" not in live.get("/s/habits/estimates.json").json
    assert "TEST" not in live.get("/s/habits/estimates.csv").headers["Content-Disposition"]


def leave_traces(rehearsal: Live) -> list[bytes]:
    """What a test leaves in its file: ids, checksums, the words of the document."""
    for _ in range(40):
        assert rehearsal.post(rehearsal.report()).status == 201
    rows = rehearsal.stored()["reports"]
    ids, checksums = [row[1] for row in rows], [row[3] for row in rows]
    traces = [*(id.encode() for id in ids), *checksums, rehearsal.survey.fingerprint.encode()]
    found = everywhere(rehearsal.folder)
    assert all(trace in found for trace in traces)
    return traces


def assert_no_trace(folder: DataFolder, traces: list[bytes]) -> None:
    left = everywhere(folder)
    assert [trace for trace in traces if trace in left] == []


def test_publishing_wipes_the_test_from_the_bytes_of_the_files(
    live: Live, rehearsal: Live, draft: Draft
) -> None:
    traces = leave_traces(rehearsal)
    publication = publish_draft(live.services, {**draft, "title": "Vices"}, new_version=True)
    assert publication.wiped
    assert_no_trace(live.folder, traces)
    assert live.get("/t/habits").status == live.get("/t/habits/document.json").status == 404
    assert live.get("/t/habits/results").status == 404
    assert all(rows == [] for rows in rehearsal.stored().values())


def test_another_draft_wipes_the_one_before(live: Live, rehearsal: Live, draft: Draft) -> None:
    traces = leave_traces(rehearsal)
    other = rehearsed(live, {**draft, "title": "Vices"})
    assert_no_trace(live.folder, traces)
    assert [row[1:3] for row in other.stored()["surveys"]] == [("habits", 2)]


def test_the_same_draft_again_starts_from_nothing(
    live: Live, rehearsal: Live, draft: Draft
) -> None:
    rehearsal.post(rehearsal.report())
    again = rehearsed(live, draft)
    assert again.survey.fingerprint == rehearsal.survey.fingerprint
    assert again.stored()["reports"] == []
    assert live.get("/t/habits/estimates.json").json["n"] == 0


def test_the_test_of_another_survey_stays(live: Live, rehearsal: Live, draft: Draft) -> None:
    other = rehearsed(live, {**draft, "slug": "other"})
    other.post(other.report())
    publish_draft(live.services, {**draft, "title": "Vices"}, new_version=True)
    assert len(other.stored()["reports"]) == 1
    assert other.post(other.report()).status == 201


def test_a_survey_that_is_refused_leaves_its_test_alone(
    live: Live, rehearsal: Live, draft: Draft
) -> None:
    rehearsal.post(rehearsal.report())
    with pytest.raises(Refusal, match="other content"):
        publish_draft(live.services, {**draft, "title": "Vices"})
    assert len(rehearsal.stored()["reports"]) == 1


def test_a_file_that_cannot_be_rewritten_is_told_and_publishing_again_wipes_it(
    live: Live, rehearsal: Live, draft: Draft
) -> None:
    traces = leave_traces(rehearsal)
    # A reader in the middle of a transaction keeps the log from being emptied.
    reader = open_reader(live.folder.drafts)
    writer = live.services.drafts
    writer.run_alone(lambda db: db.execute("PRAGMA busy_timeout = 10").fetchone())
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM reports").fetchone()
    assert not publish_draft(live.services, draft).wiped
    reader.close()
    assert publish_draft(live.services, draft).wiped
    assert_no_trace(live.folder, traces)


def test_verification_and_backups_are_of_real_surveys_only(live: Live, rehearsal: Live) -> None:
    rehearsal.post(rehearsal.report())
    found = verify(live.folder.database)
    assert [survey["reports"] for survey in found.surveys] == [0]
    assert found.is_sound


def test_the_operator_puts_up_a_draft_directly_or_through_the_server(
    folder: DataFolder, tmp_path: Path, draft: Draft, live: Live
) -> None:
    file = tmp_path / "draft.json"
    file.write_text(json.dumps(draft))
    alone = DataFolder(tmp_path / "alone")
    directly = operating.put_up_test(alone, operating.load(file), confirm_weak=False)
    with live.folder.announced(live.url):
        remotely = operating.put_up_test(live.folder, operating.load(file), confirm_weak=False)
    assert directly["test"] is remotely["test"] is True
    assert (directly["version"], remotely["version"]) == (1, 2)
    assert live.get("/t/habits").status == 200


def test_without_the_operators_key_no_draft_is_put_up(live: Live, draft: Draft) -> None:
    answer = live.send(
        "POST", "/api/drafts", json.dumps(draft).encode(), {"Content-Type": "application/json"}
    )
    assert (answer.status, answer.code) == (401, "key_missing")
    assert live.get("/t/habits").status == 404


def title_of_the_test(services: Services) -> str:
    return reading.newest(services.drafts.reader, "other").survey.title


def test_a_test_is_of_whoever_put_it_up(services: Services, draft: Draft) -> None:
    ana, bea = (services.database.write(accounts.add, name, "hash") for name in ("ana", "bea"))
    other = {**draft, "slug": "other"}
    try_as(services, ana, {**other, "title": "Ana's"})
    # Publishing would wipe it, and so is refused as well.
    for attempt in (try_as, publish_as):
        with pytest.raises(Refusal) as caught:
            attempt(services, bea, other)
        assert caught.value.code == "slug_taken"
        assert caught.value.message == (
            "somebody else is testing a survey as 'other'; choose another slug"
        )
    assert title_of_the_test(services) == "Ana's"
    assert reading.slugs(services.database.reader) == []
    try_as(services, ana, {**other, "title": "Ana's again"})
    assert title_of_the_test(services) == "Ana's again"
    publish_as(services, ana, other)
    # From now on the roles in the survey decide.
    services.database.write(access.give_role, "other", "bea", Role.EDITOR)
    try_as(services, bea, {**other, "title": "Bea's"})
    try_as(services, ana, {**other, "title": "Ana's next"})
    assert title_of_the_test(services) == "Ana's next"


def test_the_operator_may_replace_every_test_and_it_stays_its_owners(
    services: Services, draft: Draft
) -> None:
    ana, bea = (services.database.write(accounts.add, name, "hash") for name in ("ana", "bea"))
    other = {**draft, "slug": "other"}
    try_as(services, ana, other)
    try_draft(services, {**other, "title": "Mended"})
    assert title_of_the_test(services) == "Mended"
    with pytest.raises(Refusal, match="somebody else is testing"):
        try_as(services, bea, other)
    try_as(services, ana, other)
    ending.wipe(services.drafts, "other")
    # What is gone has no owner any more, and neither has the operator's own test another one.
    try_draft(services, other)
    for researcher in (ana, bea):
        with pytest.raises(Refusal, match="somebody else is testing"):
            try_as(services, researcher, other)
    ending.wipe(services.drafts, "other")
    try_as(services, bea, other)
