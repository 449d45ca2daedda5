"""What must be in quotes is named with its line and sign; no part of a text is lost silently."""

import pytest

from client.authoring.files import parse_survey_file
from client.authoring.lint import lint_bytes
from client.core.primitives.refusal import Refusal

HEAD = "slug: s\ntitle: T\nepsilon: 1\nquestions:\n- id: q\n  "


@pytest.mark.parametrize(
    ("text", "sign"),
    [
        ("Do you: smoke?", ":"),
        ("@home", "@"),
        ("`code`", "`"),
        ("%5 of it", "%"),
        ("*star", "*"),
        ("&and more", "&"),
        ("!important", "!"),
        ("? why", "?"),
        ("- a dash", "-"),
        ("| a line", "|"),
        ("> than", ">"),
        ("[a] or b", "["),
        ("{a} or b", "{"),
        ('"Yes" or no', '"'),
        ('"never ended', '"'),
        ("'tis", "'"),
        ('"a \\d"', "\\"),
    ],
)
def test_a_text_that_must_be_in_quotes_is_named_and_readable_with_them(
    text: str, sign: str
) -> None:
    with pytest.raises(Refusal) as caught:
        parse_survey_file(f"{HEAD}prompt: {text}\n".encode(), "a.yaml").build()
    said = caught.value.message
    assert said.startswith(
        f"a.yaml is not YAML in line 6: the text must be in quotes because of {sign}"
    )
    quoted = "'" + text.replace("'", "''") + "'"
    file = parse_survey_file(f"{HEAD}prompt: {quoted}\n".encode(), "a.yaml")
    assert file.build().questions[0].prompt == text


def test_a_percent_sign_at_the_start_of_a_file_is_named() -> None:
    with pytest.raises(Refusal, match="in line 1: the text must be in quotes because of %"):
        parse_survey_file(b"%5 of it", "a.yaml")


def test_what_stands_behind_a_hash_is_not_lost_silently() -> None:
    data = f"{HEAD}prompt: Rate \N{NUMBER SIGN} 1\n  kind: scale # 0 to 10\n  lo: 0\n  hi: 10\n"
    found = [str(problem) for problem in lint_bytes(data.encode(), "a.yaml").problems]
    assert [one for one in found if "comment" in one] == [
        "a.yaml: line 6: '# 1' is read as a comment; put the text in quotes if it belongs to it"
    ]


@pytest.mark.parametrize("word", ["Yes", "no", "on", "null?", "1.50", "2027-01-01", "#1"])
def test_words_that_yaml_often_takes_for_something_else_stay_texts(word: str) -> None:
    file = parse_survey_file(f"{HEAD}prompt: Which?\n  hint: x{word}\n".encode(), "a.yaml")
    assert file.build().questions[0].hint == f"x{word}"
    plain = parse_survey_file(f"{HEAD}prompt: {word.strip('#')}\n".encode(), "a.yaml")
    assert plain.build().questions[0].prompt == word.strip("#")


def test_thirty_questions_without_an_epsilon_have_no_total_that_is_too_large() -> None:
    asked = "".join(f"- {{id: q{number}, prompt: Q}}\n" for number in range(30))
    file = parse_survey_file(f"slug: s\ntitle: T\nquestions:\n{asked}".encode(), "a.yaml")
    codes = {fault.code for fault in file.reading.faults}
    assert codes == {"missing_field"}
