"""Read YAML and JSON survey files with their line numbers, and write them.

Scalars are kept as written, so that an epsilon of 0.1 is that decimal and not a float.
"""

import re
from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

from client.authoring.draft.faults import Path, path_text
from client.authoring.draft.kinds import translatable_fields
from client.authoring.draft.places import Places
from client.core.primitives.refusal import Refusal, require

# More than 20,000 options in two languages need. Each value takes about 20 microseconds to read.
MAX_VALUES = 120_000
MAX_LINES = 131_072


class _Unquoted(Exception):
    """A text that begins with a sign that YAML would take for something else."""

    def __init__(self, line: int, sign: str) -> None:
        super().__init__(line, sign)
        self.line, self.sign = line, sign


def _lost_sign(event: Any) -> str:
    """Return the sign at the start of a value that YAML would take away; "" if there is none."""
    if isinstance(event, yaml.AliasEvent):
        return "*"
    if getattr(event, "anchor", None):
        return "&"
    return "!" if str(getattr(event, "tag", None) or "").startswith("!") else ""


class _PlainLoader(yaml.BaseLoader):
    """Loads every scalar as a string, never as a float, a date or a boolean.

    It refuses aliases, because a few nested ones expand to gigabytes, and repeated fields, because
    all but the last would be lost.
    """

    values = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self.values += 1
        require(self.values <= MAX_VALUES, "too_large.values", most=MAX_VALUES)
        events: Any = self
        event = events.peek_event()
        sign = _lost_sign(event)
        if sign:
            raise _Unquoted(event.start_mark.line + 1, sign)
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for name, count in Counter(keys).items():
            if count > 1:
                line = node.start_mark.line + 1
                raise yaml.YAMLError(f"the field {name!r} appears twice after line {line}")
        return super().construct_mapping(node, deep)


def read_yaml(data: bytes, name: str) -> tuple[Any, Places, tuple[Refusal, ...]]:
    """Return the content of a file, the line of each part, and warnings."""
    lines = data.count(b"\n") + data.count(b"\r")
    require(lines <= MAX_LINES, "too_large.lines", name, most=MAX_LINES)
    try:
        loader = _PlainLoader(data)
        try:
            node = loader.get_single_node()
            draft = None if node is None else loader.construct_document(node)
        finally:
            loader.dispose()
    except Refusal:
        raise
    except _Unquoted as error:
        raise Refusal("bad_survey_file.quote", name, line=error.line, sign=error.sign) from None
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        if unquoted := _unquoted(error, data):
            line, sign = unquoted
            raise Refusal("bad_survey_file.quote", name, line=line, sign=sign) from None
        reason = " ".join(str(error).split())[:200]
        raise Refusal("bad_survey_file", name, reason=reason) from None
    if node is None:
        return draft, {}, ()
    return draft, dict(_places(node)), tuple(_comments_in_texts(node, data))


# What the parser says about a text that should be in quotes, and the sign that it is about.
_UNQUOTED = (
    (re.compile(r"mapping values are not allowed"), ":"),
    (re.compile(r"mapping keys are not allowed"), "?"),
    (re.compile(r"sequence entries are not allowed"), "-"),
    (re.compile(r"found character '([^\t])' that cannot start any token"), ""),
    (re.compile(r"found unknown escape character"), "\\"),
    (re.compile(r"directive"), "%"),
)
# The start of a text in quotes or brackets that goes on behind them, or of one with | or >.
_STARTED = re.compile(r"""^[\s-]*(?:[^\s:#][^:#]*:\s+)?(["'\[{|>])""")
_CUT_SHORT = re.compile(r"expected <block end>|while scanning a (?:quoted|block) scalar")


def _unquoted(error: Exception, data: bytes) -> tuple[int, str] | None:
    """Return the line of a text that should be in quotes, and why; None for any other error."""
    mark = getattr(error, "problem_mark", None)
    if mark is None:
        return None
    told = f"{getattr(error, 'context', '')} {getattr(error, 'problem', '')}"
    for pattern, sign in _UNQUOTED:
        if found := pattern.search(told):
            return mark.line + 1, sign or found[1]
    lines = data.decode("utf-8", "replace").splitlines()
    if any(line.startswith("%") for line in lines[: mark.line + 1]):
        return next(i for i, line in enumerate(lines, 1) if line.startswith("%")), "%"
    begun = getattr(error, "context_mark", None) if "quoted scalar" in told else mark
    place = (begun or mark).line
    started = _STARTED.match(lines[place]) if place < len(lines) else None
    return (place + 1, started[1]) if started and _CUT_SHORT.search(told) else None


def _comments_in_texts(node: yaml.Node, data: bytes) -> Iterator[Refusal]:
    """Yield a warning for each text behind which a comment stands: `#` may belong to it."""
    lines = data.decode("utf-8", "replace").splitlines()
    for text in _texts(node, False):
        line = text.end_mark.line
        rest = lines[line][text.end_mark.column :] if line < len(lines) else ""
        if text.style is None and text.value and rest.lstrip().startswith("#"):
            yield Refusal("comment_in_text", line=line + 1, rest=rest.strip())


def _texts(node: yaml.Node, is_text: bool) -> Iterator[yaml.ScalarNode]:
    """Yield the scalars that people read, in any depth."""
    if isinstance(node, yaml.ScalarNode) and is_text:
        yield node
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            yield from _texts(value, is_text or key.value in translatable_fields())
    elif isinstance(node, yaml.SequenceNode):
        for item in node.value:
            yield from _texts(item, is_text)


def _places(node: yaml.Node, path: Path = ()) -> Iterator[tuple[Path, str]]:
    """Yield the line of the survey and its fields, its questions, its groups; not of labels."""
    line = f"line {node.start_mark.line + 1}"
    yield path, f"{path_text(path)} ({line})" if path else line
    if isinstance(node, yaml.MappingNode) and _has_places(path):
        for key, value in node.value:
            yield from _places(value, (*path, str(key.value)))
    elif isinstance(node, yaml.SequenceNode) and path in (("questions",), ("groups", "factors")):
        for index, value in enumerate(node.value):
            yield from _places(value, (*path, index))


def _has_places(path: Path) -> bool:
    """Return whether a mapping is the survey, its groups, a question or a factor."""
    return path in ((), ("groups",)) or isinstance(path[-1], int)


class _PlainDumper(yaml.SafeDumper):
    """Writes repeated values in full, because the reader refuses aliases, and pages in blocks."""

    def ignore_aliases(self, data: object) -> bool:
        return True

    def represent_text(self, text: str) -> yaml.ScalarNode:
        style = "|" if "\n" in text else None
        return self.represent_scalar("tag:yaml.org,2002:str", text, style)


_PlainDumper.add_representer(str, _PlainDumper.represent_text)


def write_yaml(draft: dict[str, Any]) -> bytes:
    """Write the fields in their order; quote whatever is not plainly text."""
    text = yaml.dump(draft, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True, width=100)
    return str(text).encode()
