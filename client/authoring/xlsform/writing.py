"""Write a draft as the sheets of an XLSForm; the same survey gives the same cells."""

from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from client.authoring.draft.fields import SURVEY
from client.authoring.draft.kinds import KIND_DECLARATIONS
from client.authoring.draft.survey import build_survey
from client.authoring.xlsform.columns import fields_by_column, known_columns
from client.authoring.xlsform.completion import completion_cells
from client.authoring.xlsform.groups import BY, write_factors
from client.authoring.xlsform.kinds import RANDOMIZE, SHEET_KINDS, Cells
from client.authoring.xlsform.names import SILENCE, YES_NO, choice_names
from client.authoring.xlsform.relevant import Relevant, Term, write_relevant
from client.authoring.xlsform.texts import language_name
from client.core.access import OPEN
from client.core.conditions import Condition
from client.core.kinds import Kind
from client.core.primitives.values import decimal_text
from client.core.question import OPTIONAL_QUESTION_TEXTS, ORDER_KEYS, Question
from client.core.survey import Survey
from client.core.translation import DEFAULT, TEXT_RULES, LocalizedSurvey


class Writing:
    """The sheets of one survey. Texts come from the survey, budgets from the draft."""

    def __init__(self, draft: dict[str, Any]) -> None:
        self.draft = draft
        self.survey: Survey = build_survey(draft)
        self.localizations = [self.survey.in_language(name) for name in self.survey.languages]
        self.lists: dict[str, list[Cells]] = {}

    def sheets(self) -> dict[str, list[Cells]]:
        """Return the rows of each sheet, in the order in which they are written."""
        questions = [self._question(number) for number in range(len(self.survey.questions))]
        factors = write_factors(self.localizations, self._texts, self._named_list)
        choices = [row for rows in self.lists.values() for row in rows]
        return {
            "survey": questions,
            "choices": choices,
            "settings": [self._settings()],
            **({"groups": factors} if factors else {}),
        }

    def headings(self, sheet: str, rows: list[Cells]) -> list[str]:
        """Return the used headings in their usual order, one per language if there are several."""
        used = {heading for row in rows for heading in row}
        possible = [
            heading for base in known_columns(sheet) for heading in self._variants(sheet, base)
        ]
        return [heading for heading in dict.fromkeys(possible) if heading in used]

    def _heading(self, base: str, localized: LocalizedSurvey) -> str:
        alone = len(self.localizations) == 1
        return base if alone else f"{base}::{language_name(localized.language)}"

    def _variants(self, sheet: str, base: str) -> list[str]:
        """Return a heading in each language that it may be in."""
        in_language = self._setting_heading if sheet == "settings" else self._heading
        return [base, *(in_language(base, one) for one in self.localizations)]

    def _setting_heading(self, base: str, localized: LocalizedSurvey) -> str:
        """Return a heading such as `form_title (de)`: the standard knows no `::` in settings."""
        is_own = localized.language == self.survey.language
        return base if is_own else f"{base} ({localized.language})"

    def _texts(self, base: str, text_of: Callable[[LocalizedSurvey], str]) -> Cells:
        return _given({self._heading(base, one): text_of(one) for one in self.localizations})

    def _settings(self) -> Cells:
        survey = self.survey
        is_named = len(self.localizations) > 1 or survey.language != DEFAULT
        plain = {
            "form_id": survey.slug,
            "default_language": language_name(survey.language) if is_named else "",
            "delete_on": survey.delete_on,
            "epsilon": _written(self.draft, "epsilon"),
            "total_epsilon": _written(self.draft, "total_epsilon"),
            "ask_each_person": str(survey.ask_each_person or ""),
            BY: survey.groups.by if survey.groups else "",
            "access": survey.access if survey.access != OPEN else "",
            "answer_from": survey.answer_from or "",
            "shuffle": "true" if survey.shuffle else "",
        }
        return {
            **self._survey_texts(),
            **_given(plain),
            **completion_cells(survey),
        }

    def _survey_texts(self) -> Cells:
        cells: Cells = {}
        for name in TEXT_RULES:
            for one in self.localizations:
                heading = self._setting_heading(SURVEY[name].column or name, one)
                cells |= _given({heading: attrgetter(name)(one)})
        return cells

    def _question(self, number: int) -> Cells:
        question, draft = self.survey.questions[number], self.draft["questions"][number]
        kind = question.kind
        plain = {"name": question.id, "required": "yes", "relevant": self._relevant(question)}
        plain |= {"reverse": "true"} if question.reverse else {}
        budget = {
            name: _written(draft, name) for name in ("epsilon", "weight", "mechanism", "max_bits")
        }
        texts: Cells = {}
        elsewhere = {*budget, *OPTIONAL_QUESTION_TEXTS, *ORDER_KEYS}
        for column, name, field in fields_by_column(KIND_DECLARATIONS[kind.name].fields):
            if name in question.texts:
                texts |= self._question_texts(number, column, name)
            elif column == name and name not in elsewhere and getattr(kind, name) != field.default:
                plain[column] = str(getattr(kind, name))
        shape = SHEET_KINDS[kind.name].write(kind, lambda field: self._list(field, number))
        if question.shuffle:
            shape["parameters"] = RANDOMIZE
        return {
            **_given(plain),
            **_given(shape),
            **texts,
            **_given(budget),
        }

    def _question_texts(self, number: int, column: str, name: str) -> Cells:
        return self._texts(column, lambda one: str(one.questions[number].texts[name]))

    def _list(self, field: str, number: int) -> str:
        """Write a list of options under a free name and return it; yes/no lists are shared."""
        question = self.survey.questions[number]
        lists = [getattr(one.questions[number].kind, field) for one in self.localizations]
        yes_no = SHEET_KINDS[question.kind.name].is_yes_no
        if yes_no:
            return self._named_list("yes_no", list(YES_NO[0]), lists, shared=True)
        own = question.id if field == "options" else f"{question.id}_{field}"
        return self._named_list(own, choice_names(lists[0]), lists, question.anchored)

    def _named_list(
        self,
        free: str,
        names: Sequence[str],
        lists: Sequence[tuple[str, ...]],
        anchored: Sequence[int] = (),
        shared: bool = False,
    ) -> str:
        rows = [
            {
                "name": names[i],
                **self._labels([labels[i] for labels in lists]),
                **({"anchored": "yes"} if i in anchored else {}),
            }
            for i in range(len(names))
        ]
        while free in self.lists and (not shared or not _same(self.lists[free], rows)):
            free += "_"
        self.lists[free] = [{"list_name": free, **row} for row in rows]
        return free

    def _labels(self, labels: list[str]) -> Cells:
        pairs = zip(self.localizations, labels, strict=True)
        return {self._heading("label", one): label for one, label in pairs}

    def _relevant(self, question: Question) -> str:
        rule = question.show_if
        if rule is None:
            return ""
        kinds = {item.id: item.kind for item in self.survey.questions}
        terms = [_term(each, kinds[each.question]) for each in rule.conditions]
        return write_relevant(Relevant(tuple(terms), rule.joined))


def _term(condition: Condition, decider: Kind) -> Term:
    if condition.levels is None or decider.grid is None:
        names = _option_names(decider)
        return Term(condition.question, tuple(names[option] for option in condition.options))
    ends = (decimal_text(decider.grid.value(level)) for level in condition.levels)
    return Term(condition.question, bounds=tuple(zip((">=", "<="), ends, strict=True)))


def _option_names(kind: Kind) -> list[str]:
    """Return a name for each option of a question, in the order of their numbers."""
    silence = [name for name in SILENCE if getattr(kind, name)]
    return [*SHEET_KINDS[kind.name].option_names(kind), *silence]


def _same(rows: list[Cells], others: list[Cells]) -> bool:
    return [{**row, "list_name": ""} for row in rows] == [
        {**row, "list_name": ""} for row in others
    ]


def _written(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    return "" if value is None else str(value)


def _given(cells: Cells) -> Cells:
    return {heading: text for heading, text in cells.items() if text}
