"""README.txt of the zip: what is in it and how to read it."""

from client.decimals import decimal_text
from client.survey import Survey

_TEXT = """\
{title}
{line}

Survey {slug}, version {version}{test}; {n} reports; total epsilon per person {epsilon}.
Fingerprint of survey.json (SHA-256): {fingerprint}

Every answer was randomized on the respondent's device before it was sent. A row of reports.csv is
one randomized report, not what a person answered; only the estimates speak of the truth.

estimates.csv     one row per estimated quantity: value with its interval (low, high), total and
                  share, the standard errors of the noise and of the sample, design effect,
                  effective n, epsilon, p and q. `group` is empty for everybody. A negative share is
                  honest: clipped_share is for display. `flag` says that no possible share lies in
                  the 95 % interval: chance, or forged reports.
covariance.csv    how the estimated shares of one question vary together: noise, sample and both;
                  times n squared, of the totals. For check-boxes it holds if they are ticked
                  independently of each other. Lists of more than 256 options are left out: any
                  block of their matrix comes from covariance.py, or covariance_of() in analyse.R,
                  by the rule in design.json.
reports.csv       the randomized reports, in the order of their content: the order of arrival is
                  not kept. "null": this person was not asked the question. `_group` is the public
                  group of the link, if there was one.
design.json       for every question the exact integers and, where it is small, the matrix
                  P(report | truth), rows `reports` by columns `truths`. Packages name parameters
                  differently; the matrix means the same in all of them.
codebook.csv/html what the columns and numbers stand for.
survey.json       the published document; `sha256sum -c fingerprint.txt` checks it.
analyse.py        derives every figure of both tables again (Python 3.11, numpy).
analyse.R         derives the figures again in base R, and shows regressions (glm, RRreg, rrLogit).
analyse.do        regressions in Stata with rrlogit.

Texts that a spreadsheet would run as a formula have an apostrophe in front.
"""


def text(survey: Survey, n: int) -> str:
    return _TEXT.format(
        title=survey.title,
        line="=" * min(len(survey.title), 72),
        slug=survey.slug,
        version=survey.version,
        test=" (a TEST)" if survey.test else "",
        n=f"{n:,}",
        epsilon=decimal_text(survey.total_epsilon),
        fingerprint=survey.fingerprint,
    )
