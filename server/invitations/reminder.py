"""What researchers send to everybody: the notice to compare with, and the reminder.

Whom to remind is not known: a link's use is told to nobody, so a reminder goes to all.
"""

from client.core.survey import Survey
from client.wording.comparison import first_digits
from server.invitations.sheet import wording_of


def notice(address: str, fingerprint: str) -> str:
    """Return what is put where all who are invited see it."""
    return (
        "Put this where everybody who is invited sees it, such as the letter or a notice board; "
        "it must be the same for everybody:\n"
        f"  {address}\n  {first_digits(fingerprint)}"
    )


def reminder_text(
    survey: Survey, address: str, issued: int, used: int, last_day: str | None
) -> str:
    """Return a reminder in the survey's own language, the same for everybody."""
    say = wording_of(survey).say
    until = "reminder.open.until" if last_day else "reminder.open"
    paragraphs = [
        say("reminder.subject", title=survey.title),
        say("reminder.invited", title=survey.title),
        say("reminder.everybody", used=used, issued=issued),
        say("reminder.done"),
        say(until, **({"day": last_day} if last_day else {})),
        say("compare.letter"),
        f"{address}\n{first_digits(survey.fingerprint)}",
        *([survey.organizer] if survey.organizer else []),
    ]
    return "\n\n".join(paragraphs) + "\n"
