"""A survey file (YAML or JSON) becomes a `Survey`: thresholds are computed here, once.

Scalars are kept as they are written, so that an epsilon of 0.1 is that decimal and no float.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml

from client.budget import split_budget
from client.draft_fields import Fields
from client.draft_languages import DraftLanguages
from client.draft_question import build_question, question_texts
from client.question import Question
from client.refusal import Refusal, within
from client.survey import Survey
from client.survey_fields import SURVEY
from client.translation import Translation

MAX_FILE_BYTES = 2**21


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
    if len(data) > MAX_FILE_BYTES:
        raise Refusal("too_large", f"{path} must be at most {MAX_FILE_BYTES} bytes", str(path))
    try:
        draft = yaml.load(data, Loader=_PlainLoader)
    except (yaml.YAMLError, UnicodeDecodeError, RecursionError) as error:
        reason = " ".join(str(error).split())[:200]
        raise Refusal(
            "bad_survey_file", f"{path} is not YAML or JSON: {reason}", str(path)
        ) from None
    return Fields.of(draft, str(path), SURVEY).values


def build_survey(draft: dict[str, Any], version: int = 1, test: bool = False) -> Survey:
    """The survey that a draft describes, mechanisms chosen and thresholds computed."""
    written = Fields.of(draft, "survey", SURVEY)
    parts = written.take_mappings("questions")
    languages = DraftLanguages.of(written.take("language"), [written, *parts])
    fields = languages.tell(written, languages.own)
    drafts = [languages.tell(part, languages.own) for part in parts]
    ask_each_person = fields.take_integer("ask_each_person")
    epsilons = split_budget(
        drafts,
        total=fields.take("total_epsilon"),
        default=fields.take("epsilon"),
        asked=ask_each_person or len(drafts),
    )
    questions: list[Question] = []
    for item, epsilon in zip(drafts, epsilons, strict=True):
        questions.append(build_question(item, epsilon, questions))
    survey = Survey(
        slug=fields.take("slug"),
        version=version,
        title=fields.take("title"),
        intro=fields.take("intro"),
        organizer=fields.take("organizer"),
        delete_on=fields.take("delete_on"),
        ask_each_person=ask_each_person,
        drawn_by=fields.take("drawn_by"),
        test=test,
        language=fields.take("language"),
        questions=tuple(questions),
        translations=tuple(
            _translate(languages, language, written, zip(questions, parts, strict=True))
            for language in languages.others
        ),
    )
    fields.check_all_declared()
    return survey


def _translate(
    languages: DraftLanguages,
    language: str,
    written: Fields,
    questions: Iterable[tuple[Question, Fields]],
) -> Translation:
    """All texts once more, in one of the other languages."""
    with within(language):
        fields = languages.tell(written, language)
        texts = {name: fields.take(name) for name in ("title", "intro", "organizer")}
        told = [
            question_texts(question, languages.tell(part, language)) for question, part in questions
        ]
        return Translation.of(language, texts, told)
