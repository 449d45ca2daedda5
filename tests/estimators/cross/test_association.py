"""Phi, odds ratio, Cramer's V and conditional shares: figures, limits and cover."""

import math

import numpy as np
import pytest

from client.authoring.draft.survey import build_survey
from estimators.counting.tally import Tally
from estimators.cross.association import cramers_v, log_odds_ratio, phi
from estimators.cross.cells import cells_of_joint
from estimators.cross.crossing import cross_question
from estimators.cross.joint import Joint, joint_of_pairs
from estimators.cross.pairs import Pairs
from estimators.cross.table import CrossTable
from estimators.shares.ratios import fieller
from tests.estimators.cross.test_cells import published
from tests.support.cross_samples import channel, exact_joint, samples

Z = 1.959964


def test_published_counts_give_phi_with_its_error_and_an_interval_cut_at_one() -> None:
    found = phi(joint_of_pairs(published()), Z)
    assert found is not None
    assert found.standard_error is not None
    assert round(found.value, 4) == 0.7123
    assert round(found.standard_error, 4) == 0.1827
    assert found.low == pytest.approx(found.value - Z * found.standard_error)
    assert found.high == 1.0


def test_phi_above_one_is_printed_as_it_is() -> None:
    pairs = Pairs(np.array([[300.0, 20.0], [20.0, 300.0]]), published().first, published().second)
    found = phi(joint_of_pairs(pairs), Z)
    assert found is not None
    assert found.value > 1
    assert found.high == 1.0


def test_phi_is_not_estimable_if_nobody_seems_to_say_yes() -> None:
    pairs = Pairs(np.array([[300.0, 60.0], [30.0, 10.0]]), published().first, published().second)
    assert phi(joint_of_pairs(pairs), Z) is None


def test_a_negative_cell_has_no_odds_ratio() -> None:
    assert log_odds_ratio(joint_of_pairs(published()), Z) is None


def slope_of(figure: str, joint: Joint) -> float:
    """Return the error of a figure by differences instead of formulas."""
    values = np.concatenate((joint.cells.ravel(), joint.rows, joint.columns))
    slope = np.zeros(len(values))
    for place in range(len(values)):
        ends = []
        for step in (1e-6, -1e-6):
            moved = values.copy()
            moved[place] += step
            cells, rows, columns = np.split(
                moved, (joint.cells.size, joint.cells.size + len(joint.rows))
            )
            near = Joint(1, cells.reshape(joint.shape), rows, columns, joint.covariance * 0)
            ends.append(_figure(figure, near))
        slope[place] = (ends[0] - ends[1]) / 2e-6
    return math.sqrt(slope @ joint.covariance @ slope)


def _figure(name: str, joint: Joint) -> float:
    if name == "v":
        square = joint.excess**2 / np.outer(joint.rows, joint.columns)
        return math.sqrt(float(square.sum()) / (min(joint.shape) - 1))
    found = phi(joint, Z) if name == "phi" else log_odds_ratio(joint, Z)
    assert found is not None
    return found.value


def test_errors_are_those_of_the_derivatives() -> None:
    first = channel("ss", "2", options=3, size=1)
    truth = np.array([[0.25, 0.05, 0.05], [0.02, 0.28, 0.05], [0.03, 0.02, 0.25]])
    (pairs,) = samples(first, first, truth, 20_000, 1, seed=3)
    joint = joint_of_pairs(pairs)
    found = cramers_v(joint, Z)
    # The value has the part of noise removed, which moves the error by its own small part.
    plain = _figure("v", joint)
    expected = slope_of("v", joint) * plain / found.value
    assert found.standard_error == pytest.approx(expected, rel=1e-5)
    yes_no = channel("rr", "2")
    (pairs,) = samples(yes_no, yes_no, np.array([[0.4, 0.2], [0.1, 0.3]]), 20_000, 1, seed=3)
    for figure, measure in (("phi", phi), ("odds", log_odds_ratio)):
        strength = measure(joint_of_pairs(pairs), Z)
        assert strength is not None
        assert strength.standard_error == pytest.approx(
            slope_of(figure, joint_of_pairs(pairs)), rel=1e-5
        )


def test_v_of_the_truth_is_the_textbook_value() -> None:
    truth = np.array([[0.4, 0.1], [0.2, 0.3]])
    expected = abs(0.3 * 0.4 - 0.1 * 0.2) / math.sqrt(0.5 * 0.5 * 0.6 * 0.4)
    assert cramers_v(exact_joint(truth), Z).value == pytest.approx(expected)


def test_independent_answers_have_no_error_of_v() -> None:
    truth = np.outer([0.5, 0.3, 0.2], [0.6, 0.4])
    assert cramers_v(exact_joint(truth), Z).standard_error is None


def test_a_share_of_a_row_that_may_be_empty_has_no_number() -> None:
    part, variance = np.array([0.1, 0.1, 0.1]), np.full(3, 0.01)
    found = fieller(part, np.array([0.15, 0.6, -0.6]), variance, variance, variance / 2, Z)
    for place in (0, 2):
        assert np.isnan([found.value[place], found.low[place], found.high[place]]).all()
    assert found.value[1] == pytest.approx(1 / 6)
    assert found.low[1] < found.value[1] < found.high[1]


def test_the_ends_of_fiellers_interval_are_exactly_z_errors_away() -> None:
    cells = cells_of_joint(joint_of_pairs(published()))
    shares = cells.row_shares(Z)
    for ratio in (shares.low, shares.high):
        distance = cells.value - ratio * cells.row
        variance = cells.variance - 2 * ratio * cells.with_row + ratio**2 * cells.row_variance
        assert np.abs(distance) == pytest.approx(Z * np.sqrt(variance), rel=1e-9)


def test_reports_that_are_all_alike_have_no_exact_figures() -> None:
    """60 equal reports: a share of a row without width would claim what nobody knows."""
    alike = question_of("kinds", 60)
    assert alike.few_reports
    assert all(cell.row_share.value is None for cell in alike.cells)
    assert alike.cramers_v is not None
    assert alike.cramers_v.standard_error is None


def test_v_is_at_most_1_and_its_interval_is_in_order() -> None:
    few = question_of("two", 1, 1)
    assert few.cramers_v is not None
    assert few.cramers_v.value <= 1
    assert few.cramers_v.low is None


def test_a_table_with_reports_in_every_cell_is_not_rough() -> None:
    assert not question_of("full", 20, 20, 20, 20, 20, 20).few_reports


def question_of(slug: str, *counts: int) -> CrossTable:
    """Return the table of a cross question of 2 x 3 cells whose first cells have these reports."""
    draft = {
        **{"id": "both", "kind": "cross", "prompt": "Both?", "row_prompt": "R?", "epsilon": "1.2"},
        **{"rows": ["No", "Yes"], "column_prompt": "C?", "columns": ["x", "y", "z"]},
    }
    survey = build_survey({"slug": slug, "title": "Tried", "questions": [draft]})
    cells = (*counts, *(0 for _ in range(6 - len(counts))))
    return cross_question(survey.questions[0], Tally(cells, sum(counts)))
