"""The option --data that all commands share, and links on that folder's server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import click

from server.data_folder import DataFolder
from server.web.urls import ADDRESS, links

DEFAULT_URL = "http://127.0.0.1:8000"

data_option: Callable[[Any], Any] = click.option(
    "--data",
    "folder",
    default="candor-data",
    envvar="CANDOR_DATA",
    show_default=True,
    show_envvar=True,
    metavar="FOLDER",
    callback=lambda context, option, value: DataFolder(Path(value)),
    help="The folder with the database, the keys and the lock.",
)


def url_for_others(folder: DataFolder) -> str:
    """Return the address of the running server, or of the one that `candor serve` will start."""
    return folder.public_url or DEFAULT_URL


def survey_links(folder: DataFolder, summary: dict[str, Any]) -> dict[str, str]:
    """Return a survey's links on the running server, or on the one that will be started."""
    url = url_for_others(folder)
    return links(url, summary["slug"], summary["fingerprint"], summary["test"])


def workbench_link(folder: DataFolder) -> str:
    """Return the address where researchers log in."""
    return f"{url_for_others(folder)}{ADDRESS}"


def login_by_link(folder: DataFolder, carried: dict[str, str]) -> str:
    """Return the address that logs a researcher in once."""
    return f"{workbench_link(folder)}/login/once?{urlencode(carried)}"
