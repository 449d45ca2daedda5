"""The commands of the client, as part of `candor`."""

import click

from client.authoring.commands import convert, schema
from client.terminal.answer import answer
from client.terminal.check import check

COMMANDS: list[click.Command] = [answer, check, convert, schema]
