"""The JSON interface does what the pages do: lists, manuscripts, publishing, people, keys."""

import hashlib
import json
import re
from typing import Any

import pytest

from server.store import audit_log
from server.surveys.researchers import Role
from tests.support.live import JSON, Answer, Live
from tests.support.researcher import hire, key_of

Draft = dict[str, Any]


class Caller:
    """Somebody with a key."""

    def __init__(self, live: Live, key: dict[str, str]) -> None:
        self._live, self._key = live, key

    def __call__(self, method: str, path: str, body: Any = None) -> Answer:
        sent = None if body is None else json.dumps(body).encode()
        return self._live.send(method, f"/api{path}", sent, {**JSON, **self._key})


@pytest.fixture
def ana(live: Live) -> Caller:
    hire(live, "ana")
    return Caller(live, key_of(live, "ana"))


@pytest.fixture
def operator(live: Live) -> Caller:
    return Caller(live, {"Authorization": f"Bearer {live.services.operator_key}"})


def linked(answer: Answer) -> dict[str, str]:
    """The addresses in the header Link, by their relation."""
    return {
        name: path.removeprefix("/api")
        for path, name in re.findall(r'<([^>]*)>; rel="(\w+)"', answer.headers["Link"])
    }


def test_whoever_publishes_owns_the_survey_and_finds_it_in_their_list(
    ana: Caller, draft: Draft, live: Live
) -> None:
    assert ana("GET", "/surveys").json == []
    published = ana("POST", "/surveys", {**draft, "slug": "mine"})
    assert (published.status, published.json["created"]) == (201, True)
    (mine,) = ana("GET", "/surveys").json
    assert (mine["slug"], mine["state"], mine["total_epsilon"]) == ("mine", "open", "1.5")
    assert ana("GET", "/surveys/mine").json == mine
    assert audit_log.entries_since_removal(live.services.database.reader, "mine")[-1].actor == "ana"


def test_a_published_slug_of_somebody_else_is_refused(ana: Caller, draft: Draft) -> None:
    answer = ana("POST", "/surveys?new_version=true", {**draft, "title": "Mine now"})
    assert (answer.status, answer.code) == (409, "slug_taken")


def test_numbers_and_flags_may_be_written_as_json_writes_them(ana: Caller, draft: Draft) -> None:
    questions = [
        {
            **{"id": "q", "prompt": "Which?", "kind": "any_of", "options": ["a", "b", "c", "d"]},
            **{"at_most": 1, "decline": True, "epsilon": 1},
        }
    ]
    answer = ana("POST", "/surveys", {**draft, "slug": "mine", "questions": questions})
    assert answer.status == 201


def test_a_flag_that_is_neither_true_nor_false_is_refused(ana: Caller, draft: Draft) -> None:
    answer = ana("POST", "/surveys?new_version=perhaps", draft)
    assert (answer.status, answer.code, answer.json["error"]["field"]) == (
        *(400, "bad_flag"),
        "new_version",
    )


def test_the_document_is_served_byte_for_byte(operator: Caller, live: Live) -> None:
    document = operator("GET", "/surveys/habits/document").body
    assert hashlib.sha256(document).hexdigest() == live.survey.fingerprint


def test_a_list_is_read_page_by_page_through_its_links(
    operator: Caller, live: Live, draft: Draft
) -> None:
    for name in "abcd":
        operator("POST", "/surveys", {**draft, "slug": f"survey-{name}"})
    page = operator("GET", "/surveys?per_page=2")
    seen = [item["slug"] for item in page.json]
    while "next" in linked(page):
        page = operator("GET", linked(page)["next"])
        seen += [item["slug"] for item in page.json]
    assert seen == ["habits", "survey-a", "survey-b", "survey-c", "survey-d"]
    assert linked(page).keys() == {"first", "prev", "last"}
    assert operator("GET", linked(page)["first"]).json[0]["slug"] == "habits"


@pytest.mark.parametrize("query", ["page=0", "page=x", "per_page=101", "per_page=-1", "page=1e3"])
def test_a_page_that_cannot_be_is_refused(operator: Caller, query: str) -> None:
    answer = operator("GET", f"/surveys?{query}")
    assert answer.status == 400
    assert answer.json["error"]["field"] == query.partition("=")[0]


