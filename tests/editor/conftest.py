"""The editor of a real server, and ana in front of it; the tests of a file share both."""

from collections.abc import Iterator

import pytest

from server.data_folder import DataFolder
from server.surveys.researchers import Role
from tests.editor.writing import Draft
from tests.live import Live
from tests.live import live as run_live
from tests.researcher import Browser, hire, logged_in


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
