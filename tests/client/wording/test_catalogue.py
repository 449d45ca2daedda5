"""Plain words: the odds are true, both sides are stated, and no promise goes too far."""

import json
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from client.core.kinds import YesNo
from client.core.mechanisms import RandomizedResponse
from client.core.question import Question
from client.wording import catalogue, levels
from client.wording.catalogue import ENGLISH
from client.wording.odds import odds_sentences
from tests.vectors.generate import read

CATALOGUE = Path(catalogue.__file__).parent.parent / "browser" / "texts" / "en.json"


def question(epsilon: str, options: tuple[str, str] = ("No", "Yes")) -> Question:
    mechanism = RandomizedResponse.at(Decimal(epsilon))
    return Question("q1", "Have you ever?", YesNo(options=options), Decimal(epsilon), mechanism)


def texts() -> dict[str, str]:
    catalogue: dict[str, str] = json.loads(CATALOGUE.read_text("utf-8"))
    return catalogue


def test_the_odds_at_epsilon_1_are_73_and_27_of_100() -> None:
    assert odds_sentences(question("1"), ENGLISH) == [
        "If your true answer is Yes, 73 of 100 people like you send Yes.",
        "If it is No, 27 of 100 send Yes.",
    ]


def test_the_odds_speak_of_the_questions_own_options() -> None:
    first, second = odds_sentences(question("1", ("Never", "At least once")), ENGLISH)
    assert "is At least once, 73 of 100 people like you send At least once" in first
    assert second == "If it is Never, 27 of 100 send At least once."


@pytest.mark.parametrize(
    ("p", "expected"),
    [
        (Fraction(3, 4), (75, 25, 100)),
        (Fraction(995, 1000), (995, 5, 1000)),
        (Fraction(99, 100), (99, 1, 100)),
        (Fraction(9997, 10000), (9997, 3, 10000)),
        (Fraction(501, 1000), (501, 499, 1000)),
        (Fraction(5, 8), (62, 38, 100)),
    ],
)
def test_the_smallest_whole_is_used_that_shows_both_sides(
    p: Fraction, expected: tuple[int, int, int]
) -> None:
    assert levels.frequencies(p, 1 - p) == expected


def test_no_odds_claim_a_certainty_or_hide_a_difference() -> None:
    for hundredths in range(1, 1001):
        epsilon = Decimal(hundredths) / 100
        mechanism = RandomizedResponse.at(epsilon)
        many, few, whole = levels.frequencies(mechanism.p, mechanism.q)
        assert 0 < few < many < whole
        assert many + few == whole
        assert abs(Fraction(many, whole) - mechanism.p) <= Fraction(1, 2 * whole)


@pytest.mark.parametrize(
    ("epsilon", "guess"),
    [
        ("1", "from 50:50 to 73:27"),
        ("2", "from 50:50 to 88:12"),
        ("8", "from 5,000:5,000 to 9,997:3"),
        ("0.01", "from 500:500 to 502:498"),
    ],
)
def test_the_best_guess_moves_from_even_odds_to_e_to_the_epsilon(epsilon: str, guess: str) -> None:
    assert ENGLISH.best_guess(Decimal(epsilon)) == guess


@pytest.mark.parametrize(
    ("epsilon", "level"),
    [
        ("0.01", "strong"),
        ("1", "strong"),
        ("1.000001", "good"),
        ("2", "good"),
        ("2.000001", "moderate"),
        ("4", "moderate"),
        ("4.000001", "weak"),
        ("10", "weak"),
    ],
)
def test_the_level_word_follows_a_fixed_scale(epsilon: str, level: str) -> None:
    assert ENGLISH.level(Decimal(epsilon)) == level


def test_two_different_totals_never_read_the_same() -> None:
    totals = [Decimal(i) / 1000 for i in range(10, 10_001, 10)]
    assert len({ENGLISH.level_sentence(total) for total in totals}) == len(totals)
    assert len({ENGLISH.best_guess(total) for total in totals}) == len(totals)
    assert len({ENGLISH.whole_survey(6, total) for total in totals}) == len(totals)


