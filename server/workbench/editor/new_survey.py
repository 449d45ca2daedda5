"""The page to begin a survey: blank, from a template, from a file, or as a copy."""

import json
import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from flask import abort, redirect, request, url_for
from flask.typing import ResponseReturnValue
from werkzeug.wrappers import Response

from client.authoring.draft.budget import USUAL_TOTAL
from client.authoring.draft.from_survey import redraft
from client.authoring.draft.places import SurveyFile
from client.authoring.draft.survey import read_draft
from client.authoring.files import MAX_FILE_BYTES, is_document, parse_survey_file, read_survey_file
from client.core.document import read_document
from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from client.core.translation import DEFAULT
from server.store import reading
from server.store.researchers import access, manuscripts
from server.surveys.manuscripts import content_of, draft_of, text_in, title_of
from server.surveys.researchers import Manuscript, Role
from server.web.errors import STATUS
from server.web.limits import READING
from server.web.services import services
from server.workbench.blueprint import require_role, workbench
from server.workbench.editor.draft_changes import new_question, with_budget
from server.workbench.editor.form import editable
from server.workbench.rendering import render
from server.workbench.session import me

Draft = dict[str, Any]

MOST_SLUG = 63
# Nobody reads more at once; the rest is only counted.
MOST_REASONS = 20


class FaultyFile(Exception):
    """A file with faults that the form cannot show; `reasons` lists them all."""

    def __init__(self, faults: Sequence[Refusal]) -> None:
        super().__init__(len(faults))
        self.reasons = [fault.message for fault in faults]


class PartlyRead(Exception):
    """A form made elsewhere of which only a part can be asked."""

    def __init__(self, file: SurveyFile) -> None:
        super().__init__(file.loss_summary())
        self.file = file


@workbench.get("/new")
def new_survey() -> ResponseReturnValue:
    return _page()


@workbench.post("/new/<way>")
def begin(way: str) -> ResponseReturnValue:
    chosen = WAYS.get(way)
    if chosen is None:
        abort(404)
    try:
        return open_editor(_begin(chosen()))
    except PartlyRead as partly:
        return _losses_page(partly.file), 400
    except FaultyFile as faulty:
        return _page(way, faulty.reasons), 400
    except Refusal as refusal:
        # What is left of a file belongs to the file.
        return _page("file" if way == "rest" else way, [refusal.message]), STATUS.get(
            refusal.code, 400
        )


@workbench.post("/surveys/<slug>/versions")
def begin_version(slug: str) -> ResponseReturnValue:
    """Begin the next version of a published survey, or open the one already being written."""
    for manuscript in manuscripts.readable(services().database.reader, me()):
        if manuscript.slug == slug:
            return open_editor(manuscript)
    return open_editor(
        _begin(draft_for(reading.newest(services().database.reader, slug).survey), slug)
    )


def open_editor(manuscript: Manuscript) -> Response:
    return redirect(url_for("workbench.editor", id=manuscript.id), 303)


def _begin(draft: Draft, slug: str | None = None) -> Manuscript:
    return services().database.write(manuscripts.begin, me(), content_of(editable(draft)), slug)


def _blank() -> Draft:
    title = request.form.get("title", "").strip()
    require(title != "", "empty_text.title", "title")
    slug = re.sub(r"[^a-z0-9]+", "-", title.lower())[:MOST_SLUG].strip("-")
    draft = {"slug": slug, "title": title, "total_epsilon": USUAL_TOTAL, "questions": []}
    return {**draft, "questions": [new_question(draft)]}


def _template() -> Draft:
    chosen = templates().get(request.form.get("template", ""))
    if chosen is None:
        raise Refusal("unknown_template", "template")
    return chosen


