"""The JSON interface keeps its own description, whatever is sent to it."""

from collections.abc import Iterator
from copy import deepcopy
from typing import Any

import pytest
import schemathesis
from flask import Flask
from hypothesis import HealthCheck, settings
from openapi_spec_validator import OpenAPIV31SpecValidator
from schemathesis.specs.openapi import checks

from server.api.blueprint import management
from server.api.openapi import openapi_document
from server.data_folder import DataFolder
from server.respondents.api import devices
from server.store.researchers import accounts
from tests.support.live import Live
from tests.support.live import live as run_live
from tests.support.publishing import publish_as
from tests.support.researcher import hire, key_of

DRAFT: dict[str, Any] = {
    "slug": "habits",
    "title": "Habits",
    "delete_on": "2999-12-31",
    "questions": [{"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"}],
}
CHECKS = [
    schemathesis.checks.not_a_server_error,
    checks.status_code_conformance,
    checks.content_type_conformance,
    checks.response_schema_conformance,
    checks.ignored_auth,
    checks.unsupported_method,
    checks.allow_header_conformance,
]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    with run_live(DataFolder(tmp_path_factory.mktemp("api")), DRAFT) as live:
        yield live


@pytest.fixture(scope="module")
def key(served: Live) -> dict[str, str]:
    """Of somebody who owns one survey and has no part in the other."""
    hire(served, "ana")
    ana = accounts.named(served.services.database.reader, "ana")
    publish_as(served.services, ana, {**DRAFT, "slug": "mine"})
    return key_of(served, "ana")


def described() -> dict[str, Any]:
    """The description, as the routes alone make it; with addresses that lead somewhere."""
    app = Flask("described")
    app.register_blueprint(management)
    app.register_blueprint(devices, url_prefix="/api/surveys/<slug>")
    document = deepcopy(openapi_document(app))
    known = {"slug": ["habits", "mine", "nowhere"], "name": ["ana", "nobody"]}
    for operations in document["paths"].values():
        for operation in operations.values():
            for parameter in operation["parameters"]:
                if parameter["name"] in known:
                    parameter["schema"] = {"enum": known[parameter["name"]]}
    return document


def test_a_validator_of_others_accepts_the_description(served: Live) -> None:
    document = served.get("/api/openapi.json").json
    assert list(OpenAPIV31SpecValidator(document).iter_errors()) == []
    named = {
        name
        for path in document["paths"].values()
        for each in path.values()
        for name in each["tags"]
    }
    assert named == {tag["name"] for tag in document["tags"]}


def test_refusals_are_listed_where_they_happen(served: Live, key: dict[str, str]) -> None:
    document = served.get("/api/openapi.json").json
    tried = 0
    for address, operations in document["paths"].items():
        nowhere = (
            address.replace("{slug}", "nowhere").replace("{id}", "1").replace("{name}", "nobody")
        )
        if "get" in operations and "{" not in nowhere:
            listed = operations["get"]["responses"]
            statuses = {served.send("GET", nowhere, headers=sent).status for sent in ({}, key)}
            assert {str(status) for status in statuses if status > 200} <= set(listed), address
            tried += 1
    assert tried > 10


interface = schemathesis.openapi.from_dict(described())


@interface.parametrize()
@settings(
    max_examples=10,
    derandomize=True,
    deadline=None,
    suppress_health_check=list(HealthCheck),
)
def test_every_operation_answers_as_it_is_described(
    case: Any, served: Live, key: dict[str, str]
) -> None:
    case.call_and_validate(base_url=served.url, headers=key, checks=CHECKS)
