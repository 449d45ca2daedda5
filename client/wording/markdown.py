"""A small part of Markdown, for the pages that authors write: parsed into blocks, never into HTML.

There are headings, paragraphs, bullet and numbered lists, bold, emphasis, and links to https:// and
mailto: addresses. Everything else stays visible as text. Parsing takes time linear in the length of
the text. `client/browser/wording/markdown.js` is the same for the page.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

PARAGRAPH, BULLETS, NUMBERS = "p", "ul", "ol"

_HEADING = re.compile(r"(#{1,3}) +(\S.*)", re.DOTALL)
_ITEM = re.compile(r" *(?:[-*+]|([0-9]{1,3})[.)]) +(\S.*)", re.DOTALL)
# A label has no brackets and an address no parentheses, so that no character is read by two
# attempts to find a link: otherwise many brackets would take quadratic time.
_LINK = (
    r"\[(?! *\])([^\[\]]+)\]"
    r"\(((?:https://|mailto:)[A-Za-z0-9][A-Za-z0-9._~:/?#@!$&'*+,;=%-]*)\)"
)
_TOKEN = re.compile(rf"{_LINK}|(\*+)")


@dataclass(frozen=True)
class Run:
    """Text in one style; `href` is empty unless it is a link."""

    text: str
    bold: bool = False
    emphasis: bool = False
    href: str = ""


@dataclass(frozen=True)
class Block:
    """A paragraph or heading, with one line of runs, or a list, with one line per item."""

    # p, ul or ol; a heading is h2, h3 or h4, because the page has its own title above it.
    tag: str
    lines: tuple[tuple[Run, ...], ...]
    # The number of the first item of a numbered list.
    first: int = 1


def parse_markdown(text: str) -> tuple[Block, ...]:
    """Return the blocks of a text."""
    blocks: list[_Open] = []
    # Whether the next plain line continues the last block.
    continues = False
    for line in text.split("\n"):
        heading, item = _HEADING.fullmatch(line), _ITEM.fullmatch(line)
        if heading is not None:
            blocks.append(_Open(heading[1], 1, [[heading[2]]]))
            continues = False
        elif item is not None:
            tag = BULLETS if item[1] is None else NUMBERS
            # An empty line between two items does not end the list.
            if not blocks or blocks[-1].tag != tag:
                blocks.append(_Open(tag, int(item[1] or 1), []))
            blocks[-1].lines.append([item[2]])
            continues = True
        elif line.strip() == "":
            continues = False
        elif continues:
            blocks[-1].lines[-1].append(line)
        else:
            blocks.append(_Open(PARAGRAPH, 1, [[line]]))
            continues = True
    # No level is left out, whatever marks the author used.
    levels = sorted({block.tag for block in blocks if block.tag.startswith("#")})
    tags = {marks: f"h{number}" for number, marks in enumerate(levels, start=2)}
    return tuple(block.closed(tags.get(block.tag, block.tag)) for block in blocks)


@dataclass(frozen=True)
class _Open:
    """A block that is still being read; each of its lines is a list of pieces to be joined."""

    # A heading has its marks here.
    tag: str
    first: int
    lines: list[list[str]]

    def closed(self, tag: str) -> Block:
        joined = (" ".join(piece.strip() for piece in pieces) for pieces in self.lines)
        return Block(tag, tuple(tuple(_runs(line)) for line in joined), self.first)


def _runs(line: str) -> Iterator[Run]:
    """Yield the runs of one line, cut at links and at marks that begin or end a style."""
    tokens = list(_TOKEN.finditer(line))
    markers = _markers(line, tokens)
    bold = emphasis = False
    end = 0
    for token in tokens:
        is_link = token[1] is not None
        if not is_link and token.start() not in markers:
            continue
        if token.start() > end:
            yield Run(line[end : token.start()], bold, emphasis)
        end = token.end()
        if is_link:
            yield Run(token[1], bold, emphasis, token[2])
        else:
            bold ^= len(token[3]) >= 2
            emphasis ^= len(token[3]) != 2
    if end < len(line):
        yield Run(line[end:], bold, emphasis)


def _markers(line: str, tokens: Iterable[re.Match[str]]) -> set[int]:
    """Return where asterisks begin or end a style: *emphasis*, **bold** or ***both***.

    A mark begins a style if text follows it at once, and ends it if text comes right before it.
    """
    paired: set[int] = set()
    opened: dict[int, int] = {}
    for token in tokens:
        size = len(token[3] or "")
        if not 1 <= size <= 3:
            continue
        before, after = (
            line[max(0, token.start() - 1) : token.start()],
            line[token.end() : token.end() + 1],
        )
        if size in opened:
            if before not in ("", " "):
                paired |= {opened.pop(size), token.start()}
        elif after not in ("", " "):
            opened[size] = token.start()
    return paired


def plain_text(blocks: Iterable[Block]) -> str:
    """Return blocks as text that reads well without any markup, with the addresses of links."""
    return "\n\n".join("\n".join(_plain_lines(block)) for block in blocks)


def _plain_lines(block: Block) -> Iterator[str]:
    for number, runs in enumerate(block.lines, start=block.first):
        mark = {BULLETS: "  • ", NUMBERS: f"  {number}. "}.get(block.tag, "")
        yield mark + "".join(map(_plain_run, runs))


def _plain_run(run: Run) -> str:
    address = run.href.removeprefix("mailto:")
    return f"{run.text} ({address})" if address not in ("", run.text) else run.text
