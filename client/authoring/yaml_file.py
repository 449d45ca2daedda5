"""Survey files in YAML, or in JSON, which is YAML: read with their lines, written in one way.

Scalars are kept as they are written, so that an epsilon of 0.1 is that decimal and no float.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import yaml

from client.authoring.draft.faults import Path, path_text
from client.authoring.draft.places import Places
from client.core.primitives.refusal import Refusal, require

# More than 20,000 options in two languages have. Each takes some 20 microseconds to read.
MAX_VALUES = 120_000
MAX_LINES = 131_072


class _PlainLoader(yaml.BaseLoader):
    """Every scalar is a string: nothing is turned into a float, a date or a boolean.

    Aliases are refused, because a few nested ones make gigabytes, and so are repeated fields, of
    which all but the last would be lost.
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
                raise yaml.YAMLError(f"the field {name!r} stands twice after line {line}")
        return super().construct_mapping(node, deep)


def read_yaml(data: bytes, name: str) -> tuple[Any, Places]:
    """What stands in a file, and on which lines."""
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
    """The survey, its fields, its questions and their fields; labels are left to their list."""
    line = f"line {node.start_mark.line + 1}"
    yield path, f"{path_text(path)} ({line})" if path else line
    if isinstance(node, yaml.MappingNode) and len(path) in (0, 2):
        for key, value in node.value:
            yield from _places(value, (*path, str(key.value)))
    elif isinstance(node, yaml.SequenceNode) and path == ("questions",):
        for index, value in enumerate(node.value):
            yield from _places(value, (*path, index))


class _PlainDumper(yaml.SafeDumper):
    """Whatever stands twice is written twice: the reader refuses aliases."""

    def ignore_aliases(self, data: object) -> bool:
        return True


def write_yaml(draft: dict[str, Any]) -> bytes:
    """The same fields in the same order; whatever is not plainly a text is quoted."""
    text = yaml.dump(draft, Dumper=_PlainDumper, sort_keys=False, allow_unicode=True, width=100)
    return str(text).encode()
