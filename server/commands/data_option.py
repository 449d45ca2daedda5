"""Where the data are: the one option that all commands of the server share."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from server.data import DataFolder

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
