"""A real server process on a real socket with a real SQLite file, that can die and come back."""

import json
import re
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from server.commands import operating
from server.commands.data_option import url_for_others
from server.data_folder import DataFolder
from server.serving import running_services
from server.web.urls import invitation_links
from tests.support.forked import Forked
from tests.support.publishing import publish_draft

ROOT = Path(__file__).parent.parent.parent


class ServerProcess:
    """`candor serve` on one data folder and one port, whose whole output is kept as its log."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.data = folder / "data"
        self.log = folder / "server.log"
        # Whichever is free at the first start, and the same from then on.
        self.port = 0
        self._process: Forked | None = None

    def publish(self, draft: dict[str, Any], new_version: bool = False) -> str:
        """Publish a survey as `candor publish` does; returns its slug."""
        operating.publish(
            self._folder, operating.load(self._file(draft)), new_version, confirm_weak=True
        )
        return str(draft["slug"])

    def rehearse(self, draft: dict[str, Any]) -> str:
        """Put up a draft to be tested; returns its slug."""
        operating.put_up_test(self._folder, operating.load(self._file(draft)), confirm_weak=True)
        return str(draft["slug"])

    def invite(self, slug: str, count: int = 1, group: str = "") -> list[str]:
        """Personal links to a survey by invitation."""
        return self._links(operating.invite(self._folder, slug, count, group))

    def open_link(self, slug: str, group: str) -> str:
        """The link of a group."""
        (link,) = self._links(operating.open_link(self._folder, slug, group))
        return link

    def _links(self, summary: dict[str, Any]) -> list[str]:
        links = invitation_links(url_for_others(self._folder), summary)
        assert all(link.startswith(self.url) for link in links)
        return links

    def close(self, slug: str) -> None:
        operating.close(self._folder, slug)

    @property
    def _folder(self) -> DataFolder:
        return DataFolder(self.data)

    def _file(self, draft: dict[str, Any]) -> Path:
        file = self.folder / f"{draft['slug']}.json"
        file.write_text(json.dumps(draft))
        return file

    def start(self) -> None:
        arguments = ("serve", "--data", str(self.data), "--port", str(self.port))
        self._process = Forked(arguments, self.log)
        # The socket listens before this line is printed.
        announced = re.search(rb" at (http://127\.0\.0\.1:(\d+))", self._process.output.readline())
        assert announced, self.log.read_text()
        self.url = announced[1].decode()
        self.port = int(announced[2])

    def kill(self) -> None:
        """Death without a farewell, as by a power cut."""
        self._stop(signal.SIGKILL)

    def stop(self) -> None:
        self._stop(signal.SIGTERM)

    def _stop(self, how: signal.Signals) -> None:
        if self._process is not None:
            self._process.end(how)
            with self.log.open("ab") as log, self._process.output as output:
                log.write(output.read())
            self._process = None

    def reports(self, slug: str, test: bool = False) -> list[dict[str, Any]]:
        """The randomized answers of every stored report."""
        return [json.loads(row[0]) for row in self.rows(slug, test)]

    def groups(self, slug: str) -> list[str]:
        """The group of every stored report."""
        query = (
            "SELECT in_group FROM reports JOIN surveys ON surveys.id = reports.survey"
            " WHERE slug = ?"
        )
        with closing(sqlite3.connect(self.data / "candor.db")) as db:
            return [group for (group,) in db.execute(query, [slug])]

    def rows(self, slug: str, test: bool = False) -> list[tuple[str]]:
        query = (
            "SELECT randomized FROM reports JOIN surveys ON surveys.id = reports.survey"
            " WHERE slug = ?"
        )
        database = self.data / ("drafts.db" if test else "candor.db")
        with closing(sqlite3.connect(database)) as db:
            return db.execute(query, [slug]).fetchall()


@contextmanager
def serving(folder: Path, *drafts: dict[str, Any]) -> Iterator[ServerProcess]:
    """A server with these surveys, running."""
    server = ServerProcess(folder)
    if drafts:
        # As `candor publish` does, without a process of its own for each survey.
        with running_services(DataFolder(server.data)) as services:
            for draft in drafts:
                publish_draft(services, draft, confirm_weak=True)
    server.start()
    try:
        yield server
    finally:
        server.stop()
