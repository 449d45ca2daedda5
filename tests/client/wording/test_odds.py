"""Plain words for every mechanism: true odds, both sides, and what is really sent."""

import re
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.core.mechanisms import MECHANISMS, RandomThreshold, SlidingWindow
from client.core.primitives.words import SecureWords
from client.core.question import Question
from client.wording.catalogue import ENGLISH
from client.wording.levels import frequencies
from client.wording.mechanisms import sends
from client.wording.odds import describe_answer, describe_report, odds, odds_sentences
from tests.vectors.generate import read

QUESTIONS: dict[str, dict[str, Any]] = {
    "rr": {},
    "ss": {"kind": "one_of", "options": list("abcdefghij"), "epsilon": "0.5"},
    "hr": {"kind": "one_of", "options": list("abcdefghij"), "mechanism": "hr"},
    "smp": {"kind": "any_of", "options": list("abcdefgh")},
    "privset": {"kind": "any_of", "options": list("abcdefghij"), "at_most": "2"},
    "rt": {"kind": "number", "lo": "0", "hi": "5", "unit": "h"},
    "isw": {"kind": "number", "lo": "0", "hi": "5", "goal": "distribution"},
}


def question(**fields: Any) -> Question:
    item = {"id": "q", "prompt": "?", "epsilon": "1", **fields}
    return build_survey({"slug": "s", "title": "S", "questions": [item]}).questions[0]


def numbers(sentence: str) -> tuple[int, int]:
    """Return each (count, whole) in a sentence."""
    count, whole = re.findall(r"([\d,]+) of ([\d,]+)", sentence)[-1]
    return int(count.replace(",", "")), int(whole.replace(",", ""))


def test_there_are_words_for_every_mechanism() -> None:
    assert set(QUESTIONS) == set(MECHANISMS)
    for name, fields in QUESTIONS.items():
        assert question(**fields).mechanism.name == name


def test_every_mechanism_has_a_title_and_says_what_it_sends() -> None:
    found = [question(**fields).mechanism for fields in QUESTIONS.values()]
    assert len({mechanism.title for mechanism in found}) == len(MECHANISMS)
    for mechanism in found:
        assert mechanism.title != mechanism.name
        assert re.fullmatch(r"[A-Z0-9][^.]+\.", sends(mechanism))
        # The numbers in the sentence are those of the shape.
        numbers_said = set(map(int, re.findall(r"\d+", sends(mechanism))))
        assert numbers_said <= set(mechanism.shape.values())


@pytest.mark.parametrize("name", QUESTIONS)
@pytest.mark.parametrize("epsilon", ["0.01", "0.1", "1", "4", "10"])
def test_both_sides_of_the_odds_are_stated_and_true(name: str, epsilon: str) -> None:
    asked = question(**QUESTIONS[name] | {"epsilon": epsilon, "mechanism": name})
    mechanism = asked.mechanism
    truth, other = odds_sentences(asked, ENGLISH)
    if isinstance(mechanism, SlidingWindow):
        p, q = mechanism.keep, 1 - mechanism.keep
    else:
        p, q = mechanism.p, mechanism.q  # type: ignore[attr-defined]
    for sentence, chance in ((truth, p), (other, q)):
        count, whole = numbers(sentence)
        assert 0 < count < whole
        assert abs(Fraction(count, whole) - chance) <= Fraction(1, 2 * whole)
    assert numbers(truth)[1] == numbers(other)[1]


def test_two_shapes_read_differently() -> None:
    said = {
        *(odds_sentences(question(**fields), ENGLISH)[0] for fields in QUESTIONS.values()),
        odds_sentences(question(kind="one_of", options=list("abc"), epsilon="2"), ENGLISH)[0],
    }
    assert len(said) == len(QUESTIONS) + 1


@pytest.mark.parametrize("name", QUESTIONS)
def test_two_epsilons_that_differ_by_a_hundredth_never_have_the_same_odds(name: str) -> None:
    """Of the same shape, since another shape has other sentences."""
    plain = question(**QUESTIONS[name] | {"mechanism": name})
    seen: dict[tuple[int, int, int], Decimal] = {}
    for hundredths in (*range(1, 300), *range(300, 1001, 10)):
        epsilon = Decimal(hundredths) / 100
        mechanism = type(plain.mechanism).at(epsilon, **plain.mechanism.shape)
        found = odds(replace(plain, epsilon=epsilon, mechanism=mechanism))
        assert found not in seen, f"{epsilon} reads like {seen[found]}"
        seen[found] = epsilon


