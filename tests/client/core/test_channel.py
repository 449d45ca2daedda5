"""The integer threshold: the largest one that keeps the promise, decided without floats."""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from client.core.primitives.channel import (
    check_threshold,
    delivered_epsilon,
    parse_epsilon,
    threshold,
)
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import decimal_text
from client.core.primitives.words import WORD_RANGE

# Table 1 of the mathematics.
TABLE_1 = {
    "0.01": 2158220976,
    "0.1": 2254768441,
    "0.5": 2673442470,
    "1": 3139872686,
    "2": 3782994644,
    "4": 4217717112,
    "8": 4293526978,
}
epsilons = st.integers(10_000, 10_000_000).map(lambda millionths: Decimal(millionths) / 10**6)


@pytest.mark.parametrize("epsilon", TABLE_1)
def test_thresholds_are_those_of_table_1(epsilon: str) -> None:
    assert threshold(Decimal(epsilon), 1, 1) == TABLE_1[epsilon]


def test_floats_would_round_up_at_4_41481_and_leak() -> None:
    odds = math.exp(4.41481)
    assert int(2**32 * odds / (1 + odds)) == 4243632698
    assert threshold(Decimal("4.41481"), 1, 1) == 4243632697


def exponential_bounds(epsilon: Decimal) -> tuple[Fraction, Fraction]:
    """Return rational bounds of e^eps from the series alone, without any library's exp."""
    x = Fraction(epsilon)
    total, term = Fraction(0), Fraction(1)
    for k in range(1, 80):
        total += term
        term = term * x / k
    # For k > 2x the remainder is below twice its first term.
    return total, total + 2 * term


@given(epsilons, st.integers(1, 300), st.integers(1, 300))
def test_the_threshold_keeps_every_ratio_within_e_eps_and_the_next_one_does_not(
    epsilon: Decimal, near: int, far: int
) -> None:
    low, high = exponential_bounds(epsilon)
    chosen = threshold(epsilon, near, far)
    if chosen == WORD_RANGE - 1:
        return
    assert Fraction(chosen * far, (WORD_RANGE - chosen) * near) <= low
    assert Fraction((chosen + 1) * far, (WORD_RANGE - chosen - 1) * near) > high


@given(epsilons)
def test_what_is_delivered_is_below_what_is_shown_by_less_than_a_thousandth(
    epsilon: Decimal,
) -> None:
    delivered = delivered_epsilon(threshold(epsilon, 1, 1), 1, 1)
    assert 0.999 * float(epsilon) < delivered <= float(epsilon)


def test_the_threshold_does_not_depend_on_the_callers_decimal_precision() -> None:
    with localcontext() as context:
        context.prec = 6
        assert threshold(Decimal("4.41481"), 1, 1) == 4243632697


@given(epsilons)
def test_an_epsilon_written_and_read_is_the_same_epsilon(epsilon: Decimal) -> None:
    text = decimal_text(epsilon)
    assert parse_epsilon(text) == epsilon
    assert decimal_text(parse_epsilon(text)) == text


@pytest.mark.parametrize(
    ("value", "text"), [("10", "10"), ("1.50", "1.5"), ("0.010000", "0.01"), ("7.0", "7")]
)
def test_a_decimal_has_one_spelling(value: str, text: str) -> None:
    assert decimal_text(Decimal(value)) == text


@pytest.mark.parametrize(
    "text",
    "NaN|nan|inf|-inf|-1|+1|1e0|| 1|1\n|.5|1.|01|1,5|٢|0x1|1_0|1.0000001|1000".split("|"),
)
def test_an_epsilon_that_is_no_plain_decimal_is_refused(text: str) -> None:
    with pytest.raises(Refusal) as caught:
        parse_epsilon(text)
    assert caught.value.code == "epsilon_not_a_decimal"


@pytest.mark.parametrize("value", [1, 1.0, None, True, ["1"], Decimal(1), b"1"])
def test_an_epsilon_that_is_no_text_is_refused(value: object) -> None:
    with pytest.raises(Refusal) as caught:
        parse_epsilon(value, "q1.epsilon")
    assert (caught.value.code, caught.value.field) == ("epsilon_not_a_decimal", "q1.epsilon")


@pytest.mark.parametrize("text", ["0", "0.0", "0.009999", "10.000001", "11", "999"])
def test_an_epsilon_outside_the_accepted_range_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match=f"epsilon must be between 0.01 and 10, got {text}") as caught:
        parse_epsilon(text)
    assert caught.value.code == "epsilon_out_of_range"


@pytest.mark.parametrize("text", ["0.01", "10", "10.000000", "0.010000"])
def test_the_ends_of_the_accepted_range_are_accepted(text: str) -> None:
    assert parse_epsilon(text) == Decimal(text)


@pytest.mark.parametrize(
    ("chosen", "code"),
    [
        (3139872687, "threshold_leaks"),
        (WORD_RANGE - 1, "threshold_leaks"),
        (2**31, "threshold_says_nothing"),
        (1, "threshold_says_nothing"),
        (2**31 + 1, "threshold_wasteful"),
        (0, "threshold_out_of_range"),
        (WORD_RANGE, "threshold_out_of_range"),
        (-5, "threshold_out_of_range"),
    ],
)
def test_a_threshold_that_breaks_the_promise_is_refused(chosen: int, code: str) -> None:
    with pytest.raises(Refusal) as caught:
        check_threshold(chosen, Decimal(1), 1, 1, "q1")
    assert (caught.value.code, caught.value.field) == (code, "q1")


def test_a_leaking_threshold_is_refused_with_the_leak_in_words() -> None:
    with pytest.raises(Refusal, match=r"leaks 3\.2\d+, more than the epsilon 1 that is shown"):
        check_threshold(4132261725, Decimal(1), 1, 1, "q1")


def test_thresholds_between_999_thousandths_and_all_of_epsilon_are_accepted() -> None:
    least = threshold(Decimal("0.999"), 1, 1)
    check_threshold(3139872686, Decimal(1), 1, 1, "q1")
    check_threshold(least + 1, Decimal(1), 1, 1, "q1")
    with pytest.raises(Refusal, match=r"less than 99\.9 % of the epsilon 1"):
        check_threshold(least, Decimal(1), 1, 1, "q1")
