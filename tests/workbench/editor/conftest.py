"""The editor of a real server, and ana in front of it; the tests of a file share both."""

from collections.abc import Iterator

import pytest

from server.data_folder import DataFolder
from server.surveys.researchers import Role
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.researcher import Browser, hire, logged_in
from tests.workbench.editor.writing import Draft


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    """With a survey that ana owns, bea edits and a stranger knows nothing of."""
    draft: Draft = {
        "slug": "habits",
        "title": "Habits",
        "delete_on": "2999-12-31",
        "questions": [{"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"}],
    }
    with run_live(DataFolder(tmp_path_factory.mktemp("editor")), draft) as running:
        hire(running, "ana", Role.OWNER)
        hire(running, "bea", Role.EDITOR)
        hire(running, "stranger")
        yield running


@pytest.fixture(scope="module")
def ana(live: Live) -> Browser:
    return logged_in(live, "ana")
