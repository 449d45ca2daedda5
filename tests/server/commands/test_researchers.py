"""`candor researcher` and `candor log`: directly, or through the server that runs."""

import json
from typing import Any

import pytest
from click.testing import CliRunner, Result

from server.accounts.passwords import is_right
from server.cli import main
from server.commands import demo
from server.data_folder import DataFolder
from server.serving import running_services
from server.store import audit_log
from server.store.researchers import access, accounts
from server.surveys.researchers import Role
from server.web.services import Services
from tests.support.live import JSON, Live
from tests.support.publishing import publish_draft
from tests.support.researcher import PASSWORD, Browser

CANDOR = main


def run(folder: DataFolder, *arguments: str, input: str | None = None) -> Result:
    return CliRunner().invoke(CANDOR, arguments, input, env={"CANDOR_DATA": str(folder.path)})


def work(folder: DataFolder) -> None:
    """The whole life of an account."""
    steps = [
        (["add", "ana", "--password-stdin"], "Added ana; the workbench is at http"),
        (["grant", "ana", "habits", "--role", "owner"], "ana is owner of habits"),
        (["grant", "ana", "habits"], "ana is editor of habits"),
        (["list"], "editor of habits"),
        (["disable", "ana"], "Disabled ana"),
        (["list"], "disabled"),
        (["enable", "ana"], "Enabled ana"),
        (["password", "ana", "--password-stdin"], "Changed the password of ana"),
        (["revoke", "ana", "habits"], "ana no longer has a role in habits"),
    ]
    for arguments, said in steps:
        result = run(folder, "researcher", *arguments, input=f"{PASSWORD}\n")
        assert result.exit_code == 0, result.output
        assert said in result.output


ACTIONS = [
    "add_researcher",
    "give_role",
    "give_role",
    "disable_researcher",
    "enable_researcher",
    "change_password",
    "take_role",
]


def test_an_account_is_managed_directly_and_every_change_is_on_record(
    folder: DataFolder, draft: dict[str, Any]
) -> None:
    with running_services(folder) as services:
        publish_draft(services, draft)
    work(folder)
    entries = json.loads(run(folder, "log", "--json").output)["entries"]
    assert [entry["action"] for entry in reversed(entries)] == ["publish", *ACTIONS]
    of_survey = json.loads(run(folder, "log", "habits", "--json").output)["entries"]
    assert [entry["action"] for entry in of_survey] == [
        "take_role",
        "give_role",
        "give_role",
        "publish",
    ]
    assert PASSWORD not in run(folder, "log").output
    assert "argon2" not in run(folder, "log").output


def test_an_account_is_managed_through_the_running_server(live: Live) -> None:
    with live.folder.announced(live.url):
        work(live.folder)
        log = run(live.folder, "log", "habits").output
        assert "took away the role of ana, who was editor" in log
    actions = [entry.action for entry in reversed(audit_log.entries(live.services.database.reader))]
    assert actions == ["publish", *ACTIONS]
    assert Browser(live).log_in("ana").status == 303


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["add", "Ana"], "lower-case"),
        (["add", "operator"], "is reserved"),
        (["add", "clock"], "is reserved"),
        (["disable", "nobody"], "there is no researcher 'nobody'"),
        (["grant", "ana", "habits", "--role", "king"], "'king' is not one of"),
        (["password", "nobody"], "there is no researcher 'nobody'"),
        (["revoke", "nobody", "habits"], "there is no researcher 'nobody'"),
    ],
)
def test_bad_input_is_one_line(live: Live, arguments: list[str], said: str) -> None:
    if arguments[0] in ("add", "password"):
        arguments = [*arguments, "--password-stdin"]
    with live.folder.announced(live.url):
        result = run(live.folder, "researcher", *arguments, input=f"{PASSWORD}\n")
    assert result.exit_code == 2
    assert said in result.output
    assert len(result.output.splitlines()) == 1


@pytest.mark.parametrize("password", ["", "short", "ana ana ana!", "x" * 201])
def test_a_bad_password_is_refused(folder: DataFolder, password: str) -> None:
    result = run(folder, "researcher", "add", "ana", "--password-stdin", input=f"{password}\n")
    assert (result.exit_code, "a password must" in result.output) == (2, True)


def test_a_script_has_to_say_where_the_password_comes_from(folder: DataFolder) -> None:
    result = run(folder, "researcher", "add", "ana")
    assert (result.exit_code, "--password-stdin" in result.output) == (2, True)


@pytest.mark.parametrize(
    ("action", "body"),
    [
        ("add", b'{"name": "ana"}'),
        ("add", b'{"name": "ana", "password": "correct horse battery", "role": "owner"}'),
        ("add", b'{"name": "ana", "password": 1234567890123}'),
        ("list", b"[]"),
        ("__class__", b"{}"),
    ],
)
def test_the_server_takes_exactly_what_an_action_needs(
    live: Live, action: str, body: bytes
) -> None:
    path = f"/api/researchers/{action}"
    key = {"Authorization": f"Bearer {live.services.operator_key}"}
    assert live.send("POST", path, body, {**JSON, **key}).status == 400
    assert live.send("POST", path, body, JSON).status == 401
    assert live.get("/api/log").status == 401
    assert accounts.everybody(live.services.database.reader) == []


def test_the_demo_has_a_researcher_who_owns_its_survey(services: Services) -> None:
    slug = demo.prepare(services, people=3).survey.slug
    first, second = (
        demo.add_demo_researcher(services, slug),
        demo.add_demo_researcher(services, slug),
    )
    assert first != second
    assert not is_right(first, accounts.password_hash(services.database.reader, "demo"))
    assert is_right(second, accounts.password_hash(services.database.reader, "demo"))
    assert (
        access.role_of(
            services.database.reader, accounts.named(services.database.reader, "demo"), slug
        )
        is Role.OWNER
    )


@pytest.mark.parametrize("name", ["add", "list", "disable", "enable", "password", "grant"])
def test_every_command_about_researchers_helps_with_an_example(name: str) -> None:
    result = CliRunner().invoke(CANDOR, ["researcher", name, "--help"])
    assert f"candor researcher {name}" in result.output
