"""The OpenAPI 3.1 document, assembled from the routes and the descriptions of their views."""

from collections.abc import Iterator
from functools import cache
from typing import Any

from flask import Flask, current_app
from flask.typing import ResponseReturnValue
from werkzeug.routing import Rule

from client import __version__
from client.authoring.schema import survey_schema
from client.core.survey import SLUG
from server.accounts.management import ACTIONS
from server.api.blueprint import management
from server.api.description import JSON, ApiResponse, Description, describe, description_of
from server.api.schemas import ERROR, responds
from server.surveys.researchers import NAME, Scope

# The parts of addresses, by their names in the routes.
ADDRESSED: dict[str, dict[str, Any]] = {
    "slug": {"type": "string", "pattern": f"^{SLUG.pattern}$"},
    "name": {"type": "string", "pattern": f"^{NAME.pattern}$"},
    "id": {"type": "string", "pattern": r"^[0-9a-f]{32}$"},
    "action": {"type": "string", "enum": list(ACTIONS)},
}
DEVICES = "devices"
TAGS = {
    DEVICES: "What respondents' devices send. Open to everybody, without a key.",
    "surveys": "Publish surveys and tests, and look at them.",
    "lifecycle": "Close, archive, trash and restore surveys.",
    "invitations": "Make links, and count them.",
    "estimates": "Read results and exports.",
    "manuscripts": "Unfinished surveys, as the editor of the workbench keeps them.",
    "people": "Who works on a survey, and what was done.",
    "operator": "For the operator's key only.",
    "openapi": "This description.",
}
_KEY_ID = {"type": "integer", "minimum": 0, "maximum": 2**31}


@management.get("/openapi.json")
@describe("This description.", responds("OpenAPI 3.1.", {"type": "object"}), scope=None)
def openapi() -> ResponseReturnValue:
    return openapi_document(current_app._get_current_object())  # type: ignore[attr-defined]


@cache
def openapi_document(app: Flask) -> dict[str, Any]:
    """Return the document for every route under /api."""
    paths: dict[str, dict[str, Any]] = {}
    for rule, method in _operations(app):
        view = app.view_functions[rule.endpoint]
        address = rule.rule.replace("<int:", "<").replace("<", "{").replace(">", "}")
        tag = view.__module__.rpartition(".")[2]
        paths.setdefault(address, {})[method.lower()] = {
            "tags": [tag if tag in TAGS else DEVICES],
            **_operation(rule, method, description_of(view)),
        }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Candor",
            "version": __version__,
            "description": "Surveys whose answers are randomized on the respondent's device.",
            "license": {"name": "MIT", "identifier": "MIT"},
        },
        "servers": [{"url": "/", "description": "The server that serves this description."}],
        "tags": [{"name": name, "description": text} for name, text in TAGS.items()],
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR, **_lifted("SurveyFile", survey_schema())},
            "responses": {"Refused": _response(ApiResponse("Refused.", _to_schema("Error")))},
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": _explained_scopes()}
            },
        },
    }


def _lifted(name: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return a schema and its definitions as components, which refer to each other as such."""

    def at(definition: str) -> str:
        return f"{name}_{definition}"

    def lift(part: Any) -> Any:
        if isinstance(part, list):
            return [lift(item) for item in part]
        if not isinstance(part, dict):
            return part
        found = {key: lift(value) for key, value in part.items()}
        if isinstance(found.get("$ref"), str):
            found |= _to_schema(at(found["$ref"].removeprefix("#/$defs/")))
        return found

    whole = {key: lift(value) for key, value in schema.items() if key not in ("$defs", "$id")}
    return {name: whole} | {at(key): lift(value) for key, value in schema["$defs"].items()}


def _to_schema(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _explained_scopes() -> str:
    """Explain the scopes of keys, one of which `x-scope` names for each operation."""
    scopes = (f"`{scope}`: {scope.words}." for scope in Scope)
    return " ".join(["A key made on the account page, with one of two scopes.", *scopes])


def _operations(app: Flask) -> Iterator[tuple[Rule, str]]:
    for rule in app.url_map.iter_rules():
        if rule.rule.startswith("/api/"):
            for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
                yield rule, method


def _operation(rule: Rule, method: str, described: Description) -> dict[str, Any]:
    body = {"content": {JSON: {"schema": described.body}}, "required": True}
    # Without a key or with too small a one; what the address names does not exist; anything else.
    refusals = [
        *(["401", "403"] if described.scope else []),
        *(["404"] if rule.arguments & set(ADDRESSED) - {"action"} else []),
        "default",
    ]
    return {
        "operationId": f"{rule.endpoint.replace('.', '_')}_{method.lower()}",
        "summary": described.summary,
        "parameters": [
            *_parameters("path", {name: _addressed(rule, name) for name in _in_address(rule)}),
            *_parameters("query", dict(described.query)),
            *_parameters("header", dict(described.headers)),
        ],
        **({"requestBody": body} if described.body is not None else {}),
        "responses": {
            **{str(status): _response(given) for status, given in described.responses.items()},
            **{status: {"$ref": "#/components/responses/Refused"} for status in refusals},
        },
        "security": [] if described.scope is None else [{"key": []}],
        **({"x-scope": described.scope} if described.scope else {}),
    }


def _in_address(rule: Rule) -> list[str]:
    return sorted(name for name in rule.arguments if f"{name}>" in rule.rule)


def _addressed(rule: Rule, name: str) -> dict[str, Any]:
    return _KEY_ID if f"<int:{name}>" in rule.rule else ADDRESSED[name]


def _parameters(place: str, schemas: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"name": name, "in": place, "schema": schema, "required": place == "path"}
        for name, schema in schemas.items()
    ]


def _response(given: ApiResponse) -> dict[str, Any]:
    if given.schema is None and given.type == JSON:
        return {"description": given.description}
    return {
        "description": given.description,
        "content": {given.type: {"schema": given.schema or {}}},
    }
