"""QR codes of links: drawings that scale, pictures for letters, and drawings inside a page."""

from typing import IO

import segno

FORMATS = ("svg", "png")
# Pixels per module, and the margin in modules that readers need.
SCALE, MARGIN = 8, 4


def draw_qr(text: str, file: IO[bytes], kind: str = "svg") -> None:
    """Draw a QR code; a full one, since many readers cannot read micro codes."""
    segno.make_qr(text).save(file, kind=kind, scale=SCALE, border=MARGIN, light="white")


def draw_many(text: str, file: IO[bytes]) -> None:
    """Draw one of many QR codes as a picture, quickly."""
    _quick(text).save(file, kind="png", scale=SCALE, border=MARGIN, light="white")


def qr_drawing(text: str) -> str:
    """Return one of many QR codes as an SVG element for a page."""
    return str(_quick(text).svg_inline(border=MARGIN, omitsize=True, lineclass=None))


def _quick(text: str) -> segno.QRCode:
    # Finding the best of the eight masks takes five times as long, and readers know them all.
    # Level M repairs 15 %: letters are folded.
    return segno.make_qr(text, error="m", boost_error=False, mask=0)
