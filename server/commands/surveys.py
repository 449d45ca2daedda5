"""The commands publish, close, reopen and archive."""

import shlex
import sys
from pathlib import Path
from typing import Any

import click

from client.console.printing import json_option, print_done, print_json
from client.core.groups import Groups
from client.core.primitives.refusal import require
from client.core.survey import Survey
from estimators.commands.plan_tables import print_plan
from estimators.planning.survey_plan import Target, plan_survey
from server.commands import operating
from server.commands.data_option import data_option, survey_links, url_for_others
from server.data_folder import DataFolder
from server.invitations.reminder import notice
from server.surveys.schedule import MOST_REPORTS
from server.surveys.strays import GroupChoice, group_choice
from server.web.urls import compared_address


@click.command("publish")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@click.option("--draft", is_flag=True, help="Only put it up as a test, under a link of its own.")
@click.option("--new-version", is_flag=True, help="Close the current version and open this one.")
@click.option("--opens", metavar="DAY", help="The first day on which it takes reports, in UTC.")
@click.option("--closes", metavar="DAY", help="The last day on which it takes reports, in UTC.")
@click.option(
    "--closes-at",
    metavar="N",
    type=click.IntRange(1, MOST_REPORTS),
    help="Take no more than this many reports; then close it or reopen it yourself.",
)
@click.option(
    "--per-hour",
    metavar="N",
    type=click.IntRange(1, MOST_REPORTS),
    help="Give at most this many tickets per hour to people with the open link.",
)
@click.option("--confirm-weak", is_flag=True, help="Publish even though the protection is weak.")
@click.option(
    "--respondents",
    type=click.IntRange(1),
    default=1000,
    show_default=True,
    help="How many you plan for; margins are printed for this number.",
)
@json_option
def publish_command(
    file: Path,
    folder: DataFolder,
    draft: bool,
    new_version: bool,
    opens: str | None,
    closes: str | None,
    closes_at: int | None,
    per_hour: int | None,
    confirm_weak: bool,
    respondents: int,
    as_json: bool,
) -> None:
    """Publish a survey file (YAML, JSON or .xlsx); from then on it cannot change.

    The file says on which day the reports are deleted (delete_on). The survey takes reports until
    the day before at the latest.

    Whoever has an open link can send as many reports as they like: nothing tells them from other
    people. So a survey with --closes-at is then full, not closed: candor close ends it for ever,
    candor reopen takes more reports. --per-hour gives you time to notice. Personal links
    (access: invited) cannot be used twice.

    A draft is a TEST: its pages say so, and its reports are kept apart from all others. They are
    deleted when the survey is published or another draft of it is put up.

    \b
    Examples:
      candor publish survey.yaml --draft
      candor publish survey.yaml --respondents 500
      candor publish survey.yaml --opens 2026-12-01 --closes 2026-12-31 --closes-at 500
    """
    if draft:
        _refuse_for_a_draft(new_version, opens, closes, closes_at, per_hour)
    loaded = operating.load(file)
    plan = plan_survey(loaded.survey, Target(None, respondents))
    if draft:
        summary = operating.put_up_test(folder, loaded, confirm_weak)
    else:
        summary = operating.publish(
            folder, loaded, new_version, confirm_weak, opens, closes, closes_at, per_hour
        )
    links = survey_links(folder, summary)
    survey = loaded.survey
    if as_json:
        print_json({**summary, "links": links, "questions": plan})
        return
    if not draft and (survey.by_invitation or _groups_by_link(survey)):
        # The plain link takes no reports.
        del links["answer"]
    _print_publication(summary, links)
    print_plan(plan)
    _print_what_is_left(folder, summary, survey)


def _refuse_for_a_draft(*for_publishing: object) -> None:
    if any(for_publishing):
        raise click.UsageError(
            "a draft opens at once and replaces the previous one: "
            "--new-version, --opens, --closes, --closes-at and --per-hour are for publishing"
        )


def _groups_by_link(survey: Survey) -> Groups | None:
    return None if survey.chosen_groups else survey.groups


def _print_what_is_left(folder: DataFolder, summary: dict[str, Any], survey: Survey) -> None:
    slug, fingerprint = summary["slug"], summary["fingerprint"]
    groups = _groups_by_link(survey)
    if groups and not survey.by_invitation and not summary["test"]:
        first = ", ".join(f"{factor.id}={factor.levels[0]}" for factor in groups.factors)
        click.echo(
            "Every group has a link of its own: "
            f"candor invite {slug} --open-link --group {shlex.quote(first)}"
        )
    if survey.by_invitation and not summary["test"]:
        click.echo(
            f"By invitation: make the links with candor invite {slug} --count N, "
            f"or candor invite {slug} --people FILE"
        )
        click.echo(notice(compared_address(url_for_others(folder), slug), fingerprint))
        click.echo("Its results appear when it is closed, for you as for everybody else.")
    if summary["closes_at"] and not survey.by_invitation:
        click.echo(
            "Whoever has the open link can send many reports. When it is full, close it or take "
            f"more: candor close {slug}, candor reopen {slug} --closes-at N"
        )
    if not summary["wiped"]:
        click.echo("The reports of the test are still in the database; run the command again.")


