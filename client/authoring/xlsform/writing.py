"""A draft becomes the three sheets of an XLSForm: the same survey gives the same cells."""

from collections.abc import Callable
from typing import Any

from client.authoring.draft.survey import build_survey
from client.authoring.xlsform import types
from client.authoring.xlsform.columns import KNOWN
from client.authoring.xlsform.expressions import write_bounds, write_count, write_relevant
from client.authoring.xlsform.names import choice_names, option_names
from client.authoring.xlsform.texts import language_name
from client.core.kinds import MEAN, SHARES, AnyOf, Cross, Number, OneOf, Scale, YesNo
from client.core.primitives.values import decimal_text
from client.core.question import Question
from client.core.survey import BY_TICKET, Survey
from client.core.translation import DEFAULT, LocalizedSurvey

Cells = dict[str, str]


class Writing:
    """The sheets of one survey. Texts come from the survey, the budget from its draft."""

    def __init__(self, draft: dict[str, Any]) -> None:
        self.draft = draft
        self.survey: Survey = build_survey(draft)
        self.tellings = [self.survey.in_language(name) for name in self.survey.languages]
        self.lists: dict[str, list[Cells]] = {}

    def sheets(self) -> dict[str, list[Cells]]:
        """The rows of each sheet, in the order in which they are written."""
        questions = [self._question(number) for number in range(len(self.survey.questions))]
        choices = [row for rows in self.lists.values() for row in rows]
        return {"survey": questions, "choices": choices, "settings": [self._settings()]}

    def headings(self, sheet: str, rows: list[Cells]) -> list[str]:
        """Those that are used, in their usual order, one per language where there are several."""
        used = {heading for row in rows for heading in row}
        possible = [
            heading
            for base in KNOWN[sheet]
            for heading in (base, *(self._heading(base, telling) for telling in self.tellings))
        ]
        return [heading for heading in dict.fromkeys(possible) if heading in used]

    def _heading(self, base: str, telling: LocalizedSurvey) -> str:
        alone = len(self.tellings) == 1
        return base if alone else f"{base}::{language_name(telling.language)}"

    def _texts(self, base: str, tell: Callable[[LocalizedSurvey], str]) -> Cells:
        told = {self._heading(base, telling): tell(telling) for telling in self.tellings}
        return {heading: text for heading, text in told.items() if text}

    def _settings(self) -> Cells:
        survey = self.survey
        said = len(self.tellings) > 1 or survey.language != DEFAULT
        plain = {
            "form_id": survey.slug,
            "default_language": language_name(survey.language) if said else "",
            "delete_on": survey.delete_on,
            "epsilon": _written(self.draft, "epsilon"),
            "total_epsilon": _written(self.draft, "total_epsilon"),
            "ask_each_person": str(survey.ask_each_person or ""),
            "drawn_by": survey.drawn_by if survey.drawn_by != BY_TICKET else "",
        }
        return {
            **self._texts("form_title", lambda told: told.title),
            **self._texts("intro", lambda told: told.intro),
            **self._texts("organizer", lambda told: told.organizer),
            **_given(plain),
        }

    def _question(self, number: int) -> Cells:
        question, draft = self.survey.questions[number], self.draft["questions"][number]
        plain = {"name": question.id, "required": "yes", "relevant": self._relevant(question)}
        budget = {
            name: _written(draft, name) for name in ("epsilon", "weight", "mechanism", "max_bits")
        }
        texts = [
            self._kind_texts(number, name)
            for name in question.kind.text_fields
            if name not in ("options", "rows", "columns")
        ]
        return {
            **_given(plain),
            **self._texts("label", lambda told: told.questions[number].prompt),
            **_given(self._kind(question, number)),
            **{heading: text for told in texts for heading, text in told.items()},
            **_given(budget),
        }

    def _kind_texts(self, number: int, name: str) -> Cells:
        return self._texts(name, lambda told: str(getattr(told.questions[number].kind, name)))

    def _kind(self, question: Question, number: int) -> Cells:
        kind, id = question.kind, question.id
        match kind:
            case YesNo() | OneOf():
                name = self._list(id, "options", number, isinstance(kind, YesNo))
                return {"type": f"{types.CHOICES} {name}"}
            case AnyOf():
                limit = write_count(str(kind.at_most)) if kind.at_most else ""
                name = self._list(id, "options", number)
                return {"type": f"{types.BOXES} {name}", "constraint": limit}
            case Scale():
                shape = f"start={kind.lo} end={kind.hi} step=1"
                goal = kind.goal if kind.goal != SHARES else ""
                return {"type": types.RANGE, "parameters": shape, "goal": goal}
            case Number():
                return _number(kind)
            case Cross():
                rows = self._list(f"{id}_rows", "rows", number)
                columns = self._list(f"{id}_columns", "columns", number)
                return {"type": f"{types.CROSS} {rows} {columns}"}
        raise TypeError(f"no type is known for {kind}")

    def _list(self, name: str, field: str, number: int, yes_no: bool = False) -> str:
        """A list of options under a free name; lists for yes and no are shared."""
        told = [getattr(telling.questions[number].kind, field) for telling in self.tellings]
        names = choice_names(told[0], yes_no)
        rows = [
            {"name": names[i], **self._labels([labels[i] for labels in told])}
            for i in range(len(names))
        ]
        free = "yes_no" if yes_no else name
        while free in self.lists and (not yes_no or not _same(self.lists[free], rows)):
            free += "_"
        self.lists[free] = [{"list_name": free, **row} for row in rows]
        return free

    def _labels(self, labels: list[str]) -> Cells:
        pairs = zip(self.tellings, labels, strict=True)
        return {self._heading("label", telling): label for telling, label in pairs}

    def _relevant(self, question: Question) -> str:
        rule = question.show_if
        if rule is None:
            return ""
        decider = next(item for item in self.survey.questions if item.id == rule.question)
        names = option_names(decider.kind)
        return write_relevant(rule.question, [names[option] for option in rule.options])


def _number(kind: Number) -> Cells:
    lo, hi, step = (decimal_text(value) for value in (kind.lo, kind.hi, kind.step))
    whole = "." not in lo + hi + step
    return {
        "type": types.WHOLE if whole else types.DECIMAL,
        "constraint": write_bounds(lo, hi),
        "parameters": "" if whole and step == "1" else f"step={step}",
        "goal": kind.goal if kind.goal != MEAN else "",
    }


def _same(rows: list[Cells], others: list[Cells]) -> bool:
    return [{**row, "list_name": ""} for row in rows] == [
        {**row, "list_name": ""} for row in others
    ]


def _written(fields: dict[str, Any], name: str) -> str:
    value = fields.get(name)
    return "" if value is None else str(value)


def _given(cells: Cells) -> Cells:
    return {heading: text for heading, text in cells.items() if text}
