"""The language of what people who are invited read: one of the survey's, by default its own."""

from client.core.primitives.refusal import require
from client.core.survey import Survey
from client.core.translation import DEFAULT, LocalizedSurvey
from client.wording.catalogue import Wording
from client.wording.languages import INTERFACE, best
from server.web.languages import in_language


def localized_for(survey: Survey, language: str | None) -> LocalizedSurvey:
    """Return the survey's texts in the wanted language; raise if it does not have that."""
    chosen, known = language or survey.language, list(survey.languages)
    require(chosen in known, "no_such_language.survey", "language", known=known, language=chosen)
    return survey.in_language(chosen)


def wording_of(localized: LocalizedSurvey) -> Wording:
    """Return our own sentences in the language of these texts, or in English if there are none."""
    return in_language(best([localized.language], INTERFACE) or DEFAULT)
