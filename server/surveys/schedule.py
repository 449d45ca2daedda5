"""When a survey opens and ends. Days and moments are in UTC; the server only looks at the clock.

A moment is text such as 2026-12-01T00:00:00Z, which sorts by time, here and in the database.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from math import ceil

from client.core.primitives.refusal import require
from client.core.primitives.values import parse_decimal

Clock = Callable[[], str]

MOST_HOURS = 24 * 30
# How long something stays in the trash before it is removed.
TRASH_DAYS = 30
MOST_REPORTS = 10**9
_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


@dataclass(frozen=True)
class Schedule:
    """When a survey opens and ends; None means at once, and not by itself.

    The report with the number `closes_at` is the last until the owner closes or reopens the survey.
    `per_hour` is how many tickets the open link gives in an hour. Before `answer_from` a survey
    only gives tickets, and from it on it only takes reports.
    """

    opens: str | None = None
    ends: str | None = None
    closes_at: int | None = None
    per_hour: int | None = None
    answer_from: str | None = None

    def __post_init__(self) -> None:
        for field, number in (("closes_at", self.closes_at), ("per_hour", self.per_hour)):
            require(
                number is None or 1 <= number <= MOST_REPORTS,
                f"bad_{field}.number_of_reports",
                field,
                most=MOST_REPORTS,
                number=number,
            )

    @classmethod
    def of_days(
        cls,
        opens: str | None,
        closes: str | None,
        now: str,
        closes_at: int | None = None,
        per_hour: int | None = None,
    ) -> "Schedule":
        """Make a schedule from the first and the last day on which reports are taken."""
        first = None if opens is None else _day(opens, "opens")
        last = None if closes is None else _day(closes, "closes")
        require(
            last is None or last.isoformat() >= now[:10],
            "bad_closes.past",
            "closes",
            closes=closes,
            today=now[:10],
        )
        require(
            first is None or last is None or first <= last,
            "bad_closes.order",
            "closes",
            closes=closes,
            opens=opens,
        )
        return cls(
            None if first is None else _midnight(first),
            None if last is None else _midnight(last + timedelta(days=1)),
            closes_at,
            per_hour,
        )

    def require_deletion(self, delete_on: str, now: str) -> None:
        """Raise unless there is a future deletion day, after the last day that takes reports."""
        require(delete_on != "", "delete_on_missing", "delete_on")
        deletes = _midnight(_day(delete_on, "delete_on"))
        require(
            deletes > now, "bad_delete_on.past", "delete_on", delete_on=delete_on, today=now[:10]
        )
        require(
            self.ends is None or self.ends <= deletes,
            "bad_delete_on.while_open",
            "delete_on",
            delete_on=delete_on,
            ends=self.last_minute,
        )

    def require_answers(self, answer_from: str | None, delete_on: str, now: str) -> None:
        """Raise unless there is time to collect tickets, and then time to answer."""
        if answer_from is None:
            return
        begins, field = _midnight(_day(answer_from, "answer_from")), "answer_from"
        require(
            begins > (self.opens or now),
            "bad_answer_from.nothing_to_collect",
            field,
            answer_from=answer_from,
            opens=self.first_day or now[:10],
        )
        ends = self.completed(delete_on).ends
        require(
            ends is None or begins < ends,
            "bad_answer_from.after_the_end",
            field,
            answer_from=answer_from,
            ends=Schedule(ends=ends).last_minute,
        )

    def completed(self, delete_on: str, answer_from: str | None = None) -> "Schedule":
        """Return the schedule with the days of the survey's own document.

        The deletion day is its end, unless it ends before.
        """
        begins = None if answer_from is None else _midnight(_day(answer_from, "answer_from"))
        return replace(self, ends=self.ends or deletion_moment(delete_on), answer_from=begins)

    def is_full(self, reports: int) -> bool:
        """Tell whether the survey takes no more than so many reports."""
        return self.closes_at is not None and reports >= self.closes_at

    @property
    def first_day(self) -> str | None:
        return None if self.opens is None else self.opens[:10]

    @property
    def last_minute(self) -> str | None:
        """The last minute in which reports are taken, in words."""
        if self.ends is None:
            return None
        return f"{_parse(self.ends) - timedelta(seconds=1):%Y-%m-%d %H:%M} UTC"


def utc_now() -> str:
    """Return the current moment."""
    return _moment(datetime.now(UTC))


def deletion_moment(delete_on: str) -> str | None:
    """Return the first moment of the deletion day, or None without one."""
    return f"{delete_on}T00:00:00Z" if delete_on else None


def days_later(moment: str, days: int) -> str:
    return _moment(_parse(moment) + timedelta(days=days))


def seconds_between(first: str, second: str) -> float:
    """Return how many seconds the second moment is after the first."""
    return (_parse(second) - _parse(first)).total_seconds()


def removal_day(trashed: str) -> str:
    """Return the day on which a survey trashed at this moment is removed."""
    return days_later(trashed, TRASH_DAYS)[:10]


def after(now: str, hours: str) -> str:
    """Return the moment at which a grace of so many hours is over."""
    grace = parse_decimal(hours, "grace")
    require(0 < grace <= MOST_HOURS, "bad_grace", "grace", most=MOST_HOURS, hours=hours)
    # Rounded up: a grace of a second is not over when it begins.
    return _moment(_parse(now) + timedelta(seconds=ceil(grace * 3600)))


def _day(text: str, field: str) -> date:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = date.max
    require(
        # One spelling, and a day that has a next one.
        day.isoformat() == text and day < date.max,
        f"bad_{field}.calendar_day",
        field,
        text=text,
    )
    return day


def _midnight(day: date) -> str:
    return f"{day.isoformat()}T00:00:00Z"


def _moment(time: datetime) -> str:
    return time.strftime(_FORMAT)


def _parse(moment: str) -> datetime:
    return datetime.strptime(moment, _FORMAT)
