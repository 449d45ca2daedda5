"""Write BENCHMARKS.md from the findings of a run: every number on the page comes from them."""

import statistics
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tests.benchmarks.accuracy import NORM_SUB, RAW
from tests.benchmarks.side_by_side import CANDOR, DOCUMENTED, TEXTBOOK, TUNED

Findings = Mapping[str, Any]
NOTHING = "–"
MET = "met"
SCALES = ((1e9, "billion"), (1e6, "million"), (1e3, "thousand"))


def page(findings: Findings) -> str:
    """Return the whole page."""
    sections = (_head, _speed, _billion, _accuracy, _limits, _peers)
    return "\n\n".join("\n".join(section(findings)) for section in sections) + "\n"


def spoken(number: float) -> str:
    """Return a number with three digits and a word: 1.46 billion."""
    for unit, word in SCALES:
        if number >= unit * 0.9995:
            return f"{_three_digits(number / unit)} {word}"
    return _three_digits(number)


def _three_digits(number: float) -> str:
    return f"{number:.{2 if number < 9.995 else 1 if number < 99.95 else 0}f}"


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterator[str]:
    for row in (head, ["---"] * len(head), *rows):
        yield f"| {' | '.join(row)} |"


def _head(findings: Findings) -> Iterator[str]:
    machine = findings["machine"]
    yield "# Benchmarks"
    yield ""
    yield (
        "`make bench` wrote this page from one run, in which Candor and its peers took turns. "
        "`python -m tests.benchmarks peers` writes only this page, and keeps its sections "
        "about the server and large surveys, which have runs of their own."
    )
    yield ""
    yield (
        f"The machine: {machine['processor']}, {machine['cores']} cores, {machine['system']}, "
        f"Python {machine['python']}, numpy {machine['numpy']}. Rates differ between machines; "
        "ratios differ less."
    )


def _speed(findings: Findings) -> Iterator[str]:
    yield "## Speed"
    yield ""
    yield (
        "Respondents per second at epsilon 1, from true answers (Zipf 1.1) to estimated shares. "
        f"Every report is drawn. The best of {findings['rounds']} rounds, the median in brackets. "
        "Candor uses all cores. *Tuned* is what a caller can get out of a peer beyond what its "
        "documentation shows; the last section says how."
    )
    yield ""
    head = ["work", "options", "Candor", "textbook numpy, one core", "best peer"]
    head += ["Candor / best peer", "/ best tuned", "goal", ""]
    yield from table(head, (_speed_row(work) for work in findings["works"]))


def _speed_row(work: Findings) -> list[str]:
    own = _runner(work, CANDOR)
    assert own is not None
    best = _fastest(work, DOCUMENTED)
    tuned = _fastest(work, TUNED)
    return [
        work["name"],
        f"{work['options']:,}",
        f"{spoken(max(own['rates']))} ({spoken(statistics.median(own['rates']))})",
        _rate(_runner(work, TEXTBOOK)),
        f"{_rate(best)}, {best['who']}" if best else NOTHING,
        _ratio(own, best),
        _ratio(own, tuned),
        *_verdict(work["goal"], own, best),
    ]


def _runner(work: Findings, who: str, variant: str = DOCUMENTED) -> Findings | None:
    found = (r for r in work["runners"] if (r["who"], r["variant"]) == (who, variant))
    return next(found, None)


def _fastest(work: Findings, variant: str) -> Findings | None:
    peers = [r for r in work["runners"] if r["who"] not in (CANDOR, TEXTBOOK)]
    found = [runner for runner in peers if runner["variant"] == variant]
    return max(found, key=lambda runner: max(runner["rates"]), default=None)


def _rate(runner: Findings | None) -> str:
    return spoken(max(runner["rates"])) if runner else NOTHING


def _times(own: Findings, other: Findings) -> float:
    return float(max(own["rates"]) / max(other["rates"]))


def _ratio(own: Findings, other: Findings | None) -> str:
    return f"{_times(own, other):,.3g}" if other else NOTHING


def _verdict(goal: Findings | None, own: Findings, best: Findings | None) -> tuple[str, str]:
    if goal is None or best is None:
        return NOTHING, ""
    reached = {
        "rate": max(own["rates"]) / goal["rate"],
        "ratio": _times(own, best) / goal["ratio"],
    }
    short = [f"**{name} short: {part:.0%}**" for name, part in reached.items() if part < 1]
    return f"{spoken(goal['rate'])}, {goal['ratio']:,.0f} times", ", ".join(short) or MET


