"""The export tab: every version to download, for all who may look at the survey."""

import io
from zipfile import ZipFile

from server.surveys.researchers import Role
from tests.support.exported import export_zip
from tests.support.live import Live
from tests.support.publishing import publish_draft
from tests.support.researcher import hire, logged_in


def test_a_viewer_downloads_the_zip_that_the_command_writes(live: Live) -> None:
    hire(live, "vera", Role.VIEWER)
    assert live.post(live.report(smokes=1)).status == 201
    browser = logged_in(live, "vera")
    page = browser.get("/workbench/surveys/habits/export").body.decode()
    assert 'href="/workbench/surveys/habits/export/1" download>Download' in page
    assert "1 reports" not in page
    answer = browser.get("/workbench/surveys/habits/export/1")
    assert answer.status == 200
    assert answer.headers["Content-Type"] == "application/zip"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="habits-v1.zip"'
    assert answer.body == export_zip(live.services.database, "habits")[1]
    with ZipFile(io.BytesIO(answer.body)) as archive:
        named = {name for name in archive.namelist() if "/" not in name} - {"README.txt"}
    assert all(f"<code>{name}</code>" in page for name in named)


def test_every_version_has_its_own_button(live: Live, draft: dict[str, object]) -> None:
    hire(live, "vera", Role.VIEWER)
    publish_draft(live.services, {**draft, "title": "Again"}, new_version=True)
    browser = logged_in(live, "vera")
    page = browser.get("/workbench/surveys/habits/export").body.decode()
    assert page.index("Download version 2") < page.index("Download version 1")
    assert browser.get("/workbench/surveys/habits/export/3").status == 404
