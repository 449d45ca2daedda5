"""The XLSForm types that cannot be randomized, and why; `kinds.py` has those that can."""

from collections.abc import Callable, Mapping

from client.core.primitives.refusal import Refusal


def _text(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.text", "type", type=type)


def _file(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.file", "type", type=type)


def _place(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.place", "type", type=type)


def _time(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.time", "type", type=type)


def _device(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.device", "type", type=type)


def _calculated(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.calculated", "type", type=type)


def _group(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.group", "type", type=type)


def _repeat(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.repeat", "type", type=type)


def _options(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.options", "type", type=type)


def _rank(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.rank", "type", type=type)


def _note(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.note", "type", type=type)


def _single(type: str) -> Refusal:
    return Refusal("cannot_be_randomized.single", "type", type=type)


# After the name of a list: one may write in something else.
OR_OTHER = "or_other"

REFUSED: Mapping[str, Callable[[str], Refusal]] = {
    **dict.fromkeys(("text", "string", "url", "barcode", "bin", "uuid"), _text),
    **dict.fromkeys(
        (
            "image",
            "photo",
            "draw",
            "signature",
            "annotate",
            "audio",
            "video",
            "file",
            "background-audio",
        ),
        _file,
    ),
    **dict.fromkeys(
        (
            "geopoint",
            "geotrace",
            "geoshape",
            "start-geopoint",
            "background-geopoint",
            "gps",
            "osm",
            "location",
        ),
        _place,
    ),
    **dict.fromkeys(
        ("date", "time", "datetime", "datetime_range", "today", "start", "end"),
        _time,
    ),
    **dict.fromkeys(
        ("deviceid", "phonenumber", "phone_number", "username", "email", "uri:deviceid"),
        _device,
    ),
    **dict.fromkeys(("subscriberid", "simserial", "audit", "imei"), _device),
    **dict.fromkeys(("calculate", "calculate_here", "hidden"), _calculated),
    **dict.fromkeys(("begin_group", "end_group", "group"), _group),
    **dict.fromkeys(("begin_repeat", "end_repeat", "repeat"), _repeat),
    **dict.fromkeys(("select_one_from_file", "select_multiple_from_file"), _options),
    **dict.fromkeys(("csv-external", "xml-external", "select_one_external"), _options),
    "rank": _rank,
    "note": _note,
    **dict.fromkeys(("acknowledge", "trigger"), _single),
}
# Other ways to write a type, all of which the standard's own converter reads.
_PHRASES: Mapping[str, str] = {
    "add select one prompt using": "select_one",
    "add select multiple prompt using": "select_multiple",
    "select all that apply from": "select_multiple",
    "select all that apply": "select_multiple",
    "select one from file": "select_one_from_file",
    "select multiple from file": "select_multiple_from_file",
    "select one external": "select_one_external",
    "select one from": "select_one",
    "select one": "select_one",
    "select multiple": "select_multiple",
    "select1": "select_one",
    "select": "select_multiple",
    "int": "integer",
    "add integer prompt": "integer",
    "add decimal prompt": "decimal",
    "begin group": "begin_group",
    "end group": "end_group",
    "begin repeat": "begin_repeat",
    "end repeat": "end_repeat",
    "begin lgroup": "begin_repeat",
    "end lgroup": "end_repeat",
    "begin looped group": "begin_repeat",
    "end looped group": "end_repeat",
    "begin loop": "begin_repeat",
    "begin_loop": "begin_repeat",
    "end loop": "end_repeat",
    "end_loop": "end_repeat",
}


def words_of(type: str) -> list[str]:
    """Split a type into words; `select one colours` means `select_one colours`."""
    words = type.split()
    for length in range(min(5, len(words)), 0, -1):
        phrase = " ".join(words[:length]).lower()
        if phrase in _PHRASES:
            words = [_PHRASES[phrase], *words[length:]]
            break
    else:
        words = [word.lower() if index == 0 else word for index, word in enumerate(words)] or [""]
    if [word.lower() for word in words[-3:]] == ["or", "specify", "other"]:
        words = [*words[:-3], OR_OTHER]
    if [word.lower() for word in words[-2:]] == ["or", "other"]:
        words = [*words[:-2], OR_OTHER]
    return words
