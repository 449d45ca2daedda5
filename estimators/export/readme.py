"""README.txt of the zip: what is in it, what was promised, and how to read and cite it."""

import textwrap

from client.core.primitives.values import decimal_text
from client.core.survey import Survey
from client.wording.levels import level_name
from estimators.confidence import CONFIDENCE
from estimators.export.scores import score_columns

_ANCHOR = """
Log anchor at closing: {anchor}
(`candor verify --anchor ...` on the server shows whether its log was rewritten up to then.)"""
_TEXT = """\
{title}
{line}

Survey {slug}, version {version}{test}{organizer}; {n} reports.
Fingerprint of survey.json (SHA-256): {fingerprint}{anchor}

Every answer was randomized on the respondent's device before it was sent. A row of reports.csv is
one randomized report, not what a person answered; only the estimates describe the truth.


THE PROMISE

Total epsilon per person: {epsilon} ({level}). Whatever somebody answered, no report is more than
e^{epsilon} times as likely as with other answers. A report says no more than that about its
sender, whoever reads it and whatever else they know.

    python promise.py       checks it from the integers in survey.json (Python 3.11 alone)

The same fingerprint is in the link that respondents opened (behind the #) and in their receipts:
they agreed to this document, with these odds.
`sha256sum -c fingerprint.txt` checks that survey.json is that document.


THE FILES

estimates.csv     one row per estimated quantity: value with its interval (low, high), total and
                  share, the standard errors of the noise and of the sample, design effect,
                  effective n, epsilon, p and q. total_low and total_high are the interval of the
                  total; its variance is total_noise_variance + total_sampling_variance. `group` is
                  empty for everybody. Negative shares are honest; possible_share is for display:
                  the possible shares nearest to the estimates. `flag` means that no possible share
                  lies in the {confidence} % interval: chance, or forged reports.
covariance.csv    how the estimated shares of one question vary together: noise, sample and both.
                  Multiply by n squared for the totals. For check-boxes it holds if they are
                  ticked independently of each other. Lists of more than 256 options are left
                  out: covariance.py, or covariance_of() in analyse.R, computes any block of
                  their matrix by the rule in design.json.
reports.csv       the randomized reports, in the order of their content: the order of arrival is
                  not kept. "null": this person was not asked the question.{group_columns}
scores.csv        the same rows as unbiased numbers, see SCORES below.
columns.csv       what every column of these tables is, in words and as a formula.
codebook.csv      every question and every option number. codebook.html is the same for people,
                  with the columns.
paperwork.md      texts for ethics boards, data protection, preregistration and methods, with the
                  figures of this survey; what only people know is left to be filled in.
                  paperwork.html is the same as a page to print.
design.json       for every question the exact integers, the rule that turns an answer into a
                  report and, if it is small, the matrix P(report | truth), with rows `reports` and
                  columns `truths`. Packages name parameters differently; the matrix means the
                  same in all of them. `score_variance` is that of scores.csv if the truth is given.
survey.json       the published document.
analyse.py        derives every figure of both tables again: python analyse.py (Python 3.11, numpy,
                  scipy).
analyse.R         the same in R without packages (Rscript analyse.R), except for figures for display
                  only and the intervals of at_most and quantiles of a sliding window (isw). At its
                  end: regressions with glm.
analysis/         the formulas of these scripts.

A text that a spreadsheet would run as a formula begins with an apostrophe.


HOW TO READ THEM

- `python analyse.py` prints the estimates, totals and groups as tables. In R, after
  source("analyse.R"), compare() compares groups, cross() crosses two questions and regress() fits
  regressions of the true answers. The end of analyse.R has calls with the questions of this survey.
- Use value, low and high. Never analyse reports.csv as if it held answers: shares would come out
  too close to each other, and every relation too weak.
- Two questions together: the share of people who chose u in one and v in the other is the mean,
  over the reports to both, of (a - q) / (p - q) times (b - q') / (p' - q'), where a and b are 1 if
  the report supports u and v, else 0. joint_share() in analyse.R gives it with its standard error.
  It is noisier than either share; a question of the kind `cross` is made for such a table.
- Differences between options need covariance.csv: the variance of a - b is that of a plus that of b
  minus twice their covariance. Groups are independent of each other.
- Weights: reports can be weighted by their group, not by anything that was randomized.
  If a group is the part W of the population, the estimate for the population is the sum of W value
  over the groups, its standard error the square root of the sum of W^2 standard_error^2.


SCORES

In scores.csv every report has one number per option, QUESTION__OPTION with the option numbers of
codebook.csv, and one number per question about a number, in its unit. If that can be declined, the
number expects 0 of those who did, and QUESTION__answered 1 of those who answered: their mean is the
sum of the one column divided by the sum of the other. A single score is noise around the truth.
Averaged over reports the noise cancels: the mean of a column is the estimated share or mean, n
times the mean is the total, and sd / square root of n is the standard error. Empty cells were not
asked; leave them out. So ordinary tools work, one call each:

{one_liners}
The product of two columns of different questions has the share of both together as its mean.
A score is not an answer, and some things cannot be done with it:
- Rows cannot be selected by it ("score above 0.5"), and one row says what its report says.
- It has no meaningful median, histogram, minimum or maximum.
- Its variance is that of the truth plus score_variance in design.json, so correlations are too
  small.
- It cannot be the outcome of a logistic or ordinal regression (use regress() in analyse.R), nor a
  predictor: the slope would come out much too small.
- Squares, and products of two columns of one question, are biased.
Where every report is about one threshold (mechanism rt), the mean in estimates.csv weighs the
thresholds evenly and has a little less noise than the mean of the column.


HOW TO CITE

{cited}.
{title}, version {version}.
Randomized reports and estimates, total epsilon {epsilon}. Fingerprint {fingerprint}.

Add the year, and where you have put this file. This file gives the data no licence: that is up to
those who conducted the survey. The scripts (analyse.*, analysis/, covariance.py, promise.py) are
under the MIT licence of Candor.
"""


