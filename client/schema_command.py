"""`schema`: the published JSON Schema of survey files."""

import click

from client.schema import schema_bytes


@click.command()
def schema() -> None:
    """Print the JSON Schema (2020-12) of survey files, for editors and other programs.

    \b
    Example:
      candor schema > survey.schema.json
    """
    click.echo(schema_bytes(), nl=False)
