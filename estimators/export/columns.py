"""columns.csv: what every column of every table stands for, in words and as a formula."""

from collections.abc import Iterator
from typing import Any

from client.core.question import Question
from client.core.survey import Survey
from client.wording.mechanisms import sends
from estimators.confidence import CONFIDENCE
from estimators.counting.group_columns import GROUP
from estimators.export.design import rule_of
from estimators.export.scores import MOST_OPTIONS, score_columns

# The variance that the randomizer adds per report.
_V = "V(s) = s p (1-p) / (p-q)^2 + (1-s) q (1-q) / (p-q)^2"
ESTIMATES = {
    "question": ("which question, as in codebook.csv", ""),
    "group": ("the group, by the levels of all factors; empty: everybody", ""),
    "quantity": (
        "what is estimated: share (of an option), mean, quantile_05, quantile_25, quantile_50 "
        "(median), quantile_75, quantile_95, net_promoters, at_most (share up to a level, for up "
        "to 20 levels) or level (share of a level, for drawing only: it has no interval)",
        "",
    ),
    "option": ("number of the option or level, as in codebook.csv; levels count from 0", ""),
    "label": ("text of the option, or the quantity again", ""),
    "n": ("reports to this question", ""),
    "value": (
        "the estimate; that of an option's share is unbiased, so it may be below 0 or above 1",
        "of a share: share",
    ),
    "low": (
        "lower end of its interval for the population, see method",
        "wilson: (w - q) / (p-q), w the end of Wilson's interval of reported_share; "
        "normal: value - z standard_error",
    ),
    "high": ("upper end of its interval", "as for low"),
    "noise_variance": (
        "variance that the randomizer adds, unbiased",
        f"of a share: (V(share) + (1 - asked/n) t) / asked, where {_V}, t = n sampling_variance",
    ),
    "sampling_variance": (
        "variance that the sample of people adds, unbiased; may come out below 0",
        "of a share: t / n, where t = reported_share (1 - reported_share) / ((p-q)^2 (1 - 1/asked))"
        " - V(share)",
    ),
    "noise_error": (
        "standard error of a statement about these respondents only",
        "of a share: square root of noise_variance at s = share, 0 if below 0 and 1 if above 1",
    ),
    "sampling_error": (
        "standard error that the sample of people adds",
        "square root of sampling_variance, 0 if that is below 0",
    ),
    "standard_error": (
        "standard error of a statement about the population",
        "square root of noise_error^2 + sampling_error^2",
    ),
    "asked": ("reports that are about this option", ""),
    "reported_count": ("reports that support this option; not the people who chose it", "c"),
    "reported_share": ("share of the asked reports that support it", "c / asked"),
    "total": (
        "estimated number of respondents who chose it, unbiased; of a mean: the sum of the answers "
        "of those who gave one; of net_promoters: promoters minus detractors",
        "of a share: n share = (c - n q) / (p-q) if everybody was asked",
    ),
    "total_noise_variance": (
        "variance that the randomizer adds to the total, unbiased",
        "of a share: n^2 noise_variance",
    ),
    "total_sampling_variance": (
        "variance that the sample of people adds to the total, unbiased; may come out below 0",
        "of a share: n^2 sampling_variance",
    ),
    "total_standard_error": (
        "standard error of the total, about the population",
        "square root of total_noise_variance + total_sampling_variance",
    ),
    "total_low": (
        "lower end of the interval of the total for the population",
        "of a share: n low; normal: total - z times the standard error of the total, with its "
        "noise at possible shares",
    ),
    "total_high": ("upper end of the interval of the total", "as for total_low"),
    "share": ("estimated share of respondents who chose it", "(reported_share - q) / (p-q)"),
    "possible_share": (
        "the possible shares nearest to the estimates; for display only",
        "of one choice: share - d, 0 if that is below 0, with the d that makes the sum 1; of "
        "boxes: share, 0 if that is below 0 and 1 if above 1",
    ),
    "simultaneous_low": (
        "as low, but the intervals of all options hold together",
        "with the error probability divided by the number of options",
    ),
    "simultaneous_high": ("as high, but the intervals of all options hold together", ""),
    "design_effect": (
        "how many times as large the variance is as with open answers",
        f"n / asked (1 + V(s) / (s (1-s))) at s = share, 0 if below 0 and 1 if above 1, where {_V}",
    ),
    "effective_n": ("number of open answers that would say as much", "n / design_effect"),
    "flag": (
        f"True: no possible share lies in the {100 * CONFIDENCE:g} % interval. "
        "Chance, or forged reports",
        "",
    ),
    "method": (
        "how the interval is computed: wilson, normal, or profile (of at_most and quantiles, at "
        "95 % only; profile_of_bins: neighbours of more than 128 levels were grouped). em: a share "
        "of a level, without an interval",
        "profile, at_most: every share at which the best fit is worse by at most 6.6349, twice the "
        "difference of log-likelihoods; quantile: every v with high(at_most v) >= part and "
        "low(at_most v-1) <= part",
    ),
    "confidence": ("confidence of the intervals", ""),
    "epsilon": ("epsilon promised for this question", ""),
    "mechanism": ("randomizer, see codebook.html", ""),
    "p": ("chance that a report supports the true option", ""),
    "q": ("chance that a report supports any other option", ""),
    "version": ("version of the survey", ""),
}
COVARIANCE = {
    "question": ESTIMATES["question"],
    "group": ESTIMATES["group"],
    "option_1": ("number of an option", ""),
    "option_2": ("number of another, or the same: then the figures are variances", ""),
    "noise_covariance": (
        "covariance that the randomizer adds to the two shares",
        "the rule in design.json",
    ),
    "sampling_covariance": ("covariance that the sample of people adds", "the rule in design.json"),
    "population_covariance": ("both together", "noise_covariance + sampling_covariance"),
}
CODEBOOK = {
    "question": ("name of the question, and of its column in reports.csv", ""),
    "kind": ("kind of question", ""),
    "prompt": ("its text", ""),
    "option": ("number of an option; empty where the answer is a number", ""),
    "label": ("text of the option", ""),
    "row": ("if the options are the cells of a table: the row of this cell", ""),
    "column": ("and its column", ""),
    "goal": ("what the randomizer was chosen for", ""),
    "lo": ("lowest answer; level 0", ""),
    "hi": ("highest answer", ""),
    "step": ("distance between two answers", "answer = lo + step level"),
    "unit": ("unit of the answer", ""),
    "show_if": (
        "shown only after these answers to earlier questions, by the numbers of options or levels; "
        "otherwise the device answers: does not apply",
        "",
    ),
    "epsilon": ESTIMATES["epsilon"],
    "mechanism": ESTIMATES["mechanism"],
    "threshold": ("its exact chance, out of 2^32", "T"),
    "options": ("how many options the randomizer knows, including prefer not to say", ""),
    "size": ("how many options a report names", ""),
    "asked": ("how many boxes a report is about", ""),
    "at_most": ("how many boxes one person can tick", ""),
    "top": ("highest level", "(hi - lo) / step"),
    "width": ("how many levels a report covers, minus one", ""),
    "silent": ("how many options for silence follow the levels; empty: none", ""),
}


