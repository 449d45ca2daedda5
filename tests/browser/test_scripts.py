"""The page's scripts do what the Python client does: all vectors, and the largest documents."""

import json
import re
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

from client.browser.bundle import ENTRY, parts
from client.core.document import read_document
from client.core.primitives.refusal import Refusal
from tests.browser.node import RUNNER, SCRIPTS, TEXTS, in_node
from tests.browser.one_script import with_modules, without_start
from tests.browser.respondent import open_survey
from tests.browser.server_process import ServerProcess
from tests.vectors.documents import as_field
from tests.vectors.generate import FILES, read

BASE = f"{SCRIPTS.as_uri()}/"
CORE = SCRIPTS.parent / "core"


def vectors() -> dict[str, list[dict[str, Any]]]:
    return {file: read(file) for file in FILES}


def texts() -> Any:
    """The catalogues by language."""
    return {path.stem: json.loads(path.read_text("utf-8")) for path in TEXTS.glob("*.json")}


def test_the_modules_reproduce_every_vector_in_node() -> None:
    assert in_node("runVectors", BASE, vectors(), texts()) == all_reproduced()


def test_the_one_script_reproduces_every_vector_in_node(tmp_path: Path) -> None:
    call = "export const call = (...given) => runVectorsInScript(modules, ...given);"
    module = tmp_path / "script.mjs"
    module.write_text("\n".join([without_start(), RUNNER.read_text(), call]))
    assert in_node("call", vectors(), texts(), module=module) == all_reproduced()


def test_the_one_script_reproduces_every_vector_in_the_browser(
    page: Page, server: ServerProcess
) -> None:
    open_survey(page, f"{server.url}/s/habits")
    runner = RUNNER.read_text().replace("export ", "")
    program = with_modules(f"{runner} return runVectorsInScript(modules, ...given);")
    assert page.evaluate(program, [vectors(), texts()]) == all_reproduced()


def all_reproduced() -> dict[str, Any]:
    return {"count": sum(map(len, vectors().values())), "failed": []}


def test_a_document_of_two_megabytes_is_read_and_a_larger_one_refused() -> None:
    documents = [
        b'"' + b"x" * (2**21 - 2) + b'"',
        b'"' + b"\\n" * (2**20 - 1) + b'"',
        b'"' + b"\\" * (2**21 - 1),
        b"[1," * 2**19,
        b" " * 2**21,
        b" " * (2**21 + 1),
    ]
    expected = [python_verdict(document) for document in documents]
    assert expected[-1] == "too_large"
    assert in_node("verdicts", BASE, [as_field(document) for document in documents]) == expected


def test_the_secure_generator_stands_in_one_module_and_no_other_source_of_chance_anywhere() -> None:
    sources = {path.relative_to(SCRIPTS).as_posix(): path.read_text() for path in scripts()}
    holders = [name for name, text in sources.items() if "getRandomValues(" in text]
    assert holders == ["core/primitives/words.js"]
    for name, text in sources.items():
        for forbidden in ("Math.random", "performance", "randomUUID", "innerHTML", "eval("):
            assert forbidden not in text, f"{name} uses {forbidden}"


def test_only_the_age_of_kept_answers_and_the_day_of_answers_are_told_by_the_clock() -> None:
    """And by the draws neither: `test_neither_the_weak_generator_nor_the_clock_is_used`."""
    assert {path.name for path in scripts() if "Date" in path.read_text()} == {
        "day.js",
        "unsent.js",
    }


def test_every_module_says_its_job_and_imports_only_its_neighbours() -> None:
    for path in scripts():
        text = path.read_text()
        assert text.startswith("/**"), f"{path} has no comment on top"
        assert len(text.splitlines()) <= 250
        for target in re.findall(r'from "([^"]+)"', text):
            assert target.startswith("."), f"{path} imports {target}"
            assert (path.parent / target).resolve().is_relative_to(SCRIPTS)


def test_the_trusted_core_has_the_same_modules_in_both_languages_and_imports_no_other() -> None:
    core = SCRIPTS / "core"
    stems = {path.relative_to(core).with_suffix("") for path in core.rglob("*.js")}
    python = {path.relative_to(CORE).with_suffix("") for path in CORE.rglob("*.py")}
    # Python finds kinds and mechanisms through the package itself.
    registries = {stem.with_name("registry") for stem in python if stem.name == "__init__"}
    assert {stem for stem in python if stem.name != "__init__"} == stems - registries
    for path in core.rglob("*.js"):
        for target in re.findall(r'from "([^"]+)"', path.read_text()):
            assert (path.parent / target).resolve().is_relative_to(core), f"{path}: {target}"


def test_every_module_is_in_the_script() -> None:
    everything = {path.relative_to(SCRIPTS).as_posix() for path in scripts()}
    assert set(parts(SCRIPTS, ENTRY)) == everything


def scripts() -> list[Any]:
    return sorted(SCRIPTS.rglob("*.js"))


def python_verdict(document: bytes) -> str:
    try:
        read_document(document)
    except Refusal as refusal:
        return refusal.code
    return ""