def _billion(findings: Findings) -> Iterator[str]:
    found = findings["billion"]
    taken, goal = found["milliseconds"], found["goal_milliseconds"]
    memory = found["megabytes"] <= found["goal_megabytes"]
    yield f"## {found['respondents']:,} respondents"
    yield ""
    yield (
        f"- Drawing tallies instead of reports (`--engine aggregate`) and estimating, "
        f"{found['options']} options: {min(taken):.3g} ms, "
        f"median {statistics.median(taken):.3g} ms. "
        f"Goal under {goal} ms: {MET if min(taken) < goal else '**short**'}. No peer can do this."
    )
    yield (
        f"- Drawing every report (`--engine respondents`), yes/no, the whole command: "
        f"{found['seconds']:.3g} s, at most {found['megabytes']:.0f} MB. "
        f"Goal under {found['goal_megabytes']} MB: {MET if memory else '**short**'}."
    )


def _accuracy(findings: Findings) -> Iterator[str]:
    first = findings["accuracy"][0]
    yield "## Accuracy"
    yield ""
    yield (
        "Mean squared error of the shares over all options, times 100,000, with its Monte Carlo "
        f"standard error. {first['respondents']:,} respondents, true shares by Zipf 1.1, "
        "epsilon 1. The optimum is the exact error of subset selection, the best known mechanism, "
        "without constraints. Other estimates than raw ones are possible shares, for display only."
    )
    for part in findings["accuracy"]:
        yield ""
        yield from _accuracy_table(part)
        yield ""
        yield from _accuracy_goals(part)


def _accuracy_table(part: Findings) -> Iterator[str]:
    rows = sorted(part["rows"], key=lambda row: (row["who"] != CANDOR, row["mean"]))
    head = [f"{part['options']} options: by", "mechanism", "estimate", "runs", "error"]
    yield from table(
        head,
        (
            [row["who"], row["method"], row["estimate"], f"{row['runs']:,}", _error(row)]
            for row in rows
        ),
    )


def _accuracy_goals(part: Findings) -> Iterator[str]:
    own = {row["estimate"]: row for row in part["rows"] if row["who"] == CANDOR}
    peers = [row for row in part["rows"] if row["who"] != CANDOR]
    off = own[RAW]["mean"] / part["optimum"] - 1
    within = abs(off) <= part["raw_goal"]
    yield (
        f"- Raw: {off:+.1%} from the optimum {1e5 * part['optimum']:.3f}. "
        f"Goal within {part['raw_goal']:.0%}: {MET if within else '**short**'}."
    )
    line = f"- {NORM_SUB}: {_error(own[NORM_SUB])}"
    alike = [row for row in peers if row["estimate"] == NORM_SUB]
    if alike:
        best = min(alike, key=lambda row: float(row["mean"]))
        verdict = MET if own[NORM_SUB]["mean"] <= best["mean"] else "**short**"
        line += f"; the best peer's {NORM_SUB} {_error(best)} ({best['who']})"
        line += f". Goal at most that: {verdict}"
    yield f"{line}."


def _error(row: Findings) -> str:
    return f"{1e5 * row['mean']:.3f} ± {1e5 * row['error']:.3f}"


def _limits(findings: Findings) -> Iterator[str]:
    limits = findings["limits"]
    names = {"random": "random bytes per second (SFC64)", "copy": "copied bytes per second"}
    threads = list(limits["random"])
    yield "## The machine's limits"
    yield ""
    head = ["", *(f"{count} thread{'s' if count != '1' else ''}" for count in threads)]
    yield from table(
        head,
        (
            [name, *(spoken(max(limits[key][count])) for count in threads)]
            for key, name in names.items()
        ),
    )


def _peers(findings: Findings) -> Iterator[str]:
    columns = [
        (peer["package"], variant)
        for peer in findings["peers"]
        for variant in (DOCUMENTED, TUNED)
        if any(variant in variants for variants in peer["ways"].values())
    ]
    names = [who if variant == DOCUMENTED else f"{who}, tuned" for who, variant in columns]
    yield "## The peers one by one"
    yield ""
    yield "Respondents per second in the best round."
    yield ""
    yield from table(
        ["work", "options", *names],
        (
            [work["name"], f"{work['options']:,}", *(_rate(_runner(work, *key)) for key in columns)]
            for work in findings["works"]
        ),
    )
    yield ""
    for peer in findings["peers"]:
        yield f"- **{peer['package']} {peer['version']}**: {peer['how']}. Cannot: {peer['cannot']}."
    for work in findings["works"]:
        for failure in work["failures"]:
            yield f"- Failed at {work['name']}, {work['options']:,} options: {failure}"
