"""QR codes of links, read by another program: they say the link, each letter in its case."""

import io

import pytest
from PIL import Image

from server.invitations.qr import MARGIN, SCALE, draw_many, draw_qr
from tests.support.qr import texts_in

PINNED = f"https://Surveys.example.org/s/staff#{'0123456789abcdef' * 4}"
LINKS = [
    "https://surveys.example.org/s/staff#7k3mq-2xw9-pbd4r",
    PINNED,
    f"{PINNED};0-1.AbCdEfGhIjKlMnOpQrStUvWxYz_-0123456789aBcDe",
    f"{PINNED};kiosk",
    "http://192.168.0.7:8000/s/a#00000-0000-00000",
]


@pytest.mark.parametrize("link", LINKS)
def test_a_picture_says_the_link(link: str) -> None:
    one, of_many = io.BytesIO(), io.BytesIO()
    draw_qr(link, one, "png")
    draw_many(link, of_many)
    assert texts_in(one.getvalue()) == texts_in(of_many.getvalue()) == [link]


def test_a_code_of_a_letter_can_be_read_over_a_fold() -> None:
    file = io.BytesIO()
    draw_many(LINKS[0], file)
    with Image.open(file) as image:
        folded = image.convert("L")
    # A white line, one module wide, below the upper marks and over the whole width.
    top = (MARGIN + 10) * SCALE
    folded.paste(255, (0, top, folded.width, top + SCALE))
    picture = io.BytesIO()
    folded.save(picture, "png")
    assert texts_in(picture.getvalue()) == [LINKS[0]]
