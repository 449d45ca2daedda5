"""Comparisons of groups and cross-tables, computed one at a time and kept for the next reader.

More threads must not compute, since reports need them.
"""

from functools import lru_cache

from client.core.primitives.refusal import Refusal, require
from client.core.question import Question
from estimators.columns.reading import frame_of_reports
from estimators.compare.groups import compare_tallies
from estimators.compare.result import Comparison
from estimators.counting.tally import Tally
from estimators.cross.crossing import cross, cross_question, is_table
from estimators.cross.table import CrossTable
from server.results.shown import ShownResults
from server.store.database import Database
from server.store.results import read_ballots
from server.surveys.states import Change
from server.web.limits import Limit

# A few kB each.
MOST_KEPT = 64
# Pairs of answers are counted from the reports: so many, to nine questions, took 26 seconds.
MOST_REPORTS = 200_000
_COMPARING, _CROSSING = Limit(1, key="analysis_busy"), Limit(1, key="analysis_busy")


@lru_cache(MOST_KEPT)
def compare_groups(
    question: Question,
    tallies: tuple[tuple[str, Tally], ...],
    option: str | None,
    reference: str | None,
) -> Comparison:
    """Compare a question between groups; raise while another comparison is being made."""
    with _COMPARING:
        return compare_tallies(question, dict(tallies), option, reference)


def cross_questions(
    database: Database, shown: ShownResults, first: str, second: str | None
) -> CrossTable:
    """Cross two questions, each named as `cross` takes it, or read one question as a table.

    Raise if there are too many reports to count, or while another table is being counted.
    """
    survey = shown.survey
    own = {question.id: question for question in survey.questions if is_table(question)}
    if second is None and first in own:
        return cross_question(own[first], shown.tallies[first])
    if second is None:
        raise Refusal("needs_second_question", first)
    # Checked before a kept table is used: the reports may have been deleted since.
    require(shown.published.allows(Change.EXPORT), "no_pairs.deleted")
    reports = shown.published.reports
    require(reports <= MOST_REPORTS, "too_many_reports.cross", most=MOST_REPORTS, reports=reports)
    tallies = tuple(shown.tallies.values())
    return _cross(database, survey.slug, survey.version, survey.fingerprint, tallies, first, second)


@lru_cache(MOST_KEPT)
def _cross(
    database: Database,
    slug: str,
    version: int,
    fingerprint: str,
    tallies: tuple[Tally, ...],
    first: str,
    second: str,
) -> CrossTable:
    """Count the pairs once for these tallies, which change with every report."""
    with _CROSSING:
        with read_ballots(database.reader, slug, version) as ballots:
            frame = frame_of_reports(ballots.published.survey, ballots.reports)
        return cross(frame, first, second)
