"""The workbench's forms. Flask-WTF adds a token that other sites cannot know."""

from collections.abc import Sequence

from flask_wtf import FlaskForm
from wtforms import IntegerField, PasswordField, SelectField, StringField, SubmitField
from wtforms.fields.choices import SelectChoice
from wtforms.validators import InputRequired, Length, NumberRange

from server.accounts.passwords import LEAST, MOST
from server.lifecycle.invitations import MOST_AT_ONCE
from server.surveys.researchers import Role, Scope

_NAME = [InputRequired("Please enter a name."), Length(max=64)]
_OLD_PASSWORD = [InputRequired("Please enter the password."), Length(max=MOST)]
_NEW_PASSWORD = [InputRequired("Please choose a password."), Length(LEAST, MOST)]


class LoginForm(FlaskForm):  # type: ignore[misc]
    name = StringField("Name", _NAME, render_kw={"autocomplete": "username"})
    password = PasswordField(
        "Password", _OLD_PASSWORD, render_kw={"autocomplete": "current-password"}
    )
    submit = SubmitField("Log in")


class ConfirmForm(FlaskForm):  # type: ignore[misc]
    """A button, and no field but the token."""

    submit = SubmitField("Yes")


class RoleForm(FlaskForm):  # type: ignore[misc]
    name = StringField("Researcher", _NAME, render_kw={"autocomplete": "off"})
    role = SelectField("Role", choices=[SelectChoice(role, role.capitalize()) for role in Role])
    submit = SubmitField("Give role")


class InviteForm(FlaskForm):  # type: ignore[misc]
    count = IntegerField(
        "How many",
        [InputRequired("Please enter a number."), NumberRange(1, MOST_AT_ONCE)],
        render_kw={"min": "1", "max": str(MOST_AT_ONCE)},
    )
    group = SelectField(
        "Group", description="Respondents see it, and reports carry it as it is.", default=""
    )
    submit = SubmitField("Make links")

    def offer(self, groups: Sequence[str]) -> None:
        """Offer these groups, or links without a group if there are none."""
        self.group.choices = [SelectChoice(group, group) for group in groups or [""]]


class PasswordForm(FlaskForm):  # type: ignore[misc]
    old = PasswordField(
        "Current password", _OLD_PASSWORD, render_kw={"autocomplete": "current-password"}
    )
    new = PasswordField(
        "New password",
        _NEW_PASSWORD,
        description=f"At least {LEAST} characters; a few words are easy to remember.",
        render_kw={"autocomplete": "new-password"},
    )
    again = PasswordField(
        "New password again", _NEW_PASSWORD, render_kw={"autocomplete": "new-password"}
    )
    submit_password = SubmitField("Change password")


class KeyForm(FlaskForm):  # type: ignore[misc]
    label = StringField(
        "What it is for",
        [InputRequired("Please say what the key is for."), Length(max=80)],
        render_kw={"autocomplete": "off"},
    )
    scope = SelectField(
        "What it may do",
        choices=[SelectChoice(scope, scope.words) for scope in Scope],
    )
    submit_key = SubmitField("Make key")