@pytest.mark.parametrize(
    ("epsilon", "expected"),
    [
        ("0.5", (62, 38, 100)),
        ("1", (73, 27, 100)),
        ("1.01", (733, 267, 1000)),
        ("1.1", (75, 25, 100)),
        ("2", (88, 12, 100)),
        ("4", (98, 2, 100)),
        ("0.6667", (661, 339, 1000)),
    ],
)
def test_the_whole_is_as_small_as_the_decimals_of_epsilon_allow(
    epsilon: str, expected: tuple[int, int, int]
) -> None:
    assert odds(question(epsilon=epsilon)) == expected


def test_a_narrow_window_is_described_although_it_misses_more_often_than_not() -> None:
    """Ten levels at epsilon 0.1 and no width at all: 10 % are near, 90 % are not."""
    window = SlidingWindow.at(Decimal("0.1"), top=10, width=0)
    assert window.keep < Fraction(1, 2)
    assert frequencies(window.keep, 1 - window.keep) == (10, 90, 100)


def test_even_odds_do_not_take_forever() -> None:
    assert frequencies(Fraction(1, 2), Fraction(1, 2)) == (50, 50, 100)


@pytest.mark.parametrize(
    ("fields", "answer", "words"),
    [
        ({}, 1, "Yes"),
        ({"decline": "true"}, 2, "Prefer not to say"),
        (QUESTIONS["ss"], 9, "j"),
        (QUESTIONS["smp"], [], "none of these"),
        (QUESTIONS["smp"], [0, 7], "a, h"),
        ({"kind": "scale", "lo": "1", "hi": "5"}, 0, "1"),
        ({"kind": "scale", "lo": "-3", "hi": "3", "goal": "mean"}, 0, "-3"),
        ({"kind": "number", "lo": "-0.5", "hi": "2", "step": "0.25", "unit": "h"}, 3, "0.25 h"),
        ({"kind": "number", "lo": "0", "hi": "100", "step": "10"}, 10, "100"),
        ({"kind": "cross", "row_prompt": "R", "column_prompt": "C"}, 1, "No / Yes"),
    ],
)
def test_an_answer_is_described_in_the_words_of_the_question(
    fields: dict[str, Any], answer: Any, words: str
) -> None:
    assert describe_answer(question(**fields), answer, ENGLISH) == words


@pytest.mark.parametrize(
    ("name", "report", "words"),
    [
        ("rr", 0, "No"),
        ("ss", [0, 1, 2, 9], "a, b, c, j"),
        ("hr", 13, "list number 13 of 16"),
        ("smp", [[3, 1]], "d: ticked"),
        ("smp", [[3, 0]], "d: not ticked"),
        ("privset", [2], "c"),
        ("privset", [10], "none of the options"),
        ("privset", [11], "none of the options"),
        ("rt", [5, 1], "at least 5 h: yes"),
        ("rt", [1, 0], "at least 1 h: no"),
        ("isw", 0, "0"),
        ("isw", 2, "from 0 to 2"),
        ("isw", 4, "from 1 to 4"),
        ("isw", 8, "5"),
    ],
)
def test_what_is_sent_is_described_truthfully(name: str, report: Any, words: str) -> None:
    assert describe_report(question(**QUESTIONS[name]), report, ENGLISH) == words


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_report_that_can_be_sent_can_be_described(name: str) -> None:
    asked = question(**QUESTIONS[name])
    answer: Any = [0] if name in ("smp", "privset") else 0
    for _ in range(50):
        report = asked.mechanism.randomize(answer, SecureWords())
        assert describe_report(asked, report, ENGLISH).strip()
    assert describe_report(asked, asked.mechanism.longest, ENGLISH).strip()


def test_a_limit_is_given_in_the_unit_of_the_question() -> None:
    asked = question(kind="scale", lo="1", hi="5", goal="mean")
    assert isinstance(asked.mechanism, RandomThreshold)
    assert describe_report(asked, [4, 1], ENGLISH) == "at least 5: yes"


def test_the_vectors_hold_words_for_every_mechanism() -> None:
    found = {
        vector["question"]["mechanism"]["name"]
        for vector in read("wording.jsonl")
        if "report" in vector
    }
    assert found == set(MECHANISMS)
