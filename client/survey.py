"""Question and Survey: the published questionnaire, its canonical document and its fingerprint.

Validated at birth: a survey that promises more than it keeps cannot be made, so nothing later has
to check again. `document.js` has the same rules for the browser.
"""

import hashlib
import re
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from typing import Any

from client import channel, strict
from client.mechanisms import TwoLevel
from client.refusal import Refusal, require

FORMAT = 1
MAX_QUESTIONS = 100
MAX_TEXT = 2000

SLUG = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")
QUESTION_ID = re.compile(r"[a-z][a-z0-9_]{0,31}")
DAY = re.compile(r"[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])")
# Control characters never belong in a text; neither do half surrogates, which are not UTF-8, nor
# the byte order mark, which is blank in one of our languages and not in the other.
_CONTROL = re.compile(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufeff]")


@dataclass(frozen=True)
class Question:
    """One question with the mechanism that protects it. Options are numbered from 0."""

    id: str
    kind: str
    prompt: str
    options: tuple[str, ...]
    epsilon: Decimal
    mechanism: TwoLevel

    def __post_init__(self) -> None:
        check_pattern(
            self.id,
            QUESTION_ID,
            "id",
            "lower-case letters, digits and _, at most 32, a letter first",
        )
        check_text(self.prompt, f"{self.id}.prompt")
        require(
            self.kind == "yes_no",
            "unknown_kind",
            f"{self.id}.kind must be yes_no, got {self.kind!r}",
            self.id,
        )
        for label in self.options:
            check_text(label, f"{self.id}.options")
        require(
            len(self.options) == 2 and self.options[0] != self.options[1],
            "bad_options",
            f"{self.id}.options must be two different labels, the one for no first",
            self.id,
        )
        near, far = self.mechanism.near, self.mechanism.far
        channel.check_threshold(self.mechanism.threshold, self.epsilon, near, far, self.id)

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "kind": self.kind,
            "prompt": self.prompt,
            "options": list(self.options),
            "epsilon": channel.decimal_text(self.epsilon),
            "mechanism": {"name": self.mechanism.name, "threshold": self.mechanism.threshold},
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
    delete_on: str = ""

    def __post_init__(self) -> None:
        check_pattern(
            self.slug, SLUG, "slug", "lower-case letters, digits and inner hyphens, at most 63"
        )
        require(
            type(self.version) is int and 1 <= self.version <= 10**6,
            "bad_version",
            f"version must be an integer from 1 to 1000000, got {self.version!r}",
            "version",
        )
        check_text(self.title, "title")
        check_text(self.intro, "intro", required=False)
        check_text(self.organizer, "organizer", required=False)
        if self.delete_on != "":
            check_pattern(self.delete_on, DAY, "delete_on", "a day such as 2027-06-30")
        self._check_questions()

    def _check_questions(self) -> None:
        require(
            1 <= len(self.questions) <= MAX_QUESTIONS,
            "bad_questions",
            f"a survey has between 1 and {MAX_QUESTIONS} questions, got {len(self.questions)}",
            "questions",
        )
        ids = [question.id for question in self.questions]
        for id in ids:
            require(ids.count(id) == 1, "repeated_question", f"the id {id!r} stands twice", id)
        require(
            self.total_epsilon <= channel.MAX_TOTAL_EPSILON,
            "total_epsilon_too_large",
            f"total_epsilon must be at most {channel.MAX_TOTAL_EPSILON}, "
            f"got {channel.decimal_text(self.total_epsilon)}",
            "total_epsilon",
        )

    @cached_property
    def total_epsilon(self) -> Decimal:
        """What one person spends: the exact sum of the nominal epsilons (math 6)."""
        return sum((question.epsilon for question in self.questions), Decimal(0))

    @cached_property
    def document(self) -> bytes:
        """The canonical bytes that everybody gets."""
        return strict.canonical(
            {
                "candor": FORMAT,
                "slug": self.slug,
                "version": self.version,
                "title": self.title,
                "intro": self.intro,
                "organizer": self.organizer,
                "delete_on": self.delete_on,
                "questions": [question.as_json() for question in self.questions],
                "total_epsilon": channel.decimal_text(self.total_epsilon),
            }
        )

    @cached_property
    def fingerprint(self) -> str:
        """SHA-256 of the document: printed on the page, quoted by every report."""
        return hashlib.sha256(self.document).hexdigest()


def check_pattern(value: object, pattern: re.Pattern[str], field: str, rule: str) -> None:
    """A short name with a fixed alphabet."""
    if not isinstance(value, str) or not pattern.fullmatch(value):
        raise Refusal(f"bad_{field}", f"{field} must be {rule}, got {str(value)[:80]!r}", field)


def check_text(value: object, field: str, required: bool = True) -> None:
    """A text for people: not empty, not endless, no control characters but the line break."""
    if not isinstance(value, str):
        raise Refusal("not_text", f"{field} must be text, got {strict.kind(value)}", field)
    require(
        len(value) <= MAX_TEXT,
        "text_too_long",
        f"{field} must have at most {MAX_TEXT} characters, got {len(value)}",
        field,
    )
    require(
        not _CONTROL.search(value),
        "control_character",
        f"{field} must not contain control characters",
        field,
    )
    require(bool(value.strip()) or not required, "empty_text", f"{field} must not be empty", field)
