"""The commands of the estimators, as part of `candor`."""

import click

from estimators.estimate_command import estimate
from estimators.lint_command import lint
from estimators.plan_command import plan
from estimators.rehearsal.simulate_command import simulate

COMMANDS: list[click.Command] = [estimate, lint, plan, simulate]
