"""A stand-in for the server: every answer is made here, so that one may be lost, late or dishonest.

The page, its script and its policy are the shipped ones. What honest answers are, the server's own
tests say; here a device is to be looked at from all sides.
"""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from playwright.sync_api import BrowserContext, Request, Route

from client.authoring.draft.survey import build_survey
from client.browser.bundle import served_files, survey_page
from client.browser.headers import HEADERS
from client.core.access import ticket_groups
from client.core.tickets.ticket import report_id, verify
from tests.support.ticket_keys import POOL

# Never reached: every request is answered here. Browsers trust this host as they trust https.
HOST = "http://localhost"
CODE = "7k3mq2xw9pbd4r"
JSON = {**HEADERS, "Content-Type": "application/json"}

# What Playwright fulfils a request with; None: it is lost.
Answer = dict[str, Any]


class Stand:
    """An invited survey and its one server."""

    def __init__(self, draft: dict[str, Any], key: str = "") -> None:
        survey = build_survey({**draft, "access": "invited"})
        groups = ticket_groups(survey.groups, survey.test)
        self.keys = dict(zip(groups, POOL, strict=False))
        public = tuple((group, key or own.public) for group, own in self.keys.items())
        self.survey = replace(survey, ticket_keys=public)
        self.document = self.survey.document
        self.fingerprint = self.survey.fingerprint
        # A test may put another one in its place.
        self.answer: Callable[[Request], Answer | None] = self.honest
        self.requests: list[Request] = []
        # What each link has asked for, and the reports by their ids.
        self.asked: dict[str, str] = {}
        self.stored: dict[str, str] = {}

    def link(self, code: str = CODE) -> str:
        return f"{HOST}/s/{self.survey.slug}#{self.fingerprint};{code}"

    def serve(self, device: BrowserContext) -> None:
        device.route("**/*", self._answer)

    def sent(self, resource: str) -> list[dict[str, Any]]:
        """The bodies of all requests to one resource of the API; reports with their tickets."""
        return [
            json.loads(request.post_data or "{}") | _ticket_of(request)
            for request in self.requests
            if request.method == "POST" and request.url.endswith(f"/{resource}")
        ]

    def _answer(self, route: Route) -> None:
        request = route.request
        self.requests.append(request)
        answer = self.answer(request)
        if answer is None:
            route.abort()
        else:
            route.fulfill(**answer)

    def honest(self, request: Request) -> Answer:
        path = request.url.removeprefix(HOST).partition("?")[0]
        page = f"/s/{self.survey.slug}"
        if path == page:
            return {"body": survey_page(), "headers": {**HEADERS, "Content-Type": "text/html"}}
        if path == f"{page}/document.json":
            return {"body": self.document, "headers": JSON}
        if path in served_files():
            file = served_files()[path]
            return {"body": file.content, "headers": {**HEADERS, "Content-Type": file.type}}
        if path.endswith("/tickets"):
            return self._sign(json.loads(request.post_data or ""))
        if path.endswith("/reports"):
            return self._store(request.headers.get("candor-ticket", ""), request.post_data or "")
        return refusal(404, "unknown_survey")

    def _sign(self, asked: dict[str, str]) -> Answer:
        invitation, blinded = asked["invitation"], asked["blinded"]
        if self.asked.setdefault(invitation, blinded) != blinded:
            return refusal(409, "link_used")
        factors = len(next(iter(self.keys)).split("-")) if "" not in self.keys else 0
        key = self.keys["-".join(invitation[:factors])]
        return {"status": 201, "headers": JSON, "body": json.dumps({"signed": key.sign(blinded)})}

    def _store(self, ticket: str, body: str) -> Answer:
        verify(ticket, dict(self.survey.ticket_keys), self.fingerprint)
        if self.stored.setdefault(report_id(ticket), body) != body:
            return refusal(409, "ticket_spent")
        return {"status": 201, "headers": JSON, "body": '{"status":"stored"}'}


def _ticket_of(request: Request) -> dict[str, str]:
    ticket = request.headers.get("candor-ticket")
    return {} if ticket is None else {"ticket": ticket}


def refusal(status: int, code: str) -> Answer:
    error = {"error": {"code": code, "message": f"made up: {code}", "field": None}}
    return {"status": status, "headers": JSON, "body": json.dumps(error)}
