"""The cryptography of tickets stays where a reviewer reads it, and nobody chooses its secrets."""

import re
from pathlib import Path

import pytest

from tests.house.test_rooms import PACKAGES
from tests.support.process import ROOT

PYTHON, SCRIPTS = Path("client/core/tickets"), Path("client/browser/core/tickets")


def sources() -> dict[Path, str]:
    found = [path for package in PACKAGES for path in (ROOT / package).rglob("*.*")]
    code = (path for path in found if path.suffix in (".py", ".js"))
    return {path.relative_to(ROOT): path.read_text("utf-8") for path in code}


def mentioning(pattern: str) -> set[Path]:
    return {path for path, text in sources().items() if re.search(pattern, text)}


def test_only_tickets_know_the_arithmetic() -> None:
    importing = r"import rsabssa|tickets\.rsabssa|/rsabssa\.js"
    assert mentioning(importing) == {PYTHON / "ticket.py", SCRIPTS / "ticket.js"}


def test_only_vectors_choose_the_words_of_a_ticket() -> None:
    """Whoever knows r can join a link to its report, so no other way leads into the blinding."""
    assert mentioning(r"\bblind_?[wW]ith\b") == {PYTHON / "ticket.py", SCRIPTS / "ticket.js"}
    assert "return blind_with(SecureWords(), " in (ROOT / PYTHON / "ticket.py").read_text()
    assert "return blindWith(new SecureWords(), " in (ROOT / SCRIPTS / "ticket.js").read_text()


@pytest.mark.parametrize("file", [PYTHON / "rsabssa.py", SCRIPTS / "rsabssa.js"])
def test_the_arithmetic_knows_no_protocol(file: Path) -> None:
    assert not re.search("ticket|nonce|fingerprint|group|candor", code_of(file))


@pytest.mark.parametrize("file", [PYTHON / "ticket.py", SCRIPTS / "ticket.js"])
def test_a_ticket_knows_no_arithmetic(file: Path) -> None:
    assert not re.search(r"[\w)] [*%/^]{1,2} [\w(]|\bpow\(|\bgcd\(|EXPONENT|65537", code_of(file))


def code_of(file: Path) -> str:
    """Return a file without its comments and its imports."""
    code = re.sub(
        r'/\*\*.*?\*/|""".*?"""|^(import|from) .*?$', "", sources()[file], flags=re.S | re.M
    )
    assert "return" in code
    return code
