"""A researcher's own page: the password, and API keys that are shown once."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from server.data_folder import DataFolder
from server.store import audit_log
from server.store.researchers import accounts, api_keys
from server.surveys.researchers import Role
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.researcher import PASSWORD, Browser, hire, logged_in
from tests.workbench.test_pages import HOSTILE, words


@pytest.fixture
def live(folder: DataFolder, draft: dict[str, Any]) -> Iterator[Live]:
    with run_live(folder, draft) as running:
        hire(running, "ana", Role.OWNER)
        yield running


@pytest.fixture
def ana(live: Live) -> Browser:
    return logged_in(live, "ana")


def test_a_key_is_shown_once(live: Live, ana: Browser) -> None:
    answer = ana.post("/workbench/account/keys", label=HOSTILE, scope="read")
    assert answer.status == 201
    found = re.search(rb"candor_[0-9a-f]{64}", answer.body)
    assert found is not None
    assert api_keys.holder(live.services.database.reader, found[0].decode()) is not None
    later = ana.get("/workbench/account").body
    assert found[0] not in later
    assert b"<script>" not in later
    (key,) = api_keys.of(
        live.services.database.reader, accounts.named(live.services.database.reader, "ana")
    )
    assert ana.post(f"/workbench/account/keys/{key.id}/revoke").status == 303
    assert api_keys.holder(live.services.database.reader, found[0].decode()) is None


def test_the_example_beside_the_keys_works_with_a_new_one(live: Live, ana: Browser) -> None:
    answer = ana.post("/workbench/account/keys", label="a script", scope="read")
    assert "Read results" in words(answer)
    example = re.search(r'curl -H "(\S+) (Bearer) \$KEY" (\S+)', words(answer))
    key = re.search(r"candor_[0-9a-f]{64}", words(answer))
    assert example is not None
    assert key is not None
    path = example[3].removeprefix(live.url)
    asked = live.send("GET", path, headers={example[1].rstrip(":"): f"{example[2]} {key[0]}"})
    assert asked.status == 200
    assert [item["slug"] for item in asked.json] == ["habits"]


def test_nobody_revokes_the_key_of_somebody_else(live: Live, ana: Browser) -> None:
    ana.post("/workbench/account/keys", label="mine", scope="manage")
    hire(live, "bea", Role.OWNER)
    assert logged_in(live, "bea").post("/workbench/account/keys/1/revoke").status == 404
    (key,) = api_keys.of(
        live.services.database.reader, accounts.named(live.services.database.reader, "ana")
    )
    assert not key.is_revoked


def test_a_new_password_ends_all_other_sessions(live: Live, ana: Browser) -> None:
    elsewhere = logged_in(live, "ana")
    new = "another horse battery"
    changed = ana.post("/workbench/account/password", old=PASSWORD, new=new, again=new)
    assert changed.status == 303
    assert "Your password has been changed" in words(ana.get("/workbench/account"))
    assert ana.is_in()
    assert not elsewhere.is_in()
    assert elsewhere.log_in("ana").status == 403
    assert elsewhere.log_in("ana", new).status == 303
    assert audit_log.entries(live.services.database.reader)[0].action == "change_password"


@pytest.mark.parametrize(
    ("old", "new", "again", "said"),
    [
        (
            "wrong wrong wrong",
            "another horse battery",
            "another horse battery",
            "not your current password",
        ),
        (PASSWORD, "another horse battery", "another house battery", "not the same"),
        (PASSWORD, "short", "short", "between 12 and 200 characters"),
        (PASSWORD, "ana ana anas", "ana ana anas", "must not be the name"),
    ],
)
def test_a_password_that_cannot_be_changed_is_explained(
    live: Live, ana: Browser, old: str, new: str, again: str, said: str
) -> None:
    before = accounts.password_hash(live.services.database.reader, "ana")
    answer = ana.post("/workbench/account/password", old=old, new=new, again=again)
    assert answer.status == 400
    assert said in words(answer)
    assert accounts.password_hash(live.services.database.reader, "ana") == before
    for secret in (old, new):
        assert secret.encode() not in answer.body
