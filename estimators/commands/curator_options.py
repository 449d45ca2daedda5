"""The options of `candor curator`: whose answers they are, and to which question."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import click

from client.authoring.draft.survey import build_survey
from client.authoring.files import load_survey
from client.console.counts import COUNT
from client.console.printing import json_option
from client.core.primitives.channel import parse_epsilon
from client.core.primitives.words import SecureWords
from client.core.survey import Survey
from estimators.commands.options import confidence_option
from estimators.curator.answers import Answers, column_cells, read_answers, simulate_answers
from estimators.curator.cells import ReadCell
from estimators.curator.neighbours import Neighbours
from estimators.simulation.people.shares import even_shares, parse_shares, zipf_shares

F = TypeVar("F", bound=Callable[..., Any])

NEIGHBOURS = {"replace": Neighbours.REPLACE_ONE, "add-or-remove": Neighbours.ADD_OR_REMOVE_ONE}

neighbours_option = click.option(
    "--neighbours",
    type=click.Choice(list(NEIGHBOURS)),
    default="replace",
    show_default=True,
    help="What is protected: one person's answer, or whether that person takes part at all.",
)
delta_option = click.option(
    "--delta",
    type=float,
    help="Also say what Gaussian noise would do if the promise may fail with this chance.",
)


def people_options(command: F) -> F:
    """Add the options that all releases share: plain answers from a file or simulated people."""
    for option in (
        json_option,
        click.option(
            "--seed",
            type=int,
            help="Rehearse: the same seed gives the same figures, which must not be published.",
        ),
        confidence_option,
        click.option("--epsilon", required=True, help="What the release may reveal of anybody."),
        click.option("--zipf", type=float, help="With --simulate: shares fall as 1 / rank^ZIPF."),
        click.option(
            "--shares",
            help="With --simulate: the share of each answer, 0.7,0.3; even ones unless told.",
        ),
        click.option("--simulate", type=COUNT, help="Simulate so many people instead of a FILE."),
        click.option("--column", help="The column of FILE; its only one unless told."),
        click.argument("file", required=False, type=click.Path(path_type=Path)),
    ):
        command = option(command)
    return command


def domain_options(command: F) -> F:
    """Add the options that list the possible answers, which are never read from the answers."""
    for option in (
        click.option(
            "--at-most",
            type=int,
            help='How many options one person can give; in FILE they are parted by ";".',
        ),
        click.option(
            "--survey", type=click.Path(path_type=Path), help="A survey that has the options."
        ),
        click.option("--question", help="The question of --survey; its only one unless told."),
        click.option("--options", help="The options, A,B,C, or how many there are, 10."),
    ):
        command = option(command)
    return command


@dataclass(frozen=True)
class PeopleOptions:
    """Whose answers are released: those of the people in a file, or of simulated people."""

    file: Path | None
    column: str | None
    simulate: int | None
    shares: str | None
    zipf: float | None
    seed: int | None

    def answers(
        self,
        survey: Survey,
        read: ReadCell,
        listed: Sequence[str] = (),
        ways: str = "a FILE of answers or --simulate",
    ) -> Answers:
        """Return the answers to the survey's one question.

        `listed` are answers given on the command line, `ways` names the alternatives in an error
        message.
        """
        if (self.file is not None) + (self.simulate is not None) + bool(listed) != 1:
            raise click.UsageError(f"give either {ways}")
        if self.shares is not None and self.zipf is not None:
            raise click.UsageError("give either --shares or --zipf")
        if self.simulate is None and (self.shares is not None or self.zipf is not None):
            raise click.UsageError("--shares and --zipf are for --simulate")
        if self.column is not None and self.file is None:
            raise click.UsageError("--column is for a FILE")
        if self.simulate is not None:
            return self._simulated(survey, self.simulate)
        if self.file is not None:
            return read_answers(survey, column_cells(self.file, self.column), read, self.seed)
        return read_answers(survey, listed, read, self.seed)

    def _simulated(self, survey: Survey, n: int) -> Answers:
        domain = survey.questions[0].domain
        if self.shares is not None:
            shares = parse_shares(self.shares, domain)
        else:
            usual = even_shares if self.zipf is None else partial(zipf_shares, exponent=self.zipf)
            shares = usual(domain)
        return simulate_answers(
            survey, shares, n, SecureWords().word() if self.seed is None else self.seed
        )


@dataclass(frozen=True)
class DomainOptions:
    """The options of a question, listed or taken from a survey."""

    options: str | None
    survey: Path | None
    question: str | None
    at_most: int | None

    def survey_at(self, epsilon: str, shares: str | None) -> Survey:
        """Return a survey of this question; without options, with as many as there are shares."""
        if self.survey is not None:
            if self.options is not None or self.at_most is not None:
                raise click.UsageError("give either --options or a --survey")
            return self._from_survey(self.survey, epsilon)
        if self.question is not None:
            raise click.UsageError("--question is for a --survey")
        labels = self._labels(shares)
        if self.at_most is None:
            return survey_of("one_of", epsilon, options=labels)
        return survey_of("any_of", epsilon, options=labels, at_most=self.at_most)

    def _labels(self, shares: str | None) -> list[str]:
        if self.options is None:
            if shares is None:
                raise click.UsageError("give --options, all answers that there can be")
            return _numbered(shares.count(",") + 1)
        if self.options.isdigit():
            return _numbered(COUNT.convert(self.options, None, None))
        return [label.strip() for label in self.options.split(",")]

    def _from_survey(self, path: Path, epsilon: str) -> Survey:
        questions = {question.id: question for question in load_survey(path).questions}
        if self.question is None and len(questions) > 1:
            raise click.UsageError(f"{path} has several questions: choose one with --question")
        name = self.question or next(iter(questions))
        if name not in questions:
            raise click.UsageError(f"{path} has no question {name[:40]!r}")
        found = questions[name]
        at_most = getattr(found.domain, "at_most", None)
        kind = "one_of" if at_most is None else "any_of"
        more = {} if at_most is None else {"at_most": at_most}
        return survey_of(kind, epsilon, options=list(found.options), **more)


def survey_of(kind: str, epsilon: str, **fields: Any) -> Survey:
    """Return a survey of one question, with the mechanism that the rule chooses."""
    parse_epsilon(epsilon)
    question = {"id": "answers", "kind": kind, "prompt": "Answers", "epsilon": epsilon} | fields
    return build_survey({"slug": "curator", "title": "Curator", "questions": [question]})


def _numbered(count: int) -> list[str]:
    return [str(number) for number in range(1, count + 1)]
