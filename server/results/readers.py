"""What readers of a survey's public figures can learn about one person."""

from decimal import Decimal
from functools import lru_cache

from estimators.published.loss import Randomizer
from estimators.published.readers import ReadersBound, readers_bound
from server.results.shown import ShownResults
from server.surveys.crowd import hiding_crowd

# A few numbers each. There is one for every published version.
MOST_KEPT = 4096


def readers_of(shown: ShownResults) -> ReadersBound | None:
    """Return what readers of public results learn; None if that is unknown or not worth saying.

    Live results are not published, and the reports of a test are not real: they have no parts.
    """
    crowd = None if shown.parts is None else hiding_crowd(shown.parts)
    if crowd is None:
        return None
    survey = shown.survey
    questions = tuple((question.mechanism, question.epsilon) for question in survey.questions)
    return _bound(questions, survey.asked, survey.total_epsilon, crowd)


@lru_cache(MOST_KEPT)
def _bound(
    questions: tuple[Randomizer, ...], asked: int, total: Decimal, n: int
) -> ReadersBound | None:
    """Compute the bound once: this may take a second, and everybody may ask for the page."""
    return readers_bound(questions, asked, total, n)
