"""Roles in a survey, and a researcher's own keys."""

from dataclasses import asdict

from flask.typing import ResponseReturnValue

from server.api.blueprint import actor, management
from server.api.description import ApiResponse, describe
from server.api.schemas import KEY, MEMBER, many, one_of, responds, shape
from server.store.researchers import access, api_keys
from server.surveys.researchers import Role
from server.web.requests import json_object, text_field
from server.web.services import services

_GONE = {204: ApiResponse("Done.")}


@management.get("/surveys/<slug>/people")
@describe(
    "Everybody who has a role in a survey.",
    responds("Names and roles.", many(MEMBER)),
    role=Role.VIEWER,
)
def people(slug: str) -> ResponseReturnValue:
    return [asdict(member) for member in access.people(services().database.reader, slug)]


@management.put("/surveys/<slug>/people/<name>")
@describe(
    "Give a researcher a role in a survey.",
    responds("Their new role.", MEMBER),
    body=shape(role=one_of(Role)),
    role=Role.OWNER,
)
def give_role(slug: str, name: str) -> ResponseReturnValue:
    role = Role.named(text_field(json_object("body"), "role"))
    services().database.write(access.give_role, slug, name, role, actor().name)
    return {"slug": slug, "name": name, "role": role}


@management.delete("/surveys/<slug>/people/<name>")
@describe("Take a researcher's role in a survey away.", _GONE, role=Role.OWNER)
def take_role(slug: str, name: str) -> ResponseReturnValue:
    services().database.write(access.take_role, slug, name, actor().name)
    return "", 204


@management.get("/keys")
@describe(
    "Your API keys, without their texts, which were shown once.",
    responds("The newest first.", many(KEY)),
)
def keys() -> ResponseReturnValue:
    return [asdict(key) for key in api_keys.of(services().database.reader, actor().as_researcher())]


@management.delete("/keys/<int:id>")
@describe("Revoke one of your keys.", _GONE)
def revoke_key(id: int) -> ResponseReturnValue:
    services().database.write(api_keys.revoke, actor().as_researcher(), id)
    return "", 204
