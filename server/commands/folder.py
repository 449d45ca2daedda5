"""The commands that work on a whole data folder: serve, verify, demo."""

import sys

import click

from client.console.printing import json_option, print_json
from client.console.progress import Bar
from server.app import create_app
from server.commands.data_option import data_option, workbench_link
from server.commands.demo import (
    GROUPS,
    IN_GROUP,
    PEOPLE,
    RESEARCHER,
    add_demo_researcher,
    prepare,
    prepare_study,
)
from server.data_folder import DataFolder
from server.lifecycle.ticket_keys import key_faults
from server.serving import bind, bind_free, running_services, serve
from server.store.engines.sqlite import mention_old_sqlite
from server.store.verify import Verification, count_reports, verify
from server.web.urls import is_https, links

DEFAULT_PORT = 8000
LOOPBACK = ("127.0.0.1", "localhost", "::1")
INSECURE = (
    "Warning: this listens on {host} without https. Everybody on the way can read and change what "
    "is sent, passwords too, and respondents' browsers refuse to answer. Put a proxy with a "
    "certificate in front, and give its address: --url https://..."
)

host_option = click.option(
    "--host", default="127.0.0.1", show_default=True, help="The address to listen on."
)
port_option = click.option(
    "--port",
    default=DEFAULT_PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="The port to listen on; 0 takes any free port.",
)


@click.command("serve")
@data_option
@host_option
@port_option
@click.option("--url", help="The public address, such as https://... of a proxy in front.")
def serve_command(folder: DataFolder, host: str, port: int, url: str | None) -> None:
    """Serve the surveys of a data folder until Ctrl-C.

    \b
    Example:
      candor serve --port 8000 --url https://surveys.example.org
    """
    with running_services(folder) as services:
        for fault in key_faults(folder.database, folder.ticket_keys):
            click.echo(f"Warning: {fault}", err=True)
        server = bind(create_app(services, url), host, port)
        if host not in LOOPBACK and not is_https(url):
            click.echo(INSECURE.format(host=host), err=True)
        mention_old_sqlite()
        with folder.announced(server.url, url):
            click.echo(f"Serving {folder.path} at {url or server.url} (Ctrl-C stops)")
            serve(server)


@click.command("verify")
@click.argument("slug", required=False)
@data_option
@click.option(
    "--anchor", default="", metavar="HEX", help="The log anchor of a closing, as kept elsewhere."
)
@json_option
def verify_command(slug: str | None, folder: DataFolder, anchor: str, as_json: bool) -> None:
    """Recount everything from the reports; exit code 1 if something differs.

    The command only reads, and may run while the server runs. It also names the surveys whose
    tickets cannot be signed, because a private key is missing or is another one. It checks the
    audit log with the key in the data folder. With --anchor it also checks that the log still has
    the entry that closed a survey: somebody with the key could have rewritten it, but not the
    anchor that you kept.

    \b
    Examples:
      candor verify
      candor verify workplace-health --json
    """
    database = folder.require_database()
    with Bar("Verifying", count_reports(database), "reports") as bar:
        found = verify(database, slug, bar.advance, folder.log_key, anchor)
    # Not of a database that cannot be read: then that is the problem.
    if found.is_sound:
        found.problems += key_faults(folder.database, folder.ticket_keys)
    print_verification(found, as_json)


@click.command("demo")
@data_option
@host_option
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    help="The port to listen on; by default the first free one from 8000 on.",
)
def demo_command(folder: DataFolder, host: str, port: int | None) -> None:
    """Publish two demo surveys with simulated reports and serve them.

    One is open to try. The other is a closed study: its page in the workbench has a tab that
    compares the two arms. The command prints links and a login for the workbench. The password
    changes with every start.

    \b
    Example:
      candor demo
    """
    with running_services(folder) as services:
        with Bar("Answering", PEOPLE + GROUPS * IN_GROUP, "reports") as bar:
            published = prepare(services, advance=bar.advance)
            study = prepare_study(services, advance=bar.advance).survey.slug
        password = add_demo_researcher(services, published.survey.slug, study)
        app = create_app(services)
        server = bind_free(app, host, DEFAULT_PORT) if port is None else bind(app, host, port)
        mention_old_sqlite()
        with folder.announced(server.url):
            survey = published.survey
            click.echo(f"{published.reports:,} reports are in. Ctrl-C stops the server.")
            for name, link in links(server.url, survey.slug, survey.fingerprint).items():
                click.echo(f"  {name:<10} {link}")
            click.echo(f"  workbench  {workbench_link(folder)}")
            click.echo(f"             log in as {RESEARCHER} with the password {password}")
            click.echo(f"  compare    {workbench_link(folder)}/surveys/{study}/compare")
            serve(server)


def print_verification(found: Verification, as_json: bool) -> None:
    """Print what was checked and what differs; exit with 1 if anything does."""
    if as_json:
        print_json({"sound": found.is_sound, "surveys": found.surveys, "problems": found.problems})
    else:
        for item in found.surveys:
            click.echo(
                f"{item['slug']} version {item['version']}: {item['state']}, "
                f"{item['reports']} reports"
            )
        for problem in found.problems:
            click.echo(f"DIFFERS  {problem}")
        if not found.is_sound:
            click.echo("Something differs, see above.")
        else:
            click.echo("Everything agrees." if found.surveys else "There are no surveys yet.")
    if not found.is_sound:
        sys.exit(1)
