"""A survey file (YAML or JSON) becomes a `Survey`: thresholds are computed here, once.

Scalars are kept as they are written, so that an epsilon of 0.1 is that decimal and no float.
"""

from pathlib import Path
from typing import Any

import yaml

from client import channel
from client.document import MAX_DOCUMENT_BYTES
from client.mechanisms import RandomizedResponse
from client.refusal import Refusal
from client.survey import Question, Survey

YES_NO_OPTIONS = ("No", "Yes")

_SURVEY_FIELDS = {"slug", "title", "intro", "organizer", "delete_on", "questions", "epsilon"}
_QUESTION_FIELDS = {"id", "kind", "prompt", "options", "epsilon"}


class _PlainLoader(yaml.BaseLoader):
    """Every scalar is a string: nothing is turned into a float, a date or a boolean.

    Aliases are refused, because a few nested ones make gigabytes, and so are repeated fields, of
    which all but the last would be lost.
    """

    def compose_node(self, parent: yaml.Node | None, index: int) -> yaml.Node | None:
        if self.check_event(yaml.AliasEvent):
            raise yaml.YAMLError("aliases (*name) are not allowed in a survey file")
        return super().compose_node(parent, index)

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        names = [key.value for key, _ in node.value]
        for name in names:
            if names.count(name) > 1:
                line = node.start_mark.line + 1
                raise yaml.YAMLError(f"the field {name!r} stands twice after line {line}")
        return super().construct_mapping(node, deep)


def read_draft(path: Path) -> dict[str, Any]:
    """The mapping in a survey file. JSON is YAML, so one reader serves both."""
    try:
        data = path.read_bytes()
    except OSError as error:
        raise Refusal("unreadable", f"{path} cannot be read: {error.strerror}", str(path)) from None
    if len(data) > MAX_DOCUMENT_BYTES:
        raise Refusal("too_large", f"{path} must be at most {MAX_DOCUMENT_BYTES} bytes", str(path))
    try:
        draft = yaml.load(data, Loader=_PlainLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise Refusal(
            "bad_survey_file", f"{path} is not YAML or JSON: {reason}", str(path)
        ) from None
    return _mapping(draft, str(path))


def build_survey(draft: dict[str, Any], version: int = 1) -> Survey:
    """The survey that a draft describes, mechanisms chosen and thresholds computed."""
    _known(draft, _SURVEY_FIELDS, "survey")
    questions = draft.get("questions")
    if not isinstance(questions, list):
        raise Refusal("bad_questions", "questions must be a list of questions", "questions")
    default_epsilon = draft.get("epsilon")
    return Survey(
        slug=_required(draft, "slug", "survey"),
        version=version,
        title=_required(draft, "title", "survey"),
        intro=draft.get("intro", ""),
        organizer=draft.get("organizer", ""),
        delete_on=draft.get("delete_on", ""),
        questions=tuple(
            _build_question(_mapping(item, f"questions[{i}]"), i, default_epsilon)
            for i, item in enumerate(questions)
        ),
    )


def _build_question(draft: dict[str, Any], position: int, default_epsilon: object) -> Question:
    where = f"questions[{position}]"
    _known(draft, _QUESTION_FIELDS, where)
    id = _required(draft, "id", where)
    text = draft.get("epsilon", default_epsilon)
    if text is None:
        raise Refusal("missing_field", f"{id} needs an epsilon, its own or the survey's", "epsilon")
    epsilon = channel.parse_epsilon(text, f"{id}.epsilon")
    options = draft.get("options", YES_NO_OPTIONS)
    return Question(
        id=id,
        kind=draft.get("kind", "yes_no"),
        prompt=_required(draft, "prompt", where),
        options=tuple(options) if isinstance(options, list | tuple) else (),
        epsilon=epsilon,
        mechanism=RandomizedResponse.for_epsilon(epsilon),
    )


def _mapping(value: object, where: str) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise Refusal("not_a_mapping", f"{where} must be a mapping of fields", where)
    return value


def _known(draft: dict[str, Any], fields: set[str], where: str) -> None:
    for field in draft:
        if field not in fields:
            known = ", ".join(sorted(fields))
            raise Refusal(
                "unknown_field", f"{where} has a field {field!r}; the known ones are {known}", field
            )


def _required(draft: dict[str, Any], field: str, where: str) -> Any:
    if field not in draft:
        raise Refusal("missing_field", f"{where} needs the field {field!r}", field)
    return draft[field]
