"""QR codes of links, as drawings that scale and as pictures that letters can include."""

from typing import IO

import segno

# Pixels per module, and the margin in modules that readers need.
SCALE, MARGIN = 8, 4


def draw_qr(text: str, file: IO[bytes], kind: str = "svg") -> None:
    """Draw a QR code; a full one, since many readers cannot read micro codes."""
    segno.make_qr(text).save(file, kind=kind, scale=SCALE, border=MARGIN, light="white")
