"""Read YAML and JSON survey files with their line numbers, and write them.

Scalars are kept as written, so that an epsilon of 0.1 is that decimal and not a float.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

from client.authoring.draft.faults import Path, path_text
from client.authoring.draft.places import Places
from client.core.primitives.refusal import Refusal, require

# More than 20,000 options in two languages need. Each value takes about 20 microseconds to read.
MAX_VALUES = 120_000
MAX_LINES = 131_072


class _PlainLoader(yaml.BaseLoader):
    """Loads every scalar as a string, never as a float, a date or a boolean.

    It refuses aliases, because a few nested ones expand to gigabytes, and repeated fields, because
    all but the last would be lost.
    """

    values = 0

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        self.values += 1
        require(self.values <= MAX_VALUES, "too_large.values", most=MAX_VALUES)
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases (*name) are not allowed in a survey file")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        keys = [key.value for key, _ in node.value if isinstance(key, yaml.ScalarNode)]
        for name, count in Counter(keys).items():
            if count > 1:
                line = node.start_mark.line + 1
                raise yaml.YAMLError(f"the field {name!r} appears twice after line {line}")
        return super().construct_mapping(node, deep)


def read_yaml(data: bytes, name: str) -> tuple[Any, Places]:
    """Return the content of a file, and the line of each part."""
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
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError, ValueError) as error:
        reason = " ".join(str(error).split())[:200]
        raise Refusal("bad_survey_file", name, reason=reason) from None
    return draft, dict(_places(node)) if node is not None else {}


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
