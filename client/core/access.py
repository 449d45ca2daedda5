"""Who may answer, with which keys tickets are signed, and from which day on reports are taken.

An open survey gives a ticket to anybody. On an invited one each personal link buys one ticket,
which the server signs without seeing it. The keys stand in the document, so its fingerprint pins
them, and nobody can sign for one person with a key of their own.
"""

import re

from client.core.groups import BY_LINK, Groups
from client.core.primitives.refusal import require
from client.core.primitives.values import DAY, check_pattern

OPEN, INVITED = "open", "invited"
# An odd number of exactly 2048 bits.
TICKET_KEY = re.compile(r"[89a-f][0-9a-f]{510}[13579bdf]")

# The modulus for each group, in the order of their codes.
TicketKeys = tuple[tuple[str, str], ...]


def check_access(value: object, field: str) -> None:
    known = value in (OPEN, INVITED)
    require(known, "bad_access", field, open=OPEN, invited=INVITED, access=str(value))


def check_answer_from(value: object, field: str) -> None:
    if value is not None:
        check_pattern(value, DAY, field, key="bad_answer_from.day")


def ticket_groups(groups: Groups | None, test: bool) -> tuple[str, ...]:
    """Return the groups that have a key each: those that a link sets, or else the empty one.

    The link of a test sets no group, so a test has one key.
    """
    if groups is None or groups.by != BY_LINK or test:
        return ("",)
    return groups.codes


def check_collecting(access: str, day: str | None, delete_on: str) -> None:
    """Raise unless tickets can be collected before that day, and answers given from it on."""
    require(access == INVITED or day is None, "bad_answer_from.open", "answer_from")
    in_time = not (day and delete_on) or day < delete_on
    require(in_time, "bad_answer_from.late", "answer_from", answer_from=day, delete_on=delete_on)


def check_ticket_keys(access: str, keys: TicketKeys, wanted: tuple[str, ...]) -> None:
    """Raise unless there is one sound key for each group, no two the same, or none at all yet."""
    require(access == INVITED or not keys, "bad_ticket_key.open", "ticket_keys")
    with_key = tuple(group for group, _ in keys)
    fits = not keys or with_key == wanted
    require(fits, "bad_ticket_key.groups", "ticket_keys", groups=wanted)
    for _, key in keys:
        check_pattern(key, TICKET_KEY, "ticket_keys", key="bad_ticket_key.number")
    apart = len({key for _, key in keys}) == len(keys)
    require(apart, "bad_ticket_key.repeated", "ticket_keys")
