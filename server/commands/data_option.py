"""Where the data are: the option that all commands share, and the links of that folder's server."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

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
    help="The folder of the database, the keys and the lock.",
)


def url_for_others(folder: DataFolder) -> str:
    """Where the running server is found, or the one that `candor serve` will start."""
    return folder.public_url or DEFAULT_URL


def survey_links(folder: DataFolder, summary: dict[str, Any]) -> dict[str, str]:
    """Links on the running server, or on the one that `candor serve` will start."""
    url = url_for_others(folder)
    return links(url, summary["slug"], summary["fingerprint"], summary["test"])


def workbench_link(folder: DataFolder) -> str:
    """Where researchers log in."""
    return f"{url_for_others(folder)}{ADDRESS}"
