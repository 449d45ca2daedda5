"""A survey's own figures for the templates: values to fill in, and conditions.

Odds, levels and guesses are worded as respondents read them.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from client import __version__
from client.core.completion import NO_PANEL
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import Survey
from client.wording.catalogue import ENGLISH
from client.wording.levels import is_weak, level_name
from client.wording.mechanisms import sends
from client.wording.odds import odds_sentences
from estimators import least_shown
from estimators.confidence import CONFIDENCE
from estimators.paperwork.catalogue import METHODS
from estimators.paperwork.plan import StudyPlan
from estimators.paperwork.template import blank, blanks_in, table
from estimators.planning.survey_plan import range_of
from estimators.planning.timing import timing_sentence
from estimators.planning.wording import margin_text, silence_assumed


@dataclass(frozen=True)
class Figures:
    """The figures of one survey and of the study that is planned with it."""

    survey: Survey
    plan: StudyPlan
    # Whether this is the document that people answer, so that its fingerprint is final.
    is_published: bool
    # The number of reports, once it is known.
    reports: int | None
    # Makes an author's text part of a Markdown line.
    written: Callable[[str], str]

    @property
    def conditions(self) -> dict[str, bool]:
        survey = self.survey
        declinable = len(self._declinable)
        are_means = [range_of(question.mechanism) is not None for question in survey.questions]
        return {
            "asks_some": survey.ask_each_person > 0,
            "assumes_silence": bool(self._silence_assumed),
            "by_invitation": survey.by_invitation,
            "has_groups": survey.groups is not None,
            "people_choose": survey.chosen_groups is not None,
            "links_choose": survey.groups is not None and survey.chosen_groups is None,
            "has_panel": survey.completion != NO_PANEL,
            "can_decline": declinable > 0,
            "can_decline_all": declinable == len(survey.questions),
            "can_decline_some": 0 < declinable < len(survey.questions),
            "can_skip": any(question.show_if for question in survey.questions),
            "has_means": any(are_means),
            "has_one_question": len(survey.questions) == 1,
            "has_reports": bool(self.reports),
            "has_shares": not all(are_means),
            "is_planned": self.plan.respondents is not None,
            "is_published": self.is_published,
            "is_test": survey.test,
            "is_weak": is_weak(survey.total_epsilon),
        }

    @cached_property
    def values(self) -> dict[str, str]:
        return {**self._texts, **self._promise, **self._planned}

    @property
    def _declinable(self) -> list[Question]:
        return [question for question in self.survey.questions if question.kind.decline]

    @property
    def _silence_assumed(self) -> str:
        return silence_assumed(*(question.mechanism for question in self.survey.questions))

    @property
    def _texts(self) -> dict[str, str]:
        """What the survey says about itself."""
        survey = self.survey
        return {
            "title": self.written(survey.title),
            "organizer": self._said(survey.organizer, "who conducts the survey"),
            "contact": self._said(survey.contact, "name and contact of the person responsible"),
            "ethics_reference": self._said(
                survey.ethics_reference, "ethics board and reference number"
            ),
            "slug": survey.slug,
            "version": str(survey.version),
            "questions": f"{len(survey.questions):,}",
            "asked": f"{survey.asked:,}",
            "decline": self.written(next((q.kind.decline for q in self._declinable), "")),
            "decline_count": f"{len(self._declinable):,}",
            "groups": self._groups,
            "deletion_day": survey.delete_on or blank("the day of deletion"),
            "fingerprint": f"`{survey.fingerprint}`"
            if self.is_published
            else blank("the fingerprint of the published survey"),
            "reports": blank("the number of reports")
            if self.reports is None
            else f"{self.reports:,}",
            "software": __version__,
            "public_minimum": str(least_shown.PUBLIC),
            "group_minimum": str(least_shown.IN_GROUP),
        }

    def _said(self, text: str, what: str) -> str:
        """Return what the survey says, or a blank where it says nothing or has a blank itself."""
        return blank(what) if not text or blanks_in(text) else self.written(text)

    @property
    def _groups(self) -> str:
        """The factors with their levels, which are sent as they are."""
        factors = self.survey.groups.factors if self.survey.groups else ()
        return "; ".join(
            self.written(f"{factor.prompt} ({', '.join(factor.labels)})") for factor in factors
        )

    @property
    def _promise(self) -> dict[str, str]:
        """How much a report can reveal, in figures and in words."""
        survey, total = self.survey, self.survey.total_epsilon
        used = dict.fromkeys(question.mechanism.name for question in survey.questions)
        # Named as the page names them, which a weak survey makes less comforting.
        seen = (f"- {who}: {answer}" for who, answer in ENGLISH.consequences(total))
        return {
            "total": decimal_text(total),
            "factor": factor_text(math.exp(total)),
            "level": level_name(total),
            "guess": ENGLISH.best_guess(total),
            "whole_survey": ENGLISH.whole_survey(survey.asked, total),
            "level_sentence": ENGLISH.level_sentence(total),
            "process": ENGLISH.process(total),
            "consequences": "\n".join(seen),
            "epsilons": self._epsilons,
            "mechanisms": " ".join(METHODS[name] for name in used),
            "questions_table": table(
                ("question", "epsilon", "what is sent", "the odds, as respondents read them"),
                [
                    (
                        self.written(question.prompt),
                        decimal_text(question.epsilon),
                        sends(question.mechanism),
                        self.written(" ".join(odds_sentences(question, ENGLISH))),
                    )
                    for question in survey.questions
                ],
            ),
        }

    @property
    def _epsilons(self) -> str:
        found = [question.epsilon for question in self.survey.questions]
        low, high = decimal_text(min(found)), decimal_text(max(found))
        return low if low == high else f"{low} to {high}"

    @property
    def _planned(self) -> dict[str, str]:
        """The planned study: margins and power."""
        plan, rows = self.plan, self.plan.question_rows(self.survey)
        first, second = plan.shares
        return {
            "clock": timing_sentence(self.survey, plan.n),
            "confidence": f"{100 * CONFIDENCE:g}",
            "silence_assumed": self._silence_assumed,
            "level_of_test": f"{100 * (1 - CONFIDENCE):.3g}",
            "respondents": f"{plan.n:,}",
            "respondents_plain": str(plan.n),
            "per_group": f"{plan.per_group:,}",
            "per_group_plain": str(plan.per_group),
            "first": f"{100 * first:g} %",
            "second": f"{100 * second:g} %",
            "first_plain": f"{first:g}",
            "second_plain": f"{second:g}",
            "power": f"{100 * plan.power:g} %",
            "margins_table": table(
                ("question", "epsilon", f"margin with {plan.n:,} respondents", "as precise as"),
                [
                    self._row(question, row, margin_text(question, row["margin"]), _worth(row))
                    for question, row in zip(self.survey.questions, rows, strict=True)
                ],
            ),
            "power_table": table(
                ("question", "epsilon", "power", "respondents per group"),
                [
                    self._row(
                        question,
                        row,
                        _power(row),
                        f"{row['respondents_per_group']:,}",
                    )
                    for question, row in zip(self.survey.questions, rows, strict=True)
                    if "power" in row
                ],
            ),
        }

    def _row(self, question: Question, row: dict[str, Any], *figures: str) -> tuple[str, ...]:
        return (self.written(question.prompt), row["epsilon"], *figures)


def factor_text(factor: float) -> str:
    """Return how many times as likely, rounded up: "no more than" must stay true."""
    decimals = max(0, 2 - math.floor(math.log10(factor)))
    return f"{math.ceil(factor * 10**decimals) / 10**decimals:,.{decimals}f}"


def _worth(row: dict[str, Any]) -> str:
    direct = round(row["effective_n"])
    if direct < 1:
        return "less than 1 direct answer"
    return f"{direct:,} direct answer{'' if direct == 1 else 's'}"


def _power(row: dict[str, Any]) -> str:
    # No power is a certainty.
    return f"{100 * row['power']:.1f} %" if row["power"] < 0.9995 else "over 99.9 %"
