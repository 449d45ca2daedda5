"""Leaks that somebody could build into the page by mistake: the leak hunt finds every one."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.observables import all_but_the_report, the_clock
from tests.browser.one_script import Change, changed_script
from tests.browser.server_process import ServerProcess, serving
from tests.browser.sessions import Session, Steps, crowd
from tests.support.hunter import Bools, deal, encode, hunt

# All 32 guesses right come by chance once in 6e8 deals; two of them may be wrong.
EACH = 32
# With all leaks at once, so many that two given ones hardly ever agree by chance so often that the
# one is taken for the other: less than once in 10,000 runs.
EACH_OF_ALL = 40
HAND_IN = 'await call("PUT", `${this.#api}/reports/${id}`, { body, headers });'
HEADERS = '"Candor-Ticket": ticket }'
PADDING = ".padEnd(survey.reportBytes)"
BODY = "return reportBody"
ENTRY = "entryState(history.state.isSpare)"
TRANSPORT = "device/transport.js"


def fetching(path: str) -> str:
    return f"await fetch(`${{this.page}}/{path}`);"


def waiting(milliseconds: str) -> str:
    return f"for (const start = performance.now(); performance.now() < start + {milliseconds}; );"


# Each gives away one bit of the answer, `BIT`, in its own way.
LEAKS: dict[str, Change] = {
    "longer padding": ("core/report.js", PADDING, ".padEnd(survey.reportBytes + BIT)"),
    "a header more": (TRANSPORT, HEADERS, f'"Candor-Note": `${{BIT}}`, {HEADERS}'),
    "another header": (
        TRANSPORT,
        HEADERS,
        f'Accept: ["*/*", "text/plain"][BIT], {HEADERS}',
    ),
    "a request more": (
        TRANSPORT,
        HAND_IN,
        f"if (BIT) {fetching('privacy.json')} {HAND_IN}",
    ),
    "another order": (
        TRANSPORT,
        HAND_IN,
        f"if (BIT) {fetching('results')} {HAND_IN} if (!BIT) {fetching('results')}",
    ),
    "another path": (TRANSPORT, "/reports/${id}`", "/reports/${id}?${BIT}`"),
    "a digit of the id": (
        "page/respondent.js",
        "id: secureHex(ID_WORDS)",
        "id: BIT + secureHex(ID_WORDS).slice(1)",
    ),
    "a stored draft": ("core/report.js", BODY, f"localStorage.draft = BIT; {BODY}"),
    "the history": ("device/invitation.js", ENTRY, f"{{ ...{ENTRY}, note: BIT }}"),
    "the title": ("core/report.js", BODY, f"document.title += BIT; {BODY}"),
    "the window's name": ("core/report.js", BODY, f"name = BIT; {BODY}"),
}
# Where a leak finds the answer.
ANSWERED: Change = (
    "page/card.js",
    "this.explain(settled);",
    "this.explain(settled); globalThis.truth = this.answer;",
)
LEAKING = [
    (module, old, new.replace("BIT", f"((truth >> {bit}) & 1)"))
    for bit, (module, old, new) in enumerate(LEAKS.values())
]
# In milliseconds.
DELAYS = (5, 50, 500)
# 2,048 answers, one for every combination of bits.
BITS: dict[str, Any] = {
    "slug": "bits",
    "title": "One question",
    "delete_on": "2999-12-31",
    "questions": [
        {
            **{"id": "often", "kind": "number", "prompt": "How often?", "lo": "0", "hi": "2047"},
            "epsilon": "1",
        }
    ],
}
# Nearly every report is the answer, of two bits: one digit or two, even or odd.
DIGITS: dict[str, Any] = {
    **{"slug": "digits", "title": "One question", "delete_on": "2999-12-31"},
    "questions": [
        {
            **{"id": "often", "kind": "number", "prompt": "How often?", "lo": "0", "hi": "11"},
            **{"goal": "distribution", "epsilon": "10"},
        }
    ],
}


@pytest.fixture(scope="module")
def planted_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    with serving(tmp_path_factory.mktemp("planted"), BITS, DIGITS) as running:
        yield running


def watch(
    browser: Browser, server: ServerProcess, slug: str, answers: list[int], *changes: Change
) -> list[Session]:
    """What can be seen of these respondents on a page with another script."""
    steps: list[Steps] = [[(0, 0, str(answer))] for answer in answers]
    with crowd(browser, server, slug) as respondents:
        changed_script(respondents.page, *changes)
        return respondents.answer_all(steps, range(len(answers)))


def all_seen(sessions: list[Session]) -> Bools:
    return encode([all_but_the_report(session) for session in sessions])


@dataclass(frozen=True)
class Planted:
    """Respondents on a page with all leaks at once."""

    seen: Bools
    bits: list[list[int]]


@pytest.fixture(scope="module")
def planted(browser: Browser, planted_server: ServerProcess) -> Planted:
    """Every bit of the answers is dealt for itself, so that each leak is hidden by the others."""
    bits = [deal(EACH_OF_ALL) for _ in LEAKS]
    answers = [sum(bit << i for i, bit in enumerate(one)) for one in zip(*bits, strict=True)]
    sessions = watch(browser, planted_server, "bits", answers, ANSWERED, *LEAKING)
    return Planted(all_seen(sessions), bits)


@pytest.mark.parametrize("leak", LEAKS)
def test_a_planted_leak_is_found_among_the_others(planted: Planted, leak: str) -> None:
    found = hunt(planted.seen, planted.bits[list(LEAKS).index(leak)])
    assert found.accuses(0), f"{found.right:.0%} of the guesses are right"


def test_what_no_leak_gives_away_is_not_found(planted: Planted) -> None:
    assert not hunt(planted.seen, deal(EACH_OF_ALL)).accuses(0)


@dataclass(frozen=True)
class Digits:
    """Respondents on a page without padding, where odd answers take a little longer."""

    sessions: list[Session]
    longer: list[int]
    odd: list[int]


@pytest.fixture(scope="module")
def digits(browser: Browser, planted_server: ServerProcess) -> Digits:
    longer, odd = deal(EACH), deal(EACH)
    answers = [10 * two + one for two, one in zip(longer, odd, strict=True)]
    unpadded = ("core/report.js", PADDING, "")
    sessions = watch(
        browser, planted_server, "digits", answers, unpadded, ANSWERED, slower(DELAYS[0])
    )
    return Digits(sessions, longer, odd)


def slower(delay: int) -> Change:
    """A page that sends odd answers so many milliseconds later."""
    return (TRANSPORT, HAND_IN, f"{waiting(f'{delay} * (truth & 1)')} {HAND_IN}")


def finds_the_clock(sessions: list[Session], truths: list[int]) -> bool:
    return hunt(encode([the_clock(session) for session in sessions]), truths).accuses(0)


def test_a_report_without_its_padding_is_found(digits: Digits) -> None:
    seen = [all_but_the_report(session) for session in digits.sessions]
    assert hunt(encode(seen), digits.longer).accuses(0)


def test_a_delay_by_the_answer_is_found(
    browser: Browser, planted_server: ServerProcess, digits: Digits
) -> None:
    """Of five milliseconds if the machine is quiet enough; else of ten or a hundred times that."""
    if finds_the_clock(digits.sessions, digits.odd):
        return
    for delay in DELAYS[1:]:
        truths = deal(EACH)
        sessions = watch(browser, planted_server, "bits", truths, ANSWERED, slower(delay))
        if finds_the_clock(sessions, truths):
            return
    pytest.fail(f"not even {delay} milliseconds were found")