COLUMNS = ("file", "column", "meaning", "formula")

_TABLES = {
    "estimates.csv": ESTIMATES,
    "covariance.csv": COVARIANCE,
    "codebook.csv": CODEBOOK,
}


_NO_GROUP = "empty: a group too small to be shown, or the survey was not closed"


def rows(survey: Survey) -> Iterator[dict[str, Any]]:
    """Yield one row for every column of every table, those of reports.csv last."""
    for file, columns in _TABLES.items():
        for column, (meaning, formula) in columns.items():
            yield _row(file, column, meaning, formula)
    yield from _of_scores(survey)
    for question in survey.questions:
        meaning = f"randomized report, not the answer. {sends(question.mechanism)}"
        yield _row("reports.csv", question.id, meaning, rule_of(question.mechanism))
    yield from _of_groups("reports.csv", survey)


def _of_scores(survey: Survey) -> Iterator[dict[str, Any]]:
    yield from _of_groups("scores.csv", survey)
    left_out = [question.id for question in survey.questions if not score_columns(question)]
    note = f". Left out, with more than {MOST_OPTIONS} options: {', '.join(left_out)}"
    scored = (item for question in survey.questions for item in _meanings(question))
    for place, (column, (meaning, formula)) in enumerate(scored):
        more = note if left_out and place == 0 else ""
        yield _row("scores.csv", column, meaning + more, formula)


def _of_groups(file: str, survey: Survey) -> Iterator[dict[str, Any]]:
    """Yield the columns that tell the group, which is not randomized."""
    for factor in survey.groups.factors if survey.groups else ():
        yield _row(
            file, factor.id, f"{factor.prompt} (as it was sent, not randomized; {_NO_GROUP})"
        )
    if survey.groups:
        yield _row(file, GROUP, f"the levels of all factors; {_NO_GROUP}")


def _meanings(question: Question) -> Iterator[tuple[str, tuple[str, str]]]:
    columns = score_columns(question)
    if columns[:1] == [question.id]:
        unit = f", in {question.unit}" if question.unit else ""
        silent = "; 0 is expected of those who are silent" if len(columns) > 1 else ""
        meaning = f"unbiased score of the number{unit}, not the answer{silent}; empty: not asked"
        yield question.id, (meaning, "number_score() in analysis/scores.R")
        for column in columns[1:]:
            meaning = (
                f"unbiased score of 1 if a number was given and 0 if not. A mean is the sum of "
                f"{question.id} divided by the sum of this column; empty: not asked"
            )
            yield column, (meaning, "silent_window() in analysis/answered.R")
        return
    for option, column in enumerate(columns):
        meaning = (
            f"unbiased score of option {option} ({question.options[option]}), not the answer; "
            "empty: not asked"
        )
        yield column, (meaning, "(s - q) / (p-q), s = 1 if the report supports the option, else 0")


def _row(file: str, column: str, meaning: str, formula: str = "") -> dict[str, Any]:
    return {"file": file, "column": column, "meaning": meaning, "formula": formula}
