"""Every figure of the paperwork is derived again, by hand or by the command that it names."""

import math
import re
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from statistics import NormalDist

import pytest

from client.authoring.files import load_survey
from client.core.primitives.refusal import Refusal
from client.core.survey import Survey
from estimators.paperwork.figures import factor_text
from estimators.paperwork.plan import EXAMPLE, StudyPlan
from tests.estimators.paperwork.packs import DEMO, INVITED, NUMBERS, WEAK, every_survey, pack
from tests.support.figures import figures
from tests.support.surveys import with_keys

NORMAL = NormalDist()
Z = NORMAL.inv_cdf(0.975)
SURVEYS = every_survey()


def cells(text: str, prompt: str, heading: str) -> list[str]:
    """Return the cells of a question's row in the table below a bold heading."""
    below = text.split(f"**{heading}**")[1]
    (row,) = re.findall(rf"^\| {re.escape(prompt)} \| (.*) \|$", below.split("\n**")[0], re.M)
    return [cell.replace("\N{NO-BREAK SPACE}", " ") for cell in row.split(" | ")]


def by_hand(epsilon: float, n: int) -> tuple[float, float]:
    """Return margin and worth of a yes/no question from p = E / (1 + E) alone."""
    growth = math.exp(epsilon)
    noise = growth / (growth - 1) ** 2
    return Z * math.sqrt((0.25 + noise) / n), n * 0.25 / (0.25 + noise)


def power_by_hand(epsilon: float, per_group: float, first: float, second: float) -> float:
    p = math.exp(epsilon) / (1 + math.exp(epsilon))
    one, other = ((1 - p) + (2 * p - 1) * share for share in (first, second))
    mean = (one + other) / 2
    accepted = Z * math.sqrt(2 * mean * (1 - mean) / per_group)
    spread = math.sqrt((one * (1 - one) + other * (1 - other)) / per_group)
    gap = abs(one - other)
    return NORMAL.cdf((gap - accepted) / spread) + NORMAL.cdf((-gap - accepted) / spread)


def answers(worth: float) -> str:
    return f"{worth:,.0f} direct answers" if worth >= 1.5 else "1 direct answer"


def test_margin_and_power_of_the_demo_are_those_of_the_formulas() -> None:
    survey = load_survey(DEMO)
    text = pack(survey, respondents=2000, difference=0.1).parts["preregistration"]
    assert "We plan for 2,000 respondents." in text
    assert "Two groups of 1,000 respondents each, a share of 45 % in one and of 55 %" in text
    for question in survey.questions:
        epsilon = float(question.epsilon)
        margin, worth = by_hand(epsilon, 2000)
        assert cells(text, question.prompt, "Precision.") == [
            str(question.epsilon),
            f"± {100 * margin:.3g} percentage points",
            f"{worth:,.0f} direct answers",
        ]
        power, needed = cells(text, question.prompt, "Power.")[1:]
        assert power == f"{100 * power_by_hand(epsilon, 1000, 0.45, 0.55):.1f} %"
        per_group = int(needed.replace(",", ""))
        assert power_by_hand(epsilon, per_group, 0.45, 0.55) >= 0.8 - 1e-6
        assert power_by_hand(epsilon, per_group - 2, 0.45, 0.55) < 0.8


@pytest.mark.parametrize("name", SURVEYS)
def test_the_figures_are_those_of_the_commands_that_the_text_names(
    name: str, tmp_path: Path
) -> None:
    survey, path = SURVEYS[name], tmp_path / "survey.json"
    path.write_bytes(with_keys(survey).document)
    text = pack(survey, respondents=600, difference=0.2, power=0.9).parts["preregistration"]
    first, *second = re.findall(r"`candor (plan SURVEY [^`]*)`", text)
    margins = figures(*first.replace("SURVEY", str(path)).split())["questions"]
    for question, row in zip(survey.questions, margins, strict=True):
        margin, worth = cells(text, question.prompt, "Precision.")[1:]
        number = float(margin.split()[1])
        unit = 100 if "percentage" in margin else 1
        assert number == pytest.approx(unit * row["margin"], rel=6e-3)
        assert worth == answers(row["effective_n"])
    for command in second:
        wanted = command.replace("SURVEY", str(path))
        reached = figures(*wanted.split())["questions"]
        needed = figures(
            *wanted.replace("--respondents 300", "--power 0.9").split(),
        )["questions"]
        prompts = {question.id: question.prompt for question in survey.questions}
        for now, then in zip(reached, needed, strict=True):
            assert now["respondents_per_group"] == 300
            assert cells(text, prompts[now["question"]], "Power.")[1:] == [
                f"{100 * now['power']:.1f} %" if now["power"] < 0.9995 else "over 99.9 %",
                f"{then['respondents_per_group']:,}",
            ]


