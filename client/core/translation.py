"""The texts of a survey in each of its languages."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from client.core.groups import Groups
from client.core.kinds.kind import Rule, any_text, page_text
from client.core.primitives.refusal import require, within
from client.core.primitives.values import check_pattern, check_text
from client.core.question import Question

DEFAULT = "en"

# A simple language tag (BCP 47): a language, a script and a region, each in its usual case.
CODE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|[0-9]{3}))?")


def check_language(value: object, field: str = "language") -> None:
    """Raise unless `value` is a language tag in its canonical spelling."""
    check_pattern(value, CODE, "language", key="bad_language")


Text = str | tuple[str, ...]
TextsByField = tuple[tuple[str, Text], ...]
# A document has these only if they are not empty.
OPTIONAL_TEXT_RULES: Mapping[str, Rule] = {
    "consent": page_text,
    "closing": page_text,
    "contact": any_text,
    "ethics_reference": any_text,
}
# The survey's own texts, apart from those of its questions.
TEXT_RULES: Mapping[str, Rule] = {
    "title": check_text,
    "intro": any_text,
    "organizer": any_text,
    **OPTIONAL_TEXT_RULES,
}


@dataclass(frozen=True, kw_only=True)
class SurveyTexts:
    """What a survey says in one language, apart from its questions."""

    language: str
    title: str
    intro: str = ""
    organizer: str = ""
    # What one agrees to before the first question, and what one reads after sending.
    consent: str = ""
    closing: str = ""
    contact: str = ""
    ethics_reference: str = ""


@dataclass(frozen=True, kw_only=True)
class Translation(SurveyTexts):
    """The texts of a survey in one further language; `translate` checks them."""

    # For each question, in the survey's order, its texts by field.
    questions: tuple[TextsByField, ...]
    # The same for each factor of the groups.
    groups: tuple[TextsByField, ...] = ()

    @classmethod
    def of(
        cls,
        language: str,
        fields: Mapping[str, Any],
        questions: Sequence[Mapping[str, Any]],
        groups: Sequence[Mapping[str, Any]] = (),
    ) -> "Translation":
        own = {name: fields[name] for name in TEXT_RULES if name in fields}
        return cls(language=language, questions=_frozen(questions), groups=_frozen(groups), **own)

    def as_json(self, questions: Sequence[str], factors: Sequence[str]) -> dict[str, Any]:
        """Return the texts as in a document, by the ids of the questions and of the factors."""
        groups = {"groups": _by_id(factors, self.groups)} if factors else {}
        return {**texts_as_json(self), "questions": _by_id(questions, self.questions), **groups}


@dataclass(frozen=True, kw_only=True)
class LocalizedSurvey(SurveyTexts):
    """A survey's texts in one language, for display only: no document and no fingerprint."""

    questions: tuple[Question, ...]
    groups: Groups | None = None


def texts_of(speaker: object) -> dict[str, str]:
    """Return what a survey or its translation says, apart from the questions, by field."""
    return {name: getattr(speaker, name) for name in TEXT_RULES}


def texts_as_json(speaker: object) -> dict[str, str]:
    """Like `texts_of`, as it appears in a document."""
    texts = texts_of(speaker).items()
    return {name: text for name, text in texts if text or name not in OPTIONAL_TEXT_RULES}


def translate(own: LocalizedSurvey, translation: Translation) -> LocalizedSurvey:
    """Apply a translation; raise unless it has exactly the texts of the survey's language."""
    with within("translations", translation.language, name=translation.language):
        for field, rule in TEXT_RULES.items():
            rule(getattr(translation, field), field)
            check_presence(getattr(own, field), getattr(translation, field), field)
        pairs = zip(own.questions, translation.questions, strict=True)
        return LocalizedSurvey(
            language=translation.language,
            questions=tuple(_translated(question, dict(texts)) for question, texts in pairs),
            groups=own.groups
            and own.groups.translated([dict(item) for item in translation.groups]),
            **texts_of(translation),
        )


def _translated(question: Question, texts: Mapping[str, Any]) -> Question:
    with within("questions", question.id, name=question.id):
        return question.translated(texts)


def check_presence(own: object, other: object, field: str) -> None:
    """Raise unless a text is present in both languages, or in neither."""
    require(bool(other) == bool(own), "bad_translation.presence", field)


def _frozen(items: Sequence[Mapping[str, Any]]) -> tuple[TextsByField, ...]:
    return tuple(tuple(sorted(item.items())) for item in items)


def _by_id(ids: Sequence[str], items: Sequence[TextsByField]) -> dict[str, Any]:
    return {id: _plain(texts) for id, texts in zip(ids, items, strict=True)}


def _plain(texts: TextsByField) -> dict[str, Any]:
    return {name: list(text) if isinstance(text, tuple) else text for name, text in texts}