def test_one_question_is_not_called_all_questions() -> None:
    assert ENGLISH.whole_survey(1, Decimal(1)).startswith("Someone's best guess")
    assert ENGLISH.whole_survey(6, Decimal(2)) == (
        "All 6 answers together: someone's best guess about you would be right for at most "
        "88 of 100 people. A blind guess is right for 50."
    )


@pytest.mark.parametrize(
    ("epsilon", "words"),
    [
        ("0.01", "no"),
        ("1.098612", "no"),
        ("1.098613", "no, but they can guess"),
        ("2.197224", "no, but they can guess"),
        ("2.197225", "they can guess well"),
        ("10", "they can guess well"),
    ],
)
def test_every_other_reader_can_do_what_the_odds_say_and_only_the_respondent_sees(
    epsilon: str, words: str
) -> None:
    """A 50:50 guess improves to 75:25 at epsilon ln 3 = 1.0986122.. and to 90:10 at ln 9."""
    who = dict(ENGLISH.consequences(Decimal(epsilon)))
    assert who.pop("You, on this device, until you press Send") == "yes"
    assert list(who.values()) == [words] * 3


def test_a_bare_no_never_stands_beside_odds_that_are_better_than_75_to_25() -> None:
    for hundredths in range(1, 1001):
        epsilon = Decimal(hundredths) / 100
        odds = epsilon.exp()
        name = levels.verdict(epsilon)
        assert name == ("no" if odds <= 3 else "guess" if odds <= 9 else "well")
        assert levels.best_chance(epsilon) <= Fraction(odds) / (Fraction(odds) + 1)


def test_a_weak_survey_is_called_weak_before_the_first_question() -> None:
    assert "weak" in ENGLISH.process(Decimal("4.01"))
    assert "weak" not in ENGLISH.process(Decimal(4))


def test_authors_braces_are_text_and_not_placeholders() -> None:
    said = ENGLISH.say("odds.rr.truth", option="{whole}", count=3, whole=4)
    assert said == "If your true answer is {whole}, 3 of 4 people like you send {whole}."


def test_a_missing_value_or_an_unknown_key_is_an_error() -> None:
    with pytest.raises(KeyError):
        ENGLISH.say("odds.rr.truth", option="Yes")
    with pytest.raises(KeyError):
        ENGLISH.say("odds.of_nothing")


def test_no_text_uses_a_word_that_promises_too_much_or_frightens() -> None:
    forbidden = r"anonym|100 ?% private|impossible|\blies?\b|\blying\b|fake|false|corrupt|\bnoise"
    for key, text in texts().items():
        assert not re.search(forbidden, text, re.IGNORECASE), key


def test_the_odds_sentences_speak_no_jargon() -> None:
    odds = [key for key in texts() if key.startswith("odds.")]
    assert len(odds) >= 16
    for key in (*odds, "process", "process.weak", "whole.one", "whole.other"):
        jargon = r"epsilon|probab|differential|entry|entries|blank|limit|window|\d"
        assert not re.search(jargon, texts()[key], re.IGNORECASE), key


def test_the_catalogue_has_no_key_twice_and_no_empty_text() -> None:
    pairs = json.loads(CATALOGUE.read_text("utf-8"), object_pairs_hook=list)
    assert len(pairs) == len(texts())
    assert all(text.strip() for text in texts().values())


def test_the_vectors_of_the_wording_hold_ties_labels_and_every_level() -> None:
    vectors = {vector["name"]: vector["says"] for vector in read("wording.jsonl")}
    assert "688 of 1,000" in vectors["odds_tie_to_even_en"][0]
    assert "312 of 1,000" in vectors["odds_tie_to_even_en"][1]
    assert "$& $1 {option}" in vectors["odds_of_odd_labels_en"][0]
    said = " ".join(sentence for says in vectors.values() for sentence in says)
    assert all(f": {word} protection." in said for word in ("strong", "good", "moderate", "weak"))
