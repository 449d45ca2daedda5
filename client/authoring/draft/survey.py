"""A draft, the mapping in a survey file, becomes a `Survey`, in all of its languages."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from client.authoring.draft.budget import split_budget
from client.authoring.draft.fields import SURVEY
from client.authoring.draft.question import build_question, question_texts
from client.authoring.draft.reader import Fields, is_switch
from client.core.kinds import KINDS, Kind
from client.core.primitives.refusal import Refusal, within
from client.core.question import Question
from client.core.survey import Survey
from client.core.translation import CODE, Translation, check_language

TEXTS = frozenset(
    ["title", "intro", "organizer", "prompt"]
    + [name for kind in KINDS.values() for name in kind.text_fields]
)


@dataclass(frozen=True)
class DraftLanguages:
    """The language of the file, and for each further one the first text that has it."""

    own: str
    others: dict[str, str]

    @classmethod
    def of(cls, own: object, parts: Sequence[Fields]) -> "DraftLanguages":
        check_language(own)
        found: dict[str, str] = {}
        for place, language in _maps(parts):
            if not isinstance(language, str) or not CODE.fullmatch(language):
                raise Refusal(
                    "bad_language",
                    f"{place} has {str(language)[:40]!r}, which is no language such as en or pt-BR",
                    place,
                )
            found.setdefault(language, place)
        return cls(str(own), {name: found[name] for name in sorted(found) if name != own})

    def tell(self, fields: Fields, language: str) -> Fields:
        """The same fields with every text in one language."""
        values = {
            name: self._told(value, language, _place(fields, name), name)
            if name in TEXTS
            else value
            for name, value in fields.values.items()
        }
        return Fields(values, fields.where, fields.declared, language)

    def _told(self, value: Any, language: str, place: str, name: str) -> Any:
        if isinstance(value, list):
            return [self._told(label, language, place, name) for label in value]
        if isinstance(value, dict):
            if language in value:
                return value[language]
        elif language == self.own or (name in Kind.text_fields and is_switch(value)) or value == "":
            return value
        where = self.others.get(language, "the file")
        raise Refusal(
            "missing_language", f"{place} lacks the language {language!r}, which {where} has", place
        )


def _maps(parts: Sequence[Fields]) -> Iterator[tuple[str, object]]:
    """Where a text stands in several languages, and in which."""
    for fields in parts:
        for name in sorted(TEXTS & fields.values.keys()):
            value = fields.values[name]
            for text in value if isinstance(value, list) else [value]:
                for language in text if isinstance(text, dict) else []:
                    yield _place(fields, name), language


def _place(fields: Fields, name: str) -> str:
    return f"{fields.values['id']}.{name}" if "id" in fields.values else name


def build_survey(draft: dict[str, Any], version: int = 1, test: bool = False) -> Survey:
    """Build the survey that a draft describes: choose mechanisms, compute their thresholds."""
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
