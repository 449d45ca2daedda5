"""Leaks that somebody could build into the page by mistake, one line each.

Each gives away one bit of an answer, `BIT`, in its own way.
"""

from collections.abc import Mapping
from typing import Any

from tests.browser.one_script import Change

HAND_IN = 'await call("POST", `${this.#api}/reports`, { body, headers });'
HEADERS = '"Candor-Ticket": ticket }'
PADDING = ".padEnd(survey.reportBytes)"
BODY = "return reportBody"
ENTRY = "entryState(history.state.isSpare)"
REPORT = "core/report.js"
TRANSPORT = "device/transport.js"
INVITATION = "device/invitation.js"
UNSENT = "device/unsent.js"
KIOSK = "page/kiosk/kiosk.js"
FINISHED = "person.isDone = true;"


def fetching(path: str) -> str:
    return f"await fetch(`${{this.page}}/{path}`);"


def waiting(milliseconds: str) -> str:
    return f"for (const start = performance.now(); performance.now() < start + {milliseconds}; );"


def slower(delay: int) -> Change:
    """A page that sends odd answers so many milliseconds later."""
    return (TRANSPORT, HAND_IN, f"{waiting(f'{delay} * {bit_of(IDS[0], 0)}')} {HAND_IN}")


# On a person's own device, by invitation, with a group that was chosen and answers that were kept.
OWN_DEVICE: dict[str, Change] = {
    "longer padding": (REPORT, PADDING, ".padEnd(survey.reportBytes + BIT)"),
    "a header more": (TRANSPORT, HEADERS, f'"Candor-Note": `${{BIT}}`, {HEADERS}'),
    "another header": (TRANSPORT, HEADERS, f'Accept: ["*/*", "text/plain"][BIT], {HEADERS}'),
    "a request more": (TRANSPORT, HAND_IN, f"if (BIT) {fetching('privacy.json')} {HAND_IN}"),
    "another order": (
        TRANSPORT,
        HAND_IN,
        f"if (BIT) {fetching('results')} {HAND_IN} if (!BIT) {fetching('results')}",
    ),
    "another name of the header": (
        TRANSPORT,
        '"Candor-Ticket":',
        '[["Candor-Ticket", "candor-ticket"][BIT]]:',
    ),
    "a stored draft": (REPORT, BODY, f"localStorage.draft = BIT; {BODY}"),
    "the title": (REPORT, BODY, f"document.title += BIT; {BODY}"),
    "the window's name": (REPORT, BODY, f"name = BIT; {BODY}"),
    "the address": (
        REPORT,
        BODY,
        f'history.replaceState(history.state, "", `?${{BIT}}${{location.hash}}`); {BODY}',
    ),
    "the history": (INVITATION, ENTRY, f"{{ ...{ENTRY}, note: BIT }}"),
    "a ticket that stays": (
        "device/outbox.js",
        "await this.#turn.erase();\nreturn {",
        "if (!BIT) await this.#turn.erase();\nreturn {",
    ),
    "an invitation sent once more": (
        TRANSPORT,
        HAND_IN,
        "if (BIT) await this.sign({ invitation: this.invitation }).catch(() => {}); " + HAND_IN,
    ),
    # After the other changes of the same line.
    "another path": (TRANSPORT, "/reports`", "/reports?${BIT}`"),
    "kept answers that stay": (
        "page/delivery.js",
        "await this.#keeping.forget();",
        "if (!BIT) await this.#keeping.forget();",
    ),
    "a file beside the kept answers": (
        UNSENT,
        "(folder) => writeFile(folder, this.#name",
        "(folder) => folder.getFileHandle(`note-${BIT}`, { create: true }) && "
        "writeFile(folder, this.#name",
    ),
    "another group": (
        "page/groups/choice.js",
        "this.#levels.get(id)).join",
        'id === "site" ? BIT : this.#levels.get(id)).join',
    ),
}
# On a device that people hand over to each other.
SHARED_DEVICE: dict[str, Change] = {
    "a file for the next person": (
        KIOSK,
        FINISHED,
        f"{FINISHED} navigator.storage.getDirectory().then((root) => "
        "root.getFileHandle(`seen-${BIT}`, { create: true }));",
    ),
    "a counter on the device": (KIOSK, FINISHED, f"{FINISHED} localStorage.yes = BIT;"),
    "the next person's screen": (KIOSK, "refused: this.#refused", "refused: this.#refused + BIT"),
    "the history of the shared tab": (
        KIOSK,
        FINISHED,
        f'{FINISHED} history.replaceState({{ ...history.state, last: BIT }}, "");',
    ),
}
# Where a leak finds the answers.
ANSWERED: Change = (
    "page/card.js",
    "this.explain(settled);",
    "this.explain(settled); (globalThis.truths ??= {})[this.question.id] = this.answer;",
)
# So many bits has an answer to one of the questions.
BITS_EACH = 11
IDS = ("often", "long")


def bit_of(id: str, bit: int) -> str:
    """Return a script's words for one bit of the answer to a question."""
    return f"((globalThis.truths?.{id} >> {bit}) & 1)"


def leaking(leaks: Mapping[str, Change]) -> list[Change]:
    """Return the changes that build in all leaks at once, each with a bit of its own."""
    return [ANSWERED] + [
        (module, old, new.replace("BIT", bit_of(IDS[number // BITS_EACH], number % BITS_EACH)))
        for number, (module, old, new) in enumerate(leaks.values())
    ]


def answer_of(bits: list[int]) -> list[int]:
    """Return the answers to the questions that hold these bits."""
    whole = sum(bit << place for place, bit in enumerate(bits))
    return [whole >> BITS_EACH * number & 2**BITS_EACH - 1 for number in range(len(IDS))]


def _number(id: str, **fields: Any) -> dict[str, Any]:
    top = str(2**BITS_EACH - 1)
    return {"id": id, "kind": "number", "prompt": "How?", "lo": "0", "hi": top} | {
        "epsilon": "1",
        **fields,
    }


_TITLES = {"title": "Numbers", "delete_on": "2999-12-31"}
_FACTORS = [
    {"id": "age", "prompt": "How old?", "levels": ["Under 30", "Older"]},
    {"id": "site", "prompt": "Where?", "levels": ["North", "South"]},
]
# 2,048 answers to each question, one for every combination of bits.
INVITED: dict[str, Any] = {
    **{"slug": "invited", "access": "invited", **_TITLES},
    "groups": {"by": "choice", "factors": _FACTORS},
    "questions": [_number(id) for id in IDS],
}
SHARED: dict[str, Any] = {**_TITLES, "slug": "shared", "questions": [_number(id) for id in IDS]}
# Nearly every report is the answer, of two bits: one digit or two, even or odd.
DIGITS: dict[str, Any] = {
    **{"slug": "digits", **_TITLES},
    "questions": [_number("often", hi="11", goal="distribution", epsilon="10")],
}
