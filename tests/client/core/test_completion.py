"""What a panel gets after sending: the same for everybody, and nothing smuggled."""

import re
from typing import Any

import pytest

from client.core.completion import NAME, VALUE, Completion
from tests.client.core.test_vectors import named


@pytest.mark.parametrize("vector", named("completions.jsonl", "link_"))
def test_the_link_takes_along_what_it_names_and_what_is_safe(vector: dict[str, Any]) -> None:
    completion = Completion.read(vector["completion"]).of_group(vector.get("group", ""))
    assert completion.code == vector.get("code", completion.code)
    assert completion.link(vector["parameters"]) == vector["link"]
    passed_on = vector["link"].removeprefix(completion.redirect)
    assert set(re.findall(r"(\w+)=", passed_on)) <= set(completion.pass_on)


def test_no_safe_name_or_value_changes_the_meaning_of_an_address() -> None:
    signs = "".join(map(chr, range(128)))
    for pattern in (NAME, VALUE):
        accepted = {sign for sign in signs if pattern.fullmatch(f"a{sign}")}
        assert accepted <= set("._~-") | {sign for sign in signs if sign.isalnum()}
