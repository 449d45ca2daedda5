"""A draft, the mapping in a survey file, becomes a `Survey`: thresholds are computed here, once."""

from collections.abc import Iterable
from typing import Any

from client.budget import split_budget
from client.draft_fields import Fields
from client.draft_languages import DraftLanguages
from client.draft_question import build_question, question_texts
from client.question import Question
from client.refusal import within
from client.survey import Survey
from client.survey_fields import SURVEY
from client.translation import Translation


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
        # Less than none is refused with the survey.
        asked=max(0, ask_each_person) or len(drafts),
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
