"""Joined conditions in the simulator: exact chances, and the same people as one at a time."""

import numpy as np
import pytest

from client.authoring.draft.survey import build_survey
from client.core.question import is_shown
from estimators.simulation.kernels.source import stream
from estimators.simulation.people.population import Population

ANY = {"any": [{"question": "often", "is": ["Yes"]}, {"question": "cups", "from": "2"}]}
ALL = {"all": [{"question": "smokes", "is": ["Yes"]}, {"question": "cups", "from": "1", "to": "1"}]}
DRAFT = {
    "slug": "s",
    "title": "T",
    "epsilon": "1",
    "questions": [
        {"id": "smokes", "prompt": "Smoke?"},
        {"id": "often", "prompt": "Often?", "show_if": {"question": "smokes", "is": ["Yes"]}},
        {"id": "cups", "kind": "number", "prompt": "Cups?", "lo": "0", "hi": "3", "step": "1"},
        {"id": "either", "prompt": "Either?", "show_if": ANY},
        {"id": "both", "prompt": "Both?", "show_if": ALL},
    ],
}
SHARES = {
    "smokes": (0.6, 0.4),
    "often": (0.5, 0.5, 0.0),
    "cups": (0.4, 0.3, 0.2, 0.1),
    "either": (0.5, 0.5, 0.0),
    "both": (0.5, 0.5, 0.0),
}


def test_the_share_that_does_not_apply_is_summed_over_all_cases() -> None:
    """Either: 1 - (1 - .4 * .5)(1 - .3) = .44. Both: .4 * .3 = .12."""
    truths = Population(build_survey(DRAFT), SHARES).truths()
    assert truths["either"][-1] == pytest.approx(0.56)
    assert truths["both"][-1] == pytest.approx(0.88)


@pytest.mark.parametrize("dependence", [0.0, 0.7])
def test_people_see_what_a_device_would_show_them(dependence: float) -> None:
    survey = build_survey(DRAFT)
    answers = Population(survey, SHARES, dependence).draw(500, stream(3))
    for question in survey.questions:
        hidden = np.asarray(answers[question.id]) == question.kind.hidden_answer
        people = zip(*(answers[item.id].tolist() for item in survey.questions), strict=True)
        ids = [item.id for item in survey.questions]
        shown = [is_shown(question, dict(zip(ids, person, strict=True))) for person in people]
        if question.show_if is not None:
            assert (~hidden).tolist() == shown
