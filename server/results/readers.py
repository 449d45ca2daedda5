"""What readers of a survey's public figures can learn about one person."""

from estimators.published.readers import ReadersBound, readers_bound
from server.results.kept import KEPT
from server.results.shown import ShownResults
from server.surveys.crowd import hiding_crowd


def readers_of(shown: ShownResults) -> ReadersBound | None:
    """Return what readers of public results learn; None if that is unknown or not worth saying.

    Live results are not published, and the reports of a test are not real: they have no parts.
    """
    crowd = None if shown.parts is None else hiding_crowd(shown.parts)
    if crowd is None:
        return None
    survey = shown.survey
    questions = tuple((question.mechanism, question.epsilon) for question in survey.questions)
    settings = questions, survey.asked, survey.total_epsilon, crowd
    # This may take a second, and everybody may ask for the page.
    return KEPT.get(("readers", *settings), lambda: readers_bound(*settings))
