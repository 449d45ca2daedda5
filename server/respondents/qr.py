"""QR codes, as SVG."""

from typing import IO

import segno

# Pixels per module, and the margin in modules that readers need.
SCALE, MARGIN = 4, 4


def draw_qr(text: str, file: IO[bytes]) -> None:
    """A full code, not a micro one, which many readers cannot read."""
    code = segno.make_qr(text)
    code.save(file, kind="svg", scale=SCALE, border=MARGIN, light="white")
