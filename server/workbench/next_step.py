"""The next step for a survey, as one sentence with a link to the page for it."""

from dataclasses import dataclass

from server.surveys.disclosure import MINIMUM
from server.surveys.records import Published
from server.surveys.schedule import removal_day
from server.surveys.states import State


@dataclass(frozen=True)
class NextStep:
    """A sentence, and the view and the text of the link after it."""

    sentence: str
    view: str
    link: str

    @property
    def endpoint(self) -> str:
        return f"workbench.{self.view}"


_EXPORT = ("export", "Download the export")
_RESULTS = ("results", "See the results")
_INVITE = ("invitations", "Links and QR codes")
_MAKE_LINKS = ("invitations", "Make links")
_TAKING_PART = ("invitations", "How many took part")
_CLOSING = "It is only taking reports from pages that are already open."


def next_step(published: Published) -> NextStep:
    """Return the next step, by the survey's state and its number of reports."""
    match published.state:
        case State.NOT_YET_OPEN:
            day = published.schedule.first_day
            return NextStep(f"It opens on {day}. You can make its links now.", *_INVITE)
        case State.COLLECTING:
            day = published.survey.answer_from
            words = f"People collect their tickets, and answer from {day} on."
            return NextStep(words, *_MAKE_LINKS)
        case State.ANSWERING:
            return NextStep("Its results appear when it is closed.", *_INVITE)
        case State.OPEN if not published.reports:
            return _first_report(published)
        case State.OPEN if published.survey.by_invitation:
            return NextStep("Its results appear when it is closed.", *_MAKE_LINKS)
        case State.OPEN if published.reports < MINIMUM:
            return NextStep(f"Public results start at {MINIMUM} reports.", *_RESULTS)
        case State.OPEN:
            return NextStep(f"It takes reports until {_end(published)}.", *_RESULTS)
        case State.FULL:
            return NextStep(
                f"It has {published.reports:,} reports and takes no more. Next: "
                f"{_before_deciding(published)}close it for ever or take more reports.",
                *("survey", "Close or reopen"),
            )
        case State.CLOSED if published.is_ending:
            return NextStep(
                "It is over by the clock and takes no more reports. The server closes it for good "
                f"once it trusts the clock.{_sealed_until_then(published)}",
                *("survey", "Close it now"),
            )
        case State.CLOSING if published.survey.by_invitation:
            return NextStep(f"{_CLOSING} Its results appear when it is closed.", *_TAKING_PART)
        case State.CLOSING:
            return NextStep(_CLOSING, *_RESULTS)
        case State.TRASHED:
            assert published.trashed is not None
            day = removal_day(published.trashed)
            return NextStep(f"It will be removed for good on {day}.", "survey", "Take it out again")
        case State.PURGED:
            return NextStep(
                "Its reports have been deleted as promised; the totals stay.", *_RESULTS
            )
        case _ if not published.is_readable:
            return NextStep("Too few people took part to show results.", "results", "Why?")
        case _:
            return NextStep(
                "Next: download what you need before the reports are deleted.", *_EXPORT
            )


def _first_report(published: Published) -> NextStep:
    if published.survey.by_invitation:
        words = "Next: make personal links and send each to one person."
        return NextStep(f"Nobody has answered yet. {words}", *_MAKE_LINKS)
    return NextStep("Nobody has answered yet. Next: send its link to people.", *_INVITE)


def _before_deciding(published: Published) -> str:
    # Nobody sees results of a survey by invitation, and nobody can fill it with reports.
    return "" if published.survey.by_invitation else "look at the results, then "


def _sealed_until_then(published: Published) -> str:
    return " Then its results appear." if published.survey.by_invitation else ""


def _end(published: Published) -> str:
    """Say what may end the survey: a number of reports, a day, or its owner."""
    closes_at, last = published.schedule.closes_at, published.schedule.last_minute
    ends = [f"there are {closes_at:,}"] if closes_at else []
    return " or until ".join([*ends, last or "you close it"])
