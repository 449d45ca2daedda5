"""Everything that can be wrong with a document, each fault with the code that must refuse it."""

import json
from collections.abc import Iterator

from tests.vectors.document_parts import (
    DOCUMENT,
    QUESTION,
    Change,
    ask,
    at,
    canonical,
    changed,
    question_setting,
    question_without,
    setting,
    thresholding,
    without,
)

BAD: dict[str, tuple[Change, str]] = {
    **{f"missing_{key}": (without(key), "missing_key") for key in DOCUMENT},
    **{f"question_missing_{key}": (question_without(key), "missing_key") for key in QUESTION},
    "threshold_leaks_by_one": (thresholding(3139872687), "threshold_leaks"),
    "threshold_leaks_as_floats_would": (at("4.41481", 4243632698), "threshold_leaks"),
    "threshold_is_half_plus_alpha": (thresholding(4132261725), "threshold_leaks"),
    "threshold_wasteful": (thresholding(3137000000), "threshold_wasteful"),
    "threshold_says_nothing": (thresholding(2**31), "threshold_says_nothing"),
    "threshold_reversed": (thresholding(2**32 - 3139872686), "threshold_says_nothing"),
    "threshold_zero": (thresholding(0), "threshold_out_of_range"),
    "threshold_negative": (thresholding(-1), "threshold_out_of_range"),
    "threshold_plain_truth": (thresholding(2**32), "threshold_out_of_range"),
    "threshold_text": (thresholding("3139872686"), "bad_shape"),
    "threshold_boolean": (thresholding(True), "bad_shape"),
    "threshold_null": (thresholding(None), "bad_shape"),
    "threshold_float": (thresholding(3139872686.0), "not_an_integer"),
    "threshold_of_16_digits": (thresholding(10**15), "number_too_large"),
    "mechanism_unknown": (
        question_setting("mechanism", {"name": "plain", "threshold": 3139872686}),
        "unknown_mechanism",
    ),
    "mechanism_name_not_text": (
        question_setting("mechanism", {"name": 1, "threshold": 3139872686}),
        "unknown_mechanism",
    ),
    "mechanism_named_like_an_object_property": (
        question_setting("mechanism", {"name": "constructor", "threshold": 3139872686}),
        "unknown_mechanism",
    ),
    "mechanism_missing_threshold": (question_setting("mechanism", {"name": "rr"}), "missing_key"),
    "mechanism_unknown_key": (
        question_setting("mechanism", {"name": "rr", "threshold": 3139872686, "p": 1}),
        "unknown_key",
    ),
    "mechanism_not_an_object": (question_setting("mechanism", "rr"), "not_an_object"),
    "wrong_total": (setting("total_epsilon", "2"), "wrong_total"),
    "total_smaller_than_the_sum": (setting("total_epsilon", "0.9"), "wrong_total"),
    "total_with_trailing_zero": (setting("total_epsilon", "1.0"), "wrong_total"),
    "total_a_number": (setting("total_epsilon", 1), "wrong_total"),
    "total_of_binary_floats": (
        lambda tree: (
            at("0.1", 2254768441)(tree),
            ask(tree, "q2", "0.2", 2361519036, "0.30000000000000004"),
        ),
        "wrong_total",
    ),
    "total_epsilon_too_large": (
        lambda tree: (at("10", 4294772313)(tree), ask(tree, "q2", "0.01", 2158220976, "10.01")),
        "total_epsilon_too_large",
    ),
    "epsilon_zero": (question_setting("epsilon", "0"), "epsilon_out_of_range"),
    "epsilon_above_ten": (question_setting("epsilon", "10.000001"), "epsilon_out_of_range"),
    "epsilon_negative": (question_setting("epsilon", "-1"), "epsilon_not_a_decimal"),
    "epsilon_nan": (question_setting("epsilon", "NaN"), "epsilon_not_a_decimal"),
    "epsilon_infinite": (question_setting("epsilon", "Infinity"), "epsilon_not_a_decimal"),
    "epsilon_exponent": (question_setting("epsilon", "1e0"), "epsilon_not_a_decimal"),
    "epsilon_with_a_space": (question_setting("epsilon", "1 "), "epsilon_not_a_decimal"),
    "epsilon_with_a_line_break": (question_setting("epsilon", "1\n"), "epsilon_not_a_decimal"),
    "epsilon_in_other_digits": (question_setting("epsilon", "١"), "epsilon_not_a_decimal"),
    "epsilon_seven_decimals": (question_setting("epsilon", "1.0000001"), "epsilon_not_a_decimal"),
    "epsilon_an_integer": (question_setting("epsilon", 1), "epsilon_not_a_decimal"),
    "epsilon_a_float": (question_setting("epsilon", 1.5), "not_an_integer"),
    "epsilon_the_number_nan": (question_setting("epsilon", float("nan")), "not_an_integer"),
    "epsilon_with_trailing_zero": (question_setting("epsilon", "1.0"), "not_canonical"),
    "unknown_key": (setting("extra", 1), "unknown_key"),
    "question_unknown_key": (question_setting("required", True), "unknown_key"),
    "format_of_before": (setting("candor", 2), "unknown_format"),
    "format_unknown": (setting("candor", 4), "unknown_format"),
    "format_boolean": (setting("candor", True), "unknown_format"),
    "format_text": (setting("candor", "3"), "unknown_format"),
    "version_zero": (setting("version", 0), "bad_version"),
    "version_boolean": (setting("version", True), "bad_version"),
    "version_text": (setting("version", "1"), "bad_version"),
    "version_above_a_million": (setting("version", 1_000_001), "bad_version"),
    "slug_upper_case": (setting("slug", "Survey"), "bad_slug"),
    "slug_with_slash": (setting("slug", "a/b"), "bad_slug"),
    "slug_with_line_break": (setting("slug", "a\n"), "bad_slug"),
    "slug_empty": (setting("slug", ""), "bad_slug"),
    "slug_too_long": (setting("slug", "a" * 64), "bad_slug"),
    "slug_a_number": (setting("slug", 5), "bad_slug"),
    "title_empty": (setting("title", ""), "empty_text"),
    "title_blank": (setting("title", " \n\u00a0\u3000"), "empty_text"),
    "title_too_long": (setting("title", "x" * 2001), "text_too_long"),
    "title_control_character": (setting("title", "a\x07"), "control_character"),
    "title_tab": (setting("title", "a\tb"), "control_character"),
    "title_carriage_return": (setting("title", "a\r\nb"), "control_character"),
    "title_c1_control_character": (setting("title", "a\x85b"), "control_character"),
    "title_overriding_the_writing_direction": (setting("title", "a\u202eb"), "control_character"),
    "title_embedding_a_writing_direction": (
        setting("title", "a\u202ab\u202c"),
        "control_character",
    ),
    "title_isolating_a_writing_direction": (
        setting("title", "a\u2066b\u2069"),
        "control_character",
    ),
    "title_only_a_byte_order_mark": (setting("title", "\ufeff"), "control_character"),
    "title_null": (setting("title", None), "not_text"),
    "title_a_number": (setting("title", 1), "not_text"),
    "intro_null": (setting("intro", None), "not_text"),
    "organizer_a_list": (setting("organizer", []), "not_text"),
    "delete_on_not_a_day": (setting("delete_on", "soon"), "bad_delete_on"),
    "delete_on_month_13": (setting("delete_on", "2027-13-01"), "bad_delete_on"),
    "delete_on_null": (setting("delete_on", None), "bad_delete_on"),
    "test_false": (setting("test", False), "bad_test"),
    "test_null": (setting("test", None), "bad_test"),
    "test_a_number": (setting("test", 1), "bad_test"),
    "test_text": (setting("test", "true"), "bad_test"),
    "questions_none": (setting("questions", []), "bad_questions"),
    "questions_not_a_list": (setting("questions", {}), "bad_questions"),
    "question_not_an_object": (setting("questions", ["q1"]), "not_an_object"),
    "question_repeated": (
        lambda tree: ask(tree, "q1", "1", 3139872686, "2"),
        "repeated_question",
    ),
    "id_upper_case": (question_setting("id", "Q1"), "bad_id"),
    "id_digit_first": (question_setting("id", "1q"), "bad_id"),
    "id_too_long": (question_setting("id", "a" * 33), "bad_id"),
    "id_a_list": (question_setting("id", ["q1"]), "bad_id"),
    "id_an_object": (question_setting("id", {"q1": 0}), "bad_id"),
    "kind_unknown": (question_setting("kind", "open_text"), "unknown_kind"),
    "kind_null": (question_setting("kind", None), "unknown_kind"),
    "prompt_empty": (question_setting("prompt", ""), "empty_text"),
    "options_not_a_list": (question_setting("options", "No,Yes"), "bad_options"),
    "options_one": (question_setting("options", ["Yes"]), "bad_options"),
    "options_three": (question_setting("options", ["No", "Yes", "Maybe"]), "bad_options"),
    "options_equal": (question_setting("options", ["Yes", "Yes"]), "bad_options"),
    "options_empty_label": (question_setting("options", ["No", ""]), "empty_text"),
    "options_a_number": (question_setting("options", [0, 1]), "not_text"),
    "too_deep": (question_setting("options", [[[[["No"]]]], "Yes"]), "too_deep"),
}


