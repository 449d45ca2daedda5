"""A printable sheet of personal links: labels for letters, without scripts or anything to load."""

from collections.abc import Sequence
from html import escape

from client.core.survey import Survey
from client.wording.catalogue import Wording
from client.wording.comparison import first_digits
from server.invitations.languages import localized_for, wording_of
from server.invitations.mailing import Mailing
from server.invitations.qr import qr_drawing

PER_PAGE = 8
_STYLE = """
@page{size:A4;margin:10mm}
body{margin:0;font:10pt/1.35 sans-serif;color:#000;background:#fff}
ol{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:1fr 1fr;gap:4mm}
ol+ol{break-before:page;margin-top:4mm}
li{display:grid;grid-template-columns:34mm 1fr;gap:2mm 3mm;align-content:start;padding:3mm;
border:1px dashed #888;break-inside:avoid;overflow-wrap:anywhere;min-height:58mm;
box-sizing:border-box}
p{margin:0 0 1mm}
.name{grid-column:1/-1;font-weight:bold;font-size:11pt;white-space:pre-line}
svg{width:34mm;height:34mm;display:block}
code{font:9pt/1.4 monospace}
.link code{font-weight:bold}
small,small code{display:block;font-size:8pt}
h1{font-size:12pt;margin:3mm}
@media print{h1{display:none}ol+ol{margin-top:0}}
"""


def sheet_page(
    mailing: Mailing, survey: Survey, columns: Sequence[str], language: str | None = None
) -> str:
    """Return the sheet in one of the survey's languages, by default its own.

    Each label begins with these columns of the list.
    """
    localized = localized_for(survey, language)
    wording = wording_of(localized)
    named = [mailing.people.cells(column) for column in columns]
    lines = zip(*named, strict=True) if named else [()] * len(mailing.codes)
    labels = [
        _label(wording, mailing, [cell for cell in own if cell.strip()], link)
        for own, link in zip(lines, mailing.short_links, strict=True)
    ]
    pages = [labels[first : first + PER_PAGE] for first in range(0, len(labels), PER_PAGE)]
    title = escape(wording.say("sheet.title", title=localized.title))
    return (
        f'<!doctype html>\n<html lang="{wording.language}" dir="{wording.direction}">\n'
        f'<meta charset="utf-8">\n<title>{title}</title>\n<style>{_STYLE}</style>\n'
        f"<h1>{title}</h1>\n"
        + "".join(f"<ol>\n{''.join(page)}</ol>\n" for page in pages)
        + "</html>\n"
    )


def _label(wording: Wording, mailing: Mailing, lines: Sequence[str], link: str) -> str:
    name = escape("\n".join(lines))
    heading = f'<p class="name" dir="auto">{name}</p>' if name else ""
    return (
        f"<li>{heading}{qr_drawing(link)}<div>"
        f'<p class="link">{escape(wording.say("sheet.open"))} {_code(link)}</p>'
        f"<small>{escape(wording.say('compare.letter'))} "
        f"{_code(mailing.address)} {_code(first_digits(mailing.fingerprint))}</small></div></li>\n"
    )


def _code(text: str) -> str:
    return f'<code dir="ltr">{escape(text)}</code>'
