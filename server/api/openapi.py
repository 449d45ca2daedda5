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
        described = description_of(app.view_functions[rule.endpoint])
        address = rule.rule.replace("<int:", "<").replace("<", "{").replace(">", "}")
        paths.setdefault(address, {})[method.lower()] = _operation(rule, method, described)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Candor",
            "version": __version__,
            "description": "Surveys whose answers are randomized on the respondent's device.",
        },
        "paths": paths,
        "components": {
            "schemas": {"Error": ERROR, "SurveyFile": survey_schema()},
            "securitySchemes": {
                "key": {"type": "http", "scheme": "bearer", "description": _explained_scopes()}
            },
        },
    }


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
            "default": _response(ApiResponse("Refused.", {"$ref": "#/components/schemas/Error"})),
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
