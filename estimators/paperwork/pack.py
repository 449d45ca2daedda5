"""The ethics pack of a survey: five texts, what is to be filled in, and their literature."""

from dataclasses import dataclass
from functools import cached_property

from client.core.survey import Survey
from estimators.paperwork.catalogue import cited_in, template
from estimators.paperwork.figures import Figures
from estimators.paperwork.page import html_page
from estimators.paperwork.plan import StudyPlan
from estimators.paperwork.template import blanks_in, escape, fill, one_line

CONSENT = "consent"
# The parts in their order: the names of their templates, and their titles.
PARTS = {
    CONSENT: "Consent text",
    "review": "Ethics review (IRB)",
    "data_protection": "Data protection statement",
    "preregistration": "Preregistration",
    "methods": "Methods section",
}


@dataclass(frozen=True)
class Paperwork:
    """The texts about one survey and the study that is planned with it."""

    survey: Survey
    plan: StudyPlan
    # Whether this is the document that people answer, so that its fingerprint is final.
    is_published: bool = False
    # The number of reports, once it is known.
    reports: int | None = None

    @cached_property
    def figures(self) -> Figures:
        return Figures(self.survey, self.plan, self.is_published, self.reports, escape)

    @cached_property
    def parts(self) -> dict[str, str]:
        """The Markdown of every part, by its name."""
        values, conditions = self.figures.values, self.figures.conditions
        return {name: fill(template(name), values, conditions) for name in PARTS}

    @property
    def consent(self) -> str:
        """The consent text as it can stand in the survey's field, where nothing is escaped."""
        plain = Figures(self.survey, self.plan, self.is_published, self.reports, one_line)
        return fill(template(CONSENT), plain.values, plain.conditions)

    @property
    def blanks(self) -> dict[str, list[str]]:
        """What a person has to fill in, each with the names of the parts in which it stands."""
        found: dict[str, list[str]] = {}
        for name, text in self.parts.items():
            for what in blanks_in(text):
                found.setdefault(what, []).append(name)
        return found

    @property
    def literature(self) -> list[str]:
        return cited_in("\n".join(self.parts.values()))

    @cached_property
    def markdown(self) -> str:
        """The whole pack as one Markdown text."""
        listed = (
            f"- {what} ({', '.join(PARTS[name] for name in names)})"
            for what, names in self.blanks.items()
        )
        values = {**self.figures.values, "blanks": "\n".join(listed)}
        sections = (
            f"## {number}. {PARTS[name]}\n\n{text}"
            for number, (name, text) in enumerate(self.parts.items(), start=1)
        )
        entries = "\n".join(f"- {entry}" for entry in self.literature)
        return "\n".join(
            (
                fill(template("front"), values, self.figures.conditions),
                *sections,
                f"## Literature\n\n{entries}\n",
            )
        )

    @property
    def html(self) -> str:
        """The whole pack as one HTML page."""
        return html_page(f"Paperwork: {self.survey.title}", self.markdown)
