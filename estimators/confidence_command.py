"""The option that says how surely intervals and margins hold."""

import click

from estimators.table import CONFIDENCE

confidence_option = click.option(
    "--confidence",
    type=float,
    default=CONFIDENCE,
    show_default=True,
    help="How surely an interval or a margin holds the truth.",
)
