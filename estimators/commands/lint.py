"""`lint`: everything that is wrong, or unwise, in a survey file."""

from pathlib import Path

import click

from client.authoring.files import bytes_of
from client.authoring.lint import ERROR, WARNING, problems_as_json
from client.console.counts import COUNT
from client.console.printing import json_option, print_json
from estimators.planning.lint import lint as find_problems


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--respondents", type=COUNT, help="How many you plan for; warns of wide margins.")
@json_option
def lint(file: Path, respondents: int | None, as_json: bool) -> None:
    """Say all that is wrong with a survey file, and what is unwise in it, each with its place.

    Exit code 0 if it can be published, whatever the warnings; 2 if not.

    \b
    Examples:
      candor lint survey.xlsx
      candor lint survey.yaml --respondents 500 --json
    """
    problems = find_problems(bytes_of(file), str(file), respondents)
    found = problems_as_json(str(file), problems)
    if as_json:
        print_json(found)
    else:
        for problem in problems:
            click.echo(f"{problem.severity:<8} {problem}")
        errors, warnings = _so_many(found["errors"], ERROR), _so_many(found["warnings"], WARNING)
        click.echo(f"{file}: {errors}, {warnings}")
    if any(problem.severity == ERROR for problem in problems):
        raise SystemExit(2)


def _so_many(count: int, severity: str) -> str:
    return f"{count} {severity}{'' if count == 1 else 's'}"
