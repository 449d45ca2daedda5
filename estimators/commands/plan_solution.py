"""Print a plan that was solved for epsilon, and the paragraph about a plan."""

from dataclasses import replace
from typing import Any

import click

from client.console.printing import print_json
from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from estimators.commands.plan_tables import print_plan
from estimators.planning.grant import grant_paragraph
from estimators.planning.solving import Solution, invited
from estimators.planning.survey_plan import plan_survey


def in_words(survey: Survey, rows: list[dict[str, Any]], response: float) -> str:
    """Return the paragraph about a plan, with the people to invite if not all respond."""
    respondents = max(row["respondents"] for row in rows)
    invite = invited(respondents, response)
    return grant_paragraph(survey, rows, None if invite == respondents else invite)


def print_solution(solution: Solution, response: float, as_json: bool) -> None:
    """Print the least epsilon with its level, the plan at it, and how many questions fit."""
    target = replace(solution.target, margin=None, respondents=solution.respondents)
    rows = plan_survey(solution.survey, target)
    words = in_words(solution.survey, rows, response)
    figures = {
        "total_epsilon": decimal_text(solution.total),
        "level": solution.level,
        "margin": solution.target.margin,
        "respondents": solution.respondents,
        "invite": invited(solution.respondents, response),
        "questions_that_fit": solution.questions_that_fit,
        "questions": rows,
        "in_words": words,
    }
    if as_json:
        print_json(figures)
        return
    click.echo(solution.sentence)
    print_plan(rows)
    click.echo(f"\nIn words: {words}")
