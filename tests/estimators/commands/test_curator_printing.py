"""What `candor curator` prints for people is as true as its JSON: rounded, it still covers."""

import re
from pathlib import Path

import pytest

from tests.support.figures import figures, run

YEARS = ("mean", "--simulate", 5000, "--lo", 1900, "--hi", 2025, "--epsilon", 1)
MANY = ("mean", "--simulate", "3e6", "--hi", 100, "--epsilon", 1)


@pytest.mark.parametrize("arguments", [YEARS, MANY], ids=["years", "many"])
def test_a_printed_mean_covers_the_truth_whenever_the_mean_does(
    arguments: tuple[object, ...],
) -> None:
    covered = 0
    for seed in range(12):
        found = figures("curator", *arguments, "--seed", seed)
        text = run("curator", *arguments, "--seed", seed).stdout
        (release, bound) = re.findall(r"Mean: (\S+) ± (\S+), at", text)[0]
        (truth,) = re.findall(r"In truth: (\S+)\n", text)
        if abs(found["release"] - found["truth"]) <= found["error_bound"]:
            covered += 1
            assert abs(float(release) - found["truth"]) <= float(bound) + 1e-12
            assert abs(float(release) - float(truth)) <= float(bound) + 1e-12
        # Rounded up by one and a half units of the last place at most.
        assert found["error_bound"] <= float(bound) <= found["error_bound"] * 1.16
        assert len(release.partition(".")[2]) == len(bound.partition(".")[2])
    assert covered > 6


def test_a_tiny_bound_is_printed_with_two_digits() -> None:
    text = run("curator", *MANY, "--seed", 1).stdout
    assert re.search(r"Mean: \d+\.\d{5,} ± 0\.000[1-9]\d,", text), text


def test_a_printed_local_mean_has_the_decimals_of_its_margin() -> None:
    found = figures("curator", *MANY, "--seed", 1)["local"]
    text = run("curator", *MANY, "--seed", 1).stdout
    ((estimate, margin),) = re.findall(r"people says (\S+): about ± ([\d.]+),", text)
    assert abs(float(estimate) - found["estimate"]) + found["error_bound"] <= float(margin)
    assert len(estimate.partition(".")[2]) == len(margin.partition(".")[2])


def test_a_printed_local_count_is_within_its_printed_bound_whenever_it_is() -> None:
    """The count has one decimal, the bound none: it leaves room for half a tenth."""
    for n in range(100, 140):
        arguments = ("curator", "count", "--simulate", n, "--epsilon", 1, "--seed", 1)
        found = figures(*arguments)
        (bound,) = re.findall(r"off by at most (\d+) in the worst case", run(*arguments).stdout)
        row, local = found["figures"][0], found["local"]
        worst = local["error_bound"] + abs(row["local"] - round(row["local"], 1))
        assert worst <= int(bound) < local["error_bound"] + 1.06


@pytest.mark.parametrize("price", ["10000.01", "123456789.123456", "0.000001", "100000"])
def test_a_price_is_printed_to_the_last_decimal(price: str) -> None:
    arguments = ("curator", "price", "--bids", "999999999", "--prices", price, "--epsilon", 1)
    text = run(*arguments, "--seed", 1).stdout
    assert f"\nPrice: {price}\n" in text
    assert re.search(rf"^ +{re.escape(price)} +{re.escape(price)} +100.0%", text, re.MULTILINE)
    assert f"1 person says {price}: below" in text
    assert f"\nPrice: {price}\n" in "\n" + run(*arguments).stdout


def test_no_bound_is_beyond_what_is_possible() -> None:
    """Three people at epsilon 0.01: the noise drowns them."""
    common = ("--simulate", 3, "--epsilon", "0.01", "--seed", 1)
    top = figures("curator", "top", "--options", 4, *common)
    assert top["shortfall_bound"] == top["local"]["error_bound"] == 3
    price = figures("curator", "price", "--prices", "1,2.5", *common)
    assert price["shortfall_bound"] == price["local"]["error_bound"] == 7.5
    assert price["local"]["times_the_curators"] == 1
    text = run("curator", "histogram", "--options", 4, *common).stdout
    assert "No release is off by more than 3, once it is cut to 0 to 3, at" in text
    assert "off by at most 3, once it is cut to 0 to 3 in the worst case, 1.0 times" in text
    text = run("curator", "mean", "--lo", 10, "--hi", 20, *common).stdout
    assert "± 10, once it is cut to 10 to 20, at" in text
    assert ": about ± 10, once it is cut to 10 to 20, 1.0 times" in text


def test_one_person_is_a_person(tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    path.write_text("a\nYes\n")
    for command in (("count",), ("top", "--options", "Yes,No")):
        text = run("curator", *command, path, "--epsilon", 1).stdout
        assert "of 1 person" in text
        assert not re.search(r"\b1 people", text)


def test_two_options_are_one_count_and_the_rest() -> None:
    arguments = ("histogram", "--simulate", 100, "--options", "A,B", "--epsilon", "0.1")
    for seed in range(5):
        found = figures("curator", *arguments, "--seed", seed)
        assert sum(row["release"] for row in found["figures"]) == 100
        # One count with noise of scale 10: 2 q^(b+1)/(1+q) <= 0.05 first at b = 30.
        assert found["error_bound"] == 30
        errors = {abs(row["release"] - row["truth"]) for row in found["figures"]}
        assert len(errors) == 1
    text = run("curator", *arguments, "--seed", 1).stdout
    assert "The two add up to 100, and neither is off by more than 30, at" in text
