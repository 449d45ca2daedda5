"""columns.csv: what every column of every table stands for, in words and as a formula."""

from collections.abc import Iterator
from typing import Any

from client.core.survey import Survey
from client.wording.mechanisms import sends
from estimators.confidence import CONFIDENCE
from estimators.counting.formats import GROUP
from estimators.export.design import rule_of

# What the randomizer adds to the variance, per report.
_V = "V(s) = s p (1-p) / (p-q)^2 + (1-s) q (1-q) / (p-q)^2"
ESTIMATES = {
    "question": ("which question, as in codebook.csv", ""),
    "group": ("the group of the link; empty: everybody", ""),
    "quantity": (
        "what is estimated: share (of an option), mean, median, net_promoters, at_most (share up "
        "to a level) or level (share of a level)",
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
        "standard error about these very respondents",
        "of a share: square root of noise_variance at clipped_share",
    ),
    "sampling_error": (
        "what the sample adds to it",
        "square root of sampling_variance, 0 if that is below 0",
    ),
    "standard_error": (
        "standard error about the population",
        "square root of noise_error^2 + sampling_error^2",
    ),
    "asked": ("reports that say anything about this option", ""),
    "reported_count": ("reports that support this option; not the people who chose it", "c"),
    "reported_share": ("their part", "c / asked"),
    "total": ("estimated number of respondents who chose it", "n share"),
    "share": ("estimated share of those who chose it", "(reported_share - q) / (p-q)"),
    "clipped_share": (
        "the nearest possible share, for display only",
        "share, 0 if that is below 0 and 1 if above 1",
    ),
    "clipped_low": ("low, clipped likewise", ""),
    "clipped_high": ("high, clipped likewise", ""),
    "norm_sub": (
        "the nearest shares of all options that are not negative and sum to 1; for display only",
        "share - d, 0 if that is below 0, with the d that makes the sum 1",
    ),
    "maximum_likelihood": (
        "possible shares under which the reports are likeliest; for display only",
        "",
    ),
    "posterior_mean": (
        "possible shares nearest to the truth on average; for display only",
        "",
    ),
    "monotone": ("of at_most: the nearest shares that never fall; for display only", ""),
    "simultaneous_low": (
        "as low, but the intervals of all options hold together",
        "with the error probability divided by the number of options",
    ),
    "simultaneous_high": ("as high, likewise", ""),
    "design_effect": (
        "how many times the variance of asking openly",
        f"1 + V(s) / (s (1-s)) at s = clipped_share, where {_V}",
    ),
    "effective_n": ("so many open answers would say as much", "asked / design_effect"),
    "flag": (
        f"True: no possible share lies in the {100 * CONFIDENCE:g} % interval. "
        "Chance, or forged reports",
        "",
    ),
    "method": (
        "how the interval is made: wilson, normal, bootstrap, or pointwise (of a median: from "
        "the intervals of at_most)",
        "",
    ),
    "confidence": ("confidence of the intervals", ""),
    "epsilon": ("promised for this question", ""),
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
        "covariance of the two shares that the randomizer adds",
        "the rule in design.json",
    ),
    "sampling_covariance": ("what the sample of people adds", "the rule in design.json"),
    "population_covariance": ("both", "noise_covariance + sampling_covariance"),
}
CODEBOOK = {
    "question": ("name of the question, and of its column in reports.csv", ""),
    "kind": ("kind of question", ""),
    "prompt": ("its text", ""),
    "option": ("number of an option; empty where the answer is a number", ""),
    "label": ("text of the option", ""),
    "goal": ("what the randomizer was chosen for", ""),
    "lo": ("lowest answer; level 0", ""),
    "hi": ("highest answer", ""),
    "step": ("distance of two answers", "answer = lo + step level"),
    "unit": ("unit of the answer", ""),
    "show_if_question": ("shown only after an answer to this question", ""),
    "show_if_options": (
        "that is one of these options; for all others the device answers: does not apply",
        "",
    ),
    "epsilon": ESTIMATES["epsilon"],
    "mechanism": ESTIMATES["mechanism"],
    "threshold": ("its exact chance, out of 2^32", "T"),
    "options": ("how many options the randomizer knows, with prefer not to say", ""),
    "size": ("how many options a report names", ""),
    "asked": ("how many boxes a report tells of", ""),
    "at_most": ("how many boxes one person can tick", ""),
    "top": ("highest level", "(hi - lo) / step"),
    "width": ("how many levels a report covers, less one", ""),
}


COLUMNS = ("file", "column", "meaning", "formula")

_TABLES = {
    "estimates.csv": ESTIMATES,
    "covariance.csv": COVARIANCE,
    "codebook.csv": CODEBOOK,
}


def rows(survey: Survey) -> Iterator[dict[str, Any]]:
    for file, columns in _TABLES.items():
        for column, (meaning, formula) in columns.items():
            yield {"file": file, "column": column, "meaning": meaning, "formula": formula}
    for question in survey.questions:
        meaning = f"randomized report, not the answer. {sends(question.mechanism)}"
        yield _of_reports(question.id, meaning, rule_of(question.mechanism))
    yield _of_reports(
        GROUP, "public group of the link; empty: none, or one too small to be told apart", ""
    )


def _of_reports(column: str, meaning: str, formula: str) -> dict[str, Any]:
    return {"file": "reports.csv", "column": column, "meaning": meaning, "formula": formula}
