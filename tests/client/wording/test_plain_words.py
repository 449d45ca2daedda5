"""Short sentences and plain words: what respondents read suits a reader of about 13 years."""

import re
from decimal import Decimal

import pytest

from client.wording.catalogue import TEXTS, Wording, read_texts
from client.wording.languages import INTERFACE
from server.web.languages import OWN_TEXTS

# Sentences about odds, the label, the review and the receipt.
PREFIXES = (
    *("label.", "process", "odds.", "whole.", "mark.", "sent.", "review.", "receipt."),
    *("ticket.", "compare.", "send.", "later."),
)
# Of Flesch and Kincaid: the year of school in the United States, where year 8 begins at 13.
HIGHEST_GRADE = 8.0
# There is no such formula for Arabic, so that the other languages count words only.
MOST_WORDS = {"en": 24, "de": 26, "es": 26, "ar": 26}
# Shorter texts are names of things: one long word in three would say nothing of how they read.
LEAST_WORDS = 8
# What experts call what is sent, and words that only an expert understands.
REPORT = {"en": r"\breport", "de": r"[Mm]eldung", "es": r"\binformes?\b", "ar": r"تقرير|تقارير"}
JARGON = {
    "en": r"\bentr(y|ies)\b|\bblank|\blimit|\bwindow|\bsubset|\bthreshold",
    "de": r"\bEintr[aä]g|\bleere|\bGrenze|\bFenster|Teilmenge|Schwelle",
    "es": r"\bentradas?\b|vací|\blímite|\bventana|subconjunto|umbral",
    "ar": r"بند|فارغ|نافذة|عتبة",
}
VALUES = {
    "day": "1 March 2027",
    **{"option": "Cannabis", "other": "No", "group": "North", "limit": "5", "low": "5"},
    **{"high": "35", "count": "81", "many": "81", "few": "24", "whole": "100", "half": "50"},
    **{"size": "3", "options": "10", "asked": "1", "number": "13", "columns": "16"},
}


def sentences_of(text: str) -> list[str]:
    """Return the sentences of a text; a semicolon or a colon is a rest for the reader too."""
    filled = re.sub(r"\{(\w+)\}", lambda name: VALUES[name[1]], text)
    return [part for part in re.split(r"(?<=[.?!:;])\s+", filled) if part.strip(" .:;")]


def words_of(text: str) -> list[str]:
    return re.findall(r"[^\W_]+(?:['’-][^\W_]+)*", text)


def syllables(word: str) -> int:
    """Count groups of vowels, without a silent e at the end; a figure counts as one."""
    found = len(re.findall(r"[aeiouy]+", word.lower()))
    silent = re.search(r"[^aeioul]e$|[^aeioutd]ed$", word.lower()) is not None
    return max(1, found - silent)


def grade(text: str) -> float:
    """Return the grade of an English text after Flesch and Kincaid (1975)."""
    words = words_of(re.sub(r"\{(\w+)\}", lambda name: VALUES[name[1]], text))
    per_sentence = len(words) / len(sentences_of(text))
    return 0.39 * per_sentence + 11.8 * sum(map(syllables, words)) / len(words) - 15.59


def read_by_respondents(language: str) -> dict[str, str]:
    texts = read_texts(TEXTS, language)
    return {key: text for key, text in texts.items() if key.startswith(PREFIXES)}


def test_the_grade_is_that_of_the_formula() -> None:
    assert grade("The cat sat on the mat.") == pytest.approx(0.39 * 6 + 11.8 - 15.59)
    assert grade("Probabilistic obfuscation necessitates considerable expertise.") > 20


def test_every_sentence_about_odds_label_review_and_receipt_suits_a_reader_of_13() -> None:
    texts = {
        key: text
        for key, text in read_by_respondents("en").items()
        if len(words_of(text)) >= LEAST_WORDS
    }
    assert len(texts) >= 40
    assert {key: grade(text) for key, text in texts.items() if grade(text) > HIGHEST_GRADE} == {}


@pytest.mark.parametrize("language", INTERFACE)
def test_no_sentence_is_long(language: str) -> None:
    for key, text in read_by_respondents(language).items():
        longest = max(len(words_of(sentence)) for sentence in sentences_of(text))
        assert longest <= MOST_WORDS[language], (key, longest)


@pytest.mark.parametrize("language", INTERFACE)
def test_what_respondents_read_has_no_word_of_experts(language: str) -> None:
    for key, text in read_by_respondents(language).items():
        plain = re.sub(r"\{\w+\}", "", text)
        assert not re.search(JARGON[language], plain), key


@pytest.mark.parametrize("language", INTERFACE)
def test_what_is_sent_is_never_called_a_report(language: str) -> None:
    server = read_texts(OWN_TEXTS, language)
    pages = {key: text for key, text in server.items() if key.startswith(("page.", "results."))}
    for key, text in {**read_texts(TEXTS, language), **pages}.items():
        assert not re.search(REPORT[language], re.sub(r"\{\w+\}", "", text)), key


@pytest.mark.parametrize("language", INTERFACE)
def test_before_the_first_question_nothing_speaks_of_epsilon_protection_or_cost(
    language: str,
) -> None:
    wording, total = Wording(language), Decimal(2)
    said = " ".join(
        [
            *(f"{who} {seen}" for who, seen in wording.consequences(total)),
            wording.whole_survey(6, total),
            wording.process(total),
            wording.say("label.visible"),
        ]
    )
    experts = r"[eé]psilon|إبسيلون|protect|[Ss]chutz|protección|حماية|cost|Preis|coste|كلفة|50:50"
    assert not re.search(experts, said)
