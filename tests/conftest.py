"""Fixtures: a data folder, a draft, and a live server with the draft published on it."""

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from flask import Flask

from client.core.primitives.words import SecureWords
from server.data_folder import DataFolder
from server.serving import running_services
from server.web.services import Services
from tests.support.clock import FakeClock
from tests.support.groups import with_groups
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.templates import CompiledTemplates
from tests.support.ticket_keys import pooled_keys

# The tests read English, whatever the language of the machine that they run on.
os.environ["LC_ALL"] = "C.UTF-8"
# Else each of a thousand applications would compile the templates of its pages.
Flask.jinja_options = {**Flask.jinja_options, "bytecode_cache": CompiledTemplates()}
# The files that take longest, then the room whose files do; short files at the end leave no worker
# without work.
LONGEST_FIRST = (
    "tests/browser/test_leak_hunt.py",
    "tests/torture/privacy/test_planted_leaks.py",
    "tests/house/test_wheel.py",
    "tests/browser/",
)


def _rank(item: pytest.Item) -> int:
    starts = (item.nodeid.startswith(place) for place in LONGEST_FIRST)
    return next((rank for rank, first in enumerate(starts) if first), len(LONGEST_FIRST))


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put the longest files first, and refuse two tests of one name.

    Of these pytest-xdist runs only the first, and says nothing.
    """
    for item in items:
        if item.parent is not None and not item.nodeid.endswith(item.name):
            # Of one function schemathesis makes a test for each operation, all of one name.
            item._id = item.parent.id.child(item.name)
    items.sort(key=_rank)
    names = Counter(item.nodeid for item in items)
    twice = [name for name, times in names.items() if times > 1]
    if twice:
        raise pytest.UsageError(f"tests share a name: {', '.join(twice[:5])}")


@pytest.fixture(scope="session", autouse=True)
def ready_keys() -> Iterator[None]:
    """Give the surveys of this process keys from a pool: to make one takes long."""
    with pytest.MonkeyPatch.context() as patch:
        pooled_keys(patch)
        yield


@pytest.fixture
def same_words(request: pytest.FixtureRequest) -> Iterator[None]:
    """Draw the same words in every run, for tests of what came by chance: keys, tickets, reports.

    Another process draws its own.
    """
    dice, home, secure = Random(request.node.nodeid), os.getpid(), SecureWords.word

    def word(self: SecureWords) -> int:
        return dice.getrandbits(32) if os.getpid() == home else secure(self)

    with pytest.MonkeyPatch.context() as changed:
        changed.setattr(SecureWords, "word", word)
        yield


@pytest.fixture
def folder(tmp_path: Path) -> DataFolder:
    return DataFolder(tmp_path / "data")


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
def draft() -> dict[str, Any]:
    """Two yes/no questions, as a survey file would say them."""
    return {
        "slug": "habits",
        "title": "Habits",
        "delete_on": "2999-12-31",
        "questions": [
            {"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"},
            {"id": "drinks", "prompt": "Do you drink alone?", "epsilon": "0.5"},
        ],
    }


@pytest.fixture
def services(folder: DataFolder) -> Iterator[Services]:
    """The store and the keys, without a server."""
    with running_services(folder) as running:
        yield running


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """A real server on a real socket with the draft published on it."""
    with run_live(folder, draft) as running:
        yield running


@pytest.fixture
def staff(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """A server with the same survey, by invitation."""
    with run_live(folder, {**draft, "access": "invited"}) as running:
        yield running


@pytest.fixture
def arms(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """A server with the same survey, in three study arms that the link sets."""
    with run_live(folder, with_groups(draft)) as running:
        yield running


@pytest.fixture
def sites(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    """A server with the same survey, by invitation, at four places that the link sets."""
    placed = with_groups(draft, "north", "south", "east", "west", id="site")
    with run_live(folder, {**placed, "access": "invited"}) as running:
        yield running
