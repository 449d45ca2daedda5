"""Invite a list of people at the workbench: it comes with a request and leaves with its answer."""

from collections.abc import Sequence
from io import BytesIO
from zipfile import ZipFile

from flask import request
from flask.typing import ResponseReturnValue
from flask_wtf import FlaskForm
from wtforms import FileField, SelectField, StringField, SubmitField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import Length

from client.console.files import plain_entry
from client.core.groups import BY_LINK
from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from client.core.translation import LocalizedSurvey
from server.invitations.invitees import Invitees
from server.invitations.languages import localized_for, wording_of
from server.invitations.mailing import Mailing
from server.invitations.reminder import TO_EVERYBODY, notice, reminder_text
from server.invitations.sheet import sheet_page
from server.lifecycle.invitations import invite_strata, status
from server.results.downloads import download
from server.store import reading
from server.surveys.records import Published
from server.surveys.states import Change
from server.web.languages import own_name
from server.web.limits import Limit
from server.web.requests import public_root
from server.web.services import services
from server.web.urls import compared_address
from server.workbench.blueprint import workbench
from server.workbench.rendering import render_tab
from server.workbench.session import me

# Larger requests are kept in a file while they arrive, and no name may ever be in a file here.
MOST_BYTES = 500_000
_DRAWING = Limit(1, key="drawing_busy")


class PeopleForm(FlaskForm):  # type: ignore[misc]
    people = FileField(
        "List of people",
        description="CSV with a heading and one row per person, at most 500 kB. It is not stored.",
        render_kw={"accept": ".csv,.txt,.tsv"},
    )
    strata = StringField(
        "Columns with the groups",
        [Length(max=500)],
        description="One for each factor, as in arm,age, or arm=Treatment for another name.",
        render_kw={"autocomplete": "off"},
    )
    label = StringField(
        "Columns on the labels (optional)",
        [Length(max=500)],
        description="Such as name,street. By default the first column.",
        render_kw={"autocomplete": "off"},
    )
    language = SelectField("Language of the labels", choices=[])
    submit = SubmitField("Make links")

    def offer(self, languages: Sequence[str]) -> None:
        """Offer the languages of the survey."""
        self.language.choices = [SelectChoice(code, own_name(code)) for code in languages]


@workbench.get("/surveys/<slug>/invitations/people")
def invite_people(slug: str) -> ResponseReturnValue:
    published = _published(slug)
    strata, language = ",".join(_factors(published.survey)), _localized(published.survey).language
    return _page(published, PeopleForm(strata=strata, language=language))


@workbench.post("/surveys/<slug>/invitations/people")
def make_mailing(slug: str) -> ResponseReturnValue:
    """Make one link for each row; the answer is a zip with the list, labels and a notice."""
    published, form = _published(slug), PeopleForm()
    try:
        require((request.content_length or 0) <= MOST_BYTES, "too_large.list", "people")
        upload = request.files.get("people")
        require(bool(upload and upload.filename), "no_file", "people")
        data = upload.read() if upload else b""
        survey, strata, label = published.survey, form.strata.data or "", form.label.data or ""
        language = localized_for(survey, form.language.data).language
        invitees = Invitees.read(survey, data, strata, label)
        with _DRAWING:
            made = invite_strata(services(), slug, invitees.counts, me().name)
            mailing = invitees.mailing(public_root(), made)
            packed = _packed(mailing, survey, invitees, language)
    except Refusal as refusal:
        if refusal.field not in form:
            raise
        form[refusal.field].errors = [refusal.message]
        return _page(published, form), 400
    return download(packed, "application/zip", f"{slug}-invitations.zip")


def _packed(mailing: Mailing, survey: Survey, invitees: Invitees, language: str) -> bytes:
    contents = {
        "links.csv": mailing.table(),
        "labels.html": sheet_page(mailing, survey, invitees.labels, language).encode(),
        "notice.txt": notice(mailing.address, mailing.fingerprint).encode(),
    }
    file = BytesIO()
    with ZipFile(file, "w") as zip:
        for name, content in contents.items():
            zip.writestr(plain_entry(name), content)
    return file.getvalue()


def _page(published: Published, form: PeopleForm) -> str:
    survey = published.survey
    form.offer(survey.languages)
    localized = _localized(survey)
    may_invite = survey.by_invitation and published.allows(Change.INVITE)
    return render_tab(
        "invite_people.html",
        survey.slug,
        form=form,
        factors=_factors(survey),
        may_invite=may_invite,
        reminder=_reminder(published) if survey.by_invitation else "",
        to_everybody=TO_EVERYBODY,
        language=localized.language,
        spoken=wording_of(localized).language,
    )


def _reminder(published: Published) -> str:
    survey = published.survey
    address = compared_address(public_root(), survey.slug)
    counts = status(services(), survey.slug)
    last, language = published.schedule.last_minute, _localized(survey).language
    return reminder_text(survey, address, counts, last, language)


def _localized(survey: Survey) -> LocalizedSurvey:
    """Return the survey's texts in the language that the address asks for, or in its own."""
    return localized_for(survey, request.args.get("language"))


def _factors(survey: Survey) -> list[str]:
    groups = survey.groups
    by_link = groups is not None and groups.by == BY_LINK
    return [factor.id for factor in groups.factors] if groups and by_link else []


def _published(slug: str) -> Published:
    return reading.newest(services().database.reader, slug)
