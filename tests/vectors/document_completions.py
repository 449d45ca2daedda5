"""Documents with a completion code, a link back to a panel, or both."""

from collections.abc import Iterator
from typing import Any

from client.core.completion import Completion
from tests.vectors.document_parts import QUESTION, Tree, asked
from tests.vectors.tapes import Vector

LINK = "https://app.panel.example/submissions/complete"
GOOD: dict[str, Tree] = {
    "code": {"code": "C1A2-B3_d"},
    "longest_code": {"code": "x" * 64},
    "redirect": {"redirect": "https://panel.example"},
    "redirect_with_all_signs": {"redirect": f"{LINK}/a.b_c~d:@!$&'()*+,;=%20-/?x=1&y=%2F?z"},
    "redirect_with_a_port": {"redirect": "https://Panel-1.example:8443/?cc=AB12"},
    "longest_redirect": {"redirect": "https://panel.example/".ljust(500, "x")},
    "everything": {"code": "AB12", "redirect": LINK, "pass_on": ["PROLIFIC_PID", "b"]},
    "most_names": {"redirect": LINK, "pass_on": ["a" * 32, "b-1", "c_2", "D", "e"]},
}
BAD: dict[str, tuple[Any, str]] = {
    "empty": ({}, "not_canonical"),
    "null": (None, "not_an_object"),
    "a_list": ([], "not_an_object"),
    "unknown_key": ({"code": "A", "by": "x"}, "unknown_key"),
    "empty_code": ({"code": ""}, "not_canonical"),
    "empty_names": ({"code": "A", "pass_on": []}, "not_canonical"),
    "code_null": ({"code": None}, "bad_completion"),
    "code_too_long": ({"code": "x" * 65}, "bad_completion"),
    "code_with_a_blank": ({"code": "A B"}, "bad_completion"),
    "code_with_a_line_break": ({"code": "AB\n"}, "bad_completion"),
    "code_beyond_ascii": ({"code": "Ä1"}, "bad_completion"),
    "redirect_null": ({"redirect": None}, "bad_completion"),
    "redirect_without_encryption": ({"redirect": "http://panel.example/"}, "bad_completion"),
    "redirect_to_a_script": ({"redirect": "javascript:alert(1)"}, "bad_completion"),
    "redirect_without_a_host": ({"redirect": "https:///x"}, "bad_completion"),
    "redirect_with_an_account": ({"redirect": "https://a@panel.example/"}, "bad_completion"),
    "redirect_with_a_fragment": ({"redirect": f"{LINK}#x"}, "bad_completion"),
    "redirect_with_a_backslash": ({"redirect": "https://a\\b/"}, "bad_completion"),
    "redirect_with_a_blank": ({"redirect": f"{LINK}?a b"}, "bad_completion"),
    "redirect_with_a_quote": ({"redirect": f'{LINK}?a"b'}, "bad_completion"),
    "redirect_with_a_line_break": ({"redirect": f"{LINK}\n"}, "bad_completion"),
    "redirect_beyond_ascii": ({"redirect": "https://pänel.example/"}, "bad_completion"),
    "redirect_too_long": ({"redirect": "https://panel.example/".ljust(501, "x")}, "bad_completion"),
    "names_no_list": ({"redirect": LINK, "pass_on": "a"}, "bad_completion"),
    "names_null": ({"redirect": LINK, "pass_on": None}, "bad_completion"),
    "name_a_list": ({"redirect": LINK, "pass_on": [["a"]]}, "bad_completion"),
    "name_empty": ({"redirect": LINK, "pass_on": [""]}, "bad_completion"),
    "name_with_a_digit_first": ({"redirect": LINK, "pass_on": ["1a"]}, "bad_completion"),
    "name_with_an_equals_sign": ({"redirect": LINK, "pass_on": ["a=b"]}, "bad_completion"),
    "name_too_long": ({"redirect": LINK, "pass_on": ["a" * 33]}, "bad_completion"),
    "name_twice": ({"redirect": LINK, "pass_on": ["a", "a"]}, "bad_completion"),
    "too_many_names": ({"redirect": LINK, "pass_on": list("abcdef")}, "bad_completion"),
    "names_without_a_redirect": ({"code": "A", "pass_on": ["a"]}, "bad_completion"),
}
ARMS: Tree = {
    "by": "link",
    "factors": [{"id": "arm", "prompt": "Arm", "levels": ["Control", "Drug"], "decline": ""}],
}
BY_GROUP: dict[str, Tree] = {
    "code": {"by_group": {"0": {"code": "A0"}, "1": {"code": "A1"}}},
    "one_of_them": {"code": "A", "by_group": {"1": {"redirect": LINK}}},
    "names_for_one_of_them": {"pass_on": ["pid"], "by_group": {"1": {"redirect": LINK}}},
}
BAD_BY_GROUP: dict[str, tuple[Any, str]] = {
    "empty": ({"code": "A", "by_group": {}}, "not_canonical"),
    "null": ({"by_group": None}, "bad_completion"),
    "a_list": ({"by_group": []}, "bad_completion"),
    "unknown_group": ({"by_group": {"2": {"code": "A"}}}, "bad_completion"),
    "label_of_a_group": ({"by_group": {"Drug": {"code": "A"}}}, "bad_completion"),
    "group_with_nothing": ({"by_group": {"0": {}}}, "bad_completion"),
    "group_with_an_empty_code": ({"by_group": {"0": {"code": ""}}}, "bad_completion"),
    "group_no_object": ({"by_group": {"0": "A"}}, "not_an_object"),
    "group_with_names": ({"by_group": {"0": {"code": "A", "pass_on": ["a"]}}}, "unknown_key"),
    "group_bad_code": ({"by_group": {"0": {"code": "A B"}}}, "bad_completion"),
    "group_bad_redirect": ({"by_group": {"0": {"redirect": "http://a.b"}}}, "bad_completion"),
}
# What a survey's link carries, and what of it the panel's link takes along.
PARAMETERS: dict[str, dict[str, str]] = {
    "none": {},
    "one": {"pid": "5f3A_0.~-"},
    "both": {"sid": "s", "pid": "p"},
    "others": {"pid": "p", "email": "ada", "constructor": "x"},
    "longest": {"pid": "x" * 64},
    "too_long": {"pid": "x" * 65, "sid": "s"},
    "empty": {"pid": ""},
    "unsafe": {"pid": "a&b=c", "sid": "a%26"},
    "markup": {"pid": '"><script>', "sid": "s"},
    "a_line_break": {"pid": "p\n"},
}


