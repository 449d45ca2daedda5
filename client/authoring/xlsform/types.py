"""The types of XLSForm: which can be randomized, and why the others cannot."""

from collections.abc import Mapping

CHOICES, BOXES = "select_one", "select_multiple"
RANGE, WHOLE, DECIMAL, CROSS = "range", "integer", "decimal", "cross"
KNOWN = (CHOICES, BOXES, RANGE, WHOLE, DECIMAL, CROSS)

ALIASES: Mapping[str, str] = {"int": WHOLE, "select1": CHOICES, "select": BOXES}

_TEXT = "free text cannot be randomized: whatever is written says itself; use select_one"
_FILE = "files cannot be randomized: they say themselves"
_PLACE = "a location cannot be randomized finely enough to hide anybody; use select_one with areas"
_TIME = "a date or time cannot be randomized as such; use select_one with periods, or integer"
_DEVICE = "it would tell who or where the respondent is; nothing of a device is collected"
_CALCULATED = "nothing is calculated from answers: each is randomized by itself"
_GROUP = "there are no groups; leave out the rows that begin and end them"
_REPEAT = "nothing can be repeated: the number of answers would tell"
_OPTIONS = "the options must stand in the workbook, so that the fingerprint covers them"

REFUSED: Mapping[str, str] = {
    **dict.fromkeys(("text", "string", "url", "barcode"), _TEXT),
    **dict.fromkeys(("image", "photo", "audio", "video", "file", "background-audio"), _FILE),
    **dict.fromkeys(("geopoint", "geotrace", "geoshape", "start-geopoint", "location"), _PLACE),
    **dict.fromkeys(("date", "time", "datetime", "datetime_range", "today", "start", "end"), _TIME),
    **dict.fromkeys(("deviceid", "phonenumber", "phone_number", "username", "email"), _DEVICE),
    **dict.fromkeys(("subscriberid", "simserial", "audit", "imei"), _DEVICE),
    **dict.fromkeys(("calculate", "calculate_here", "hidden"), _CALCULATED),
    **dict.fromkeys(("begin_group", "end_group", "group"), _GROUP),
    **dict.fromkeys(("begin_repeat", "end_repeat", "repeat"), _REPEAT),
    **dict.fromkeys(("select_one_from_file", "select_multiple_from_file"), _OPTIONS),
    **dict.fromkeys(("csv-external", "xml-external", "select_one_external"), _OPTIONS),
    "rank": "no randomizer for rankings is known here; ask for the first choice with select_one",
    "note": "a note asks nothing; put it into the intro, or into the label of a question",
    "acknowledge": "with only one possible answer there is nothing to randomize",
    "trigger": "with only one possible answer there is nothing to randomize",
}


def words_of(type: str) -> list[str]:
    """`select one colours` and `select_one colours` are the same; `begin group` has one word."""
    words = type.split()
    if (
        len(words) > 1
        and words[0].lower() in ("select", "begin", "end")
        and words[1].lower() in ("one", "multiple", "group", "repeat")
    ):
        words = [f"{words[0]}_{words[1]}", *words[2:]]
    first = words[0].lower() if words else ""
    return [ALIASES.get(first, first), *words[1:]]
