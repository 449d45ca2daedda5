"""The Invitations tab: personal links as a file, open links with QR codes, and their use."""

from io import BytesIO
from typing import Any

from flask import Response, request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from client.core.groups import BY_LINK
from client.core.primitives.refusal import Refusal
from client.wording.comparison import first_digits
from server.invitations.mailing import Mailing
from server.invitations.people_file import unnamed_people
from server.invitations.qr import draw_qr
from server.lifecycle.invitations import invite, open_link, open_links, status
from server.results.downloads import TYPES, download
from server.store import reading
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.groups import read_selection
from server.surveys.records import Published
from server.surveys.states import Change
from server.web.requests import public_root
from server.web.services import services
from server.web.urls import compared_address, invitation_links, kiosk_link
from server.workbench.blueprint import workbench
from server.workbench.forms import InviteForm
from server.workbench.rendering import render_tab
from server.workbench.session import me


@workbench.get("/surveys/<slug>/invitations")
def invitations(slug: str) -> ResponseReturnValue:
    return _page(slug, _form(slug))


@workbench.post("/surveys/<slug>/invitations")
def make_invitations(slug: str) -> ResponseReturnValue:
    form = _form(slug)
    if not form.validate():
        return _page(slug, form), 400
    try:
        made = invite(services(), slug, form.count.data, form.group.data, me().name)
    except Refusal as refusal:
        _show_at_field(form, refusal)
        return _page(slug, form), 400
    people = unnamed_people(form.count.data, made["group"])
    fingerprint, codes = made["fingerprint"], made["invitations"]
    table = Mailing(public_root(), slug, fingerprint, people, codes).table()
    return download(table, "text/csv", f"{_stem(slug, made['group'])}-links.csv")


@workbench.get("/surveys/<slug>/qr.<any(svg, png):format>")
def qr(slug: str, format: str) -> ResponseReturnValue:
    group = request.args.get("group", "")
    (link,) = invitation_links(public_root(), open_link(services(), slug, group))
    file = BytesIO()
    draw_qr(link, file, format)
    return Response(file.getvalue(), mimetype=TYPES[format])


def _form(slug: str) -> InviteForm:
    """Return the form for personal links, with the groups that a link can be for."""
    form, groups = InviteForm(), _newest(slug).survey.groups
    is_by_link = groups is not None and groups.by == BY_LINK
    form.offer([groups.label(code) for code in groups.codes] if groups and is_by_link else [])
    return form


def _stem(slug: str, group: str) -> str:
    """Return how the name of a file with links of a group begins."""
    groups = _newest(slug).survey.groups
    part = read_selection(groups, group).file_part(groups) if groups else ""
    return f"{slug}-{part}" if part else slug


def _newest(slug: str) -> Published:
    return reading.newest(services().database.reader, slug)


def _show_at_field(form: FlaskForm, refusal: Refusal) -> None:
    """Show a refusal at its field of the form; raise it if it is about something else."""
    if refusal.field not in form:
        raise refusal
    form[refusal.field].errors = [refusal.message]


def _page(slug: str, form: InviteForm) -> str:
    published = _newest(slug)
    return render_tab(
        "invitations.html",
        slug,
        form=form,
        counts=status(services(), slug),
        links=[_open_link(slug, found) for found in open_links(services(), slug)],
        kiosk_link=kiosk_link,
        may_invite=published.allows(Change.INVITE),
        least_in_group=LEAST_IN_GROUP,
        compared=(
            compared_address(public_root(), slug),
            first_digits(published.survey.fingerprint),
        ),
    )


def _open_link(slug: str, found: dict[str, Any]) -> dict[str, str]:
    (link,) = invitation_links(public_root(), found)
    return {"group": found["group"], "link": link, "stem": _stem(slug, found["group"])}
