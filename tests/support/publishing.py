"""Publish and test what a draft describes, as the operator or as a researcher."""

from typing import Any

from client.authoring.draft.survey import build_survey
from server.lifecycle.publishing import publish, put_up_test
from server.surveys.records import Publication
from server.surveys.researchers import Author, Researcher
from server.web.services import Services

Draft = dict[str, Any]


def publish_draft(services: Services, draft: Draft, *choices: Any, **named: Any) -> Publication:
    return publish(services, build_survey(draft), *choices, **named)


def publish_as(
    services: Services,
    researcher: Researcher,
    draft: Draft,
    manuscript: str | None = None,
    **choices: Any,
) -> Publication:
    author = Author(researcher, manuscript)
    return publish(services, build_survey(draft), author=author, **choices)


def try_draft(services: Services, draft: Draft, confirm_weak: bool = False) -> Publication:
    return put_up_test(services, build_survey(draft), confirm_weak)


def try_as(services: Services, researcher: Researcher, draft: Draft) -> Publication:
    return put_up_test(services, build_survey(draft), researcher=researcher)
