"""Nobody does more at the workbench than their role allows: every route, every role."""

from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from server.app import create_app
from server.data_folder import DataFolder
from server.surveys.researchers import Role
from server.web.urls import in_workbench
from tests.server.web.test_headers import example
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.researcher import Browser, hire, logged_in

# The preview's page hands in nothing: what answers it changes nothing and tells nothing.
OPEN = {
    "workbench.login",
    "workbench.login_once",
    "workbench.static_file",
    "workbench.preview_ticket",
    "workbench.preview_report",
}
OWNERS_ALONE = {"workbench.step", "workbench.give_role", "workbench.take_role"}


@pytest.fixture(scope="module")
def live(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    draft: dict[str, Any] = {
        "slug": "habits",
        "title": "Habits",
        "delete_on": "2999-12-31",
        "questions": [{"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"}],
    }
    with run_live(DataFolder(tmp_path_factory.mktemp("guard")), draft) as running:
        hire(running, "stranger")
        for role in Role:
            hire(running, role.value, role)
        # So that what routes name is there.
        hire(running, "ana", Role.VIEWER)
        running.fill(1)
        yield running


def rules(app: Flask) -> list[Rule]:
    return [rule for rule in app.url_map.iter_rules() if in_workbench(rule.rule)]


def requests(live: Live, with_survey: bool) -> list[tuple[str, str, str]]:
    """Method, path and endpoint of every route; those about a survey, or the others."""
    return [
        (method, example(rule), name)
        for rule in rules(create_app(live.services))
        if (name := rule.endpoint) not in OPEN and ("slug" in rule.arguments) == with_survey
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if method in (rule.methods or ())
    ]


def ask(browser: Browser, method: str, path: str, token: str) -> int:
    if method == "GET":
        return browser.get(path).status
    return browser.post(path, token).status


def test_the_guard_knows_all_routes(live: Live) -> None:
    assert len(requests(live, with_survey=True)) >= 7
    assert len(requests(live, with_survey=False)) >= 5


def test_without_a_login_everything_leads_to_the_login(live: Live) -> None:
    browser = Browser(live)
    token = browser.token()
    for method, path, _ in requests(live, True) + requests(live, False):
        answer = browser.get(path) if method == "GET" else browser.post(path, token)
        if path.endswith(".json"):
            assert (answer.status, answer.code) == (401, "login_needed")
            continue
        assert answer.status == 303, (method, path)
        assert answer.headers["Location"].startswith("/workbench/login"), (method, path)


def test_a_script_whose_session_is_over_hears_so(live: Live) -> None:
    for path in ("/workbench", "/workbench/surveys/habits"):
        answer = live.send("GET", path, headers={"Accept": "application/json"})
        assert (answer.status, answer.code) == (401, "login_needed")


def test_without_the_token_nothing_is_changed_even_by_an_owner(live: Live) -> None:
    browser = logged_in(live, "owner")
    other = Browser(live).token()
    for method, path, _ in requests(live, True) + requests(live, False):
        if method != "GET":
            for token in (None, "nonsense", other):
                assert browser.post(path, token).status == 400, (method, path)
    assert browser.is_in()


def test_a_survey_of_others_is_not_found(live: Live) -> None:
    browser = logged_in(live, "stranger")
    token = browser.token()
    for method, path, _ in requests(live, with_survey=True):
        assert ask(browser, method, path, token) == 404, (method, path)
        # The same as for a survey that does not exist.
        nowhere = path.replace("habits", "nowhere")
        assert ask(browser, method, nowhere, token) == 404, (method, path)
    assert b"Habits" not in browser.get("/workbench").body


def test_a_viewer_looks_and_changes_nothing(live: Live) -> None:
    browser = logged_in(live, "viewer")
    token = browser.token()
    for method, path, name in requests(live, with_survey=True):
        allowed = method == "GET" and name not in OWNERS_ALONE
        assert ask(browser, method, path, token) == (200 if allowed else 403), (method, path)


def test_an_editor_does_nothing_that_is_for_owners(live: Live) -> None:
    browser = logged_in(live, "editor")
    token = browser.token()
    for method, path, name in requests(live, with_survey=True):
        if name in OWNERS_ALONE:
            assert ask(browser, method, path, token) == 403, (method, path)


def test_a_route_without_a_mark_is_closed(live: Live) -> None:
    """The guard refuses by default: also what somebody adds and forgets to guard."""
    app = create_app(live.services)
    app.add_url_rule("/workbench/forgotten", "workbench.forgotten", lambda: "open")
    answer = app.test_client().get("/workbench/forgotten")
    assert answer.status_code == 303


def test_a_change_without_a_mark_is_for_editors(live: Live) -> None:
    app = create_app(live.services)
    path, name = "/workbench/surveys/<slug>/forgotten", "workbench.forgotten"
    app.add_url_rule(path, name, lambda slug: slug, methods=["POST"])
    outcomes = {}
    for role in Role:
        browser = logged_in(live, role.value)
        form, cookie = {"csrf_token": browser.token()}, {"Cookie": browser.cookie}
        with app.test_client(use_cookies=False) as client:
            answer = client.post(path.replace("<slug>", "habits"), data=form, headers=cookie)
        outcomes[role] = answer.status_code
    assert outcomes == {Role.VIEWER: 403, Role.EDITOR: 200, Role.OWNER: 200}


def test_roles_include_the_ones_before() -> None:
    viewer, editor, owner = Role
    assert owner.includes(editor)
    assert owner.includes(viewer)
    assert editor.includes(viewer)
    assert not viewer.includes(editor)
    assert not editor.includes(owner)
    assert all(role.includes(role) for role in Role)
