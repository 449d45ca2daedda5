"""`convert` and `schema`: write a survey file in another format, and print its JSON Schema."""

from pathlib import Path

import click

from client.authoring.files import open_survey_file, write_survey_file
from client.authoring.schema import schema_bytes
from client.console.files import check_new_file, new_file


@click.command()
@click.argument("source", type=click.Path(path_type=Path))
@click.argument("target", type=click.Path(path_type=Path))
def convert(source: Path, target: Path) -> None:
    """Write a survey file as YAML, JSON or an XLSForm workbook (.xlsx), by the target's name.

    The new file reads back as the same survey, with the same fingerprint. Of a form made elsewhere,
    all that can be asked is written, and every row that is left out is named. An existing file is
    not overwritten.

    \b
    Examples:
      candor convert survey.yaml survey.xlsx
      candor convert kobo-form.xlsx survey.yaml
    """
    check_new_file(target)
    file = open_survey_file(source)
    survey = file.build_rest()
    data = write_survey_file(file.draft, str(target))
    with new_file(target) as written:
        written.write(data)
    if not file.is_whole:
        click.echo(f"{file.loss_summary()}:", err=True)
    for loss in (*file.left_out, *file.changed, *file.notes):
        click.echo(f"  {loss.message}", err=True)
    same = f"the same survey as {source}" if file.is_whole else f"what can be asked of {source}"
    click.echo(f"Wrote {target}, {same}")
    click.echo(f"  fingerprint  {survey.fingerprint}")


@click.command()
def schema() -> None:
    """Print the JSON Schema (2020-12) of survey files, for editors and other programs.

    \b
    Example:
      candor schema > survey.schema.json
    """
    click.echo(schema_bytes(), nl=False)
