"""The command `researcher`: researchers' accounts and their roles."""

import sys

import click

from client.console.printing import json_option, print_done, print_json, print_table
from server.commands import operating
from server.commands.data_option import data_option, login_by_link, workbench_link
from server.data_folder import DataFolder
from server.surveys.researchers import Role

stdin_option = click.option(
    "--password-stdin", "from_stdin", is_flag=True, help="Read the password from standard input."
)


@click.group("researcher")
def researcher_command() -> None:
    """Manage who may log in to the workbench, and their roles in surveys.

    \b
    Examples:
      candor researcher add ana
      candor researcher grant ana workplace-health
    """


@researcher_command.command("add")
@click.argument("name")
@data_option
@stdin_option
@json_option
def add(name: str, folder: DataFolder, from_stdin: bool, as_json: bool) -> None:
    """Add a researcher; asks for a password.

    \b
    Example:
      candor researcher add ana
    """
    done = operating.manage_researchers(folder, "add", name=name, password=_password(from_stdin))
    print_done(done, as_json, f"Added {name}; the workbench is at {workbench_link(folder)}")


@researcher_command.command("list")
@data_option
@json_option
def list_command(folder: DataFolder, as_json: bool) -> None:
    """List everybody with an account, and their roles.

    \b
    Example:
      candor researcher list
    """
    found = operating.manage_researchers(folder, "list")
    if as_json:
        print_json(found)
        return
    rows = [
        (
            item["name"],
            "active" if item["active"] else "disabled",
            ", ".join(f"{role} of {slug}" for slug, role in item["roles"].items()),
        )
        for item in found["researchers"]
    ]
    print_table(("name", "account", "roles"), rows, words=3)


@researcher_command.command("disable")
@click.argument("name")
@data_option
@json_option
def disable(name: str, folder: DataFolder, as_json: bool) -> None:
    """Lock a researcher out at once: no login, no session, no key works any more.

    \b
    Example:
      candor researcher disable ana
    """
    done = operating.manage_researchers(folder, "disable", name=name)
    print_done(done, as_json, f"Disabled {name}")


@researcher_command.command("enable")
@click.argument("name")
@data_option
@json_option
def enable(name: str, folder: DataFolder, as_json: bool) -> None:
    """Let a disabled researcher in again.

    \b
    Example:
      candor researcher enable ana
    """
    done = operating.manage_researchers(folder, "enable", name=name)
    print_done(done, as_json, f"Enabled {name}")


@researcher_command.command("password")
@click.argument("name")
@data_option
@stdin_option
@json_option
def password(name: str, folder: DataFolder, from_stdin: bool, as_json: bool) -> None:
    """Give a researcher a new password; this ends all their sessions.

    \b
    Example:
      candor researcher password ana
    """
    done = operating.manage_researchers(
        folder, "password", name=name, password=_password(from_stdin)
    )
    print_done(done, as_json, f"Changed the password of {name}")


@researcher_command.command("link")
@click.argument("name")
@data_option
@json_option
def link(name: str, folder: DataFolder, as_json: bool) -> None:
    """Print a link that logs a researcher in once, within an hour.

    It is for somebody who cannot log in because strangers guess at their password. Using it ends
    the researcher's other sessions. Give it to nobody else: it needs no password.

    \b
    Example:
      candor researcher link ana
    """
    done = operating.manage_researchers(folder, "link", name=name)
    url = login_by_link(folder, done["link"])
    print_done({"url": url, "until": done["link"]["until"]}, as_json, url)


@researcher_command.command("grant")
@click.argument("name")
@click.argument("slug")
@data_option
@click.option(
    "--role",
    type=click.Choice([role.value for role in Role]),
    default=Role.EDITOR.value,
    show_default=True,
    help="Viewers read; editors also write; owners also publish, close and give roles.",
)
@json_option
def grant(name: str, slug: str, folder: DataFolder, role: str, as_json: bool) -> None:
    """Give a researcher a role in a survey.

    \b
    Example:
      candor researcher grant ana workplace-health --role owner
    """
    done = operating.manage_researchers(folder, "grant", name=name, slug=slug, role=role)
    print_done(done, as_json, f"{name} is {role} of {slug}")


@researcher_command.command("revoke")
@click.argument("name")
@click.argument("slug")
@data_option
@json_option
def revoke(name: str, slug: str, folder: DataFolder, as_json: bool) -> None:
    """Take away a researcher's role in a survey.

    \b
    Example:
      candor researcher revoke ana workplace-health
    """
    done = operating.manage_researchers(folder, "revoke", name=name, slug=slug)
    print_done(done, as_json, f"{name} no longer has a role in {slug}")


def _password(from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise click.UsageError("there is no terminal to ask for a password; use --password-stdin")
    asked: str = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    return asked