def _print_publication(summary: dict[str, Any], links: dict[str, str]) -> None:
    click.echo(f"{_done(summary)} {summary['slug']}, version {summary['version']}")
    _print_facts(
        ("fingerprint", summary["fingerprint"]),
        ("total epsilon", f"{summary['total_epsilon']} ({summary['level']})"),
        ("opens", summary["opens"] and f"{summary['opens']} 00:00 UTC"),
        ("open until", summary["last_minute"]),
        ("full at", summary["closes_at"] and f"{summary['closes_at']:,} reports"),
        ("tickets", summary["per_hour"] and f"at most {summary['per_hour']:,} per hour"),
        *links.items(),
    )


def _done(summary: dict[str, Any]) -> str:
    if summary["test"]:
        return "TEST of"
    return (
        "Published"
        if summary["created"]
        else f"Already published, {summary['state'].replace('_', ' ')}:"
    )


@click.command("close")
@click.argument("slug")
@data_option
@click.option("--yes", is_flag=True, help="Do not ask whether you are sure.")
@click.option(
    "--grace",
    metavar="HOURS",
    help="Issue no more tickets, but take reports from open pages for this many hours.",
)
@click.option(
    "--groups",
    type=click.Choice([str(choice) for choice in GroupChoice]),
    help="With groups and without strays, or everything without groups. Without strays: keep.",
)
@json_option
def close_command(
    slug: str,
    folder: DataFolder,
    yes: bool,
    grace: str | None,
    groups: str | None,
    as_json: bool,
) -> None:
    """Close a survey for ever; its count and digest are final.

    Keep the log anchor somewhere else: candor verify --anchor then shows whether the audit log was
    rewritten up to here. It is also in the export and on the results page.

    From now on, results and exports tell groups of 20 or more reports apart. If the survey is by
    invitation, its results appear now.

    Strays are reports without a group, or of a smaller group. If each person is asked only some
    questions, a group of which 1 to 19 were asked one is too small as well. Enough strays are
    counted together. If they are too few, choose once: --groups keep tells groups apart and never
    shows or exports the strays, --groups drop counts everything and tells no groups apart. If
    there are fewer than 50, keep may leave them out of the public results only. The command closes
    nothing before you choose.

    \b
    Examples:
      candor close workplace-health
      candor close workplace-health --groups keep
      candor close workplace-health --grace 2 --yes
    """
    if not yes:
        _confirm(f"Close {slug} for ever? Nobody can take part after that.")
    summary = operating.close(folder, slug, grace, group_choice(groups))
    if as_json:
        print_json(summary)
    elif grace is not None:
        click.echo(f"Closing {slug}, version {summary['version']}")
        _print_facts(("open pages may send until", summary["last_minute"]))
    else:
        click.echo(f"Closed {slug}, version {summary['version']}")
        _print_facts(
            ("reports", f"{summary['reports']:,}"),
            ("digest", summary["digest"]),
            ("log anchor", summary["log_anchor"]),
        )
        if not summary["compacted"]:
            click.echo("  The file could not be rewritten yet; the server tries again.")


@click.command("reopen")
@click.argument("slug")
@data_option
@click.option(
    "--closes-at",
    metavar="N",
    required=True,
    type=click.IntRange(1, MOST_REPORTS),
    help="The new number of reports, with those that are in.",
)
@json_option
def reopen_command(slug: str, folder: DataFolder, closes_at: int, as_json: bool) -> None:
    """Let a full survey take more reports.

    A survey with --closes-at is full when it has that many reports. On an open link these may be a
    stranger's: look at the results before you close it for ever.

    \b
    Example:
      candor reopen workplace-health --closes-at 800
    """
    summary = operating.reopen(folder, slug, closes_at)
    print_done(summary, as_json, f"{slug} takes reports again, until there are {closes_at:,}")


@click.command("archive")
@click.argument("slug")
@data_option
@json_option
def archive_command(slug: str, folder: DataFolder, as_json: bool) -> None:
    """Put a closed survey away: its page says that it is over, its results stay readable.

    \b
    Example:
      candor archive workplace-health
    """
    summary = operating.archive(folder, slug)
    print_done(summary, as_json, f"Archived {slug}, version {summary['version']}")


def _confirm(question: str) -> None:
    """Ask for a confirmation; raise if it is not given, or if there is no terminal to ask."""
    if not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask for a confirmation; use --yes")
    require(click.confirm(question), "not_confirmed")


def _print_facts(*facts: tuple[str, str | None]) -> None:
    """Print the facts that have a value, one per line."""
    given = [(name, value) for name, value in facts if value]
    width = max(len(name) for name, _ in given)
    for name, value in given:
        click.echo(f"  {name:<{width}}  {value}")
