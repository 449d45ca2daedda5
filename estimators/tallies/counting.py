"""Count files of reports and add files of tallies, whatever the command line names."""

import glob
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

from client.core.primitives.refusal import require
from client.core.survey import Survey
from estimators.counting.reports_file import file_size
from estimators.counting.tally import Counting
from estimators.tallies.adding import Adding
from estimators.tallies.pieces import count_piece, pieces_of
from estimators.tallies.survey_tally import Part, SurveyTally, reports_in
from estimators.tallies.tally_file import is_tally_file, read_tally
from estimators.workers.threads import ALL_CORES, Workers


def expand(patterns: Sequence[str]) -> list[Path]:
    """Return the files that these names and patterns stand for; a pattern's come in order."""
    paths: list[Path] = []
    for pattern in patterns:
        if not glob.has_magic(pattern) or Path(pattern).exists():
            paths.append(Path(pattern))
            continue
        found = sorted(glob.glob(pattern, recursive=True))
        require(bool(found), "no_files", pattern)
        paths += map(Path, found)
    return paths


def total_size(paths: Iterable[Path]) -> int:
    """Return how many bytes these files have together; raise if one cannot be read."""
    return sum(map(file_size, paths))


def add_files(
    adding: Adding,
    paths: Sequence[Path],
    workers: Workers = ALL_CORES,
    on_read: Callable[[int], object] = lambda size: None,
) -> None:
    """Count files of reports to the survey of a sum, and add them and files of tallies to it.

    `on_read` is called with the size of each file that is done.
    """
    reports = [path for path in paths if not is_tally_file(path)]
    survey = adding.survey
    require(not reports or survey is not None, "needs_survey.tally", *map(str, reports[:1]))
    for path in paths:
        if is_tally_file(path):
            adding.add(read_tally(path), str(path))
            on_read(file_size(path))
    if survey is not None:
        for path, counted in _counted(reports, survey, workers):
            adding.add(counted, str(path))
            on_read(file_size(path))


def _counted(
    paths: Sequence[Path], survey: Survey, workers: Workers
) -> Iterator[tuple[Path, SurveyTally]]:
    """Yield the tally of each file, in order."""
    tasks = (piece for path in paths for piece in pieces_of(path, survey))
    counting, left = Counting(survey), iter(paths)
    for found in workers.in_order(count_piece, survey, tasks):
        if not isinstance(found, str):
            for group, tallies in found.items():
                counting.add_tallies(tallies, group)
            continue
        path = next(left)
        require(not counting.is_empty, "no_reports.file", str(path))
        yield path, SurveyTally.of(counting, [Part(found, reports_in(counting.tallies(), survey))])
        counting = Counting(survey)
