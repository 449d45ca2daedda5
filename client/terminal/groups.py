"""The group of a report in a terminal: chosen by the respondent, or set by the link."""

import click

from client.core.groups import BY_LINK, Groups
from client.core.primitives.refusal import require
from client.core.survey import Survey
from client.terminal.prompts import ask_one
from client.wording.catalogue import Wording

# Of a personal link, without the digits of its group.
CODE_SYMBOLS = 14
_LOOK_ALIKE = str.maketrans({"i": "1", "l": "1", "o": "0", "-": None})


def check_link_group(survey: Survey, group: str) -> None:
    """Raise if the link sets no group where one is needed, or one that the survey lacks."""
    groups = survey.groups if survey.groups and survey.groups.by == BY_LINK else None
    require(bool(group) or groups is None or survey.test, "link_without_group", "url")
    # A group is sent as it is: nothing is sent under a name that the survey does not declare.
    require(not group or groups is not None, "group_undeclared", "url")
    require(not group or groups is None or group in groups.codes, "invitation_unknown", "url")


def plain_code(invitation: str) -> str:
    """Return a code as the server reads it, however it was typed."""
    return invitation.lower().translate(_LOOK_ALIKE)


def group_of_code(survey: Survey, invitation: str) -> str:
    """Return the group that the code in a personal link names: one digit per factor in front.

    On a survey whose links set no group, and in a test, it is the empty one.
    """
    require(bool(invitation) or survey.test, "invitation_missing", "url")
    groups = survey.groups
    if groups is None or groups.by != BY_LINK or survey.test:
        return ""
    symbols, factors = plain_code(invitation), len(groups.factors)
    require(len(symbols) == factors + CODE_SYMBOLS, "invitation_unknown", "url")
    group = "-".join(symbols[:factors])
    require(group in groups.codes, "unknown_group", "url")
    return group


def choose_group(groups: Groups, wording: Wording) -> str:
    """Ask for a level of each factor; return the group's code, which is sent as it is."""
    click.secho(f"\n{wording.say('groups.heading')}", bold=True)
    click.echo(wording.say("groups.lead"))
    levels = []
    for factor in groups.factors:
        click.secho(f"\n{factor.prompt}", bold=True)
        levels.append(ask_one(factor.labels, wording))
    return "-".join(map(str, levels))


def print_group(groups: Groups, group: str, wording: Wording) -> None:
    """Print what is sent as it is, factor by factor."""
    click.echo(f"\n{wording.say('groups.as_it_is')}:")
    for factor, level in zip(groups.factors, groups.levels_of(group), strict=True):
        click.echo(f"  {factor.prompt} {factor.labels[level]}")
