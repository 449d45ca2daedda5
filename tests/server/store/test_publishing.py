"""Publishing: a document is frozen, versions follow each other, and bad drafts open nothing."""

from decimal import Decimal
from typing import Any

import pytest

from client.core.primitives.refusal import Refusal
from server.lifecycle import ending
from server.store import reading
from server.web.services import Services
from tests.support.publishing import publish_draft

Draft = dict[str, Any]


def refused(services: Services, draft: Draft, confirm_weak: bool = False) -> Refusal:
    """The refusal of a draft that must leave no survey behind."""
    with pytest.raises(Refusal) as caught:
        publish_draft(services, draft, confirm_weak=confirm_weak)
    with pytest.raises(Refusal, match="there is no survey"):
        reading.newest(services.database.reader, "habits")
    return caught.value


def with_epsilon(draft: Draft, epsilon: object) -> Draft:
    first, *others = draft["questions"]
    return {**draft, "questions": [{**first, "epsilon": epsilon}, *others]}


def test_a_new_slug_opens_version_one(services: Services, draft: Draft) -> None:
    publication = publish_draft(services, draft)
    published = publication.published
    assert publication.created
    assert (published.survey.version, published.state, published.reports) == (1, "open", 0)
    assert reading.newest(services.database.reader, "habits") == published


def test_the_same_draft_again_changes_nothing(services: Services, draft: Draft) -> None:
    first = publish_draft(services, draft)
    again = publish_draft(services, draft)
    assert not again.created
    assert again.published == first.published
    assert len(reading.versions(services.database.reader, "habits")) == 1


def test_other_content_under_a_taken_slug_is_refused(services: Services, draft: Draft) -> None:
    publish_draft(services, draft)
    with pytest.raises(Refusal, match="other content") as caught:
        publish_draft(services, {**draft, "title": "Vices"})
    assert caught.value.code == "slug_taken"
    assert reading.newest(services.database.reader, "habits").survey.title == "Habits"


def test_a_new_version_closes_the_old_one_in_the_same_moment(
    services: Services, draft: Draft
) -> None:
    publish_draft(services, draft)
    publish_draft(services, {**draft, "title": "Vices"}, new_version=True)
    newest, oldest = reading.versions(services.database.reader, "habits")
    assert (newest.survey.version, newest.state, newest.digest) == (2, "open", None)
    assert (oldest.survey.version, oldest.state) == (1, "closed")
    assert oldest.digest is not None


def test_asking_twice_for_the_same_new_version_makes_one(services: Services, draft: Draft) -> None:
    changed = {**draft, "title": "Vices"}
    publish_draft(services, draft)
    publish_draft(services, changed, new_version=True)
    assert not publish_draft(services, changed, new_version=True).created
    assert len(reading.versions(services.database.reader, "habits")) == 2


def test_a_closed_survey_can_be_asked_again_as_a_new_version(
    services: Services, draft: Draft
) -> None:
    publish_draft(services, draft)
    ending.close(services.database, "habits")
    assert publish_draft(services, draft).published.state == "closed"
    again = publish_draft(services, draft, new_version=True)
    assert (again.published.survey.version, again.published.state) == (2, "open")


def test_the_document_survives_a_restart_byte_for_byte(services: Services, draft: Draft) -> None:
    survey = publish_draft(services, draft).published.survey
    assert reading.newest(services.database.reader, "habits").survey.document == survey.document


def test_a_total_epsilon_of_four_needs_no_confirmation(services: Services, draft: Draft) -> None:
    published = publish_draft(services, with_epsilon(draft, "3.5")).published
    assert published.survey.total_epsilon == Decimal(4)


def test_a_weak_survey_needs_confirmation_and_is_called_weak(
    services: Services, draft: Draft
) -> None:
    refusal = refused(services, with_epsilon(draft, "3.500001"))
    assert refusal.code == "weak_not_confirmed"
    assert "4.000001 is weak" in refusal.message
    publish_draft(services, with_epsilon(draft, "3.500001"), confirm_weak=True)


@pytest.mark.parametrize(
    ("fault", "epsilon", "code"),
    [
        ("NaN", "NaN", "epsilon_not_a_decimal"),
        ("NaN in another spelling", ".nan", "epsilon_not_a_decimal"),
        ("a float that is NaN", float("nan"), "epsilon_not_a_decimal"),
        ("zero", "0", "epsilon_out_of_range"),
        ("zero with decimals", "0.000000", "epsilon_out_of_range"),
        ("negative", "-1", "epsilon_not_a_decimal"),
        ("infinite", "inf", "epsilon_not_a_decimal"),
        ("Infinity", "Infinity", "epsilon_not_a_decimal"),
        ("above 10", "10.000001", "epsilon_out_of_range"),
        ("far above 10", "999", "epsilon_out_of_range"),
        ("not a decimal", "a lot", "epsilon_not_a_decimal"),
        ("an exponent", "1e0", "epsilon_not_a_decimal"),
        ("a comma", "0,5", "epsilon_not_a_decimal"),
        ("a fraction", "1/2", "epsilon_not_a_decimal"),
        ("a float", 0.5, "epsilon_not_a_decimal"),
        ("other digits", "\u0661", "epsilon_not_a_decimal"),
        ("a line break", "1\n", "epsilon_not_a_decimal"),
        ("empty", "", "epsilon_not_a_decimal"),
    ],
)
def test_a_bad_epsilon_is_refused_by_name(
    services: Services, draft: Draft, fault: str, epsilon: object, code: str
) -> None:
    refusal = refused(services, with_epsilon(draft, epsilon), confirm_weak=True)
    assert (refusal.code, refusal.path) == (code, ("questions", 0, "epsilon")), fault


def test_an_epsilon_that_nobody_gave_is_refused(services: Services, draft: Draft) -> None:
    questions = [{"id": "smokes", "prompt": "Do you smoke?"}]
    assert refused(services, {**draft, "questions": questions}).code == "missing_field"


def test_a_total_above_the_cap_is_refused_even_when_confirmed(
    services: Services, draft: Draft
) -> None:
    refusal = refused(services, with_epsilon(draft, "9.6"), confirm_weak=True)
    assert refusal.code == "total_epsilon_too_large"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"questions": []}, "bad_questions"),
        ({"questions": "smokes"}, "bad_questions"),
        ({"title": ""}, "empty_text"),
        ({"slug": "../habits"}, "bad_slug"),
        ({"delete_on": "soon"}, "bad_delete_on"),
        ({"delete_on": "2999-02-30"}, "bad_delete_on"),
        ({"delete_on": "2001-01-01"}, "bad_delete_on"),
        ({"delete_on": ""}, "delete_on_missing"),
        ({"secret": "1"}, "unknown_field"),
    ],
)
def test_a_bad_draft_is_refused(services: Services, draft: Draft, change: Draft, code: str) -> None:
    assert refused(services, {**draft, **change}).code == code