def _file() -> Draft:
    upload = request.files.get("file")
    require(bool(upload and upload.filename), "no_file", "file")
    assert upload is not None
    data, name = upload.read(MAX_FILE_BYTES + 1), str(upload.filename)[:80]
    with READING:
        if is_document(data):
            return redraft(read_document(data))
        file = parse_survey_file(data, name)
    if file.faults:
        raise FaultyFile([*file.faults, *file.left_out])
    if not file.is_whole:
        raise PartlyRead(file)
    return with_budget(file.draft)


def _rest() -> Draft:
    """Return what can be asked of a form, once its author has ticked what is left out."""
    require(request.form.get("agreed") == "yes", "losses_not_ticked", "agreed")
    return with_budget(read_survey_file(request.form.get("draft", "").encode(), "the form"))


def _copy() -> Draft:
    """Copy a published survey or a manuscript; all settings but the slug stay."""
    what, _, name = request.form.get("source", "").partition(":")
    require(name != "", "nothing_chosen", "source")
    draft = (
        draft_of(manuscripts.find(services().database.reader, me(), name))
        if what == "m"
        else _published(name)
    )
    slug = str(draft.get("slug", ""))
    return {**draft, "slug": f"{slug[: MOST_SLUG - 5]}-copy"} if slug else draft


def _published(slug: str) -> Draft:
    require_role(slug, Role.VIEWER)
    return draft_for(reading.newest(services().database.reader, slug).survey)


def draft_for(survey: Survey) -> Draft:
    """Return a published survey as a draft: its manuscript if that still exists.

    Only the manuscript has the weights; a published document does not.
    """
    for manuscript in manuscripts.readable(services().database.reader, me()):
        if manuscript.slug == survey.slug and _describes(draft := draft_of(manuscript), survey):
            return draft
    return redraft(survey)


def _describes(draft: Draft, survey: Survey) -> bool:
    described = read_draft(draft, survey.version).survey
    return described is not None and described.fingerprint == survey.fingerprint


@cache
def templates() -> dict[str, Draft]:
    """Return the templates by name; each comes from a survey file."""
    examples = files("server") / "examples"
    worked = (folder / "survey.yaml" for folder in _by_name(examples))
    paths = [*_by_name(examples / "starters"), *(path for path in worked if path.is_file())]
    drafts = (read_survey_file(path.read_bytes(), path.name) for path in paths)
    # Authors decide themselves how long reports are kept.
    return {
        str(draft["slug"]): {name: value for name, value in draft.items() if name != "delete_on"}
        for draft in drafts
    }


def _by_name(folder: Traversable) -> list[Traversable]:
    return sorted(folder.iterdir(), key=lambda item: item.name)


def _losses_page(file: SurveyFile) -> str:
    return render(
        "editor/losses.html",
        summary=file.loss_summary(),
        left_out=[reason.message for reason in file.left_out],
        changed=[reason.message for reason in file.changed],
        notes=[note.message for note in file.notes],
        draft=json.dumps(file.draft, ensure_ascii=False),
    )


def _page(way: str = "", reasons: Sequence[str] = ()) -> str:
    database = services().database
    sources = [
        *(
            (f"s:{published.survey.slug}", published.survey.title)
            for published, _ in access.surveys(database.reader, me())
        ),
        *(
            (f"m:{item.id}", f"{title_of(draft_of(item))} (draft)")
            for item in manuscripts.readable(database.reader, me())
        ),
    ]
    samples = [
        (
            name,
            text_in(draft["title"], DEFAULT, [DEFAULT]),
            text_in(draft["intro"], DEFAULT, [DEFAULT]),
        )
        for name, draft in templates().items()
    ]
    return render(
        "editor/new.html",
        way=way,
        reasons=reasons[:MOST_REASONS],
        more=len(reasons[MOST_REASONS:]),
        sources=sources,
        templates=samples,
    )


WAYS: dict[str, Callable[[], Draft]] = {
    "blank": _blank,
    "template": _template,
    "file": _file,
    "rest": _rest,
    "copy": _copy,
}
