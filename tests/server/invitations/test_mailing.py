"""Merge files that spreadsheets cannot run, and sheets that print without a script."""

import csv
import io
import re
from html import escape

import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from server.invitations.mailing import Mailing
from server.invitations.people_file import People
from server.invitations.reminder import reminder_text
from server.invitations.sheet import PER_PAGE, sheet_page

FINGERPRINT = "0123456789abcdef" * 4


TITLES = {"en": "<Staff>", "de": "Personal", "ar": "الموظفون", "fr": "Personnel"}
COUNTS = {"links_made": 1500, "tickets_given": 4, "reports": 3}


def survey(**more: str) -> Survey:
    more["access"] = "invited"
    question = {"id": "smokes", "prompt": "Do you smoke?", "epsilon": "1"}
    return build_survey({"slug": "staff", "title": "<Staff>", "questions": [question], **more})


def in_four_languages() -> Survey:
    """The same survey, with its texts in languages of which we speak all but the last."""
    labels = {language: ["y", "n"] for language in TITLES}
    question = {"id": "smokes", "prompt": TITLES, "epsilon": "1", "options": labels}
    organizer = {language: f"Works council {language}" for language in TITLES}
    texts = {"title": TITLES, "organizer": organizer, "access": "invited"}
    return build_survey({"slug": "staff", "language": "en", "questions": [question], **texts})


def mailing(*rows: tuple[str, ...], columns: tuple[str, ...] = ("name", "phone")) -> Mailing:
    people = People(columns, rows, tuple(range(2, len(rows) + 2)), ";")
    codes = [f"{number:05}-0000-00000" for number in range(len(rows))]
    return Mailing("https://surveys.example.org", "staff", FINGERPRINT, people, codes)


def test_cells_pass_through_in_order_and_formulas_are_disarmed() -> None:
    rows = [
        ("Ödön; Ältere", "+49 (0) 170/123-45"),
        ('=HYPERLINK("x")', "@SUM(1)"),
        ("-1+cmd|x", ""),
    ]
    table = mailing(*rows, columns=("name", "=1+1")).table()
    assert table.startswith(b"\xef\xbb\xbf")
    read = list(csv.reader(io.StringIO(table.decode("utf-8-sig"), newline=""), delimiter=";"))
    assert read[0] == ["name", "'=1+1", "link", "short_link"]
    assert [row[:2] for row in read[1:]] == [
        ["Ödön; Ältere", "+49 (0) 170/123-45"],
        ['\'=HYPERLINK("x")', "'@SUM(1)"],
        ["'-1+cmd|x", ""],
    ]
    base = "https://surveys.example.org/s/staff#"
    assert read[2][2:] == [f"{base}{FINGERPRINT};00001-0000-00000", f"{base}00001-0000-00000"]


def test_a_sheet_shows_name_link_code_and_digits_without_any_script() -> None:
    page = sheet_page(mailing(("<b>Ann</b>", "1"), ("Bob & Co", "2")), survey(), ("name", "phone"))
    assert "&lt;b&gt;Ann&lt;/b&gt;\n1</p>" in page
    assert "Bob &amp; Co\n2</p>" in page
    assert "Personal links: &lt;Staff&gt;" in page
    assert page.count("<svg ") == page.count("<li>") == 2
    assert page.count("surveys.example.org/s/staff#0000") == 2
    assert page.count(" ".join(["0123 4567 89ab cdef"] * 2)) == 2
    assert not re.search(r"<(script|link|img|iframe)|https?://[^<]*\"|\bon[a-z]+=", page)


def test_a_sheet_breaks_after_each_page_of_labels() -> None:
    people = [(f"P{number}", "") for number in range(PER_PAGE + 1)]
    assert sheet_page(mailing(*people), survey(), ()).count("<ol>") == 2


def test_sheet_and_reminder_speak_the_language_of_the_survey() -> None:
    german = survey(language="de")
    assert '<html lang="de" dir="ltr">' in sheet_page(mailing(("Ann", "")), german, ("name",))
    text = reminder_text(german, "surveys.example.org/s/staff", COUNTS, "2027-03-01 23:59 UTC")
    assert "Antworten bisher: 3. Erstellte Links: 1.500." in text
    assert "Deshalb geht diese Erinnerung an alle." in text
    assert "bis 2027-03-01 23:59 UTC" in text
    assert " ".join(re.findall("....", german.fingerprint[:32])) in text
    arabic = survey(language="ar")
    assert '<html lang="ar" dir="rtl">' in sheet_page(mailing(("Ann", "")), arabic, ("name",))


@pytest.mark.parametrize(
    ("language", "spoken", "sentence"),
    [
        (None, "en", "this reminder goes to everybody"),
        ("de", "de", "Deshalb geht diese Erinnerung an alle."),
        ("ar", "ar", "إلى الجميع"),
        ("fr", "en", "this reminder goes to everybody"),
    ],
)
def test_sheet_and_reminder_speak_the_chosen_language_of_the_survey(
    language: str | None, spoken: str, sentence: str
) -> None:
    translated, title = in_four_languages(), TITLES[language or "en"]
    page = sheet_page(mailing(("Ann", "")), translated, ("name",), language)
    assert f'<html lang="{spoken}" ' in page
    assert escape(title) in page
    text = reminder_text(translated, "surveys.example.org/s/staff", COUNTS, None, language)
    assert sentence in text
    assert title in text.splitlines()[0]
    assert text.endswith(f"\n\nWorks council {language or 'en'}\n")


def test_a_language_that_the_survey_lacks_is_refused_with_those_it_has() -> None:
    with pytest.raises(Refusal, match="which are en, ar, de, fr, got 'es'"):
        sheet_page(mailing(("Ann", "")), in_four_languages(), (), "es")
    with pytest.raises(Refusal, match="which are en, ar, de, fr, got 'es'"):
        reminder_text(in_four_languages(), "x", COUNTS, None, "es")
