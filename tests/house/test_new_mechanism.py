"""A mechanism is added through the registries alone, and none of them can be forgotten."""

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import fields
from decimal import Decimal
from itertools import chain
from pathlib import Path

import numpy as np
import pytest

from client.authoring.draft.mechanism_choice import candidates
from client.core.assignment import draw_assignment
from client.core.document import read_document
from client.core.kinds import DISTRIBUTION, KINDS, MEAN, SHARES, OneOf
from client.core.mechanisms import MECHANISMS
from client.core.primitives.domain import Checks, Choice, Domain, Levels
from client.core.question import Question
from client.core.report import Report
from client.core.respond import respond
from client.core.survey import Survey
from client.wording.catalogue import ENGLISH
from client.wording.mechanisms import SENTENCES, sends
from client.wording.odds import describe_report, odds_sentences
from estimators.audit.audit import audit
from estimators.commands.options import SHAPE
from estimators.counting.layouts import LAYOUTS
from estimators.counting.tally import Counting, Tally
from estimators.export import codebook
from estimators.export.columns import CODEBOOK
from estimators.mechanisms import ANALYSES, analysis_of
from estimators.paperwork.catalogue import METHODS
from estimators.planning.survey_plan import Target, plan_survey
from estimators.shares.shares import ShareEstimates
from estimators.simulation.aggregate.laws import AGGREGATES
from estimators.simulation.engines import ENGINES
from estimators.simulation.kernels import KERNELS
from estimators.simulation.people.population import Population
from estimators.simulation.running import Plan, run
from estimators.tables.question import estimate_question
from estimators.tables.table import estimate_table
from tests.support.exported import exported, reports_of, survey_to_export, unpack
from tests.support.process import ROOT
from tests.support.surveys import labels, survey_of
from tests.support.toy_mechanism import Toy, add_toy
from tests.vectors.document_parts import BY_MECHANISM
from tests.vectors.tapes import Tape

ONE = Decimal(1)
SHARES_OF_FOUR = (0.4, 0.3, 0.2, 0.1)
WORDS = 2**32
# A fixed tape: nothing here depends on luck. One run in 16,000 is off by four standard errors.
SURELY = 4


def toy_survey() -> Survey:
    mechanism = Toy.at(ONE, options=4)
    return survey_of(Question("colour", "Colour?", OneOf(options=labels(4)), ONE, mechanism))


