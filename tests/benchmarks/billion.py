"""A survey of a billion respondents: as tallies in milliseconds, as reports in bounded memory."""

import subprocess
import sys
import time
from typing import Any

from client.authoring.draft.survey import build_survey
from estimators.counting.tally import Tally
from estimators.simulation.engines import AGGREGATE, RESPONDENTS
from estimators.simulation.people.population import Population
from estimators.simulation.people.shares import zipf_shares
from estimators.simulation.running import Plan, run
from estimators.tables.question import estimate_question
from tests.benchmarks.works import EPSILON, ZIPF
from tests.support.process import CANDOR, ROOT

BILLION = 10**9
OPTIONS = 16
GOAL_MILLISECONDS = 50
GOAL_MEGABYTES = 500


def measure(rounds: int, respondents: int = BILLION) -> dict[str, Any]:
    """Return milliseconds of the aggregate engine, and seconds and megabytes of the other."""
    population = _population()
    seconds, megabytes = _streamed(respondents)
    return {
        "respondents": respondents,
        "options": OPTIONS,
        "milliseconds": [_tallied(population, respondents, seed) for seed in range(rounds)],
        "goal_milliseconds": GOAL_MILLISECONDS,
        "seconds": seconds,
        "megabytes": megabytes,
        "goal_megabytes": GOAL_MEGABYTES,
    }


def _population() -> Population:
    options = [f"Option {number}" for number in range(OPTIONS)]
    question = {"id": "q", "kind": "one_of", "prompt": "Which?", "options": options}
    draft = {"slug": "billion", "title": "A billion", "epsilon": str(EPSILON)}
    survey = build_survey({**draft, "questions": [question]})
    return Population(survey, {"q": zipf_shares(survey.questions[0].domain, ZIPF)})


def _tallied(population: Population, respondents: int, seed: int) -> float:
    """Run everything from the plan to the estimates."""
    question = population.survey.questions[0]
    start = time.perf_counter()
    (sample,) = run(Plan(population, respondents, 1, seed, AGGREGATE))
    tally = Tally.of_cells(sample["q"].cells.tolist(), question.mechanism.marks)
    estimate_question(question, tally)
    return 1000 * (time.perf_counter() - start)


def _streamed(respondents: int) -> tuple[float, float]:
    """Run the command with every report drawn; return its time and its peak memory."""
    options = ["--kind", "yes-no", "--epsilon", str(EPSILON), "--repeats", "1", "--seed", "1"]
    options += ["--respondents", str(respondents), "--engine", RESPONDENTS]
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, *CANDOR, "simulate", *options],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        check=True,
    )
    # Linux counts in kilobytes.
    return time.perf_counter() - start, int(done.stdout) / 1000


# A process inherits the peak of its parent, so a small process must stand between.
WATCHED = (
    "import resource, subprocess, sys\n"
    "nothing = subprocess.DEVNULL\n"
    "subprocess.run(sys.argv[1:], stdout=nothing, stderr=nothing, check=True)\n"
    "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
)
