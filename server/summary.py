"""Publications and closings as plain figures, for JSON answers and the command line alike."""

from typing import Any

from client import wording
from client.decimals import decimal_text
from server.store import Closing, Publication


def publication_summary(publication: Publication) -> dict[str, Any]:
    published = publication.published
    survey = published.survey
    return {
        "slug": survey.slug,
        "version": survey.version,
        "fingerprint": survey.fingerprint,
        "total_epsilon": decimal_text(survey.total_epsilon),
        "level": wording.level(survey.total_epsilon),
        "state": published.state,
        "created": publication.created,
    }


def closing_summary(closing: Closing) -> dict[str, Any]:
    return {
        "slug": closing.slug,
        "version": closing.version,
        "reports": closing.reports,
        "digest": closing.digest,
        "compacted": closing.compacted,
    }
