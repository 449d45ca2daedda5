"""Public results: the page, the estimates and the figures, all of one snapshot."""

from collections.abc import Iterable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from flask import Blueprint, Response, make_response, render_template, request
from flask.typing import ResponseReturnValue

from client.core.primitives.refusal import require
from client.core.translation import LocalizedSurvey
from estimators.confidence import CONFIDENCE
from server.results.downloads import (
    TYPES,
    csv_response,
    download,
    draw_figure,
    file_name,
    json_response,
    panel_of,
)
from server.results.figures import WIDE, Figure
from server.results.readers import readers_of
from server.results.shown import ShownResults, live_results, public_results
from server.store.audit_log import anchor_at_closing
from server.store.reading import versions
from server.surveys.disclosure import MINIMUM
from server.surveys.groups import Selection, selection_of
from server.web.languages import localize, percent, say
from server.web.limits import READERS
from server.web.requests import whole_number
from server.web.services import database, refuse_trashed
from server.web.static_files import packed

results = Blueprint("results", __name__)
results.before_request(refuse_trashed)


@results.get("/results")
@READERS
def page(slug: str, test: bool) -> ResponseReturnValue:
    shown = _shown(slug, test)
    anchor = anchor_at_closing(database(test).reader, slug, shown.survey.version)
    values = page_values(shown, localize(shown.survey))
    fingerprints = _to_compare(shown, slug) if shown.survey.by_invitation else ()
    return packed(
        make_response(
            render_template("results.html", log_anchor=anchor, fingerprints=fingerprints, **values)
        )
    )


def _to_compare(shown: ShownResults, slug: str) -> list[str]:
    """Return the fingerprints of all versions: a device knows if it was given another document."""
    reader = database(shown.survey.test).reader
    return [published.survey.fingerprint for published in versions(reader, slug)]


@results.get("/estimates.json")
@READERS
def estimates_json(slug: str, test: bool) -> ResponseReturnValue:
    return json_response(_shown(slug, test))


@results.get("/estimates.csv")
@READERS
def estimates_csv(slug: str, test: bool) -> ResponseReturnValue:
    return csv_response(_shown(slug, test))


@results.get("/figures/<question>.<any(svg, png, pdf):format>")
@READERS
def drawing(slug: str, test: bool, question: str, format: str) -> ResponseReturnValue:
    shown = _shown(slug, test)
    return figure_response(shown, localize(shown.survey), question, format)


def _shown(slug: str, test: bool) -> ShownResults:
    """Return the results that the address asks for, such as `?version=2&group=arm=treatment`.

    The results of a test are live for everybody and nothing is hidden: its reports are not real.
    """
    show = live_results if test else public_results
    return show(database(test), slug, whole_number(request, "version"), request.args.get("group"))


def page_values(shown: ShownResults, localized: LocalizedSurvey) -> dict[str, Any]:
    """Return the values that the results templates need."""
    return {
        "shown": shown,
        "localized": localized,
        "figures": shown.figures(localized.questions),
        "confidence": percent(CONFIDENCE, decimals=0),
        "readers": readers_of(shown),
        "often": round(100 * CONFIDENCE),
        "least": MINIMUM,
        "wide": round(100 * WIDE),
        "is_part": "version" in request.args or shown.group is not None,
        "query": _query(shown, shown.group),
        "query_of": partial(_query, shown),
        "group_lists": _group_lists(shown, localized),
        "group_label": None if shown.group is None else _label(shown.group, localized),
    }


def _group_lists(
    shown: ShownResults, localized: LocalizedSurvey
) -> list[tuple[str, list[tuple[Selection | None, str, int]]]]:
    """Return lists of results to choose from: a heading, then groups, their labels and sizes."""
    if not shown.groups:
        return []
    groups = shown.survey.groups
    own = [(selection_of(groups, code), n) for code, n in shown.groups.items()]
    lists = [("", [(None, say("results.groups.all"), shown.total), *_listed(own, localized)])]
    factors = localized.groups.factors if localized.groups else ()
    for factor in factors:
        if sizes := shown.sizes_by_factor.get(factor.id):
            lists.append((factor.prompt, _listed(sizes.items(), localized)))
    return lists


def _listed(
    sizes: Iterable[tuple[Selection, int]], localized: LocalizedSurvey
) -> list[tuple[Selection | None, str, int]]:
    return [(group, _label(group, localized), n) for group, n in sizes]


def _label(group: Selection, localized: LocalizedSurvey) -> str:
    return group.label(localized.groups) or say("results.groups.none")


def _query(shown: ShownResults, group: Selection | None, **changed: object) -> str:
    """Return the query string for a group (None: all groups) of the requested version.

    The requested language stays, unless `changed` has another version or language.
    """
    asked = {name: request.args[name] for name in ("version", "language") if name in request.args}
    asked |= {name: str(value) for name, value in changed.items()}
    if group is not None:
        asked["group"] = group.text(shown.survey.groups)
    return f"?{urlencode(asked)}" if asked else ""


def figure_response(
    shown: ShownResults, localized: LocalizedSurvey, question: str, format: str
) -> Response:
    """Return one question's figure as a file, in the language of the localized survey."""
    shown.published.require_readable()
    group = None if shown.group is None else _label(shown.group, localized)
    content = draw_figure(panel_of(_figure(shown, localized, question), group), format)
    return download(content, TYPES[format], file_name(shown, f"{question}.{format}"))


def _figure(shown: ShownResults, localized: LocalizedSurvey, id: str) -> Figure:
    asked = [question for question in localized.questions if question.id == id]
    require(bool(asked), "unknown_figure", "question", id=id)
    (figure,) = shown.figures(asked)
    require(figure.n > 0, "too_few_reports.figure", "question", least=shown.minimum)
    return figure