_BY_GROUP = """\
pandas, by group:
    pandas.read_csv("scores.csv").groupby("group", dropna=False)["{score}"].agg(["mean", "sem"])
R, by group:
    aggregate({score} ~ group, read.csv("scores.csv"), mean)
R, difference of two groups (Welch):
    t.test({score} ~ group, read.csv("scores.csv"))
statsmodels, the same as a regression with robust errors:
    statsmodels.formula.api.ols("{score} ~ group", pandas.read_csv("scores.csv",
        dtype={{"group": str}}).fillna({{"group": "none"}})).fit(cov_type="HC1").summary()
"""
_FOR_ALL = """\
pandas, of everybody:
    pandas.read_csv("scores.csv")["{score}"].agg(["mean", "sem"])
R, of everybody:
    mean(read.csv("scores.csv")${score}, na.rm = TRUE)
"""


def text(survey: Survey, n: int, log_anchor: str = "") -> str:
    """Return the text for a survey with n reports."""
    return _TEXT.format(
        group_columns=_groups(survey),
        one_liners=(_BY_GROUP if survey.groups else _FOR_ALL).format(score=_example_column(survey)),
        title=survey.title,
        confidence=f"{100 * CONFIDENCE:g}",
        line="=" * min(len(survey.title), 72),
        slug=survey.slug,
        version=survey.version,
        test=" (a TEST)" if survey.test else "",
        organizer=f", by {survey.organizer}" if survey.organizer else "",
        n=f"{n:,}",
        epsilon=decimal_text(survey.total_epsilon),
        level=level_name(survey.total_epsilon),
        fingerprint=survey.fingerprint,
        anchor=_ANCHOR.format(anchor=log_anchor) if log_anchor else "",
        cited=survey.organizer or "[Who conducted the survey]",
    )


def _groups(survey: Survey) -> str:
    """Say which columns tell the group."""
    if survey.groups is None:
        return ""
    ids = ", ".join(f"`{factor.id}`" for factor in survey.groups.factors)
    sentence = (
        f"{ids} and `group` are as they were sent, not randomized; they are empty where too few "
        "people were in the group, or if the survey was not closed."
    )
    indent = " " * 18
    return "\n" + textwrap.fill(sentence, 100, initial_indent=indent, subsequent_indent=indent)


def _example_column(survey: Survey) -> str:
    """Return a column of scores.csv: a number, or the second option, which is yes."""
    found = [column for item in survey.questions for column in score_columns(item)[:2][-1:]]
    return found[0] if found else "QUESTION__1"
