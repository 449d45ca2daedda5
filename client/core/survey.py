"""A survey: the published questionnaire, its canonical document and its fingerprint.

A survey is validated when it is made. One that promises more than it keeps cannot exist, so no
later code has to check again. `document.js` has the same rules for the browser.
"""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from functools import cached_property
from typing import Any, Self

from client.core.access import (
    INVITED,
    OPEN,
    TicketKeys,
    check_access,
    check_answer_from,
    check_collecting,
    check_ticket_keys,
    ticket_groups,
)
from client.core.completion import NO_PANEL, Completion
from client.core.groups import BY_CHOICE, RESERVED_ID, Groups
from client.core.kinds import Rule
from client.core.primitives import canonical, channel
from client.core.primitives.domain import Domain
from client.core.primitives.refusal import require, within
from client.core.primitives.values import DAY, check_flag, check_pattern, decimal_text
from client.core.question import Question
from client.core.translation import (
    DEFAULT,
    TEXT_RULES,
    LocalizedSurvey,
    Translation,
    check_language,
    texts_as_json,
    texts_of,
    translate,
)

FORMAT = 3
MAX_QUESTIONS = 100
MAX_LANGUAGES = 30
MAX_REPORT_BYTES = 2**16

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def _check_slug(value: object, field: str) -> None:
    check_pattern(value, SLUG, field, key="bad_slug")


def _check_day(value: object, field: str) -> None:
    if value != "":
        check_pattern(value, DAY, field, key="bad_delete_on.day")


# The rule for each field alone, whatever the other fields hold.
SURVEY_RULES: Mapping[str, Rule] = {
    "slug": _check_slug,
    **TEXT_RULES,
    "delete_on": _check_day,
    "access": check_access,
    "answer_from": check_answer_from,
    "shuffle": check_flag,
    "language": check_language,
}


