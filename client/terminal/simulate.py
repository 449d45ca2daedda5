"""`simulate`: print reports of synthetic respondents, randomized just as a device does it."""

from pathlib import Path
from typing import Any

import click

from client.authoring.files import load_survey
from client.console.counts import COUNT
from client.console.progress import Bar
from client.core.assignment import draw_assignment
from client.core.primitives.domain import Checks, Choice, Domain
from client.core.primitives.words import SecureWords, Words, below, secure_hex, subset
from client.core.question import is_shown
from client.core.respond import respond
from client.core.survey import Survey

TICKET_WORDS = 8


@click.command("simulate")
@click.argument("survey", type=click.Path(path_type=Path))
@click.option("--respondents", type=COUNT, required=True, help="How many reports to print.")
def simulate(survey: Path, respondents: int) -> None:
    """Print the reports of synthetic respondents to SURVEY, one JSON object per line.

    True answers are drawn uniformly: each option or level is equally likely. For check-boxes, the
    number of ticked boxes is uniform, and so is the set among those of that size. So is the group,
    where people choose one. `candor simulate` is faster and takes other shares.

    \b
    Example:
      python -m client simulate survey.yaml --respondents 1000 > reports.jsonl
    """
    loaded = load_survey(survey)
    with Bar("Simulating", respondents, "respondents") as bar:
        for _ in range(respondents):
            click.echo(_draw_report(loaded, SecureWords()))
            bar.advance(1)


def _draw_report(survey: Survey, words: Words) -> bytes:
    """Make the body of one report with the same calls as a respondent's device."""
    answers: dict[str, Any] = {}
    for question in survey.questions:
        shown = is_shown(question, answers)
        kind = question.kind
        answers[question.id] = _draw_answer(kind.domain, words) if shown else kind.hidden_answer
    assignment = draw_assignment(survey, secure_hex(TICKET_WORDS))
    groups = survey.chosen_groups
    group = groups.codes[below(words, len(groups.codes))] if groups else ""
    return respond(survey, assignment, answers, words, group).body


def _draw_answer(domain: Domain, words: Words) -> Any:
    """Draw a true answer: a uniform option or level, or a set whose size is uniform."""
    if isinstance(domain, Checks):
        return subset(words, domain.options, below(words, domain.at_most + 1))
    return below(words, domain.options if isinstance(domain, Choice) else domain.top + 1)
