"""Who may do what under /api: every operation, asked for by everybody who may not."""

import json

import pytest
from flask import Flask

from server.api.blueprint import management
from server.api.description import Description, description_of
from server.app import VIEWS
from server.store.researchers import accounts, api_keys
from server.surveys.researchers import Role, Scope
from tests.support.live import JSON, Live
from tests.support.process import ROOT
from tests.support.researcher import hire, key_of, logged_in

VALUES = {"slug": "habits", "name": "vera", "id": "1", "action": "list"}


def operations() -> dict[str, Description]:
    """Every operation that needs a key, such as `POST /api/surveys/habits/close`."""
    assert VIEWS, "the views register themselves when they are imported"
    app = Flask("described")
    app.register_blueprint(management)
    found: dict[str, Description] = {}
    for rule in app.url_map.iter_rules():
        if rule.endpoint == "static":
            continue
        path = rule.rule.replace("int:", "")
        for name, value in VALUES.items():
            path = path.replace(f"<{name}>", value)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            found[f"{method} {path}"] = description_of(app.view_functions[rule.endpoint])
    return {name: description for name, description in found.items() if description.scope}


def needed_role(description: Description) -> Role:
    usual = Role.VIEWER if description.scope is Scope.READ else Role.EDITOR
    return description.role or usual


ALL = operations()
ABOUT_A_SURVEY = [name for name in ALL if "/habits" in name]


def ask(live: Live, operation: str, key: dict[str, str]) -> tuple[int, str]:
    method, path = operation.split()
    answer = live.send(method, path, json.dumps({}).encode(), {**JSON, **key})
    return answer.status, answer.code


@pytest.fixture
def staffed(live: Live) -> Live:
    for role in Role:
        hire(live, f"an-{role}", role)
    hire(live, "vera")
    return live


@pytest.mark.parametrize("operation", ALL)
def test_without_a_key_that_is_good_there_is_nothing(staffed: Live, operation: str) -> None:
    before = staffed.stored()
    assert ask(staffed, operation, {}) == (401, "key_missing")
    forged = {"Authorization": f"Bearer candor_{'0' * 64}"}
    assert ask(staffed, operation, forged) == (401, "key_wrong")
    revoked, disabled = key_of(staffed, "an-owner"), key_of(staffed, "vera")
    database = staffed.services.database
    owner = accounts.named(database.reader, "an-owner")
    database.write(api_keys.revoke, owner, api_keys.of(database.reader, owner)[0].id)
    database.write(accounts.set_active, "vera", False)
    assert ask(staffed, operation, revoked) == (401, "key_wrong")
    assert ask(staffed, operation, disabled) == (401, "key_wrong")
    assert staffed.stored() == before


@pytest.mark.parametrize("operation", ABOUT_A_SURVEY)
def test_strangers_do_not_even_hear_of_a_survey(staffed: Live, operation: str) -> None:
    before = staffed.stored()
    assert ask(staffed, operation, key_of(staffed, "vera")) == (404, "unknown_survey")
    assert staffed.stored() == before


@pytest.mark.parametrize(
    "operation", [name for name, description in ALL.items() if description.scope is Scope.MANAGE]
)
def test_a_key_for_reading_changes_nothing(staffed: Live, operation: str) -> None:
    key = key_of(staffed, "an-owner", Scope.READ)
    assert ask(staffed, operation, key) == (403, "scope_too_small")


TOO_LOW = [
    (name, role)
    for name in ABOUT_A_SURVEY
    for role in Role
    if not role.includes(needed_role(ALL[name]))
]


@pytest.mark.parametrize(("operation", "role"), TOO_LOW)
def test_a_role_that_is_too_low_is_refused(staffed: Live, operation: str, role: Role) -> None:
    before = staffed.stored()
    assert ask(staffed, operation, key_of(staffed, f"an-{role}")) == (403, "role_too_low")
    assert staffed.stored() == before


@pytest.mark.parametrize("operation", [name for name in ABOUT_A_SURVEY if name.startswith("GET")])
def test_viewers_and_the_operator_may_read_everything(staffed: Live, operation: str) -> None:
    operator = {"Authorization": f"Bearer {staffed.services.operator_key}"}
    for key in (key_of(staffed, "an-viewer"), operator):
        assert staffed.send("GET", operation.split()[1], headers=key).status == 200


def test_a_key_for_reading_reads_what_its_words_say_and_no_more(staffed: Live) -> None:
    assert Scope.READ.words == "Read results and exports"
    key = key_of(staffed, "an-viewer", Scope.READ)
    statuses = {
        name.removeprefix("GET /api/surveys"): staffed.send("GET", name[4:], headers=key).status
        for name in ALL
        if name.startswith("GET /api/surveys")
    }
    assert statuses == {
        "": 200,
        "/habits": 200,
        "/habits/document": 200,
        "/habits/estimates": 200,
        "/habits/estimates.csv": 200,
        "/habits/export": 200,
        "/habits/invitations": 403,
        "/habits/log": 403,
        "/habits/people": 403,
    }


@pytest.mark.parametrize("scope", Scope)
def test_what_a_key_is_good_for_is_said_in_the_same_words_everywhere(
    staffed: Live, scope: Scope
) -> None:
    account = logged_in(staffed, "vera").get("/workbench/account").body.decode()
    described = staffed.get("/api/openapi.json").json["components"]["securitySchemes"]
    written = " ".join((ROOT / "docs/running.md").read_text().split())
    assert scope.words in account
    assert scope.words in described["key"]["description"]
    assert f"`{scope}` ({scope.words[0].lower()}{scope.words[1:]}" in written
