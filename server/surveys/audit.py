"""The entries of the audit log, and their wording for the page and the terminal."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from server.surveys.researchers import Scope
from server.surveys.schedule import Schedule

# After this entry the survey is gone, and its slug is free for another one.
REMOVE = "remove"
# After this entry there may be tickets that the database does not know.
BRING_BACK = "restore_backup"
# A sentence for each action, with placeholders for its details.
ACTIONS = {
    "publish": "published version {version}",
    "begin_closing": "stopped issuing tickets for version {version}; open pages may still send",
    "reopen": "reopened version {version}",
    "close": "closed version {version} for ever",
    "archive": "archived version {version}",
    "trash": "put the survey into the trash",
    "restore": "took the survey out of the trash",
    "purge": "deleted all reports and tickets of version {version}",
    "remove": "removed the survey with all its versions",
    "restore_backup": "brought the database back from a backup",
    "confirm_clock": "confirmed the clock of the server",
    "invite": "made personal links to version {version}: {count}",
    "give_role": "made {researcher} {role} of the survey",
    "take_role": "took away the role of {researcher}, who was {role}",
    "add_researcher": "added the researcher {researcher}",
    "disable_researcher": "disabled the researcher {researcher}",
    "enable_researcher": "enabled the researcher {researcher}",
    "change_password": "changed the password of {researcher}",
    "make_login_link": "made a link that logs {researcher} in once",
    "use_login_link": "logged in as {researcher} by the operator's link",
    "make_key": "made the API key {key} of {researcher}",
    "revoke_key": "revoked the API key {key} of {researcher}",
}
# The titles of the other details; one that is not here goes by its own name.
_TITLES = {
    "ends": "takes reports until",
    "closes_at": "full at this number of reports",
    "per_hour": "tickets per hour",
    "delete_on": "reports are deleted on",
    "digest": "digest of all reports",
    "merged_groups": "groups merged",
    "held_back": "never shown or exported",
    "removed": "will be removed on",
    "scope": "the key may",
    "log_key": "key of the log",
}
_FIELD = re.compile(r"{(\w+)}")
_MOMENT = re.compile(r"(\d{4}-\d\d-\d\d)T(\d\d:\d\d):\d\dZ")


@dataclass(frozen=True)
class Entry:
    """What was done, when and by whom; `details` are plain figures, never an answer or a key."""

    number: int
    moment: str
    actor: str
    action: str
    slug: str
    details: dict[str, Any]
    chain: bytes


@dataclass(frozen=True)
class LogLine:
    """An entry as a sentence without its subject, and the remaining details."""

    sentence: str
    facts: tuple[tuple[str, str], ...]


def log_line(action: str, details: Mapping[str, Any]) -> LogLine:
    sentence = ACTIONS.get(action, action.replace("_", " "))
    said = set(_FIELD.findall(sentence))
    facts = [
        (_TITLES.get(name, name.replace("_", " ")), _text(name, value))
        for name, value in details.items()
        if name not in said and value not in (None, "")
    ]
    written = {name: _text(name, value) for name, value in details.items()}
    # Names are text: a brace in one is no field.
    return LogLine(_FIELD.sub(lambda field: written.get(field[1], "?"), sentence), tuple(facts))


def moment_text(moment: str) -> str:
    """Format a moment to the minute, or only its day if no more is on record."""
    return _MOMENT.sub(r"\1 \2 UTC", moment)


def _text(name: str, value: Any) -> str:
    if name == "scope" and value in list(Scope):
        return Scope(value).words.lower()
    if name == "ends" and _MOMENT.fullmatch(str(value)):
        # As everywhere else: the last minute that counts, not the moment after it.
        return str(Schedule(ends=value).last_minute)
    return f"{value:,}" if type(value) is int else moment_text(str(value))
