"""`paperwork`: the ethics pack of a survey, as Markdown and HTML."""

from pathlib import Path
from typing import Any

import click

from client.authoring.files import is_document, load_survey, read_bytes
from client.console.counts import COUNT
from client.console.files import check_new_file, new_file
from client.console.printing import json_option, print_done, print_json
from client.core.primitives.refusal import Refusal
from client.core.primitives.values import decimal_text
from client.wording.levels import level_name
from estimators.paperwork.pack import Paperwork
from estimators.paperwork.plan import DIFFERENCE, POWER, StudyPlan


@click.command()
@click.argument("survey", type=click.Path(path_type=Path))
@click.option("--respondents", type=COUNT, help="How many you plan for.")
@click.option(
    "--difference",
    type=float,
    default=DIFFERENCE,
    show_default=True,
    help="The difference between two groups to be found, 0.1 for 10 points.",
)
@click.option(
    "--power",
    type=float,
    default=POWER,
    show_default=True,
    help="The power to find it with, for the number of respondents that this needs.",
)
@click.option(
    "--out",
    type=click.Path(path_type=Path),
    help="A new file, .md or .html, or a folder for both and for the consent text by itself.",
)
@click.option("--html", "as_html", is_flag=True, help="Print HTML instead of Markdown.")
@json_option
def paperwork(
    survey: Path,
    respondents: int | None,
    difference: float,
    power: float,
    out: Path | None,
    as_html: bool,
    as_json: bool,
) -> None:
    """Write consent text, ethics review, data protection, preregistration and methods.

    The texts have the survey's own figures: epsilons, odds, what is sent, who sees what, the day of
    deletion, margins and power. What only you can know stands in square brackets and is listed at
    the top. SURVEY is a survey file, or the survey.json of an export, which has its fingerprint.

    \b
    Examples:
      candor paperwork survey.yaml --respondents 2000
      candor paperwork survey.yaml --respondents 2000 --difference 0.05 --out paperwork.html
      candor paperwork survey.json --out texts/
    """
    if as_html and (out is not None or as_json):
        raise click.UsageError("--html prints a page: it goes with neither --out nor --json")
    plan = StudyPlan(respondents, difference, power)
    pack = Paperwork(load_survey(survey), plan, is_published=is_document(read_bytes(survey)))
    if out is None and as_json:
        print_json(_figures(pack))
    elif out is None:
        click.echo(pack.html if as_html else pack.markdown, nl=False)
    else:
        _write(pack, out, as_json)


def _write(pack: Paperwork, out: Path, as_json: bool) -> None:
    files = _files(pack, out)
    for path in files:
        check_new_file(path)
    for path, text in files.items():
        with new_file(path) as file:
            file.write(text.encode())
    written = [str(path) for path in files]
    count = len(pack.blanks)
    print_done(
        {**_figures(pack), "files": written},
        as_json,
        f"Wrote {', '.join(written)}; {count} things are left for you to fill in.",
    )


def _files(pack: Paperwork, out: Path) -> dict[Path, str]:
    """Return the text of every file to write."""
    if out.is_dir():
        stem = pack.survey.slug
        return {
            out / f"{stem}-paperwork.md": pack.markdown,
            out / f"{stem}-paperwork.html": pack.html,
            out / f"{stem}-consent.md": pack.consent,
        }
    formats = {".md": pack.markdown, ".html": pack.html}
    if out.suffix not in formats:
        raise Refusal("unknown_file_type", str(out), known=list(formats))
    return {out: formats[out.suffix]}


def _figures(pack: Paperwork) -> dict[str, Any]:
    survey = pack.survey
    return {
        "survey": survey.slug,
        "version": survey.version,
        "fingerprint": survey.fingerprint if pack.is_published else None,
        "total_epsilon": decimal_text(survey.total_epsilon),
        "level": level_name(survey.total_epsilon),
        "respondents": pack.plan.respondents,
        "groups": list(pack.plan.shares),
        "questions": pack.plan.question_rows(survey),
        "fill_in": pack.blanks,
        "consent": pack.consent,
        "parts": pack.parts,
        "literature": pack.literature,
    }
