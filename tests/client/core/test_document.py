"""Documents: read back as they were written, refused after any change of a byte."""

from decimal import Decimal

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from client.authoring.draft.survey import build_survey
from client.core.document import MAX_DOCUMENT_BYTES, read_document
from client.core.kinds import YesNo
from client.core.mechanisms import RandomizedResponse
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import CONTROL
from client.core.question import Question
from client.core.survey import Survey
from tests.vectors.document_kinds import SURVEYS
from tests.vectors.document_parts import canonical

SURVEY = build_survey(
    {
        "slug": "habits",
        "title": "Ærlighed",
        "organizer": "A university",
        "delete_on": "2027-06-30",
        "questions": [
            {"id": "q1", "prompt": "Have you ever?", "epsilon": "1"},
            {"id": "q2", "prompt": "Would you?", "epsilon": "0.25", "options": ["Never", "Often"]},
        ],
    }
)

EVERYTHING = read_document(canonical(SURVEYS["all_mechanisms"]))

epsilons = st.integers(1, 250).map(lambda hundredths: Decimal(hundredths) / 100)
texts = st.text(st.characters(exclude_categories=("Cc", "Cs")), min_size=1, max_size=40).filter(
    lambda text: text.strip() and not CONTROL.search(text)
)


@st.composite
def surveys(draw: st.DrawFn) -> Survey:
    chosen = draw(st.lists(epsilons, min_size=1, max_size=4))
    questions = tuple(
        Question(
            f"q{i}",
            draw(texts),
            YesNo(decline=""),
            epsilon,
            RandomizedResponse.at(epsilon),
        )
        for i, epsilon in enumerate(chosen)
    )
    return Survey("slug", draw(st.integers(1, 10**6)), draw(texts), questions, draw(texts))


@given(surveys())
def test_every_survey_is_read_back_from_its_document(survey: Survey) -> None:
    assert read_document(survey.document) == survey
    assert read_document(survey.document).fingerprint == survey.fingerprint


@given(st.integers(0, len(SURVEY.document) - 1), st.integers(0, 7))
@example(0, 0)
def test_a_flipped_bit_is_refused_or_changes_the_fingerprint(position: int, bit: int) -> None:
    changed = bytearray(SURVEY.document)
    changed[position] ^= 1 << bit
    try:
        read = read_document(bytes(changed))
    except Refusal:
        return
    assert read.fingerprint != SURVEY.fingerprint
    assert read.document == bytes(changed)


@given(st.integers(0, len(SURVEY.document)), st.integers(0, len(SURVEY.document)))
def test_a_document_with_a_part_missing_is_refused(start: int, end: int) -> None:
    start, end = sorted((start, end))
    if start == end:
        return
    try:
        read = read_document(SURVEY.document[:start] + SURVEY.document[end:])
    except Refusal:
        return
    # A shorter text is another document, never the same one.
    assert read.fingerprint != SURVEY.fingerprint


@given(st.integers(0, len(EVERYTHING.document) - 1), st.sampled_from(range(256)))
def test_any_byte_in_any_place_is_refused_or_changes_the_fingerprint(
    position: int, byte: int
) -> None:
    """A document with every mechanism and every kind of field."""
    changed = bytearray(EVERYTHING.document)
    changed[position] = byte
    try:
        read = read_document(bytes(changed))
    except Refusal:
        assert bytes(changed) != EVERYTHING.document
        return
    assert read.document == bytes(changed)
    assert (read == EVERYTHING) == (bytes(changed) == EVERYTHING.document)


def test_a_document_above_the_limit_is_refused_for_its_size() -> None:
    with pytest.raises(Refusal) as caught:
        read_document(b" " * (MAX_DOCUMENT_BYTES + 1))
    assert caught.value.code == "too_large"


def test_a_document_of_the_largest_size_is_refused_for_another_reason() -> None:
    with pytest.raises(Refusal) as caught:
        read_document(SURVEY.document + b" " * (MAX_DOCUMENT_BYTES - len(SURVEY.document)))
    assert caught.value.code == "not_canonical"


def test_a_leaking_document_is_refused_with_a_message_that_says_so() -> None:
    threshold = str(SURVEY.questions[0].mechanism.threshold).encode()
    leaking = SURVEY.document.replace(threshold, b"4132261725")
    with pytest.raises(Refusal, match=r"q1: the threshold 4132261725 leaks 3\.2.*more than") as bad:
        read_document(leaking)
    assert bad.value.code == "threshold_leaks"


def test_a_document_that_says_less_than_it_spends_is_refused() -> None:
    modest = SURVEY.document.replace(b'"total_epsilon":"1.25"', b'"total_epsilon":"0.25"')
    with pytest.raises(Refusal, match=r"total_epsilon must be the sum 1\.25, got '0\.25'"):
        read_document(modest)
