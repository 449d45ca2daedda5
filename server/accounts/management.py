"""What the operator does about researchers: the same at the machine and through the server."""

import inspect
from collections.abc import Callable, Mapping
from typing import Any

from client.core.primitives.refusal import Refusal, require
from server.accounts.passwords import hash_new
from server.store.database import Database
from server.store.researchers import access, accounts
from server.surveys.researchers import Role

Summary = dict[str, Any]


def add(database: Database, name: str, password: str) -> Summary:
    return _summary(database, database.write(accounts.add, name, hash_new(password, name)).name)


def list_all(database: Database) -> Summary:
    return {
        "researchers": [
            _summary(database, person.name) for person in accounts.everybody(database.reader)
        ]
    }


def disable(database: Database, name: str) -> Summary:
    database.write(accounts.set_active, name, False)
    return _summary(database, name)


def enable(database: Database, name: str) -> Summary:
    database.write(accounts.set_active, name, True)
    return _summary(database, name)


def change_password(database: Database, name: str, password: str) -> Summary:
    database.write(accounts.change_password, name, hash_new(password, name))
    return _summary(database, name)


def grant(database: Database, name: str, slug: str, role: str) -> Summary:
    database.write(access.give_role, slug, name, Role.named(role))
    return _summary(database, name)


def revoke(database: Database, name: str, slug: str) -> Summary:
    database.write(access.take_role, slug, name)
    return _summary(database, name)


ACTIONS: dict[str, Callable[..., Summary]] = {
    "add": add,
    "list": list_all,
    "disable": disable,
    "enable": enable,
    "password": change_password,
    "grant": grant,
    "revoke": revoke,
}


def act(database: Database, action: str, given: Mapping[str, Any]) -> Summary:
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
    return ACTIONS[action](database, **given)


def _summary(database: Database, name: str) -> Summary:
    researcher = accounts.named(database.reader, name)
    roles = {item.slug: item.role.value for item in access.memberships(database.reader, researcher)}
    return {"name": name, "active": researcher.is_active, "roles": roles}
