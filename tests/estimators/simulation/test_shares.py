"""The shares of a synthetic population: one text per question, checked against its domain."""

import pytest

from client.core.primitives.domain import Checks, Choice, Domain, Levels
from client.core.primitives.refusal import Refusal
from estimators.simulation.people.shares import (
    check_shares,
    even_shares,
    parse_shares,
    shares_by_question,
    zipf_shares,
)
from tests.support.surveys import survey_of, yes_no


def test_shares_are_for_all_questions_or_for_the_one_that_they_name() -> None:
    survey = survey_of(yes_no("smokes", "1"), yes_no("drinks", "1"))
    assert shares_by_question(survey, []) == {"smokes": (0.5, 0.5), "drinks": (0.5, 0.5)}
    named = shares_by_question(survey, ["drinks=0.9,0.1", "0.7,0.3"])
    assert named == {"smokes": (0.7, 0.3), "drinks": (0.9, 0.1)}
    with pytest.raises(Refusal, match="the survey has no question 'sleeps'"):
        shares_by_question(survey, ["sleeps=0.9,0.1"])


def test_even_shares_fit_every_domain() -> None:
    assert even_shares(Choice(4)) == (0.25,) * 4
    assert even_shares(Levels(4)) == (0.2,) * 5
    assert even_shares(Checks(4, 4)) == (0.5,) * 4
    assert even_shares(Checks(4, 1)) == (0.125,) * 4


def test_shares_of_zipf_fall_as_a_power_of_the_rank() -> None:
    assert zipf_shares(Choice(2), 1.0) == pytest.approx((2 / 3, 1 / 3))
    assert zipf_shares(Levels(2), 2.0) == pytest.approx((36 / 49, 9 / 49, 4 / 49))
    assert zipf_shares(Choice(4), 0.0) == even_shares(Choice(4))
    assert zipf_shares(Checks(2, 2), 1.0) == pytest.approx((2 / 3, 1 / 3))
    assert zipf_shares(Checks(3, 3), 5.0) == pytest.approx((1, 1 / 32, 1 / 243))


@pytest.mark.parametrize("domain", [Choice(20_000), Checks(200, 3), Checks(9, 9), Levels(10_000)])
@pytest.mark.parametrize("exponent", [0.0, 1.1, 3.0, 1e308])
def test_shares_of_zipf_are_shares(domain: Domain, exponent: float) -> None:
    check_shares(zipf_shares(domain, exponent), domain)


@pytest.mark.parametrize("exponent", [-0.1, float("nan"), float("inf")])
def test_an_exponent_that_is_none_is_refused(exponent: float) -> None:
    with pytest.raises(Refusal, match="exponent of zipf must be a finite number of at least 0"):
        zipf_shares(Choice(4), exponent)


@pytest.mark.parametrize(
    ("text", "domain", "complaint"),
    [
        ("0.7,0.4", Choice(2), "shares must sum to 1, got 0.7, 0.4, which sum to 1.1"),
        ("0.7", Choice(2), "one share for each of the 2 options"),
        ("0.2,0.3,0.5", Choice(2), "one share for each of the 2 options"),
        ("0.5,0.5", Levels(2), "one share for each of the 3 levels"),
        ("-0.5,1.5", Choice(2), "shares must be between 0 and 1"),
        ("nan,1", Choice(2), "shares must be between 0 and 1"),
        ("inf,0", Choice(2), "shares must be between 0 and 1"),
        ("much,little", Choice(2), "shares must be numbers such as"),
        ("", Choice(2), "shares must be numbers such as"),
        ("1.5,0", Checks(2, 2), "shares must be between 0 and 1"),
        (
            "0.9,0.9,0.9",
            Checks(3, 2),
            "must sum to at most 2, the number of boxes that one person can tick",
        ),
    ],
)
def test_shares_that_are_none_are_refused(text: str, domain: Choice, complaint: str) -> None:
    with pytest.raises(Refusal, match=complaint):
        parse_shares(text, domain)


def test_shares_of_check_boxes_need_not_sum_to_one() -> None:
    assert parse_shares("0.9,0.9,0.1", Checks(3, 3)) == (0.9, 0.9, 0.1)
    assert parse_shares("0.9,0.9,0.2", Checks(3, 2)) == (0.9, 0.9, 0.2)


def test_a_long_list_of_shares_is_not_repeated_in_full() -> None:
    with pytest.raises(Refusal, match="and 88 more"):
        parse_shares(",".join(["0.5"] * 100), Choice(100))
