"""Fill templates: plain Markdown with {values} and pieces that stand under a condition.

`{?name}` begins a piece that is kept if the condition holds, `{!name}` one that is kept if it does
not. A piece ends at the next mark, at `{.}` or at the end of its line. Lines of a paragraph are
joined, so that a template can have one sentence per line.
"""

import re
from collections.abc import Iterator, Mapping

_MARK = re.compile(r"\{([?!.])([a-z_]*)\}")
_VALUE = re.compile(r"\{([a-z_]+)\}")
_BLANK = re.compile(r"(?<!\\)\[fill in: ([^\]\\]+)\]")
_OWN_LINE = re.compile(r"[#|]|[-*] |[0-9]+\. ")
# What Markdown would read as markup inside a line.
_MARKUP = re.compile(r"([\\`*_\[\]<|~]|&(?=#?\w+;))")


def fill(template: str, values: Mapping[str, str], conditions: Mapping[str, bool]) -> str:
    """Return the text of a template; raise KeyError for a value or a condition that is unknown."""
    text = "\n".join(_joined(_kept_lines(template, conditions)))
    filled = _VALUE.sub(lambda found: values[found[1]], text)
    return re.sub(r"\n{3,}", "\n\n", filled).strip() + "\n"


def _kept_lines(template: str, conditions: Mapping[str, bool]) -> Iterator[str]:
    for line in template.splitlines():
        first, *pieces = _MARK.split(line)
        kept = first + "".join(
            piece
            for sign, name, piece in zip(pieces[::3], pieces[1::3], pieces[2::3], strict=True)
            if sign == "." or conditions[name] == (sign == "?")
        )
        # A line, or an item of a list, of which nothing is kept.
        if not pieces or kept.strip(" -"):
            yield kept.rstrip()


def _joined(lines: Iterator[str]) -> Iterator[str]:
    """Yield paragraphs, items, headings and rows of tables as one line each."""
    current = ""
    for line in lines:
        if current and line and not _OWN_LINE.match(line):
            current = f"{current} {line.strip()}"
        else:
            yield current
            current = line
    yield current


def blanks_in(text: str) -> list[str]:
    """Return what a person has to fill in, each once, in the order of the text."""
    return list(dict.fromkeys(_BLANK.findall(text)))


def blank(what: str) -> str:
    """Return the mark for something that a person has to fill in."""
    return f"[fill in: {what}]"


def one_line(text: str) -> str:
    """Return an author's text without line breaks."""
    return " ".join(text.split())


def escape(text: str) -> str:
    """Return an author's text as Markdown in one line, in which it is only text."""
    return _MARKUP.sub(r"\\\1", one_line(text))


def table(headings: tuple[str, ...], rows: list[tuple[str, ...]]) -> str:
    """Return a table; the cells are Markdown."""
    lines = (headings, ("---",) * len(headings), *rows)
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
