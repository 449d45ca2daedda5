"""Random order in a terminal: what is shown moves, what is answered does not."""

from typing import Any

import pytest

from client.authoring.draft.survey import build_survey
from client.core.assignment import Assignment
from client.core.primitives.words import WORD_RANGE
from client.terminal import interview as interviews
from client.terminal.interview import Interview
from tests.client.authoring.test_order import DRAFT
from tests.client.terminal.test_interview import invoke

SURVEY = build_survey(DRAFT)
ALL = Assignment(tuple(question.id for question in SURVEY.questions), {})


class Lowest:
    """Words that are all 0: each last place is exchanged with the first one."""

    def word(self) -> int:
        return 0


class Highest:
    """Words with which everything stays as it is."""

    def word(self) -> int:
        # The largest that divides by the sizes of all lists here, less one.
        return WORD_RANGE - WORD_RANGE % 60 - 1


def interview(monkeypatch: pytest.MonkeyPatch, words: type, typed: str) -> tuple[Any, str]:
    monkeypatch.setattr(interviews, "SecureWords", words)
    found, result = invoke(lambda: Interview.of(SURVEY).ask_all(ALL), typed)
    assert result.exit_code == 0, result.output
    return found, result.output


def test_a_number_means_what_is_shown_and_a_label_what_it_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # The second question comes first, then the third to the fifth, and the first one last.
    found, output = interview(monkeypatch, Lowest, "1\n1\n1\n1\n4\n1\n")
    assert list(found) == ["boxes", "yes", "both", "content", "mode"]
    assert found == {"boxes": [1], "yes": 1, "both": 3, "content": 4, "mode": 1}
    assert output.index("  1  Car") < output.index("  2  Bus") < output.index("  3  Other")
    assert output.index("  3  Other") < output.index("  4  Prefer not to say")
    assert output.index("  4\n  3\n  2\n  1\n  0\n") > 0
    by_label, _ = interview(monkeypatch, Highest, "Car\nb\nYes\nYes\nYes\n4\n")
    assert list(by_label) == ["mode", "boxes", "yes", "both", "content"]
    assert by_label == found
