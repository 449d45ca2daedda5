"""`candor`: the commands of all three packages under one name."""

import click

from client import __version__
from client.commands import COMMANDS as CLIENT_COMMANDS
from client.console.group import Commands
from estimators.commands import COMMANDS as ESTIMATOR_COMMANDS
from server.commands import COMMANDS as SERVER_COMMANDS

main = click.version_option(__version__, prog_name="candor")(
    Commands(
        "candor",
        commands=[*SERVER_COMMANDS, *CLIENT_COMMANDS, *ESTIMATOR_COMMANDS],
        # Wide enough that the list of commands says each in full.
        context_settings={"max_content_width": 110},
        help="Surveys for questions that people only answer honestly when nobody can hold the "
        "answer against them. The answer is randomized on the respondent's device.",
    )
)
