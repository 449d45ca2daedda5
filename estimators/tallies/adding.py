"""Add up tallies one after the other, and refuse what does not belong together."""

from client.core.primitives.refusal import Refusal, require
from client.core.survey import Survey
from estimators.counting.tally import Counting
from estimators.tallies.survey_tally import Part, SurveyTally, check_reports


class Adding:
    """The running sum of tallies of one survey; each part is counted once."""

    def __init__(self, survey: Survey | None = None) -> None:
        """Begin with nothing; without a survey, the first tally says which one it is."""
        self._counting = None if survey is None else Counting(survey)
        self._reports = 0
        # The parts by their digests, each with the name of the file that brought it.
        self._parts: dict[str, tuple[Part, str]] = {}

    @property
    def survey(self) -> Survey | None:
        """The survey that all parts must be of; None if any will do."""
        return None if self._counting is None else self._counting.survey

    def add(self, tally: SurveyTally, name: str) -> None:
        """Add a tally from a file of this name."""
        if self._counting is None:
            self._counting = Counting(tally.survey)
        wanted, got = self._counting.survey.fingerprint, tally.survey.fingerprint
        require(got == wanted, "other_survey.tally", name, wanted=wanted, got=got)
        for part in tally.parts:
            if part.digest in self._parts:
                _, other = self._parts[part.digest]
                digest, reports = part.digest, part.reports
                raise Refusal("counted_twice", name, other=other, reports=reports, digest=digest)
            self._parts[part.digest] = (part, name)
        self._reports += tally.reports
        check_reports(self._reports)
        for code, group in tally.groups.items():
            self._counting.add_tallies(group.tallies, code)

    def result(self) -> SurveyTally:
        """Return the sum."""
        if self._counting is None:
            raise Refusal("no_reports.tallies")
        return SurveyTally.of(self._counting, [part for part, _ in self._parts.values()])
