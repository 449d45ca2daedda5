"""The texts of a survey in one more language, and a survey as it is told in one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.languages import direction
from client.question import Question
from client.refusal import require, within
from client.text import check_text

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
class Telling:
    """A survey's texts in one language, for showing only: it has no document, no fingerprint."""

    language: str
    title: str
    intro: str
    organizer: str
    questions: tuple[Question, ...]

    @property
    def direction(self) -> str:
        return direction(self.language)


def translate(own: Telling, translation: Translation) -> Telling:
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
        return Telling(
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
