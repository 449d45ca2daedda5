"""Who may answer: keys for exactly the groups that links set, and the first day of answers."""

from dataclasses import replace
from typing import Any

import pytest

from client.core.document import read_document
from client.core.groups import Factor, Groups
from client.core.primitives.refusal import Refusal
from tests.support.surveys import survey_of, yes_no
from tests.vectors.document_parts import TICKET_KEYS

WARDS = Groups("link", (Factor("ward", "Which ward?", ("A", "B")),))
KEY = TICKET_KEYS[0]


def test_a_survey_has_no_keys_before_it_is_published_and_nobody_accepts_it_then() -> None:
    draft = survey_of(yes_no("a", "1"), access="invited")
    with pytest.raises(Refusal, match="ticket_keys must be there if the survey is invited"):
        read_document(draft.document)
    published = draft.with_ticket_keys({"": KEY})
    assert read_document(published.document) == published
    assert published.fingerprint != draft.fingerprint
    other = draft.with_ticket_keys({"": TICKET_KEYS[1]})
    assert other.fingerprint != published.fingerprint


def test_each_group_that_links_set_has_its_key_and_the_others_share_one() -> None:
    survey = survey_of(yes_no("a", "1"), access="invited", groups=WARDS)
    keys = dict(zip(survey.ticket_groups, TICKET_KEYS, strict=False))
    assert list(keys) == ["0", "1"]
    backwards = dict(reversed(keys.items()))
    assert survey.with_ticket_keys(backwards).ticket_keys == tuple(keys.items())
    choosing = Factor("ward", "Which ward?", ("A", "B"), decline="None")
    chosen = replace(survey, groups=Groups("choice", (choosing,)))
    assert chosen.ticket_groups == replace(survey, groups=None).ticket_groups == ("",)
    assert replace(survey, test=True).ticket_groups == ("",)


@pytest.mark.parametrize(
    ("fields", "key"),
    [
        ({"answer_from": "2027-03-01", "access": "open"}, "bad_answer_from.open"),
        ({"answer_from": "2027-3-1"}, "bad_answer_from.day"),
        ({"answer_from": "2027-03-01", "delete_on": "2027-03-01"}, "bad_answer_from.late"),
        ({"ticket_keys": (("", KEY),), "access": "open"}, "bad_ticket_key.open"),
        ({"ticket_keys": (("0", KEY),)}, "bad_ticket_key.groups"),
        ({"ticket_keys": (("", KEY[:-1] + "2"),)}, "bad_ticket_key.number"),
        ({"ticket_keys": (("0", KEY), ("1", KEY)), "groups": WARDS}, "bad_ticket_key.repeated"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_keys_and_days_that_do_not_fit_are_refused(fields: dict[str, Any], key: str) -> None:
    with pytest.raises(Refusal) as caught:
        survey_of(yes_no("a", "1"), **{"access": "invited"} | fields)
    assert caught.value.key == key
