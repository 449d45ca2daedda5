"""cross() of analyse.R, run by R, gives the published figures and those of `candor cross`."""

from typing import Any

import numpy as np
import pytest

from estimators.analysis.data import read_data
from estimators.cross.table import CrossTable
from tests.support.exported import reports_of
from tests.support.r_asking import Asked, Said, ask_all, survey_of

# The closest to P(report is the truth) = 0.8; the published figures have it exactly.
FOUR_TO_ONE = {"kind": "yes_no", "epsilon": "1.386294"}
COUNTS = {(0, 0): 68, (0, 1): 52, (1, 0): 103, (1, 1): 189}
THREE = ["=x()", "b", "c"]
QUESTIONS: dict[str, dict[str, Any]] = {
    "smokes": {"kind": "yes_no", "epsilon": "1.4"},
    "fruit": {"kind": "one_of", "epsilon": "1.4", "options": THREE},
    "trust": {"kind": "scale", "epsilon": "0.5", "lo": "0", "hi": "10", "goal": "mean"},
    "some": {"kind": "any_of", "epsilon": "5", "options": list("pqrs")},
    "few": {"kind": "any_of", "epsilon": "0.1", "options": list("stuvwxyz"), "at_most": "2"},
    "own": {
        **{"kind": "cross", "epsilon": "0.5", "row_prompt": "A?", "column_prompt": "B?"},
        **{"rows": THREE, "columns": ["k", "l"], "decline": "true"},
    },
    "drinks": {"kind": "number", "epsilon": "1", "lo": "0", "hi": "9", "decline": "true"},
    "tight": {"kind": "yes_no", "epsilon": "0.1"},
}
PAIRS = {
    "two kinds": ("smokes", "fruit"),
    "boxes": ("some", "smokes"),
    "means": ("trust", "fruit"),
    "means by box": ("some", "trust"),
    "means of those who answered": ("smokes", "drinks"),
    "one option": ("fruit:b", "smokes"),
    "two sampled boxes": ("some:p", "some:r"),
    "two boxes of a set": ("few:s", "few:w"),
    "own": ("own",),
    "noise": ("tight", "smokes"),
}
REFUSED = {
    "numbers": "cross('trust', 'trust')",
    "same": "cross('smokes', 'smokes')",
    "classes": "cross('trust:5', 'smokes')",
    "no option": "cross('some:t', 'smokes')",
    "no table": "cross('smokes')",
    "one box": "cross('any:x', 'any:y')",
    "large": "cross('long', 'other')",
}
LONG = {"kind": "one_of", "epsilon": "1", "options": [f"o{i}" for i in range(60)]}


SHARE = ("share", "standard_error", "low", "high", "row_share", "row_low", "row_high")
MEAN = ("mean", "low", "high")


def lines_of(name: str, sides: tuple[str, ...]) -> list[str]:
    call = ", ".join(f"'{side}'" for side in sides)
    return [
        f"found <- cross({call})",
        f"say('{name} test', found$independence[c('chi_square', 'df')])",
        *(f"say('{name} {column}', found$cells${column})" for column in SHARE),
        *(f"say('{name} mean_{column}', found$means${column})" for column in MEAN),
        f"say('{name} association', if (length(found$association)) t(found$association[-1]))",
    ]


def asked() -> dict[str, Asked]:
    survey = survey_of(**QUESTIONS)
    shapes = {question.id: question.mechanism.shape for question in survey.questions}
    assert shapes["some"]["asked"] > 1
    assert shapes["few"]["size"] > 1
    lines = [line for name, sides in PAIRS.items() for line in lines_of(name, sides)]
    lines += [f"refuse('{name}', {call})" for name, call in list(REFUSED.items())[:5]]
    lines += ["say('label', as.numeric(cross('fruit', 'smokes')$cells$fruit[1] == '=x()'))"]
    published = [("", {"a": a, "b": b}) for (a, b), times in COUNTS.items() for _ in range(times)]
    other = survey_of(
        any={"kind": "any_of", "epsilon": "1", "options": list("xyz")}, long=LONG, other=LONG
    )
    return {
        "many": Asked(survey, reports_of(survey, 1_200), lines),
        "published": Asked(
            survey_of(a=FOUR_TO_ONE, b=FOUR_TO_ONE),
            published,
            ("design$threshold <- 0.8 * 2^32", *lines_of("ab", ("a", "b"))),
        ),
        "nearly": Asked(
            survey_of(a=FOUR_TO_ONE, b=FOUR_TO_ONE), published, lines_of("ab", ("a", "b"))
        ),
        "other": Asked(
            other,
            reports_of(other, 30),
            [f"refuse('{name}', {call})" for name, call in list(REFUSED.items())[5:]],
        ),
    }


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Said]:
    return ask_all(asked(), tmp_path_factory.mktemp("crossed"))


