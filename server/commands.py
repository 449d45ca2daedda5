"""The server's commands: serve, publish, close, verify, backup, demo."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from client.terminal import json_option, print_json
from server import operating
from server.data import DataFolder
from server.links import survey_links
from server.serving import make_server, running_services, serve, url_of

DEFAULT_PORT = 8000

data_option: Callable[[Any], Any] = click.option(
    "--data",
    "folder",
    default="candor-data",
    envvar="CANDOR_DATA",
    show_default=True,
    show_envvar=True,
    metavar="FOLDER",
    callback=lambda context, option, value: DataFolder(Path(value)),
    help="The folder of the database, the keys and the lock.",
)
host_option = click.option("--host", default="127.0.0.1", show_default=True, help="Listen here.")
port_option = click.option(
    "--port",
    default=DEFAULT_PORT,
    show_default=True,
    type=click.IntRange(0, 65535),
    help="0 takes any free port.",
)


@click.command("serve")
@data_option
@host_option
@port_option
def serve_command(folder: DataFolder, host: str, port: int) -> None:
    """Serve the surveys of a data folder until Ctrl-C.

    \b
    Example:
      candor serve --port 8000
    """
    with running_services(folder) as services:
        server = make_server(services, host, port)
        click.echo(f"Serving {folder.path} at {url_of(server)} (Ctrl-C stops)")
        serve(folder, server)


@click.command("publish")
@click.argument("file", type=click.Path(path_type=Path))
@data_option
@click.option("--new-version", is_flag=True, help="Close the present version and open this one.")
@click.option("--confirm-weak", is_flag=True, help="Publish although the total epsilon is weak.")
@json_option
def publish_command(
    file: Path, folder: DataFolder, new_version: bool, confirm_weak: bool, as_json: bool
) -> None:
    """Publish a survey file (YAML or JSON); from then on it cannot change.

    \b
    Example:
      candor publish survey.yaml
    """
    summary = operating.publish(folder, file, new_version, confirm_weak)
    links = survey_links(folder, summary)
    if as_json:
        print_json({**summary, "links": links})
        return
    done = "Published" if summary["created"] else f"Already published, {summary['state']}:"
    click.echo(f"{done} {summary['slug']}, version {summary['version']}")
    click.echo(f"  fingerprint    {summary['fingerprint']}")
    click.echo(f"  total epsilon  {summary['total_epsilon']} ({summary['level']})")
    for name, link in links.items():
        click.echo(f"  {name:<14} {link}")


@click.command("close")
@click.argument("slug")
@data_option
@json_option
def close_command(slug: str, folder: DataFolder, as_json: bool) -> None:
    """Close a survey for ever; its count and digest are final.

    \b
    Example:
      candor close workplace-health
    """
    summary = operating.close(folder, slug)
    if as_json:
        print_json(summary)
        return
    click.echo(f"Closed {summary['slug']}, version {summary['version']}")
    click.echo(f"  reports  {summary['reports']}")
    click.echo(f"  digest   {summary['digest']}")
    if not summary["compacted"]:
        click.echo("  The file could not be rewritten; run the command again when there is room.")


COMMANDS: list[click.Command] = [serve_command, publish_command, close_command]