def test_a_manuscript_is_begun_saved_and_thrown_away(ana: Caller) -> None:
    begun = ana("POST", "/manuscripts", {"slug": "mine"})
    assert begun.status == 201
    address = f"/manuscripts/{begun.json['id']}"
    saved = ana("PUT", address, {"draft": {"slug": "mine", "title": "Mine"}, "revision": 1})
    assert (saved.status, saved.json["revision"]) == (200, 2)
    assert ana("GET", address).json["draft"] == {"slug": "mine", "title": "Mine"}
    stale = ana("PUT", address, {"draft": {}, "revision": 1})
    assert (stale.status, stale.code) == (409, "manuscript_changed")
    assert ana("DELETE", address).status == 204
    assert ana("GET", address).status == 404
    assert ana("GET", "/manuscripts").json == []


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/lint"),
        ("POST", "/manuscripts"),
        ("PUT", f"/manuscripts/{'0' * 32}"),
        ("POST", "/researchers/add"),
    ],
)
def test_half_a_surrogate_is_refused_wherever_text_is_taken(
    ana: Caller, operator: Caller, method: str, path: str
) -> None:
    """JSON can write it, UTF-8 cannot."""
    caller = operator if "researchers" in path else ana
    answer = caller(method, path, {"name": "bob", "password": "\ud800" * 12})
    assert (answer.status, answer.code) == (400, "not_utf8")


def test_a_manuscript_is_its_authors_alone(ana: Caller, live: Live, operator: Caller) -> None:
    address = f"/manuscripts/{ana('POST', '/manuscripts', {}).json['id']}"
    hire(live, "vera")
    vera = Caller(live, key_of(live, "vera"))
    for method in ("GET", "DELETE"):
        assert vera(method, address).status == 404
    assert operator("GET", "/manuscripts").code == "for_researchers"


def test_owners_give_and_take_roles(ana: Caller, live: Live, draft: Draft) -> None:
    ana("POST", "/surveys", {**draft, "slug": "mine"})
    hire(live, "vera")
    given = ana("PUT", "/surveys/mine/people/vera", {"role": "editor"})
    assert given.json == {"slug": "mine", "name": "vera", "role": "editor"}
    assert {item["name"] for item in ana("GET", "/surveys/mine/people").json} == {"ana", "vera"}
    assert ana("PUT", "/surveys/mine/people/vera", {"role": "king"}).code == "bad_role"
    assert ana("DELETE", "/surveys/mine/people/vera").status == 204
    assert ana("DELETE", "/surveys/mine/people/ana").code == "last_owner"


def test_a_key_can_revoke_itself(ana: Caller) -> None:
    (key,) = ana("GET", "/keys").json
    assert (key["scope"], key["is_revoked"]) == ("manage", False)
    assert ana("DELETE", f"/keys/{key['id']}").status == 204
    assert ana("GET", "/keys").code == "key_wrong"


def test_the_log_names_who_did_what(live: Live) -> None:
    hire(live, "olga", Role.OWNER)
    olga = Caller(live, key_of(live, "olga"))
    assert olga("POST", "/surveys/habits/close").json["reports"] == 0
    assert olga("POST", "/surveys/habits/archive").json["state"] == "archived"
    entries = olga("GET", "/surveys/habits/log").json
    assert [(item["actor"], item["action"]) for item in entries] == [
        ("olga", "archive"),
        ("olga", "close"),
        ("operator", "give_role"),
        ("operator", "publish"),
    ]


def test_a_test_is_put_up_by_an_editor_and_not_by_a_stranger(
    ana: Caller, live: Live, draft: Draft
) -> None:
    assert ana("POST", "/drafts", {**draft, "slug": "new"}).json["test"] is True
    assert ana("POST", "/drafts", draft).code == "slug_taken"


def test_estimates_are_live_for_those_who_run_the_survey(live: Live, operator: Caller) -> None:
    for _ in range(3):
        live.post(live.report(smokes=1))
    body = operator("GET", "/surveys/habits/estimates").json
    assert (body["n"], body["hidden_below"]) == (3, 1)
    assert {row["question"] for row in body["estimates"]} == {"smokes", "drinks"}
    table = operator("GET", "/surveys/habits/estimates.csv")
    assert table.headers["Content-Type"].startswith("text/csv")
    assert len(table.body.splitlines()) == 1 + len(body["estimates"])
    assert live.get("/s/habits/estimates.json").json["n"] == 0


def test_the_export_is_a_zip(operator: Caller) -> None:
    answer = operator("GET", "/surveys/habits/export")
    assert answer.headers["Content-Disposition"] == 'attachment; filename="habits-v1.zip"'
    assert answer.body.startswith(b"PK")


def test_a_draft_is_looked_through_and_planned_for(operator: Caller, draft: Draft) -> None:
    assert operator("POST", "/lint", draft).json["errors"] == 0
    found = operator("POST", "/lint", {**draft, "slug": "No slug"}).json
    assert found["errors"] == 1
    assert found["problems"][0]["field"] == "slug"
    few, many = (
        operator("POST", f"/plan?respondents={n}", draft).json[0]["margin"] for n in (100, 10_000)
    )
    assert few == pytest.approx(10 * many)
