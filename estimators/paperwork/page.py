"""Markdown as one printable HTML page, without scripts and without anything to load."""

import re
from html import escape
from itertools import count

from markdown_it import MarkdownIt

# Nothing in these texts is a link or an image, so that no author's text can become one.
_MARKDOWN = (
    MarkdownIt("commonmark", {"html": False})
    .enable("table")
    .disable(["html_block", "html_inline", "link", "image", "autolink", "reference"])
)
_HEADING, _TABLE = re.compile(r"(</?h)([1-6])>"), re.compile("<table>")
_SCROLL = (
    '<div class="scroll" tabindex="0" role="region" aria-label="Table {}"><table class="table">'
)
_BLANK = re.compile(r"\[fill in: [^\]<]+\]")
_STYLE = """
body{font:1rem/1.55 Georgia,serif;max-width:48rem;margin:1rem auto;padding:0 1rem;color:#1a1a1a;
overflow-wrap:break-word}
h1,h2,h3{font-family:sans-serif;line-height:1.25}
h2{margin-top:3rem;border-top:2px solid #1a1a1a;padding-top:1rem}
.scroll{overflow-x:auto;margin:1rem 0}
table{border-collapse:collapse;font:.875rem/1.4 sans-serif}
th,td{text-align:start;padding:.35rem .75rem .35rem 0;border-bottom:1px solid #bbb;
vertical-align:top}
td:first-child{min-width:10rem}
mark{background:#fff3b0;color:inherit}
code{overflow-wrap:anywhere}
@media print{body{max-width:none;margin:0;font-size:10.5pt}h2{break-before:page;border:0}
h2,h3{break-after:avoid}tr{break-inside:avoid}.scroll{overflow:visible}
mark{background:none;outline:1px solid #1a1a1a}}
"""


def html_body(markdown: str, deeper: int = 0) -> str:
    """Return Markdown as HTML, with what is to be filled in marked.

    Inside another page, headings are so many levels `deeper`.
    """
    html = str(_MARKDOWN.render(markdown))
    html = _HEADING.sub(lambda found: f"{found[1]}{int(found[2]) + deeper}>", html)
    number = count(1)
    html = _TABLE.sub(lambda _: _SCROLL.format(next(number)), html)
    html = html.replace("</table>", "</table></div>").replace("<td>", '<td dir="auto">')
    return _BLANK.sub(lambda found: f"<mark>{found[0]}</mark>", html)


def html_page(title: str, markdown: str) -> str:
    """Return a whole page."""
    return (
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{_STYLE}</style>\n"
        f"<main>\n{html_body(markdown)}</main>\n</html>\n"
    )
