"""What the operator does about researchers: the same at the machine and through the server."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from client.core.primitives.refusal import Refusal, require
from server.accounts.passwords import hash_new
from server.store.researchers.office import Office
from server.surveys.researchers import Role

Summary = dict[str, Any]


def add(office: Office, name: str, password: str) -> Summary:
    return _summary(office, office.add_researcher(name, hash_new(password, name)).name)


def list_all(office: Office) -> Summary:
    return {"researchers": [_summary(office, person.name) for person in office.everybody()]}


def disable(office: Office, name: str) -> Summary:
    office.set_active(name, False)
    return _summary(office, name)


def enable(office: Office, name: str) -> Summary:
    office.set_active(name, True)
    return _summary(office, name)


def change_password(office: Office, name: str, password: str) -> Summary:
    office.change_password(name, hash_new(password, name))
    return _summary(office, name)


def grant(office: Office, name: str, slug: str, role: str) -> Summary:
    office.give_role(slug, name, Role.named(role))
    return _summary(office, name)


def revoke(office: Office, name: str, slug: str) -> Summary:
    office.take_role(slug, name)
    return _summary(office, name)


ACTIONS: dict[str, Callable[..., Summary]] = {
    "add": add,
    "list": list_all,
    "disable": disable,
    "enable": enable,
    "password": change_password,
    "grant": grant,
    "revoke": revoke,
}


def act(office: Office, action: str, given: Mapping[str, Any]) -> Summary:
    """Do what a command or a request names, with exactly what it needs for that."""
    if action not in ACTIONS:
        raise Refusal("unknown_action", f"there is no action {action[:40]!r} for researchers")
    _, *fields = inspect.signature(ACTIONS[action]).parameters
    require(
        sorted(given) == sorted(fields) and all(isinstance(value, str) for value in given.values()),
        "bad_fields",
        f"{action} needs {', '.join(fields) or 'nothing'} as text, and nothing else",
    )
    return ACTIONS[action](office, **given)


def _summary(office: Office, name: str) -> Summary:
    researcher = office.researcher(name)
    roles = {item.slug: item.role.value for item in office.memberships(researcher)}
    return {"name": name, "active": researcher.is_active, "roles": roles}
