"""What became of a survey as plain figures, for JSON answers and the command line alike."""

from typing import Any

from client.core.primitives.values import decimal_text
from client.wording.levels import level_name
from server.surveys.audit import Entry
from server.surveys.records import Closing, Publication, Published
from server.surveys.schedule import removal_day
from server.surveys.states import State


def publication_summary(publication: Publication) -> dict[str, Any]:
    published = publication.published
    survey = published.survey
    return {
        "slug": survey.slug,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "test": survey.test,
        "total_epsilon": decimal_text(survey.total_epsilon),
        "level": level_name(survey.total_epsilon),
        **_life(published),
        "created": publication.created,
        "wiped": publication.wiped,
    }


def survey_summary(published: Published) -> dict[str, Any]:
    survey = published.survey
    return {
        **state_summary(published),
        "title": survey.title,
        "fingerprint": survey.fingerprint,
        "total_epsilon": decimal_text(survey.total_epsilon),
        "level": level_name(survey.total_epsilon),
        "reports": published.reports,
    }


def entry_summary(entry: Entry) -> dict[str, Any]:
    """Return an entry of the audit log, without its hash."""
    return {
        "number": entry.number,
        "moment": entry.moment,
        "actor": entry.actor,
        "action": entry.action,
        "slug": entry.slug,
        "details": entry.details,
    }


def closing_summary(closing: Closing) -> dict[str, Any]:
    return {
        "slug": closing.slug,
        "version": closing.version,
        "state": State.CLOSED,
        "reports": closing.reports,
        "digest": closing.digest,
        "log_anchor": closing.log_anchor,
        "compacted": closing.compacted,
    }


def state_summary(published: Published) -> dict[str, Any]:
    survey = published.survey
    return {"slug": survey.slug, "version": survey.version, **_life(published)}


def log_summary(entries: list[Entry]) -> dict[str, Any]:
    return {"entries": [entry_summary(entry) for entry in entries]}


def _life(published: Published) -> dict[str, Any]:
    schedule = published.schedule
    return {
        "state": published.state,
        "opens": schedule.first_day,
        "last_minute": schedule.last_minute,
        "closes_at": schedule.closes_at,
        "per_hour": schedule.per_hour,
        "answer_from": published.survey.answer_from,
        "delete_on": published.survey.delete_on,
        "removed_on": None if published.trashed is None else removal_day(published.trashed),
    }