def raw_faults() -> Iterator[tuple[str, bytes, str]]:
    """Faults of the bytes themselves, which no tree of values can have."""
    good = canonical(DOCUMENT)
    yield "empty", b"", "malformed_json"
    yield "cut_off", good[:-1], "malformed_json"
    yield "two_values", good + good, "malformed_json"
    yield "trailing_comma", good[:-1] + b",}", "malformed_json"
    yield "byte_order_mark", b"\xef\xbb\xbf" + good, "malformed_json"
    yield "not_utf8", good.replace(b"A survey", b"A survey\xff"), "not_utf8"
    yield "utf16", good.decode().encode("utf-16"), "not_utf8"
    yield "encoded_surrogate", changed(setting("title", "\ud800")), "not_utf8"
    escaped = good.replace(b"A survey", b"\\ud800")
    yield "escaped_surrogate", escaped, "control_character"
    yield "a_list", b"[]", "not_an_object"
    yield "null", b"null", "not_an_object"
    yield "a_thousand_brackets", b"[" * 1000, "too_deep"
    yield "duplicate_key", good.replace(b'"version":1', b'"version":1,"version":1'), "duplicate_key"
    twice = good.replace(b'"name":"rr"', b'"name":"rr","name":"rr"')
    yield "duplicate_key_in_the_mechanism", twice, "duplicate_key"
    yield "version_float", good.replace(b'"version":1', b'"version":1.0'), "not_an_integer"
    yield "version_exponent", good.replace(b'"version":1', b'"version":1e0'), "not_an_integer"
    yield "not_canonical_space", good.replace(b",", b", ", 1), "not_canonical"
    yield "not_canonical_line_break_at_the_end", good + b"\n", "not_canonical"
    unsorted = json.dumps(DOCUMENT, separators=(",", ":")).encode()
    yield "not_canonical_keys_unsorted", unsorted, "not_canonical"
    yield "not_canonical_escape", good.replace(b"survey", b"surve\\u0079"), "not_canonical"