@pytest.fixture(autouse=True)
def toy(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    if "toy" in request.node.name:
        add_toy(monkeypatch)


def test_answers_to_a_toy_mechanism_go_from_the_device_to_the_estimate() -> None:
    survey = toy_survey()
    assert read_document(survey.document) == survey
    truths = np.repeat(np.arange(4), [400, 300, 200, 100]).tolist()
    numbers = np.random.Generator(np.random.SFC64(7)).integers(WORDS, size=4 * len(truths))
    words, counting = Tape(numbers.tolist()), Counting(survey)
    for truth in truths:
        report = respond(survey, draw_assignment(survey, "t"), {"colour": truth}, words)
        arrived = Report.parse(report.wire(survey), survey)
        counting.add(survey.questions[0], arrived.randomized["colour"], 1)
    rows = estimate_table(survey, counting.tallies())
    assert [row["mechanism"] for row in rows] == ["toy"] * 4
    for row, share in zip(rows, SHARES_OF_FOUR, strict=True):
        assert abs(row["share"] - share) < SURELY * row["noise_error"]


def test_the_estimate_of_a_toy_mechanism_is_exactly_unbiased() -> None:
    """The mean over all reports, weighted by their chances, is the truth."""
    (question,) = toy_survey().questions
    analysis = analysis_of(question.mechanism)
    for truth in range(4):
        mean = np.zeros(4)
        chances = analysis.chances(analysis.reports(), truth)
        for report, chance in zip(analysis.reports(), chances, strict=True):
            found = estimate_question(question, Tally.of_reports(question.mechanism, [report]))
            assert isinstance(found, ShareEstimates)
            mean += float(chance) * found.shares
        assert mean == pytest.approx(np.eye(4)[truth], abs=1e-12)


def test_a_toy_mechanism_is_planned_audited_and_put_into_words() -> None:
    survey = toy_survey()
    (question,) = survey.questions
    (row,) = plan_survey(survey, Target(respondents=1000, share=0.25))
    noise = question.mechanism.noise(0.25)
    assert row["mechanism"] == "toy"
    assert row["margin"] == pytest.approx(1.959964 * ((noise + 0.1875) / 1000) ** 0.5)
    assert {item["mechanism"] for item in row["alternatives"]} == {"ss", "hr"}
    assert analysis_of(question.mechanism).lever() > 1
    numbers = np.random.Generator(np.random.SFC64(1)).integers(WORDS, size=40_000).tolist()
    assert audit(question.mechanism, ONE, Tape(numbers), runs=2000).passes
    assert sends(question.mechanism) == "One of 4 options."
    assert len(odds_sentences(question, ENGLISH)) == 2
    assert describe_report(question, 2, ENGLISH) == "L2"


@pytest.mark.parametrize("engine", ENGINES)
def test_both_engines_simulate_a_toy_mechanism(engine: str) -> None:
    survey = toy_survey()
    people = Population(survey, {"colour": SHARES_OF_FOUR})
    (sample,) = run(Plan(people, 40_000, 1, 3, engine))
    found = sample["colour"]
    estimates = estimate_question(survey.questions[0], Tally.of_cells(found.cells.tolist()))
    assert isinstance(estimates, ShareEstimates)
    true = found.answers / found.n
    assert (np.abs(estimates.shares - true) < SURELY * estimates.noise_errors).all()


def test_a_toy_mechanism_is_exported_with_its_rule_and_its_matrix(tmp_path: Path) -> None:
    survey = toy_survey()
    folder = unpack(exported(survey, reports_of(survey, 200)), tmp_path / "zip")
    (design,) = json.loads((folder / "design.json").read_text())["questions"]
    keep = float(survey.questions[0].mechanism.keep)
    assert design["mechanism"]["name"] == "toy"
    assert "one of the others" in design["rule"]
    assert np.diag(design["matrix"]).tolist() == [keep] * 4
    assert "truth or another" in (folder / "codebook.html").read_text()
    assert "colour (one_of, toy)" in (folder / "analyse.R").read_text()


def test_every_mechanism_is_in_every_registry() -> None:
    for registry in (SENTENCES, LAYOUTS, ANALYSES, KERNELS, AGGREGATES, METHODS):
        assert list(registry) == list(MECHANISMS)


def test_every_mechanism_is_on_the_page_and_in_the_scripts_of_the_export() -> None:
    page = ROOT / "client/browser"
    named = [
        re.findall(r'static mechanism = "(\w+)"', path.read_text("utf-8"))
        for path in (page / "core/mechanisms").glob("*.js")
    ]
    assert set(chain(*named)) == set(MECHANISMS)
    sentences = (page / "wording/odds.js").read_text("utf-8")
    for name in MECHANISMS:
        assert len(re.findall(rf"^  {name}: ", sentences, re.MULTILINE)) == 3, name
    assert set(BY_MECHANISM) == set(MECHANISMS)
    # The tests of the export derive every figure of this survey again, with its scripts.
    exported_ones = {item.mechanism.name for item in survey_to_export(sampled=False).questions}
    assert exported_ones == set(MECHANISMS)


def test_every_mechanism_is_offered_to_some_question() -> None:
    domains: list[tuple[Domain, str]] = [
        (Choice(2), SHARES),
        (Choice(5), SHARES),
        (Checks(5, 2), SHARES),
        (Levels(10), MEAN),
        (Levels(10), DISTRIBUTION),
    ]
    offered = {item.name for domain, goal in domains for item in candidates(domain, goal, ONE)}
    assert offered == set(MECHANISMS)


def test_every_number_of_a_shape_has_an_option_and_columns_that_explain_it() -> None:
    shapes = {field.name for each in MECHANISMS.values() for field in fields(each)} - {"threshold"}
    assert set(SHAPE) == shapes
    assert shapes <= set(codebook.COLUMNS)
    assert shapes <= set(CODEBOOK)


def test_the_files_that_the_guide_names_are_there() -> None:
    """`x` stands for a mechanism; every shipped one has these files."""
    guide = (ROOT / "docs/extending.md").read_text("utf-8")
    section = guide.split("## A new mechanism")[1].split("\n## ")[0]
    named = re.findall(r"`((?:client|estimators|tests)/[^`*]+)`", section)
    assert len(named) > 15
    for mechanism in MECHANISMS.values():
        own = mechanism.__module__.rpartition(".")[2]
        for path in named:
            assert (ROOT / re.sub(r"/x\.", f"/{own}.", path)).exists(), (own, path)


# No module may test for these classes: a registry knows. Domains are one closed type.
CONCRETE_MECHANISMS = {each.__name__ for each in MECHANISMS.values()} | {"Supporting", "OneBit"}
CONCRETE_KINDS = {each.__name__ for each in KINDS.values()}
CONCRETE = CONCRETE_MECHANISMS | CONCRETE_KINDS


def dispatches(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Yield where the source tests the class of something: isinstance, match, `is`."""
    for node in ast.walk(tree):
        asked: list[ast.AST] = []
        if isinstance(node, ast.Call) and getattr(node.func, "id", "") in {
            "isinstance",
            "issubclass",
        }:
            asked = [node.args[1]]
        elif isinstance(node, ast.MatchClass):
            asked = [node.cls]
        elif isinstance(node, ast.Compare) and any(
            isinstance(operator, ast.Is | ast.IsNot | ast.Eq | ast.NotEq) for operator in node.ops
        ):
            asked = [side for side in (node.left, *node.comparators) if _is_class(side)]
        for name in chain(*map(ast.walk, asked)):
            found = getattr(name, "id", getattr(name, "attr", None))
            if found in CONCRETE:
                yield getattr(node, "lineno", 0), found


def _is_class(side: ast.expr) -> bool:
    return isinstance(side, ast.Name) and side.id in CONCRETE


def test_the_check_for_ladders_sees_every_way_to_ask() -> None:
    source = """
isinstance(kind, Scale | Number)
isinstance(m, (RandomThreshold, mechanisms.SlidingWindow))
type(m) is PrivateSet
match m:
    case SubsetSelection(size=1): pass
isinstance(domain, Checks)
"""
    found = [name for _, name in dispatches(ast.parse(source))]
    assert sorted(found) == [
        *("Number", "PrivateSet", "RandomThreshold", "Scale", "SlidingWindow", "SubsetSelection"),
    ]


@pytest.mark.parametrize("folder", ["client", "estimators", "server"])
def test_no_module_asks_which_mechanism_it_has(folder: str) -> None:
    assert ladders(folder, CONCRETE_MECHANISMS) == []


@pytest.mark.parametrize("folder", ["client", "estimators", "server"])
def test_no_module_asks_which_kind_it_has(folder: str) -> None:
    assert ladders(folder, CONCRETE_KINDS) == []


def ladders(folder: str, classes: set[str]) -> list[str]:
    return [
        f"{path.relative_to(ROOT)}:{line} {name}"
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, name in dispatches(ast.parse(path.read_text("utf-8")))
        if name in classes
    ]
