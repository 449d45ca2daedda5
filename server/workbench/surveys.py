"""The list of surveys, a survey's Overview and Log tabs, and the steps that end it."""

from collections.abc import Callable
from dataclasses import dataclass

from flask import abort, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue

from server.lifecycle import ending
from server.lifecycle.ending import close_survey
from server.store import audit_log, reading
from server.store.researchers import access, manuscripts
from server.surveys.audit import log_line, moment_text
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.manuscripts import draft_of, title_of
from server.surveys.records import Published
from server.surveys.researchers import Role
from server.surveys.schedule import TRASH_DAYS
from server.surveys.states import Change
from server.surveys.strays import GroupChoice, Strays, group_choice, strays_at_closing
from server.web.requests import public_root, whole
from server.web.services import services
from server.web.urls import links
from server.workbench.blueprint import needs, workbench
from server.workbench.forms import ConfirmForm
from server.workbench.rendering import render, render_tab
from server.workbench.session import me


@workbench.get("")
def surveys() -> ResponseReturnValue:
    database = services().database
    return render(
        "surveys.html",
        clock_warning=services().watch.warning(),
        surveys=access.surveys(database.reader, me()),
        manuscripts=[
            (item, title_of(draft_of(item))) for item in manuscripts.readable(database.reader, me())
        ],
    )


@dataclass(frozen=True)
class Step:
    """A step such as closing, offered if it is allowed and confirmed on its own page."""

    change: Change
    title: str
    consequence: str
    take: Callable[[str, GroupChoice | None], object]
    done: str
    asks_number: bool = False


@workbench.get("/surveys/<slug>")
def survey(slug: str) -> ResponseReturnValue:
    published = reading.newest(services().database.reader, slug)
    return render_tab(
        "survey.html",
        slug,
        links=links(public_root(), slug, published.survey.fingerprint),
        log_anchor=audit_log.anchor_at_closing(
            services().database.reader, slug, published.survey.version
        ),
        steps=_steps(published),
        clock_warning=services().watch.warning(),
    )


def _steps(published: Published) -> dict[str, Step]:
    """Return the steps that can be taken now; what is closed for good is not closed again."""
    return {
        name: step
        for name, step in STEPS.items()
        if published.allows(step.change)
        and not (step.change is Change.CLOSE and published.digest is not None)
    }


@workbench.route("/surveys/<slug>/steps/<step>", methods=["GET", "POST"])
@needs(Role.OWNER)
def step(slug: str, step: str) -> ResponseReturnValue:
    chosen, form = STEPS.get(step), ConfirmForm()
    if chosen is None:
        abort(404)
    if form.validate_on_submit():
        chosen.take(slug, group_choice(request.form.get("groups")))
        flash(chosen.done)
        return redirect(url_for("workbench.survey", slug=slug), 303)
    strays = _strays(slug) if step == "close" else None
    return render_tab(
        "confirm.html",
        slug,
        step=chosen,
        form=form,
        strays=strays,
    )


def _strays(slug: str) -> Strays:
    """Return what would be held back if the survey were closed now with its groups."""
    db = services().database.reader
    published = reading.newest(db, slug)
    return strays_at_closing(published, reading.sizes(db, published), reading.asked(db, published))


@workbench.get("/surveys/<slug>/log")
def log(slug: str) -> ResponseReturnValue:
    entries = audit_log.entries_since_removal(services().database.reader, slug)
    lines = [(entry, log_line(entry.action, entry.details)) for entry in entries]
    return render_tab("log.html", slug, entries=lines, moment_text=moment_text)


STEPS = {
    "close": Step(
        Change.CLOSE,
        "Close for ever",
        "Nobody can take part after that. The count and the digest become final, and the database "
        "is rewritten so that it holds no trace of the order of arrival. Groups of fewer than "
        f"{LEAST_IN_GROUP} reports, or of which fewer than {LEAST_IN_GROUP} were asked some "
        "question, are not told apart. This cannot be undone.",
        lambda slug, groups: close_survey(services(), slug, None, groups, me().name),
        "The survey is closed for ever.",
    ),
    "reopen": Step(
        Change.REOPEN,
        "Take more reports",
        "The survey takes reports again until it has the new number of them.",
        lambda slug, _: ending.reopen(
            services().database,
            slug,
            whole(request.form.get("closes_at", ""), "closes_at"),
            me().name,
        ),
        "The survey takes reports again.",
        asks_number=True,
    ),
    "archive": Step(
        Change.ARCHIVE,
        "Archive",
        "The survey's page will say that it is over. Its results stay readable.",
        lambda slug, _: ending.archive(services().database, slug, me().name),
        "The survey is archived.",
    ),
    "trash": Step(
        Change.TRASH,
        "Move to the trash",
        "Only the people who work on it can open its pages and results, and nobody can export it. "
        f"For {TRASH_DAYS} days you can take it out again, just as it was. After that everything "
        "is removed, also from the bytes of the database.",
        lambda slug, _: ending.trash(services(), slug, me().name),
        "The survey is in the trash.",
    ),
    "restore": Step(
        Change.RESTORE,
        "Take out of the trash",
        "The survey will be just as it was before it was put into the trash.",
        lambda slug, _: ending.restore(services().database, slug, me().name),
        "The survey is out of the trash.",
    ),
}
