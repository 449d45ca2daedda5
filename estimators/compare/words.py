"""What a comparison of groups says in words: what was tested, and how to read the tables."""

from estimators.compare.figures import MEAN, SHARE
from estimators.compare.joint import ALL_OPTIONS, SHAPE
from estimators.compare.result import Comparison, JointTest
from estimators.compare.samples import Outcome

LEAST_P = 0.0001


def difference_sentences(found: Comparison) -> list[str]:
    """Return what the table of differences says and how it was tested."""
    count, percent = found.comparisons, f"{100 * found.confidence:g} %"
    ratios = ", and so do those of the ratios" if found.quantity == SHARE else ""
    lines = []
    if found.quantity == SHARE:
        lines.append(
            "Points: the first share minus the second, in percentage points. Ratio: the first "
            "divided by the second."
        )
    if count == 1:
        lines.append(f"The intervals have {percent} confidence.")
    else:
        lines.append(
            f"The intervals of the {count} differences hold together with {percent} confidence "
            f"(Bonferroni){ratios}. p (Holm) is adjusted for all of them."
        )
    methods = list(dict.fromkeys(row.test.method for row in found.differences))
    lines += [_METHODS[method].format(quantity=found.quantity) for method in methods]
    if any(row.ratio and row.ratio.high is None for row in found.differences):
        lines.append("No limit: no upper limit, because the second share may be 0.")
    if any(row.ratio and row.ratio.flag for row in found.differences):
        lines.append("! No possible ratio fits the reports: chance, or forged reports.")
    return lines


_METHODS = {
    "score": "p: score test of whether both groups have the same share, made on the reports.",
    "fisher_exact": "f: Fisher's exact test, because an expected count of reports is below 5; the "
    "interval is that of the score test and may disagree.",
    "score_at_common_share": "p: the groups were randomized differently, so the test is made at "
    "their likeliest common share.",
    "welch_t": "p: Welch's test of whether both groups have the same {quantity}, made on the "
    "scores of the reports.",
}


SUBJECTS = {ALL_OPTIONS: "All options", SHAPE: "Shape of the distribution", MEAN: "Mean"}


def joint_sentence(joint: JointTest, confidence: float) -> str:
    """Return one test of all groups in words."""
    test = joint.test
    is_sure = test.p_value < 1 - confidence
    verdict = "the groups differ" if is_sure else "no difference between the groups is shown"
    rough = " Roughly: an expected count of reports is below 5." if test.small_counts else ""
    return (
        f"{SUBJECTS.get(joint.about, joint.about)}, all groups at once: {statistic(test)}, "
        f"{p_text(test.p_value, 'p =')}: {verdict}.{rough}"
    )


def statistic(test: Outcome) -> str:
    """Return the statistic of a test with its degrees of freedom."""
    name = "F" if test.second_df is not None else "chi-square"
    df = f"{test.df:g}" if test.df is not None else ""
    if test.second_df is not None:
        df += f" and {test.second_df:.1f}"
    value = "" if test.statistic is None else f" {test.statistic:.2f}"
    return f"{name}{value} with {df} degree{'' if df == '1' else 's'} of freedom"


def p_text(value: float, equals: str = "") -> str:
    """Return a p-value, after `p =` or `p <` if asked."""
    if value < LEAST_P:
        return f"{equals.replace('=', '')}< {LEAST_P}"
    return f"{equals} {value:.4f}".strip()
