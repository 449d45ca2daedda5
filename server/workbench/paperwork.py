"""The Paperwork tab: the ethics pack of a survey, to read and to download."""

from flask import Response, request
from flask.typing import ResponseReturnValue
from wtforms import FloatField, Form, IntegerField
from wtforms.validators import NumberRange, Optional

from estimators.paperwork.pack import Paperwork
from estimators.paperwork.page import html_body
from estimators.paperwork.plan import DIFFERENCE, POWER, StudyPlan
from server.lifecycle.export import file_stem
from server.results.downloads import download
from server.store import reading
from server.surveys.schedule import MOST_REPORTS
from server.web.services import services
from server.workbench.blueprint import workbench
from server.workbench.rendering import render_tab

TYPES = {"md": "text/markdown", "html": "text/html"}


class PlanForm(Form):  # type: ignore[misc]
    """What is planned with the survey; sent by GET without a token."""

    respondents = IntegerField(
        "Planned respondents",
        [Optional(), NumberRange(2, MOST_REPORTS)],
        description="Leave empty to fill it in later; the figures are then for 1,000.",
        render_kw={"autocomplete": "off"},
    )
    difference = FloatField(
        "Difference between two groups, in points",
        [NumberRange(0.1, 99)],
        default=round(100 * DIFFERENCE),
        render_kw={"autocomplete": "off", "inputmode": "decimal"},
    )
    power = FloatField(
        "Power, %",
        [NumberRange(1, 99.9)],
        default=round(100 * POWER),
        description="The chance of finding that difference.",
        render_kw={"autocomplete": "off", "inputmode": "decimal"},
    )

    @property
    def address(self) -> dict[str, float]:
        """What was entered, for links to the same plan."""
        return {name: value for name, value in self.data.items() if value is not None}

    @property
    def plan(self) -> StudyPlan:
        return StudyPlan(self.respondents.data, self.difference.data / 100, self.power.data / 100)


@workbench.get("/surveys/<slug>/paperwork")
def paperwork(slug: str) -> ResponseReturnValue:
    form = PlanForm(request.args)
    return _page(slug, form) if form.validate() else (_page(slug, form), 400)


@workbench.get("/surveys/<slug>/paperwork.<any(md, html):markup>")
def paperwork_file(slug: str, markup: str) -> ResponseReturnValue:
    form = PlanForm(request.args)
    if not form.validate():
        return _page(slug, form), 400
    return pack_file(_pack(slug, form), markup)


@workbench.get("/surveys/<slug>/consent.md")
def consent_file(slug: str) -> ResponseReturnValue:
    pack = _pack(slug, PlanForm())
    return download(pack.consent, TYPES["md"], f"{file_stem(pack.survey)}-consent.md")


def pack_file(pack: Paperwork, markup: str) -> Response:
    """Return a pack as a file to save, `md` or `html`."""
    content = pack.markdown if markup == "md" else pack.html
    stem = file_stem(pack.survey) if pack.is_published else f"{pack.survey.slug}-draft"
    return download(content, TYPES[markup], f"{stem}-paperwork.{markup}")


def _page(slug: str, form: PlanForm) -> str:
    pack = None if form.errors else _pack(slug, form)
    preview = "" if pack is None else html_body(pack.markdown, deeper=2)
    return render_tab("paperwork.html", slug, form=form, pack=pack, preview=preview)


def _pack(slug: str, form: PlanForm) -> Paperwork:
    published = reading.newest(services().database.reader, slug)
    # A number that still grows belongs into no methods section.
    reports = None if published.digest is None else published.reports
    return Paperwork(published.survey, form.plan, is_published=True, reports=reports)
