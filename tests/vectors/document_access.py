"""Documents of invited surveys: good ones, and everything that can be wrong with keys and days."""

from collections.abc import Iterator

from tests.vectors.document_groups import CHOICE, LINK
from tests.vectors.document_parts import QUESTION, TICKET_KEYS, Tree, asked, invited

OF_LEVELS = ("0", "1", "2")
KEY, OTHER = TICKET_KEYS[:2]


def by_link() -> Tree:
    return invited(asked(QUESTION, groups=LINK), *OF_LEVELS)


def good_access() -> Iterator[tuple[str, Tree]]:
    yield "invited", invited(asked(QUESTION))
    yield "invited_groups_by_link", by_link()
    yield "invited_groups_by_choice", invited(asked(QUESTION, groups=CHOICE))
    yield "invited_collecting", invited(asked(QUESTION, answer_from="2027-03-01"))
    last = asked(QUESTION, answer_from="2027-06-29", delete_on="2027-06-30")
    yield "invited_collecting_until_the_day_before_deletion", invited(last)
    yield "invited_test", invited(asked(QUESTION, test=True))
    grouped = asked(QUESTION, groups=LINK, test=True)
    yield "invited_test_of_groups_by_link", invited(grouped)
    for label, key in [("smallest", f"8{'0' * 510}1"), ("largest", "f" * 512)]:
        yield f"ticket_key_{label}", _with_key(key)


def access_faults() -> Iterator[tuple[str, Tree, str]]:
    for label, value in [("server", "server"), ("empty", ""), ("null", None), ("list", ["open"])]:
        yield f"access_{label}", asked(QUESTION) | {"access": value}, "bad_access"
    yield "ticket_key_missing", asked(QUESTION, access="invited"), "bad_ticket_key"
    yield "ticket_key_of_an_open_survey", _with_key(KEY) | {"access": "open"}, "bad_ticket_key"
    for label, keys, code in [
        *(("null", None, "not_an_object"), ("text", KEY, "not_an_object")),
        *(("list", [KEY], "not_an_object"), ("none", {}, "bad_ticket_key")),
        *(("of_an_unknown_group", {"": KEY, "0": OTHER}, "bad_ticket_key"),),
        *(("of_a_group_only", {"0": KEY}, "bad_ticket_key"),),
    ]:
        yield f"ticket_keys_{label}", _with_keys(keys), code
    for label, groups in [
        *(("for_one_group_too_few", OF_LEVELS[:2]), ("for_one_group_too_many", ["", *OF_LEVELS])),
        *(("for_no_group", [""]), ("for_another_group", ["0", "1", "3"])),
    ]:
        keys = dict(zip(groups, TICKET_KEYS, strict=False))
        yield f"ticket_keys_{label}", by_link() | {"ticket_keys": keys}, "bad_ticket_key"
    tested = by_link() | {"test": True}
    yield "ticket_keys_for_the_groups_of_a_test", tested, "bad_ticket_key"
    same = {"0": KEY, "1": OTHER, "2": KEY}
    yield "ticket_keys_the_same", by_link() | {"ticket_keys": same}, "bad_ticket_key"
    for label, key in [
        *(("null", None), ("number", 3), ("list", [KEY]), ("empty", "")),
        *(("of_2047_bits", f"7{KEY[1:]}"), ("of_2049_bits", f"1{KEY}"), ("short", KEY[1:])),
        *(("even", f"{KEY[:-1]}0"), ("upper_case", KEY.upper()), ("no_digit", f"{KEY[:-2]}g1")),
        *(("with_a_line_break", f"{KEY}\n"), ("with_a_space", f" {KEY[1:]}")),
        *(("in_other_digits", f"{KEY[:-1]}\u0661"), ("with_0x", f"0x{KEY[2:]}")),
    ]:
        yield f"ticket_key_{label}", _with_key(key), "bad_ticket_key"
    yield from _faults_of_days()


def _faults_of_days() -> Iterator[tuple[str, Tree, str]]:
    for label, day in [
        *(("null", None), ("empty", ""), ("soon", "soon"), ("month_13", "2027-13-01")),
        *(("number", 20270301), ("with_a_time", "2027-03-01T00:00:00Z")),
    ]:
        tree = invited(asked(QUESTION)) | {"answer_from": day}
        yield f"answer_from_{label}", tree, "bad_answer_from"
    opened = asked(QUESTION, answer_from="2027-03-01")
    yield "answer_from_of_an_open_survey", opened, "bad_answer_from"
    late = asked(QUESTION, answer_from="2027-06-30", delete_on="2027-06-30")
    yield "answer_from_the_day_of_deletion", invited(late), "bad_answer_from"


def _with_keys(keys: object) -> Tree:
    return invited(asked(QUESTION)) | {"ticket_keys": keys}


def _with_key(key: object) -> Tree:
    return _with_keys({"": key})
