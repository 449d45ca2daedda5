"""The commands of the client, as `python -m client` and as part of `candor`."""

import click

from client.answer_command import answer
from client.audit_command import audit
from client.check_command import check
from client.convert_command import convert
from client.schema_command import schema

COMMANDS: list[click.Command] = [answer, audit, check, convert, schema]
