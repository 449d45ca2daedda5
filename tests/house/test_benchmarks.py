"""The benchmarks run at a small scale; where possible, steps are counted instead of timed."""

from flask.testing import FlaskClient

from server.app import create_app
from server.data_folder import DataFolder
from server.serving import running_services
from server.store.verify import verify
from tests.benchmarks import (
    accepting,
    billion,
    estimating,
    large,
    regression,
    results_cost,
    serving,
    signing,
)
from tests.benchmarks.accepting import Accepting, Load
from tests.benchmarks.bulk import fill
from tests.benchmarks.results_cost import PATHS
from tests.benchmarks.sections import with_section
from tests.support.engines import sqlite


def steps(folder: DataFolder, reports: int) -> dict[str, int]:
    """Return how many instructions SQLite executes for each path at this many reports."""
    fill(folder, reports)
    with running_services(folder) as services:
        client: FlaskClient = create_app(services).test_client()
        counted: dict[str, int] = {}
        for path in PATHS:
            count = 0

            def step() -> None:
                nonlocal count
                count += 1

            sqlite(services.database.reader).set_progress_handler(step, 1)
            assert client.get(path).status_code == 200
            counted[path] = count
        return counted


def test_results_cost_the_same_number_of_database_steps_at_any_number_of_reports(
    folder: DataFolder,
) -> None:
    few = steps(DataFolder(folder.path / "few"), 100)
    many = steps(DataFolder(folder.path / "many"), 5000)
    assert few == many
    assert min(few.values()) > 10


def test_reports_written_in_bulk_pass_verification(folder: DataFolder) -> None:
    fill(folder, 100)
    assert verify(folder.database).problems == []


def test_the_cost_of_results_is_measured() -> None:
    ratios = results_cost.measure(few=10, many=100, rounds=3)
    assert set(ratios) == set(PATHS)
    assert min(ratios.values()) > 0


def test_accepting_is_measured_and_everything_accepted_is_there() -> None:
    found = accepting.measure(requests=100, connections=8, rounds=2)
    assert len(found.ratios) == len(found.durable) == len(found.empty) == 2
    assert min(found.ratios) > 0
    assert [len(load.waits) for load in found.durable] == [100, 100]
    assert found.wait(0.5) <= found.wait(0.99) <= found.longest


def test_the_section_about_the_server_is_written_from_its_findings_and_the_rest_stays() -> None:
    loads = tuple(Load(rate, (0.01, 0.02, 0.05), 0.04) for rate in (900.0, 1000.0, 1300.0))
    empty = tuple(Load(1250.0, (0.01,), 0.03) for _ in loads)
    found = [Accepting(connections, loads, empty) for connections in (64, 384)]
    section = "\n".join(serving.section(found, {1: 12, 256: 12}, 0.3))
    assert "| 64 | 1,000 | 1,250 | 0.80 (0.72 to 1.04) | 0.75 | 20 | 50 | 50 |" in section
    page = "# Benchmarks\n\nabout\n\n## Speed\n\nold\n"
    once = with_section(page, section)
    assert once.startswith("# Benchmarks\n\nabout\n\n## Speed\n\nold\n\n## The server")
    assert with_section(once, section) == once
    assert with_section(once + "\n## Peers\n", section).endswith("\n\n## Peers\n")


def test_a_batch_takes_as_many_statements_with_256_reports_as_with_one() -> None:
    found = serving.statements_per_batch((1, 40))
    assert found[1] == found[40]


def test_signing_tickets_is_measured_beside_a_plain_power() -> None:
    found = signing.measure(rounds=2)
    assert found.per_second > 0
    assert found.ratio > 0


def test_estimating_a_long_list_is_measured() -> None:
    assert estimating.measure(options=100, rounds=2) > 0


def test_reports_stream_through_and_tallies_need_none() -> None:
    """All reports at once would take 800 MB as 8-byte numbers."""
    found = billion.measure(rounds=1, respondents=10**8)
    assert found["megabytes"] < found["goal_megabytes"]
    assert len(found["milliseconds"]) == 1


def test_the_cost_of_a_regression_is_measured_beside_statsmodels() -> None:
    assert regression.cost_beside_statsmodels(n=2_000, rounds=1) > 0


def test_tallies_and_a_cluster_are_measured_and_written_about() -> None:
    found = large.measure(many=3000, sets=2000, respondents=2000, rounds=2)
    assert [each.reports for each in found.counted] == [3000, 2000]
    assert len(found.local) == len(found.cluster) == 2
    text = "\n".join(large.section(found))
    assert text.startswith("## Large surveys\n\nParquet files of reports")
    assert "| yes/no | 3.00 thousand |" in text
    assert "2 workers with one thread each on this machine" in text
