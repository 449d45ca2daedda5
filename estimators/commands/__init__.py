"""The commands of the estimators, as part of `candor`."""

import click

from estimators.commands.audit import audit
from estimators.commands.estimate import estimate
from estimators.commands.lint import lint
from estimators.commands.plan import plan
from estimators.commands.simulate import simulate

COMMANDS: list[click.Command] = [audit, estimate, lint, plan, simulate]
