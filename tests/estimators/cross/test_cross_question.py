"""A question of the kind `cross` as a table."""

from typing import Any

import numpy as np
import pytest

from client.authoring.draft.survey import build_survey
from client.core.primitives.refusal import Refusal
from client.core.question import Question
from estimators.counting.tally import Tally
from estimators.cross.crossing import cross_question
from tests.support.analyses import choice_estimates


def question(**more: Any) -> Question:
    cross = {
        **{"id": "both", "kind": "cross", "prompt": "Both?", "epsilon": "2"},
        **{"row_prompt": "Smokes?", "rows": ["No", "Yes"]},
        **{"column_prompt": "Vapes?", "columns": ["No", "Yes", "Used to"]},
    }
    survey = build_survey(
        {"slug": "s", "title": "T", "delete_on": "2999-12-31", "questions": [{**cross, **more}]}
    )
    return survey.questions[0]


def test_cells_are_the_shares_of_the_options_and_margins_their_sums() -> None:
    asked = question()
    tally = Tally.of_cells([120, 60, 50, 40, 70, 160], 1)
    table, estimates = cross_question(asked, tally), choice_estimates(asked.mechanism, tally)
    shares = estimates.shares
    assert [cell.share.value for cell in table.cells] == pytest.approx(shares)
    assert [m.share.value for m in table.row_margins] == pytest.approx(
        [shares[:3].sum(), shares[3:].sum()]
    )
    covariance = estimates.covariance().population
    row = np.array([1, 1, 1, 0, 0, 0])
    assert table.row_margins[0].share.standard_error == pytest.approx(
        (row @ covariance @ row) ** 0.5
    )
    assert table.cells[4].row_share.value == pytest.approx(shares[4] / shares[3:].sum())
    assert (table.first, table.second, table.silence) == ("Smokes?", "Vapes?", None)
    assert table.test.df == 2
    assert table.test.p_value is not None
    assert table.test.p_value < 0.001


def test_a_table_without_relation_is_not_rejected() -> None:
    asked = question()
    p, q = (float(value) for value in asked.mechanism.support or ())
    truth = np.outer([0.3, 0.7], [0.5, 0.3, 0.2]).ravel()
    counts = np.round(1_000_000 * (q + (p - q) * truth)).astype(int).tolist()
    table = cross_question(asked, Tally.of_cells(counts, 1))
    assert table.test.statistic < 0.01
    assert table.cramers_v is not None
    assert table.cramers_v.value == 0


def test_silence_is_in_no_row_and_association_is_among_those_who_answered() -> None:
    asked = question(decline="Prefer not to say")
    p, q = (float(value) for value in asked.mechanism.support or ())
    cells = np.array([[0.4, 0.1, 0.1], [0.05, 0.05, 0.3]])
    truth = np.append(0.8 * cells.ravel(), 0.2)
    counts = np.round(10_000_000 * (q + (p - q) * truth)).astype(int).tolist()
    table = cross_question(asked, Tally.of_cells(counts, 1))
    assert table.silence == pytest.approx(0.2, abs=1e-5)
    assert table.cells[0].share.value == pytest.approx(0.32, abs=1e-5)
    assert table.cells[0].row_share.value == pytest.approx(2 / 3, abs=1e-4)
    expected = np.outer(cells.sum(axis=1), cells.sum(axis=0))
    v = float(((cells - expected) ** 2 / expected).sum()) ** 0.5
    assert table.cramers_v is not None
    assert table.cramers_v.value == pytest.approx(v, abs=1e-4)


def test_one_report_is_no_table() -> None:
    with pytest.raises(Refusal, match="both has fewer than two reports"):
        cross_question(question(), Tally.of_cells([1, 0, 0, 0, 0, 0], 1))
