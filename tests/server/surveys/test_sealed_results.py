"""A survey by invitation shows its results to nobody before it is closed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.app import create_app
from server.cli import main
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.shown import live_results, public_results
from server.store import reading, snapshots
from server.store.verify import verify
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.researchers import Role
from tests.server.web.test_headers import example
from tests.support.clock import FakeClock, at
from tests.support.figures import complaint
from tests.support.live import Answer, Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_draft, try_draft
from tests.support.researcher import hire, key_of, logged_in

SENTENCE = "Its results appear when it is closed, so that nobody can watch the "
REFUSED = "is by invitation: its results appear when it is closed, so that nobody can watch"
FILES = ("estimates.csv", "figures/smokes.svg")
WORKBENCH = "/workbench/surveys/habits"

Answers = dict[str, Answer]


@pytest.fixture
def staff(staff: Live) -> Live:
    hire(staff, "ana", Role.OWNER)
    return staff


def answers(live: Live) -> Answers:
    """Whatever can be read about the survey: by everybody, by its owner, and by the operator."""
    paths = {
        example(rule)
        for rule in create_app(live.services).url_map.iter_rules()
        if "slug" in rule.arguments and "GET" in (rule.methods or ())
    }
    browser = logged_in(live, "ana")
    keys = {"owner": key_of(live, "ana")}
    keys["operator"] = {"Authorization": f"Bearer {live.services.operator_key}"}
    found = {f"everybody {path}": live.get(path) for path in paths}
    found |= {f"ana {path}": browser.get(path) for path in paths if path.startswith("/workbench")}
    for name, key in keys.items():
        api = [path for path in paths if path.startswith("/api/")]
        found |= {f"{name} {path}": live.send("GET", path, headers=key) for path in api}
    return found


def observed(live: Live, count: int) -> dict[str, tuple[int, str]]:
    """The same, with a mark in place of the number of reports, and without tokens of forms."""

    def plain(body: bytes) -> str:
        text = re.sub(r'name="csrf_token" value="[^"]+"', "", body.decode(errors="replace"))
        return re.sub(rf"\b{count}\b", "N", text)

    return {name: (answer.status, plain(answer.body)) for name, answer in answers(live).items()}


def test_nobody_learns_from_any_page_what_the_report_of_a_link_says(staff: Live) -> None:
    # The next one would be a milestone.
    staff.fill(199)
    before = observed(staff, 199)
    staff.fill(1, smokes=1, drinks=1)
    after = observed(staff, 200)
    # Making the link is on record; that it was used shows in numbers of links alone.
    for pages in (before, after):
        for name in list(pages):
            if name.endswith(("/log", "/invitations")):
                del pages[name]
    assert len(after) > 40
    assert after == before


def test_until_it_is_closed_every_way_in_says_why(staff: Live, tmp_path: Path) -> None:
    staff.fill(60, smokes=1)
    page = staff.get("/s/habits/results").body.decode()
    assert SENTENCE in page
    assert 'class="bar-share"' not in page
    body = staff.get("/s/habits/estimates.json").json
    assert (body["sealed"], body["n"], body["next_n"], body["groups"]) == (True, 0, None, {})
    assert {row["value"] for row in body["estimates"]} == {None}
    browser = logged_in(staff, "ana")
    page = browser.get(f"{WORKBENCH}/results").body.decode()
    assert SENTENCE.replace("&#39;", "'") in page
    assert "Reports so far: <strong>60</strong>" in page
    assert 'class="bar-share"' not in page
    page = browser.get(f"{WORKBENCH}/export").body.decode()
    assert "it can be exported once it is closed" in page
    assert f"{WORKBENCH}/export/1" not in page
    key = key_of(staff, "ana")
    assert staff.send("GET", "/api/surveys/habits/estimates", headers=key).json["n"] == 0
    refused = [
        *(staff.get(f"/s/habits/{file}") for file in FILES),
        *(browser.get(f"{WORKBENCH}/{file}") for file in (*FILES, "export/1")),
        *(
            staff.send("GET", f"/api/surveys/habits/{file}", headers=key)
            for file in ("estimates.csv", "export")
        ),
    ]
    assert {answer.status for answer in refused} == {409}
    assert b"Results appear when this survey is closed" in refused[0].body
    assert REFUSED in refused[-1].json["error"]["message"]
    command = ("export", "habits", "--data", staff.folder.path, "--out", tmp_path / "x.zip")
    assert REFUSED in complaint(*command, group=main)
    assert not (tmp_path / "x.zip").exists()


def test_while_it_is_closing_and_before_it_is_closed_for_good_it_is_sealed(
    clock: FakeClock, folder: DataFolder, draft: dict[str, Any]
) -> None:
    with at(clock, folder, {**draft, "access": "invited"}) as live:
        live.fill(60)
        database = live.services.database
        ending.begin_closing(live.services, "habits", "2")
        assert live_results(database, "habits").n == public_results(database, "habits").n == 0
        clock.now = "2026-11-20T14:00:00Z"
        assert live_results(database, "habits").n == public_results(database, "habits").n == 0
        ending.finish_due(database)
        assert live_results(database, "habits").n == public_results(database, "habits").n == 60


def test_the_closing_takes_the_only_snapshot_and_nothing_is_left_out(staff: Live) -> None:
    staff.fill(51, smokes=1)
    database = staff.services.database
    count = "SELECT count(*) FROM snapshots"
    assert database.reader.execute(count).fetchone() == (0,)
    ending.close(database, "habits")
    final = public_results(database, "habits")
    assert (final.n, final.is_complete, final.tallies["smokes"].counts) == (51, True, (0, 51))
    assert staff.get("/s/habits/estimates.json").json["sealed"] is False
    assert "Its results appear" not in staff.get("/s/habits/results").body.decode()
    assert verify(staff.folder.database).is_sound


def test_a_snapshot_from_before_this_rule_is_not_shown(staff: Live) -> None:
    staff.fill(60)
    database = staff.services.database
    published = reading.newest(database.reader, "habits")
    database.write(lambda db: snapshots.take_at_closing(db, published))
    assert database.reader.execute("SELECT n FROM snapshots").fetchone() == (60,)
    assert public_results(database, "habits").n == 0


@pytest.mark.parametrize("count", [LEAST_IN_GROUP - 1, LEAST_IN_GROUP])
def test_closed_with_too_few_it_shows_nothing_to_its_researchers_either(
    staff: Live, count: int
) -> None:
    staff.fill(count, smokes=1)
    ending.close(staff.services.database, "habits")
    browser = logged_in(staff, "ana")
    page = browser.get(f"{WORKBENCH}/results").body.decode()
    statuses = [browser.get(f"{WORKBENCH}/{file}").status for file in (*FILES, "export/1")]
    if count < LEAST_IN_GROUP:
        assert "by invitation and closed with 19 reports" in page
        assert statuses == [404, 404, 404]
        assert "too few to export" in browser.get(f"{WORKBENCH}/export").body.decode()
    else:
        assert page.count('class="bar-share"') == 4
        assert statuses == [200, 200, 200]
    assert "Fewer than 50 answers came in" in staff.get("/s/habits/results").body.decode()


def test_an_earlier_version_that_is_closed_shows_its_own(
    staff: Live, draft: dict[str, Any]
) -> None:
    staff.fill(60)
    again = {**draft, "access": "invited", "title": "Again"}
    publish_draft(staff.services, again, new_version=True)
    page = staff.get("/s/habits/results").body.decode()
    assert SENTENCE in page
    assert 'version=1"' in page
    assert staff.get("/s/habits/estimates.json?version=1").json["n"] == 60
    browser = logged_in(staff, "ana")
    assert 'version=1"' in browser.get(f"{WORKBENCH}/results").body.decode()
    page = browser.get(f"{WORKBENCH}/results?version=1").body.decode()
    assert "These are all 60 reports" in page
    page = browser.get(f"{WORKBENCH}/export").body.decode()
    assert f"{WORKBENCH}/export/1" in page
    assert "Version 2 is by invitation: it can be exported once it is closed" in page


@pytest.fixture
def rehearsed(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    with run_live(folder, draft) as live:
        survey = try_draft(live.services, {**draft, "access": "invited"}).published.survey
        yield Live(live.url, live.folder, live.services, survey)


def test_a_test_of_it_is_live(rehearsed: Live) -> None:
    rehearsed.fill(1, smokes=1)
    assert rehearsed.get("/t/habits/estimates.json").json["n"] == 1
