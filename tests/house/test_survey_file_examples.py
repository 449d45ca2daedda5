"""Every example in the page about survey files parses, and whole ones can be published."""

import re

import pytest

from client.authoring.files import read_survey_file
from client.authoring.lint import lint_bytes
from tests.support.process import ROOT

TEXT = (ROOT / "docs" / "survey-files.md").read_text("utf-8")
WHOLE = re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)
# Fields as they would stand in a file, such as `show_if: {question: id, is: [Yes]}`.
FIELDS = [text for text in re.findall(r"`([^`\n]+)`", TEXT) if re.match(r"[a-z_]+: [^`]", text)]


@pytest.mark.parametrize("text", WHOLE)
def test_a_whole_example_has_no_fault_and_nothing_unwise(text: str) -> None:
    assert [str(problem) for problem in lint_bytes(text.encode(), "a.yaml").problems] == []


@pytest.mark.parametrize("text", FIELDS)
def test_a_field_can_be_written_as_it_is_shown(text: str) -> None:
    name = text.partition(":")[0]
    assert list(read_survey_file(text.encode(), "a.yaml")) == [name]


def test_the_page_has_examples() -> None:
    assert len(WHOLE) >= 1
    assert len(FIELDS) >= 5