def measures_of(table: CrossTable) -> list[float | None]:
    """Return value, error and interval of each measure that R prints."""
    if table.cramers_v is None:
        return []
    is_small = len(table.rows) == len(table.columns) == 2
    found = [*([table.phi, table.log_odds_ratio] * is_small), table.cramers_v]
    empty = (None, None, None, None)
    return [
        figure
        for one in found
        for figure in ((one.value, one.standard_error, one.low, one.high) if one else empty)
    ]


def of_package(said: dict[str, Said], name: str) -> CrossTable:
    return read_data(said["many"].folder).cross(*PAIRS[name])


def close(mine: list[float], wanted: list[float | None]) -> None:
    """Fail unless R's figures are the package's, and are missing where it gives none."""
    np.testing.assert_allclose(mine, np.array(wanted, dtype=float), atol=1e-8, rtol=1e-6)


@pytest.mark.parametrize("name", PAIRS)
def test_cells_and_means_are_those_of_the_package(said: dict[str, Said], name: str) -> None:
    found, table = said["many"].numbers, of_package(said, name)
    for column in ("value", "standard_error", "low", "high"):
        mine = found[f"{name} share" if column == "value" else f"{name} {column}"]
        close(mine, [getattr(cell.share, column) for cell in table.cells])
    for column in ("value", "low", "high"):
        mine = found[f"{name} row_share" if column == "value" else f"{name} row_{column}"]
        close(mine, [getattr(cell.row_share, column) for cell in table.cells])
        mine = found[f"{name} mean_mean" if column == "value" else f"{name} mean_{column}"]
        close(mine, [getattr(row.mean, column) for row in table.means])
    assert bool(table.means) == name.startswith("means")


@pytest.mark.parametrize("name", PAIRS)
def test_independence_and_association_are_those_of_the_package(
    said: dict[str, Said], name: str
) -> None:
    found, table = said["many"].numbers, of_package(said, name)
    close(found[f"{name} test"], [table.test.statistic, table.test.df])
    close(found[f"{name} association"], measures_of(table))


def test_a_strong_association_has_an_error_and_an_interval(said: dict[str, Said]) -> None:
    table = read_data(said["nearly"].folder).cross("a", "b")
    assert table.cramers_v is not None
    assert table.cramers_v.standard_error is not None
    close(said["nearly"].numbers["ab association"], measures_of(table))


def test_a_row_that_may_be_empty_has_no_shares(said: dict[str, Said]) -> None:
    """At epsilon 0.1 the reports do not tell whether anybody gave one of the answers."""
    assert np.isnan(said["many"].numbers["noise row_share"]).any()
    assert np.isfinite(said["many"].numbers["noise share"]).all()


def test_a_label_is_shown_without_the_apostrophe_of_its_file(said: dict[str, Said]) -> None:
    assert said["many"].number("label") == 1


def test_two_yes_no_questions_are_crossed_as_published(said: dict[str, Said]) -> None:
    found = said["published"].numbers
    cells = [0.17718447, -0.02508091, 0.18122977, 0.66666667]
    assert found["ab share"] == pytest.approx(cells, abs=1e-8)
    errors = [0.0372477, 0.0357258, 0.0463262, 0.0513029]
    assert found["ab standard_error"] == pytest.approx(errors, abs=1e-7)
    assert found["ab test"] == pytest.approx([16.031683, 1], abs=1e-6)
    assert found["ab association"][:2] == pytest.approx([0.7123, 0.1827], abs=1e-4)
    # A cell that came out below 0 has no odds.
    assert np.isnan(found["ab association"][4:8]).all()
    assert found["ab row_share"][2:] == pytest.approx(
        [cells[2] / 0.84789644, cells[3] / 0.84789644]
    )


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("numbers", "trust and trust are both numbers"),
        ("same", "cross() needs two different questions, or two boxes of one"),
        ("classes", "only `candor cross` cuts it into classes"),
        ("no option", "some has no option t; it has p, q, r, s"),
        ("no table", "cross() needs a second question: smokes is not of the kind cross"),
        ("one box", "each report is about one box of any"),
        ("large", "these questions have 3600 combinations; cross() takes up to 1,024"),
    ],
)
def test_what_cannot_be_crossed_is_refused_in_a_sentence(
    said: dict[str, Said], name: str, sentence: str
) -> None:
    assert sentence in said["many" if name in list(REFUSED)[:5] else "other"].refused[name]
