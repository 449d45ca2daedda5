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


REFUSED: Mapping[str, Callable[[str], Refusal]] = {
    **dict.fromkeys(("text", "string", "url", "barcode"), _text),
    **dict.fromkeys(
        ("image", "photo", "audio", "video", "file", "background-audio"),
        _file,
    ),
    **dict.fromkeys(
        ("geopoint", "geotrace", "geoshape", "start-geopoint", "location"),
        _place,
    ),
    **dict.fromkeys(
        ("date", "time", "datetime", "datetime_range", "today", "start", "end"),
        _time,
    ),
    **dict.fromkeys(
        ("deviceid", "phonenumber", "phone_number", "username", "email"),
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
_ALIASES: Mapping[str, str] = {
    "int": "integer",
    "select1": "select_one",
    "select": "select_multiple",
}


def words_of(type: str) -> list[str]:
    """Split a type into words; `select one colours` means `select_one colours`."""
    words = type.split()
    if (
        len(words) > 1
        and words[0].lower() in ("select", "begin", "end")
        and words[1].lower() in ("one", "multiple", "group", "repeat")
    ):
        words = [f"{words[0]}_{words[1]}", *words[2:]]
    first = words[0].lower() if words else ""
    return [_ALIASES.get(first, first), *words[1:]]
