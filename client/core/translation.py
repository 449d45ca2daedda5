"""The texts of a survey in each of its languages."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.core.primitives.refusal import require, within
from client.core.primitives.values import check_pattern, check_text
from client.core.question import Question

DEFAULT = "en"

# A simple language tag (BCP 47): a language, a script and a region, each in its usual case.
CODE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|[0-9]{3}))?")


def check_language(value: object, field: str = "language") -> None:
    """A language tag in its one spelling."""
    check_pattern(value, CODE, field, "a language such as en, pt-BR or zh-Hant")


Text = str | tuple[str, ...]


@dataclass(frozen=True)
class Translation:
    """What a document says beside the texts of its own language. Checked when it is told."""

    language: str
    title: str
    intro: str
    organizer: str
    # For each question, in the survey's order, its texts by field.
    questions: tuple[tuple[tuple[str, Text], ...], ...]

    @classmethod
    def of(
        cls, language: str, fields: Mapping[str, Any], questions: Sequence[Mapping[str, Any]]
    ) -> "Translation":
        texts = tuple(tuple(sorted(question.items())) for question in questions)
        return cls(language, fields["title"], fields["intro"], fields["organizer"], texts)

    def as_json(self, ids: Sequence[str]) -> dict[str, Any]:
        questions = {id: _plain(texts) for id, texts in zip(ids, self.questions, strict=True)}
        return {
            "title": self.title,
            "intro": self.intro,
            "organizer": self.organizer,
            "questions": questions,
        }


@dataclass(frozen=True)
class LocalizedSurvey:
    """A survey's texts in one language, for showing only: it has no document, no fingerprint."""

    language: str
    title: str
    intro: str
    organizer: str
    questions: tuple[Question, ...]


def translate(own: LocalizedSurvey, translation: Translation) -> LocalizedSurvey:
    """What is told in one more language: every text there is, and no other."""
    with within(translation.language):
        check_survey_texts(translation.title, translation.intro, translation.organizer)
        for name in ("intro", "organizer"):
            require(
                bool(getattr(translation, name)) == bool(getattr(own, name)),
                "bad_translation",
                f"{name} must be there exactly where the survey's own language has it",
                name,
            )
        pairs = zip(own.questions, translation.questions, strict=True)
        return LocalizedSurvey(
            translation.language,
            translation.title,
            translation.intro,
            translation.organizer,
            tuple(question.retold(dict(texts)) for question, texts in pairs),
        )


def check_survey_texts(title: object, intro: object, organizer: object) -> None:
    """What a survey says beside its questions."""
    check_text(title, "title")
    check_text(intro, "intro", required=False)
    check_text(organizer, "organizer", required=False)


def _plain(texts: tuple[tuple[str, Text], ...]) -> dict[str, Any]:
    return {name: list(text) if isinstance(text, tuple) else text for name, text in texts}
