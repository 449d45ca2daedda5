"""The operator's commands, and the two roads on which they reach the store."""

import click

from server.commands.deletion import DELETION_COMMANDS
from server.commands.export import export_command
from server.commands.folder import FOLDER_COMMANDS
from server.commands.invite import invite_command
from server.commands.log import log_command
from server.commands.researchers import researcher_command
from server.commands.surveys import SURVEY_COMMANDS

COMMANDS: list[click.Command] = [
    *FOLDER_COMMANDS,
    *SURVEY_COMMANDS,
    researcher_command,
    log_command,
    export_command,
    *DELETION_COMMANDS,
    invite_command,
]
