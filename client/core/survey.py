"""Survey: the published questionnaire, its canonical document and its fingerprint.

Validated at birth: a survey that promises more than it keeps cannot be made, so nothing later has
to check again. `document.js` has the same rules for the browser.
"""

import hashlib
import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from client.core.primitives import canonical, channel
from client.core.primitives.domain import Choice
from client.core.primitives.refusal import require, within
from client.core.primitives.values import check_pattern, decimal_text
from client.core.question import Question
from client.core.translation import (
    DEFAULT,
    LocalizedSurvey,
    Translation,
    check_language,
    check_survey_texts,
    translate,
)

FORMAT = 2
MAX_QUESTIONS = 100
MAX_LANGUAGES = 30
MAX_REPORT_BYTES = 2**16
# Who draws which questions and which boxes a report is about (math 11).
BY_TICKET, BY_DEVICE = "ticket", "device"

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
DAY = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")


@dataclass(frozen=True)
class Survey:
    """A published questionnaire. Immutable: a changed question is a new version."""

    slug: str
    version: int
    title: str
    questions: tuple[Question, ...]
    intro: str = ""
    organizer: str = ""
    delete_on: str = ""
    # How many of the questions each person is asked; 0 means all of them.
    ask_each_person: int = 0
    drawn_by: str = BY_TICKET
    # A rehearsal: its document says so, hence its fingerprint is never that of the real survey.
    test: bool = False
    # The language of the texts above and of the questions; the translations have others.
    language: str = DEFAULT
    translations: tuple[Translation, ...] = ()

    def __post_init__(self) -> None:
        rule = "lower-case letters, digits and inner hyphens, at most 63"
        check_pattern(self.slug, SLUG, "slug", rule)
        require(
            type(self.version) is int and 1 <= self.version <= 10**6,
            "bad_version",
            f"version must be an integer from 1 to 1000000, got {self.version!r}",
            "version",
        )
        check_survey_texts(self.title, self.intro, self.organizer)
        if self.delete_on != "":
            check_pattern(self.delete_on, DAY, "delete_on", "a day such as 2027-06-30")
        require(
            self.drawn_by in (BY_TICKET, BY_DEVICE),
            "bad_drawn_by",
            f"drawn_by must be {BY_TICKET} or {BY_DEVICE}, got {str(self.drawn_by)[:40]!r}",
            "drawn_by",
        )
        self._check_questions()
        self._check_skip_logic()
        self._check_totals()
        self._check_languages()

    def _check_questions(self) -> None:
        count = len(self.questions)
        require(
            1 <= count <= MAX_QUESTIONS,
            "bad_questions",
            f"a survey has between 1 and {MAX_QUESTIONS} questions, got {count}",
            "questions",
        )
        ids = [question.id for question in self.questions]
        for id in ids:
            with within(id):
                message = f"the id {id!r} stands twice"
                require(ids.count(id) == 1, "repeated_question", message, "id")
        require(
            type(self.ask_each_person) is int and 0 <= self.ask_each_person < count,
            "bad_ask_each_person",
            f"ask_each_person must be from 1 to {count - 1}, or 0 for all questions, "
            f"got {str(self.ask_each_person)[:40]}",
            "ask_each_person",
        )

    def _check_skip_logic(self) -> None:
        """Only an earlier question with options can decide, and it must have been asked."""
        earlier: dict[str, Question] = {}
        for question in self.questions:
            rule = question.show_if
            if rule is not None:
                decider = earlier.get(rule.question)
                require(
                    decider is not None
                    and isinstance(decider.domain, Choice)
                    and self.ask_each_person == 0
                    and bool(rule.options)
                    and all(
                        type(option) is int and 0 <= option < decider.domain.options
                        for option in rule.options
                    ),
                    "bad_show_if",
                    f"{question.id}.show_if must name options of an earlier question that "
                    "everybody is asked and that has one answer",
                    f"{question.id}.show_if",
                )
            earlier[question.id] = question

    def _check_totals(self) -> None:
        require(
            self.total_epsilon <= channel.MAX_TOTAL_EPSILON,
            "total_epsilon_too_large",
            f"total_epsilon must be at most {channel.MAX_TOTAL_EPSILON}, "
            f"got {decimal_text(self.total_epsilon)}",
            "total_epsilon",
        )
        require(
            self.report_bytes <= MAX_REPORT_BYTES,
            "report_too_large",
            f"a report of this survey would take {self.report_bytes} bytes, "
            f"more than {MAX_REPORT_BYTES}",
            "questions",
        )

    def _check_languages(self) -> None:
        for language in self.languages:
            check_language(language)
        require(
            len(set(self.languages)) == len(self.languages) <= MAX_LANGUAGES,
            "bad_translation",
            f"a survey has at most {MAX_LANGUAGES} languages, each once, "
            f"got {', '.join(self.languages)[:80]}",
            "translations",
        )
        # Telling it checks it.
        self.in_language(self.language)

    @property
    def by_invitation(self) -> bool:
        """Only for people with a link of their own. What their devices draw cannot be narrowed
        down to a link, as it could if the ticket decided (math 11). Anybody may test a draft."""
        return self.drawn_by == BY_DEVICE and not self.test

    @property
    def languages(self) -> tuple[str, ...]:
        """All languages that this survey speaks, its own first."""
        return (self.language, *(translation.language for translation in self.translations))

    def in_language(self, language: str) -> LocalizedSurvey:
        """The survey as it is told in one of its languages; only for showing."""
        return self._tellings[language]

    @cached_property
    def _tellings(self) -> dict[str, LocalizedSurvey]:
        own = LocalizedSurvey(self.language, self.title, self.intro, self.organizer, self.questions)
        told = [own, *(translate(own, translation) for translation in self.translations)]
        return {telling.language: telling for telling in told}

    @property
    def asked(self) -> int:
        """How many questions one report is about."""
        return self.ask_each_person or len(self.questions)

    @cached_property
    def total_epsilon(self) -> Decimal:
        """The most that one person spends: the exact sum of nominal epsilons (math 6)."""
        largest = sorted((question.epsilon for question in self.questions), reverse=True)
        return sum(largest[: self.asked], Decimal(0))

    @cached_property
    def report_bytes(self) -> int:
        """The one length that every report of this survey has, whatever is in it."""
        longest = {question.id: question.mechanism.longest for question in self.questions}
        room_for_null = sum(
            max(0, len("null") - len(canonical.canonical(value))) for value in longest.values()
        )
        full = len(canonical.canonical({"fingerprint": "0" * 64, "randomized": longest}))
        return full + (room_for_null if self.ask_each_person else 0)

    @cached_property
    def document(self) -> bytes:
        """The canonical bytes that everybody gets."""
        return canonical.canonical(
            {
                **self._optional_keys(),
                "candor": FORMAT,
                "slug": self.slug,
                "version": self.version,
                "title": self.title,
                "intro": self.intro,
                "organizer": self.organizer,
                "delete_on": self.delete_on,
                "ask_each_person": self.ask_each_person,
                "drawn_by": self.drawn_by,
                "questions": [question.as_json() for question in self.questions],
                "total_epsilon": decimal_text(self.total_epsilon),
            }
        )

    def _optional_keys(self) -> dict[str, Any]:
        """Absent where they would say the usual, so that plain documents stay as they were."""
        ids = [question.id for question in self.questions]
        overlays = {item.language: item.as_json(ids) for item in self.translations}
        return {
            **({"test": True} if self.test else {}),
            **({"language": self.language} if self.language != DEFAULT else {}),
            **({"translations": overlays} if overlays else {}),
        }

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the document: printed on the page, quoted by every report."""
        return hashlib.sha256(self.document).hexdigest()
