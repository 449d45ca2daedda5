"""QR codes as a browser draws them: the sheet as it is printed, and the code for a poster."""

import io
from pathlib import Path

import pytest
from playwright.sync_api import Page

from client.authoring.draft.survey import build_survey
from server.invitations.mailing import Mailing
from server.invitations.people_file import People
from server.invitations.qr import draw_qr
from server.invitations.sheet import PER_PAGE, sheet_page
from tests.browser.surveys import HABITS
from tests.support.qr import texts_in

FINGERPRINT = "0123456789abcdef" * 4
CODES = [f"7k3mq-2xw9-pbd{number:02}" for number in range(PER_PAGE + 1)]
# An A4 page without its margins, in CSS pixels.
PAPER = 718


@pytest.mark.parametrize("language", ["en", "ar"])
def test_each_label_of_a_printed_sheet_has_the_code_of_its_own_link(
    page: Page, language: str
) -> None:
    rows = tuple((f"Person {number}",) for number in range(len(CODES)))
    people = People(("name",), rows, tuple(range(2, len(rows) + 2)), ",")
    mailing = Mailing("https://surveys.example.org", "staff", FINGERPRINT, people, CODES)
    survey = build_survey({**HABITS, "slug": "staff", "language": language})
    page.set_viewport_size({"width": PAPER, "height": 1000})
    page.emulate_media(media="print")
    page.set_content(sheet_page(mailing, survey, ["name"]))
    labels = page.locator("li").all()
    said = [texts_in(label.screenshot()) for label in labels]
    assert said == [[link] for link in mailing.short_links]
    assert [label.locator("code").first.inner_text() for label in labels] == mailing.short_links


def test_the_drawing_for_a_poster_says_the_open_link(page: Page, tmp_path: Path) -> None:
    link = f"https://Surveys.example.org/s/visitors#{FINGERPRINT};0-1.AbCdEfGhIjKlMnOpQrStUv_-"
    drawing = io.BytesIO()
    draw_qr(link, drawing)
    path = tmp_path / "poster.svg"
    path.write_bytes(drawing.getvalue())
    page.set_viewport_size({"width": 800, "height": 800})
    page.goto(path.as_uri())
    assert texts_in(page.screenshot()) == [link]