def test_no_power_is_called_certain_and_no_worth_is_nothing() -> None:
    (question,) = (survey := pack(WEAK).survey).questions
    text = pack(survey, respondents=10**6).parts["preregistration"]
    assert cells(text, question.prompt, "Power.")[1] == "over 99.9 %"
    tiny = {**WEAK, "questions": [{"id": "a", "prompt": "A?", "epsilon": "0.01"}]}
    text = pack(tiny, respondents=1000).parts["preregistration"]
    assert cells(text, "A?", "Precision.")[2] == "less than 1 direct answer"
    assert cells(text, "A?", "Precision.")[1] == "± 620 percentage points"


def test_a_survey_of_numbers_alone_states_no_power_and_doubles_its_margins() -> None:
    text = pack(NUMBERS, respondents=600).parts["preregistration"]
    assert "**Power.**" not in text
    assert "--groups" not in text
    assert "two groups of 300 each has twice the margin of the first table" in text
    assert "Wilson" not in text
    # Half the respondents in each group: the variance of the difference is four times as large.
    rows = {n: StudyPlan(n).question_rows(pack(NUMBERS).survey) for n in (600, 300)}
    for all_of_them, half in zip(rows[600], rows[300], strict=True):
        difference = math.sqrt(2) * half["margin"]
        assert difference == pytest.approx(2 * all_of_them["margin"])


def test_without_a_planned_number_the_figures_are_an_example() -> None:
    made = pack(INVITED)
    assert "the planned number of respondents" in made.blanks
    assert f"The figures below are for {EXAMPLE:,}, as an example." in made.markdown
    assert "the planned number of respondents" not in pack(INVITED, respondents=EXAMPLE).blanks


@pytest.mark.parametrize("name", SURVEYS)
def test_no_report_is_likelier_than_the_factor_in_the_text(name: str) -> None:
    survey = SURVEYS[name]
    (told,) = set(
        re.findall(r"no report (?:is|was) more than ([\d,.]+) times", pack(survey).markdown)
    )
    allowed = float(told.replace(",", ""))
    assert likeliest(survey) <= allowed
    assert allowed <= 1.01 * math.exp(survey.total_epsilon)


def likeliest(survey: Survey) -> float:
    """Return the largest ratio of two chances of one report, from the published integers."""
    ratios = sorted(
        (
            float(Fraction(m.threshold * m.far, (2**32 - m.threshold) * m.near) ** m.draws)
            for m in (question.mechanism for question in survey.questions)
        ),
        reverse=True,
    )
    return math.prod(ratios[: survey.asked])


@pytest.mark.parametrize("total", ["0.01", "0.1", "0.5", "1", "1.5", "2.3", "4", "6", "10", "20"])
def test_a_factor_is_rounded_up_and_has_three_digits(total: str) -> None:
    factor = math.exp(Decimal(total))
    told = float(factor_text(factor).replace(",", ""))
    assert factor <= told <= 1.01 * factor


def test_the_whole_guess_is_e_to_the_epsilon_to_one() -> None:
    many, few = re.findall(r"from 50:50 to (\d+):(\d+)", pack(DEMO).parts["review"])[0]
    chance = math.exp(2) / (1 + math.exp(2))
    assert (int(many), int(few)) == (round(100 * chance), round(100 * (1 - chance)))


@pytest.mark.parametrize(
    ("plan", "code"),
    [
        ({"respondents": 1}, "bad_n"),
        ({"respondents": 0}, "bad_n"),
        ({"difference": 0.0}, "bad_difference"),
        ({"difference": 1.0}, "bad_difference"),
        ({"difference": math.nan}, "bad_difference"),
        ({"power": 0.0}, "bad_power"),
        ({"power": 1.0}, "bad_power"),
    ],
)
def test_a_plan_that_cannot_be_is_refused(plan: dict[str, float], code: str) -> None:
    with pytest.raises(Refusal) as refused:
        pack(DEMO, **plan)
    assert refused.value.code == code


@pytest.mark.parametrize("decline", ["true", None])
def test_a_mean_that_can_be_declined_says_what_its_margin_assumes(decline: str | None) -> None:
    first, *others = NUMBERS["questions"]
    asked = {**first, "decline": decline} if decline else first
    survey = {**NUMBERS, "questions": [asked, *others]}
    text = pack(survey).parts["preregistration"]
    for sentence in (
        "Where a mean can be declined, 10 % of the people are taken to do so. It allows",
        "This assumes as well that both groups decline equally often.",
    ):
        assert (sentence in text) == (decline is not None)


def test_a_share_that_can_be_declined_assumes_no_silence() -> None:
    assert "can be declined" not in pack(INVITED).parts["preregistration"]
