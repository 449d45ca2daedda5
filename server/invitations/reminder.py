"""What researchers send to everybody: the notice to compare with, and the reminder.

Whom to remind is not known: a link's use is told to nobody, so a reminder goes to all.
"""

from collections.abc import Mapping
from typing import Any

from client.core.primitives.refusal import require
from client.core.survey import Survey
from client.wording.comparison import first_digits
from server.invitations.languages import localized_for, wording_of

TO_EVERYBODY = (
    "Send this to everybody who was invited. Candor tells nobody whose link has a ticket, and no "
    "report says whose it is."
)


def notice(address: str, fingerprint: str) -> str:
    """Return what is put where all who are invited see it."""
    return (
        "Put this where everybody who is invited sees it, such as the letter or a notice board; "
        "it must be the same for everybody:\n"
        f"  {address}\n  {first_digits(fingerprint)}"
    )


def reminder_text(
    survey: Survey,
    address: str,
    counts: Mapping[str, Any],
    last_day: str | None,
    language: str | None = None,
) -> str:
    """Return a reminder in one of the survey's languages, by default its own.

    It is the same for everybody. `counts` are those of the links that were made and of the reports.
    """
    require(survey.by_invitation, "not_by_invitation", "slug", slug=survey.slug)
    localized = localized_for(survey, language)
    say = wording_of(localized).say
    until = "reminder.open.until" if last_day else "reminder.open"
    paragraphs = [
        say("reminder.subject", title=localized.title),
        say("reminder.invited", title=localized.title),
        say("reminder.everybody", used=counts["reports"], issued=counts["links_made"]),
        say("reminder.done"),
        say(until, **({"day": last_day} if last_day else {})),
        say("compare.letter"),
        f"{address}\n{first_digits(survey.fingerprint)}",
        *([localized.organizer] if localized.organizer else []),
    ]
    return "\n\n".join(paragraphs) + "\n"
