"""No text of the project calls a survey anonymous: time and address remain (blind tickets)."""

import re
from pathlib import Path

import pytest

from tests.support.process import ROOT

# In the languages that people read, with every ending.
WORDS = re.compile(r"[^.\n|]*(?:anonym|anónim|مجهول|مجهّل)[^.\n|]*", re.IGNORECASE)
SUFFIXES = {".md", ".json", ".html", ".js", ".py", ".yaml", ".yml", ".toml", ".csv"}
# What says that it is not, or names a paper or the field's own term.
ALLOWED = (
    "**Why we do not call these data anonymous",
    "No text calls the data anonymous",
    "the promise does not rest on anonymity",
    "Robust de-anonymization of large sparse datasets",
    "k-anonymity: a model for protecting privacy",
)


def texts() -> list[Path]:
    """Return every file that ships or documents; the tests quote what they forbid."""
    rooms = ("client", "estimators", "server", "templates", "docs", "examples")
    found = [*ROOT.glob("*.md"), *(path for room in rooms for path in (ROOT / room).rglob("*"))]
    return [path for path in found if path.suffix in SUFFIXES]


def found_in(text: str) -> list[str]:
    """Return the sentences that call something anonymous."""
    sentences = (match[0].strip() for match in WORDS.finditer(text))
    return [each for each in sentences if not any(allowed in each for allowed in ALLOWED)]


def test_no_text_calls_a_survey_anonymous() -> None:
    assert len(texts()) > 500
    for path in texts():
        assert not found_in(path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize(
    "text",
    [
        "The survey is anonymous.",
        "Your answers stay anonymously stored.",
        "Die Umfrage ist anonym.",
        "Anonymität ist garantiert.",
        "La encuesta es anónima.",
        "الاستبيان مجهول الهوية.",
    ],
)
def test_the_word_is_found_in_every_language(text: str) -> None:
    assert found_in(f"First this.\n{text}\nThen that.")
