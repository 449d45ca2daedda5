"""The tokens of JavaScript, as far as it takes to leave out comments: a `//` in a text is none.

Where a slash begins a regular expression and where it divides depends on what stands before it.
After a closing brace only a whole parser could tell, and there a slash is refused.
"""

import re
from collections.abc import Iterator

# Kinds of tokens. Regular expressions are texts; a template is cut at the code that stands in it.
CODE, SPACE, TEXT, COMMENT = "code", "space", "text", "comment"

_TOKEN = re.compile(
    r"""
    (?P<space> \s+ )
  | (?P<comment> //[^\n]* | /\*.*?\*/ )
  | (?P<text> "(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*' )
  | (?P<code> [\w$\#]+ | [^"'] )
    """,
    re.VERBOSE | re.DOTALL,
)
_TEMPLATE = re.compile(r"[`}](?:[^`\\$]|\\.|\$(?!\{))*(?:`|\$\{)", re.DOTALL)
_PATTERN = re.compile(r"/(?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+/[a-z]*")
# A slash after one of these divides; after anything else, such words too, it begins a pattern.
_VALUE = re.compile(r"[\w$#]+|[)\]\"]")
_NO_VALUE = {"await", "case", "in", "of", "return", "throw", "typeof", "void", "yield"}


def without_comments(source: str) -> str:
    """The same program without comments and empty lines."""
    pieces = []
    gap = ""
    for kind, text in tokens(source):
        if kind in (SPACE, COMMENT):
            # A comment parts what it stands between, as a space or a line break does.
            gap += text if kind == SPACE else "\n" if "\n" in text else " "
            continue
        pieces += [f"\n{gap.rpartition(chr(10))[2]}" if "\n" in gap else gap, text]
        gap = ""
    return "".join(pieces).lstrip("\n") + "\n"


def code_only(source: str) -> str:
    """Names, marks and space: what the program does, without anything that it only says."""
    return "".join(text if kind in (CODE, SPACE) else " " for kind, text in tokens(source))


def tokens(source: str) -> Iterator[tuple[str, str]]:
    """Kind and text of every piece; together they are the source."""
    at, before = 0, ""
    # For each template in whose code we are, how many braces are open there.
    braces: list[int] = []
    while at < len(source):
        token = _TOKEN.match(source, at)
        kind, text = (str(token.lastgroup), token[0]) if token else (TEXT, "")
        if braces and text in ("{", "}"):
            braces[-1] += 1 if text == "{" else -1
        closing = text == "}" and braces and braces[-1] < 0
        if text == "`" or closing:
            kind, text = TEXT, _whole(_TEMPLATE, source, at)
            if closing:
                braces.pop()
            if text.endswith("${"):
                braces.append(0)
        elif text == "/" and _pattern_may_follow(before, source, at):
            kind, text = TEXT, _whole(_PATTERN, source, at)
        if not text:
            raise _unfinished(source, at)
        yield kind, text
        at += len(text)
        if kind in (CODE, TEXT):
            before = text if kind == CODE else "(" if text.endswith("${") else '"'


def _pattern_may_follow(before: str, source: str, at: int) -> bool:
    if before == "}":
        line = source.count("\n", 0, at) + 1
        raise ValueError(f"line {line}: what a slash after a closing brace means is not clear")
    return before in _NO_VALUE or not _VALUE.fullmatch(before)


def _whole(pattern: re.Pattern[str], source: str, at: int) -> str:
    found = pattern.match(source, at)
    if found is None:
        raise _unfinished(source, at)
    return found[0]


def _unfinished(source: str, at: int) -> ValueError:
    line = source.count("\n", 0, at) + 1
    return ValueError(f"line {line}: a text or a pattern begins here and does not end")
