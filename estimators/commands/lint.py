"""`lint`: find everything that is wrong or unwise in a survey file."""

from pathlib import Path

import click

from client.authoring.files import parse_survey_file, read_bytes
from client.authoring.lint import CHANGED, ERROR, LEFT_OUT, WARNING, problems_as_json
from client.console.counts import COUNT
from client.console.printing import json_option, print_json
from estimators.planning.lint import lint as find_problems


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--respondents", type=COUNT, help="How many you expect; warns of wide margins.")
@json_option
def lint(file: Path, respondents: int | None, as_json: bool) -> None:
    """Say all that is wrong with a survey file, and what is unwise in it, each with its place.

    Exit code 0 if the survey can be published, even with warnings; 2 if not. Of a form made
    elsewhere, every row that cannot be asked is named; `candor convert` writes the others.

    \b
    Examples:
      candor lint survey.xlsx
      candor lint survey.yaml --respondents 500 --json
    """
    data = read_bytes(file)
    problems = find_problems(data, str(file), respondents)
    found = problems_as_json(str(file), problems)
    if as_json:
        print_json(found)
    else:
        if any(problem.severity in (LEFT_OUT, CHANGED) for problem in problems):
            click.echo(f"{parse_survey_file(data, str(file)).loss_summary()}:")
        for problem in problems:
            click.echo(f"{problem.severity:<8} {problem}")
        errors, warnings = _count_of(found["errors"], ERROR), _count_of(found["warnings"], WARNING)
        click.echo(f"{file}: {errors}, {warnings}")
    if any(problem.severity != WARNING for problem in problems):
        raise SystemExit(2)


def _count_of(count: int, severity: str) -> str:
    return f"{count} {severity}{'' if count == 1 else 's'}"
