"""A server as a process of its own: what it leaves behind when it stops, and in its log."""

from typing import Any

from client.core.survey import Survey
from server.data_folder import DataFolder
from server.serving import running_services
from tests.support.hand_in import fresh
from tests.support.live import send, stored
from tests.support.process import ServerProcess, candor, serving
from tests.support.publishing import publish_draft


def published(folder: DataFolder, draft: dict[str, Any]) -> Survey:
    with running_services(folder) as services:
        return publish_draft(services, draft).published.survey


def test_a_polite_stop_ends_with_zero_and_a_file_that_is_complete_on_its_own(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    survey = published(folder, draft)
    process = ServerProcess(folder)
    for _ in range(5):
        assert send(process.url, *fresh(folder.secret, survey).request).status == 201
    assert folder.announced_url == process.url
    assert process.stop() == 0
    assert folder.announced_url is None
    log = folder.database.with_name("candor.db-wal")
    assert not log.exists() or log.stat().st_size == 0
    assert len(stored(folder)["reports"]) == 5


def test_the_log_file_of_a_server_names_no_report_no_ticket_no_address_and_no_agent(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    survey = published(folder, draft)
    items = [fresh(folder.secret, survey) for _ in range(10)]
    process = ServerProcess(folder)
    for item in items:
        for content in (item.body, b"{"):
            headers = {**item.headers, "User-Agent": "agent-canary"}
            send(process.url, item.method, item.path, content, headers)
    process.stop()
    log = process.log.read_text()
    issued = [item.headers["Candor-Ticket"] for item in items]
    for canary in (*(item.id for item in items), *issued, "127.0.0.1", "agent-canary"):
        assert canary not in log
    files = [path for path in folder.path.iterdir() if path.suffix != ".key"]
    for path in files:
        assert b"agent-canary" not in path.read_bytes()
        assert b"127.0.0.1" not in path.read_bytes()


def test_a_second_server_on_the_same_folder_is_refused_with_one_line(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    published(folder, draft)
    with serving(folder):
        second = candor(folder, "serve", "--port", "0")
    assert second.returncode == 2
    assert second.stderr.startswith("Error: another process is writing in the data folder")
    assert len(second.stderr.splitlines()) == 1


def test_a_killed_server_leaves_no_lock_behind(folder: DataFolder, draft: dict[str, Any]) -> None:
    published(folder, draft)
    with serving(folder):
        pass
    # Its address stays behind, but the lock is free, so the command writes directly.
    assert folder.announced_url is not None
    closed = candor(folder, "close", "habits", "--yes", "--json")
    assert closed.returncode == 0, closed.stderr
