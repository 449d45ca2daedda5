"""The interview in other languages: which one is chosen, and what is typed in it."""

from dataclasses import replace
from typing import Any

import click
import pytest
from click.testing import CliRunner

from client.authoring.draft.survey import build_survey
from client.core.assignment import Assignment
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from client.terminal.interview import Interview
from client.wording.catalogue import Wording
from client.wording.languages import terminal_languages

PROMPT = {"en": "How much?", "de": "Wie viel?"}
BILINGUAL = build_survey(
    {
        "slug": "s",
        "title": {"en": "A survey", "de": "Eine Umfrage"},
        "questions": [
            {"id": "q", "prompt": {"en": "Well?", "de": "Nun?"}, "epsilon": "0.5"},
            {
                "id": "n",
                "kind": "number",
                "prompt": PROMPT,
                "lo": "0",
                "hi": "2",
                "step": "0.5",
                "unit": {"en": "litres", "de": "Liter"},
                "epsilon": "1",
            },
        ],
    }
)
ESPERANTO = build_survey(
    {
        "slug": "s",
        "title": "Enketo",
        "language": "eo",
        "questions": [{"id": "q", "prompt": "Nu?", "options": ["Ne", "Jes"], "epsilon": "1"}],
    }
)


def printed(function: Any, typed: str = "") -> tuple[Any, str]:
    found: list[Any] = []
    command = click.command()(lambda: found.append(function()))
    result = CliRunner().invoke(command, [], input=typed)
    assert result.exit_code == 0, result.output
    return found[0], result.output


@pytest.mark.parametrize(
    ("environment", "expected"),
    [
        ({}, []),
        ({"LANG": "de_DE.UTF-8"}, ["de_DE"]),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "es_ES"}, ["es_ES"]),
        ({"LANG": "de_DE@euro", "LC_ALL": "", "LC_MESSAGES": "ar"}, ["ar"]),
    ],
)
def test_the_environment_names_a_language(environment: dict[str, str], expected: list[str]) -> None:
    assert terminal_languages(environment) == expected


@pytest.mark.parametrize(
    ("survey", "wanted", "shown", "said"),
    [
        (BILINGUAL, None, "en", "en"),
        (BILINGUAL, "de", "de", "de"),
        (BILINGUAL, "de-AT", "de", "de"),
        (BILINGUAL, "es", "en", "es"),
        (ESPERANTO, None, "eo", "en"),
        (ESPERANTO, "eo", "eo", "en"),
        (ESPERANTO, "ar", "eo", "ar"),
    ],
)
def test_survey_and_interface_each_speak_what_they_can(
    survey: Survey, wanted: str | None, shown: str, said: str
) -> None:
    interview = Interview.of(survey, wanted)
    assert (interview.localized.language, interview.wording.language) == (shown, said)


def test_the_terminals_own_language_is_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "de_CH.UTF-8")
    assert Interview.of(BILINGUAL).localized.title == "Eine Umfrage"


def test_a_language_that_nobody_speaks_is_refused() -> None:
    with pytest.raises(Refusal, match="language must be one of ar, de, en, es, got 'fr'"):
        Interview.of(BILINGUAL, "fr")


def test_all_is_explained_and_asked_in_german() -> None:
    interview = Interview.of(BILINGUAL, "de")
    _, explained = printed(interview.explain)
    assert "Eine Umfrage" in explained
    assert "Wer kann Ihre wahre Antwort sehen?" in explained
    assert "Epsilon 1,5 für eine Person" in explained
    answers, asked = printed(
        lambda: interview.ask_all(Assignment(("q", "n"), {})), "ja\n1.5,5\n1,5\n"
    )
    assert answers == {"q": 1, "n": 3}
    assert "Frage 1 von 2" in asked
    assert "Wenn Ihre wahre Antwort „Ja“ ist, senden 62 von 100 Menschen wie Sie „Ja“." in asked
    assert "(0 … 2 Liter)" in asked
    assert "Bitte tippen Sie eine Zahl von 0 bis 2, in Ziffern." in asked


@pytest.mark.parametrize(
    ("language", "typed", "sends"),
    [
        *(("en", "y", True), ("en", "YES", True), ("en", "n", False), ("en", "", False)),
        *(("de", "j", True), ("de", "Ja", True), ("de", "y", True), ("de", "nein", False)),
        *(("es", "sí", True), ("es", "s", True), ("es", "", False)),
        *(("ar", "نعم", True), ("ar", "ن", True), ("ar", "لا", False)),
        ("de", "vielleicht\nj", True),
    ],
)
def test_yes_is_said_in_ones_own_language(language: str, typed: str, sends: bool) -> None:
    found, _ = printed(Interview.of(BILINGUAL, language).choose_sending, f"{typed}\n")
    assert found == ("yes" if sends else "no")


@pytest.mark.parametrize(
    ("language", "typed"), [("en", "later"), ("en", "l"), ("de", "Später"), ("es", "luego")]
)
def test_with_a_personal_link_one_can_send_another_day(language: str, typed: str) -> None:
    invited = replace(BILINGUAL, access="invited")
    found, told = printed(Interview.of(invited, language).choose_sending, f"{typed}\n")
    assert found == "later"
    assert Wording(language).say("send.later.note") in told
    # Not in a test, and not where tickets are collected first.
    for other in (replace(invited, test=True), replace(invited, answer_from="2027-03-01")):
        found, told = printed(Interview.of(other, language).choose_sending, f"{typed}\n\n")
        assert found == "no"
        assert Wording(language).say("send.later.note") not in told
