"""The Compare and Cross-table tabs: a question by groups, and two questions of the same people."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from typing import Any, TypeVar
from urllib.parse import urlencode

from flask import request
from flask.typing import ResponseReturnValue

from client.core.groups import Factor
from client.core.primitives.refusal import Refusal, require
from client.core.question import Question
from client.core.survey import Survey
from estimators.compare import words
from estimators.confidence import CONFIDENCE
from estimators.counting.tally import Tally, sum_tallies
from estimators.cross.crossing import is_table
from estimators.cross.table import CrossTable
from estimators.cross.words import sentences
from estimators.plots.cross_panel import CrossPanel, cross_panel
from estimators.plots.forest_panel import forest_panel
from estimators.plots.panels import ForestPanel
from server.results.analysis import compare_groups, cross_questions
from server.results.downloads import TYPES, download, draw_figure, file_name
from server.results.figures import MOST_BARS
from server.results.shown import ShownResults, live_results
from server.store.results import read_groups
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.groups import label_of, selections_by_factor, shown_codes
from server.web.languages import percent, say
from server.web.limits import READERS
from server.web.requests import whole_number
from server.web.services import services
from server.workbench.blueprint import workbench
from server.workbench.rendering import render_tab

Found = TypeVar("Found")


@workbench.get("/surveys/<slug>/compare")
@READERS
def compare(slug: str) -> ResponseReturnValue:
    """Show one question in all groups that may be shown, and how they differ."""
    shown = _shown(slug)
    factors = {factor.id: factor.prompt for factor in _factors(shown.survey)}
    by = _given("by") if _given("by") in factors else None
    groups = _groups(shown.survey, by)
    question = _question(shown.survey, "question") or shown.survey.questions[0]
    options = question.options if question.kind.grid is None else ()
    # If another question has been chosen since, all of its options are compared.
    option = _given("option") if _given("option") in options else None
    # A table of very many options helps nobody.
    is_long = len(options) > MOST_BARS and option is None
    tallies = tuple((name, own[question.id]) for name, own in groups.items())
    # If it is compared by something else since, each group is compared with every other.
    reference = _given("reference") if _given("reference") in groups else None
    found, wrong = None, ""
    if len(groups) > 1 and not is_long:
        found, wrong = _tried(lambda: compare_groups(question, tallies, option, reference))
    if "format" in request.args:
        panel = None if found is None else forest_panel(found, question.prompt)
        return _figure(shown, panel, f"compare-{question.id}")
    return _page(
        "compare.html",
        shown,
        wrong,
        question=question,
        options=_labels(options),
        option=option,
        factors=factors,
        by=by,
        groups=_labels(name for name, _ in tallies),
        reference=reference,
        is_long=is_long,
        found=found,
        words=words,
    )


@workbench.get("/surveys/<slug>/cross")
@READERS
def cross_table(slug: str) -> ResponseReturnValue:
    """Show two questions of the same people, or one question that asks about both."""
    shown = _shown(slug)
    first, second = _side(shown.survey, "first"), _side(shown.survey, "second")
    found, wrong = None, ""
    if first is not None and shown.n:
        names = first.name, second.name if second else None
        found, wrong = _tried(lambda: cross_questions(services().database, shown, *names))
    table = None if found is None else _titled(found, first, second)
    if "format" in request.args:
        return _figure(shown, None if table is None else cross_panel(table), "cross")
    return _page(
        "cross.html",
        shown,
        wrong,
        first=first,
        second=second,
        table=table,
        sentences=sentences(found) if found else [],
        has_tables=any(map(is_table, shown.survey.questions)),
    )


@dataclass(frozen=True)
class Side:
    """One side of a table: a question, and the part of it that the side is about, if any."""

    question: Question
    part: str

    @property
    def name(self) -> str:
        """The side as a cross-table names it."""
        return f"{self.question.id}:{self.part}" if self.part else self.question.id

    @property
    def title(self) -> str:
        return f"{self.question.prompt} ({self.part})" if self.part else self.question.prompt


def _side(survey: Survey, name: str) -> Side | None:
    question = _question(survey, name)
    return None if question is None else Side(question, _given(f"{name}_part") or "")


def _titled(table: CrossTable, *sides: Side | None) -> CrossTable:
    """Return the table with the questions themselves in place of their names."""
    titles = {side.name: side.title for side in sides if side is not None}
    first, second = (titles.get(name, name) for name in (table.first, table.second))
    return replace(table, first=first, second=second)


def _shown(slug: str) -> ShownResults:
    return live_results(services().database, slug, whole_number(request, "version"))


def _given(name: str) -> str | None:
    return request.args.get(name, "").strip() or None


def _question(survey: Survey, name: str) -> Question | None:
    """Return the question that the address names; None if it names none."""
    id = _given(name)
    found = [question for question in survey.questions if question.id == id]
    require(id is None or bool(found), "unknown_question", id or "")
    return found[0] if found else None


def _labels(names: Iterable[str]) -> dict[str, str]:
    """Return what a list to choose from offers: each name, shown as it is."""
    return {name: name for name in names}


def _factors(survey: Survey) -> tuple[Factor, ...]:
    """Return the factors by which groups can be compared in another way than all at once."""
    factors = survey.groups.factors if survey.groups else ()
    return factors if len(factors) > 1 else ()


def _groups(survey: Survey, by: str | None) -> dict[str, dict[str, Tally]]:
    """Return the tallies of all groups that may be shown, or of each level of a factor, by label.

    Those of a level are sums over its groups that may be shown, and so tell nothing new.
    """
    found = read_groups(services().database.reader, survey.slug, survey.version)
    none, groups = say("results.groups.none"), survey.groups
    if groups is None or by is None:
        return {label_of(groups, code) or none: own for code, own in found.items()}
    levels = {
        level.label(groups): [found[code] for code in shown_codes(groups, level, found)]
        for level in selections_by_factor(groups)[by]
    }
    return {label: sum_tallies(parts) for label, parts in levels.items() if parts}


def _tried(compute: Callable[[], Found]) -> tuple[Found | None, str]:
    """Return what is computed, or the sentence that says why it cannot be."""
    try:
        return compute(), ""
    except Refusal as refusal:
        if refusal.code == "analysis_busy":
            raise
        return None, refusal.sentence("workbench")


def _figure(
    shown: ShownResults, panel: ForestPanel | CrossPanel | None, stem: str
) -> ResponseReturnValue:
    """Return a figure as a file; raise if there is nothing to draw."""
    format = request.args["format"]
    require(format in TYPES, "bad_format", "format", text=format)
    shown.published.require_readable()
    if panel is None:
        raise Refusal("unknown_figure", "question", id=stem)
    return download(draw_figure(panel, format), TYPES[format], file_name(shown, f"{stem}.{format}"))


def _page(template: str, shown: ShownResults, wrong: str, **values: Any) -> ResponseReturnValue:
    asked = {name: value for name, value in request.args.items() if value}
    page = render_tab(
        template,
        shown.survey.slug,
        shown=shown,
        wrong=wrong,
        prompts={question.id: question.prompt for question in shown.survey.questions},
        query=urlencode(asked),
        confidence=percent(CONFIDENCE, decimals=0),
        least_in_group=LEAST_IN_GROUP,
        **values,
    )
    return page, 400 if wrong else 200
