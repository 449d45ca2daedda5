"""The Invitations tab: personal links as a file, open links with QR codes, and their use."""

from io import BytesIO

from flask import Response, flash, redirect, request, url_for
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm

from client.core.primitives.refusal import Refusal
from server.invitations.mailing import Mailing
from server.invitations.people_file import unnamed_people
from server.invitations.qr import draw_qr
from server.lifecycle.invitations import invite, open_links, open_to_all, status
from server.results.downloads import download
from server.store import reading
from server.surveys.disclosure import LEAST_IN_GROUP
from server.surveys.states import Change
from server.web.services import services
from server.web.urls import invitation_links, kiosk_link
from server.workbench.blueprint import workbench
from server.workbench.forms import GroupForm, InviteForm
from server.workbench.rendering import render_tab
from server.workbench.session import me


@workbench.get("/surveys/<slug>/invitations")
def invitations(slug: str) -> ResponseReturnValue:
    return _page(slug, InviteForm(), GroupForm())


@workbench.post("/surveys/<slug>/invitations")
def make_invitations(slug: str) -> ResponseReturnValue:
    form = InviteForm()
    if not form.validate():
        return _page(slug, form, GroupForm()), 400
    group = (form.group.data or "").strip()
    try:
        made = invite(services(), slug, form.count.data, group, me().name)
    except Refusal as refusal:
        _show_at_field(form, refusal)
        return _page(slug, form, GroupForm()), 400
    people = unnamed_people(form.count.data, group)
    fingerprint, codes = made["fingerprint"], made["invitations"]
    table = Mailing(_root(), slug, fingerprint, people, codes).table()
    return download(table, "text/csv", f"{slug}-links{f'-{group}' if group else ''}.csv")


@workbench.post("/surveys/<slug>/invitations/groups")
def make_group(slug: str) -> ResponseReturnValue:
    form = GroupForm()
    if not form.validate():
        return _page(slug, InviteForm(), form), 400
    group = form.group.data.strip()
    try:
        open_to_all(services(), slug, group, me().name)
    except Refusal as refusal:
        _show_at_field(form, refusal)
        return _page(slug, InviteForm(), form), 400
    flash(f"The group {group} now has a link.")
    return redirect(url_for("workbench.invitations", slug=slug), 303)


@workbench.get("/surveys/<slug>/qr.svg")
def qr(slug: str) -> ResponseReturnValue:
    group = request.args.get("group", "")
    link = _open_links(slug).get(group)
    if link is None:
        raise Refusal("unknown_group.open_link", "group", slug=slug)
    file = BytesIO()
    draw_qr(link, file)
    return Response(file.getvalue(), mimetype="image/svg+xml")


def _show_at_field(form: FlaskForm, refusal: Refusal) -> None:
    """Show a refusal at its field of the form; raise it if it is about something else."""
    if refusal.field not in form:
        raise refusal
    form[refusal.field].errors = [refusal.message]


def _page(slug: str, form: InviteForm, group_form: GroupForm) -> str:
    published = reading.newest(services().database.reader, slug)
    return render_tab(
        "invitations.html",
        slug,
        form=form,
        group_form=group_form,
        counts=status(services(), slug),
        links=_open_links(slug),
        kiosk_link=kiosk_link,
        may_invite=published.allows(Change.INVITE),
        least_in_group=LEAST_IN_GROUP,
    )


def _open_links(slug: str) -> dict[str, str]:
    found = open_links(services(), slug)
    return {group: invitation_links(_root(), carried)[0] for group, carried in found.items()}


def _root() -> str:
    return request.url_root.rstrip("/")