def good_completions() -> Iterator[tuple[str, Tree]]:
    for name, parts in GOOD.items():
        yield f"completion_{name}", asked(QUESTION, completion=parts)
    for name, parts in BY_GROUP.items():
        yield f"completion_by_group_{name}", asked(QUESTION, groups=ARMS, completion=parts)


def completion_faults() -> Iterator[tuple[str, Tree, str]]:
    for name, (value, code) in BAD.items():
        yield f"completion_{name}", asked(QUESTION, completion=value), code
    for name, (value, code) in BAD_BY_GROUP.items():
        yield f"completion_by_group_{name}", asked(QUESTION, groups=ARMS, completion=value), code
    without_groups = asked(QUESTION, completion=BY_GROUP["code"])
    yield "completion_by_group_without_groups", without_groups, "bad_completion"


def link_vectors() -> Iterator[Vector]:
    """Yield the panel's link for what the survey's link carried."""
    for query in ("", "?cc=AB12"):
        completion = Completion("AB12", LINK + query, ("pid", "sid"))
        for name, given in PARAMETERS.items():
            yield {
                "name": f"link_{name}{'_with_a_query' if query else ''}",
                "completion": completion.as_json(),
                "parameters": given,
                "link": completion.link(given),
            }
    for name, parts in BY_GROUP.items():
        completion = Completion.read(parts)
        for group in ("", "0", "1"):
            own = completion.of_group(group)
            yield {
                "name": f"link_of_group_{group or 'none'}_{name}",
                "completion": parts,
                "group": group,
                "code": own.code,
                "parameters": {"pid": "p"},
                "link": own.link({"pid": "p"}),
            }
    yield {
        "name": "link_without_a_redirect",
        "completion": {"code": "AB12"},
        "parameters": {"pid": "p"},
        "link": "",
    }
