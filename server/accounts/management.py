"""What the operator does about researchers: the same at the machine and through the server."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from client.core.primitives.refusal import Refusal, require
from server.accounts import login_link
from server.accounts.passwords import hash_new
from server.store.researchers import access, accounts
from server.surveys.researchers import Role
from server.web.services import Services

Summary = dict[str, Any]


def add(services: Services, name: str, password: str) -> Summary:
    return _summary(
        services, services.database.write(accounts.add, name, hash_new(password, name)).name
    )


def list_all(services: Services) -> Summary:
    return {
        "researchers": [
            _summary(services, person.name)
            for person in accounts.everybody(services.database.reader)
        ]
    }


def disable(services: Services, name: str) -> Summary:
    services.database.write(accounts.set_active, name, False)
    return _summary(services, name)


def enable(services: Services, name: str) -> Summary:
    services.database.write(accounts.set_active, name, True)
    return _summary(services, name)


def change_password(services: Services, name: str, password: str) -> Summary:
    services.database.write(accounts.change_password, name, hash_new(password, name))
    return _summary(services, name)


def link(services: Services, name: str) -> Summary:
    return {"link": login_link.make(services, name)}


def grant(services: Services, name: str, slug: str, role: str) -> Summary:
    services.database.write(access.give_role, slug, name, Role.named(role))
    return _summary(services, name)


def revoke(services: Services, name: str, slug: str) -> Summary:
    services.database.write(access.take_role, slug, name)
    return _summary(services, name)


ACTIONS: dict[str, Callable[..., Summary]] = {
    "add": add,
    "list": list_all,
    "disable": disable,
    "enable": enable,
    "password": change_password,
    "link": link,
    "grant": grant,
    "revoke": revoke,
}


def act(services: Services, action: str, given: Mapping[str, Any]) -> Summary:
    """Run the named action with exactly the fields that it needs."""
    if action not in ACTIONS:
        raise Refusal("unknown_action", action=action)
    _, *fields = inspect.signature(ACTIONS[action]).parameters
    require(
        sorted(given) == sorted(fields) and all(isinstance(value, str) for value in given.values()),
        "bad_fields",
        action=action,
        wanted=", ".join(fields) or "nothing",
    )
    return ACTIONS[action](services, **given)


def _summary(services: Services, name: str) -> Summary:
    researcher = accounts.named(services.database.reader, name)
    roles = {
        item.slug: item.role.value
        for item in access.memberships(services.database.reader, researcher)
    }
    return {"name": name, "active": researcher.is_active, "roles": roles}
