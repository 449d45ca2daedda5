"""The operator: commands write directly when nobody does, else through the running server."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from client.core.document import MAX_DOCUMENT_BYTES
from client.core.primitives.refusal import Refusal
from server.app import create_app
from server.cli import COMMANDS, main
from server.commands import demo, operating
from server.commands.data_option import survey_links
from server.data_folder import DataFolder
from server.lifecycle import ending
from server.results.shown import live_results
from server.serving import bind, bind_free, running_services
from server.store import reading
from server.store.verify import verify
from server.web.services import Services
from tests.support.live import JSON, Answer, Live

CANDOR = main


@pytest.fixture
def file(tmp_path: Path, draft: dict[str, Any]) -> Path:
    path = tmp_path / "habits.json"
    path.write_text(json.dumps(draft))
    return path


def run(folder: DataFolder, *arguments: object) -> Result:
    return CliRunner().invoke(
        CANDOR, [str(item) for item in arguments], env={"CANDOR_DATA": str(folder.path)}
    )


def post(live: Live, path: str, body: bytes = b"", key: str | None = "right") -> Answer:
    headers = dict(JSON)
    if key is not None:
        right = live.services.operator_key
        headers["Authorization"] = f"Bearer {right if key == 'right' else key}"
    return live.send("POST", f"/api/surveys{path}", body, headers)


def test_the_operator_publishes_and_closes_over_http(live: Live, draft: dict[str, Any]) -> None:
    body = json.dumps({**draft, "slug": "other"}).encode()
    assert post(live, "", body).status == 201
    again = post(live, "", body)
    assert (again.status, again.json["created"]) == (200, False)
    closing = post(live, "/other/close")
    assert (closing.status, closing.json["reports"]) == (200, 0)
    assert reading.newest(live.services.database.reader, "other").state == "closed"


@pytest.mark.parametrize("key", [None, "", "wrong", "é"])
def test_without_the_key_nothing_is_published_or_closed(
    live: Live, draft: dict[str, Any], key: str | None
) -> None:
    before = live.stored()
    for path in ("", "/habits/close"):
        answer = post(live, path, json.dumps({**draft, "slug": "other"}).encode(), key)
        assert (answer.status, answer.code) == (401, "key_wrong" if key else "key_missing")
    assert live.stored() == before


@pytest.mark.parametrize(
    ("body", "code"),
    [
        (b"{", "malformed_json"),
        (b"[]", "not_a_mapping"),
        (b"[" * 100_000, "too_deep"),
        (b'{"slug": NaN}', "not_an_integer"),
        (b'{"slug":"a","slug":"b"}', "duplicate_key"),
        (b"{}", "missing_field"),
    ],
)
def test_a_bad_draft_over_http_is_refused_and_nothing_is_stored(
    live: Live, body: bytes, code: str
) -> None:
    before = live.stored()
    answer = post(live, "", body)
    assert (answer.status, answer.code) == (400, code)
    assert live.stored() == before


def test_a_draft_over_the_limit_is_refused(live: Live) -> None:
    answer = post(live, "", b" " * (MAX_DOCUMENT_BYTES + 1))
    assert answer.status == 413


def test_a_second_writing_process_is_refused(folder: DataFolder, services: Services) -> None:
    with (
        pytest.raises(Refusal, match="another process is writing") as caught,
        running_services(DataFolder(folder.path)),
    ):
        pass
    assert caught.value.code == "data_folder_in_use"


def test_publishing_without_a_server_writes_directly(folder: DataFolder, file: Path) -> None:
    result = run(folder, "publish", file)
    assert result.exit_code == 0, result.output
    assert "Published habits, version 1" in result.output
    assert "total epsilon  1.5 (good)" in result.output
    assert "http://127.0.0.1:8000/s/habits/results" in result.output
    assert verify(folder.database).surveys[0]["slug"] == "habits"


def test_publishing_beside_a_server_goes_through_it(live: Live, file: Path) -> None:
    draft = {**json.loads(file.read_text()), "slug": "other"}
    file.write_text(json.dumps(draft))
    with live.folder.announced(live.url):
        result = run(live.folder, "publish", file, "--json")
        assert result.exit_code == 0, result.output
        summary = json.loads(result.output)
        assert summary["links"]["answer"] == f"{live.url}/s/other#{summary['fingerprint']}"
        assert (
            reading.newest(live.services.database.reader, "other").survey.fingerprint
            == summary["fingerprint"]
        )
        closed = json.loads(run(live.folder, "close", "other", "--yes", "--json").output)
    assert closed["digest"] == reading.newest(live.services.database.reader, "other").digest


def test_a_refusal_of_the_server_reads_like_one_of_the_command(live: Live, file: Path) -> None:
    file.write_text(file.read_text().replace("Habits", "Vices"))
    with live.folder.announced(live.url):
        result = run(live.folder, "publish", file)
    assert result.exit_code == 2
    assert result.output.startswith("Error: the survey 'habits' is published with other content")


def test_the_choices_of_publishing_reach_the_server(live: Live, file: Path) -> None:
    file.write_text(file.read_text().replace('"1"', '"4"'))
    with live.folder.announced(live.url):
        weak = run(live.folder, "publish", file, "--new-version")
        assert (weak.exit_code, "is weak" in weak.output) == (2, True)
        result = run(live.folder, "publish", file, "--new-version", "--confirm-weak")
    assert result.exit_code == 0, result.output
    assert "total epsilon  4.5 (weak)" in result.output
    assert reading.newest(live.services.database.reader, "habits").survey.version == 2


def test_a_lock_held_by_something_that_does_not_serve_is_explained(
    folder: DataFolder, services: Services, file: Path
) -> None:
    result = run(folder, "publish", file)
    assert result.exit_code == 2
    assert "another process is writing" in result.output


def test_a_server_that_does_not_answer_is_explained(
    folder: DataFolder, services: Services, file: Path
) -> None:
    with folder.announced("http://127.0.0.1:9"), pytest.raises(Refusal, match="does not answer"):
        operating.publish(folder, operating.load(file), new_version=False, confirm_weak=False)


def test_the_address_is_withdrawn_when_the_server_stops(folder: DataFolder) -> None:
    folder.create()
    with folder.announced("http://127.0.0.1:8000"):
        assert folder.announced_url == "http://127.0.0.1:8000"
    assert folder.announced_url is None


def test_a_port_in_use_is_refused_and_the_next_free_one_is_found(services: Services) -> None:
    app = create_app(services)
    first = bind(app, "127.0.0.1", 0)
    port = int(first.url.rpartition(":")[2])
    try:
        with pytest.raises(Refusal, match=f"cannot listen on 127.0.0.1:{port}: Address already"):
            bind(app, "127.0.0.1", port)
        second = bind_free(app, "127.0.0.1", port)
        assert second.url != first.url
        second.loop.close()
    finally:
        first.loop.close()


def test_verify_exits_with_one_and_names_the_row_when_something_differs(live: Live) -> None:
    live.post(live.report())
    sound = run(live.folder, "verify")
    assert (sound.exit_code, "Everything agrees." in sound.output) == (0, True)
    live.services.database.write(lambda db: db.execute("UPDATE surveys SET reports = 2"))
    result = run(live.folder, "verify", "habits", "--json")
    assert result.exit_code == 1
    assert json.loads(result.output)["problems"] == [
        "habits version 1: reports: stored 2, counted 1"
    ]
    assert "DIFFERS  habits version 1: reports" in run(live.folder, "verify").output


def test_verify_and_backup_need_a_database(folder: DataFolder, tmp_path: Path) -> None:
    for command in (["verify"], ["backup", tmp_path / "copy.db"]):
        result = run(folder, *command)
        assert (result.exit_code, "has no database yet" in result.output) == (2, True)


def test_backup_copies_and_says_so(live: Live, tmp_path: Path) -> None:
    live.post(live.report())
    result = run(live.folder, "backup", tmp_path / "copy.db")
    assert result.exit_code == 0, result.output
    assert "habits version 1: open, 1 reports" in result.output
    assert verify(tmp_path / "copy.db").is_sound


def test_the_demo_fills_up_to_its_people_and_never_twice(services: Services) -> None:
    first = demo.prepare(services, people=30)
    again = demo.prepare(services, people=50)
    third = demo.prepare(services, people=50)
    assert [item.reports for item in (first, again, third)] == [30, 50, 50]
    tallies = live_results(services.database, first.survey.slug).tallies
    assert {tally.n for tally in tallies.values()} == {50}


def test_the_study_of_the_demo_is_closed_with_its_groups_and_made_once(services: Services) -> None:
    study = demo.prepare_study(services, in_group=50)
    assert (study.state.value, study.reports) == ("closed", 200)
    groups = reading.groups_of(services.database.reader, study.survey.slug)
    assert [group.reports for group in groups if group.name] == [50] * 4
    assert demo.prepare_study(services, in_group=60).reports == 200


def test_the_demo_leaves_a_closed_survey_alone(services: Services) -> None:
    slug = demo.prepare(services, people=3).survey.slug
    ending.close(services.database, slug)
    assert demo.prepare(services, people=10).reports == 3


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: str(command.name))
def test_every_command_has_help_with_an_example(command: Any) -> None:
    result = CliRunner().invoke(CANDOR, [command.name, "--help"])
    assert result.exit_code == 0
    assert f"candor {command.name}" in result.output


def test_a_refused_file_leaves_no_data_folder_behind(tmp_path: Path) -> None:
    bad = tmp_path / "bad.yaml"
    bad.write_text("slug: bad\ntitle: Bad\nquestions: [{id: a, prompt: A?, epsilon: 0}]\n")
    for arguments in (["publish", str(bad)], ["close", "nothing", "--yes"]):
        result = CliRunner().invoke(CANDOR, [*arguments, "--data", str(tmp_path / "data")])
        assert result.exit_code == 2
        assert not (tmp_path / "data").exists()


def test_a_damaged_database_is_one_line(folder: DataFolder) -> None:
    folder.create()
    folder.database.write_bytes(b"this is no database " * 500)
    result = CliRunner().invoke(CANDOR, ["serve", "--data", str(folder.path), "--port", "0"])
    assert result.exit_code == 2
    assert "cannot be used" in result.stderr
    assert len(result.stderr.splitlines()) <= 2


def test_links_name_the_address_that_others_use(folder: DataFolder) -> None:
    folder.create()
    with folder.announced("http://127.0.0.1:8000", "https://surveys.example.org/"):
        found = survey_links(folder, {"slug": "health", "fingerprint": "ab", "test": False})
        assert folder.announced_url == "http://127.0.0.1:8000"
    assert found["answer"] == "https://surveys.example.org/s/health#ab"
    # Also for links that are made while no server runs.
    assert folder.public_url == "https://surveys.example.org"