@dataclass(frozen=True)
class Survey:
    """A published questionnaire. Immutable: a changed question is a new version."""

    slug: str
    version: int
    title: str
    questions: tuple[Question, ...]
    intro: str = ""
    organizer: str = ""
    consent: str = ""
    closing: str = ""
    contact: str = ""
    ethics_reference: str = ""
    delete_on: str = ""
    # How many of the questions each person is asked; 0 means all of them.
    ask_each_person: int = 0
    # Who may answer, and from which day on, if tickets are collected before.
    access: str = OPEN
    answer_from: str | None = None
    # With which keys an invited survey signs tickets; none until it is published.
    ticket_keys: TicketKeys = ()
    # What is sent as it is, so that groups can be compared; None unless the author declares it.
    groups: Groups | None = None
    # What a panel asks for: a code and a link after sending.
    completion: Completion = NO_PANEL
    # The device asks the questions of each section in random order.
    shuffle: bool = False
    # A test is marked in the document, so its fingerprint never equals that of the real survey.
    test: bool = False
    # The language of these texts and of the questions; `translations` holds the others.
    language: str = DEFAULT
    translations: tuple[Translation, ...] = ()

    def __post_init__(self) -> None:
        for field, rule in SURVEY_RULES.items():
            rule(getattr(self, field), field)
        fits = type(self.version) is int and 1 <= self.version <= 10**6
        require(fits, "bad_version", "version", version=self.version)
        self._check_questions()
        self._check_skip_logic()
        self._check_completion()
        check_collecting(self.access, self.answer_from, self.delete_on)
        check_ticket_keys(self.access, self.ticket_keys, self.ticket_groups)
        self._check_totals()
        self._check_languages()

    def _check_questions(self) -> None:
        count, most = len(self.questions), MAX_QUESTIONS
        require(1 <= count <= most, "bad_questions.count", "questions", most=most, count=count)
        ids = [question.id for question in self.questions]
        for index, id in enumerate(ids):
            with within("questions", index, name=id):
                require(ids.count(id) == 1, "repeated_question", "id", id=id)
        asked, name = self.ask_each_person, "ask_each_person"
        fits = type(asked) is int and 0 <= asked < count
        require(fits, "bad_ask_each_person", name, most=count - 1, ask_each_person=asked)
        # Both are columns of an export.
        for index, factor in enumerate(self.groups.factors if self.groups else ()):
            with within("groups", "factors", index, name=factor.id):
                require(factor.id not in ids, "bad_groups.question", "id", id=factor.id)
        apart = not self.groups or RESERVED_ID not in ids
        require(apart, "bad_groups.question", "groups", id=RESERVED_ID)

    def _check_skip_logic(self) -> None:
        """Raise unless all conditions are about earlier questions that everybody is asked."""
        earlier: dict[str, Domain] = {}
        for index, question in enumerate(self.questions):
            for condition in question.show_if.conditions if question.show_if else ():
                domain = earlier.get(condition.question)
                decided = domain is not None and condition.can_be_decided_by(domain)
                with within("questions", index, name=question.id):
                    require(decided and self.ask_each_person == 0, "bad_show_if.options", "show_if")
            earlier[question.id] = question.domain

    def _check_completion(self) -> None:
        codes = self.groups.codes if self.groups else ()
        with within("completion"):
            for group, _ in self.completion.by_group:
                require(group in codes, "bad_completion.group", "by_group", group=group)

    def _check_totals(self) -> None:
        require(
            self.total_epsilon <= channel.MAX_TOTAL_EPSILON,
            "total_epsilon_too_large",
            "total_epsilon",
            most=channel.MAX_TOTAL_EPSILON,
            got=decimal_text(self.total_epsilon),
        )
        got, most = self.report_bytes, MAX_REPORT_BYTES
        require(got <= most, "report_too_large", "questions", got=got, most=most)

    def _check_languages(self) -> None:
        for translation in self.translations:
            check_language(translation.language)
        require(
            len(set(self.languages)) == len(self.languages) <= MAX_LANGUAGES,
            "bad_translation.languages",
            "translations",
            most=MAX_LANGUAGES,
            languages=list(self.languages),
        )
        # Building the localized surveys checks the translations.
        self.in_language(self.language)

    @property
    def by_invitation(self) -> bool:
        """Whether only people with a personal link can answer; anybody can test a draft."""
        return self.access == INVITED and not self.test

    @property
    def ticket_groups(self) -> tuple[str, ...]:
        """The groups for which an invited survey has a key each; "" if links set none."""
        return ticket_groups(self.groups, self.test)

    def with_ticket_keys(self, keys: Mapping[str, str]) -> Self:
        """Return the survey as it is published, with a key for each group."""
        return replace(self, ticket_keys=tuple(sorted(keys.items())))

    @property
    def chosen_groups(self) -> Groups | None:
        """The groups that a report names; None if the link decides, or there are none."""
        return self.groups if self.groups and self.groups.by == BY_CHOICE else None

    @property
    def languages(self) -> tuple[str, ...]:
        """All languages of this survey, its own first."""
        return (self.language, *(translation.language for translation in self.translations))

    def in_language(self, language: str) -> LocalizedSurvey:
        """Return the survey's texts in one of its languages, for display only."""
        return self._localized[language]

    @cached_property
    def _localized(self) -> dict[str, LocalizedSurvey]:
        own = LocalizedSurvey(
            language=self.language,
            questions=self.questions,
            groups=self.groups,
            **texts_of(self),
        )
        others = (translate(own, translation) for translation in self.translations)
        return {localized.language: localized for localized in (own, *others)}

    @property
    def asked(self) -> int:
        """How many questions one report is about."""
        return self.ask_each_person or len(self.questions)

    @cached_property
    def total_epsilon(self) -> Decimal:
        """The most that one person can spend: the exact sum of the nominal epsilons (math 6)."""
        largest = sorted((question.epsilon for question in self.questions), reverse=True)
        return sum(largest[: self.asked], Decimal(0))

    @cached_property
    def report_bytes(self) -> int:
        """The length that every report of this survey has on the wire, whatever it says."""
        longest = {question.id: question.mechanism.longest for question in self.questions}
        room_for_null = sum(
            max(0, len("null") - len(canonical.canonical(value))) for value in longest.values()
        )
        group = {"group": self.chosen_groups.codes[0]} if self.chosen_groups else {}
        full = len(canonical.canonical({"fingerprint": "0" * 64, **group, "randomized": longest}))
        return full + (room_for_null if self.ask_each_person else 0)

    @cached_property
    def document(self) -> bytes:
        """The canonical bytes that every respondent gets."""
        return canonical.canonical(
            {
                **self._optional_keys(),
                "candor": FORMAT,
                "slug": self.slug,
                "version": self.version,
                **texts_as_json(self),
                "delete_on": self.delete_on,
                "ask_each_person": self.ask_each_person,
                "access": self.access,
                "questions": [question.as_json() for question in self.questions],
                "total_epsilon": decimal_text(self.total_epsilon),
            }
        )

    def _optional_keys(self) -> dict[str, Any]:
        """Return the optional keys whose values are not the defaults; plain documents have none."""
        ids = [question.id for question in self.questions]
        factors = [factor.id for factor in self.groups.factors] if self.groups else []
        overlays = {item.language: item.as_json(ids, factors) for item in self.translations}
        completion = self.completion.as_json()
        return {
            **({"answer_from": self.answer_from} if self.answer_from else {}),
            **({"ticket_keys": dict(self.ticket_keys)} if self.ticket_keys else {}),
            **({"groups": self.groups.as_json()} if self.groups else {}),
            **({"test": True} if self.test else {}),
            **({"completion": completion} if completion else {}),
            **({"shuffle": True} if self.shuffle else {}),
            **({"language": self.language} if self.language != DEFAULT else {}),
            **({"translations": overlays} if overlays else {}),
        }

    @cached_property
    def fingerprint(self) -> str:
        """The SHA-256 of the document: printed on the page and quoted by every report."""
        return hashlib.sha256(self.document).hexdigest()
