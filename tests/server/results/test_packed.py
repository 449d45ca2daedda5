"""Long results are sent packed; what is packed holds no secret, and unpacked it is the same."""

import gzip
import json
from typing import Any

import pytest

from server.surveys.researchers import Role
from tests.support.live import Answer, Live
from tests.support.researcher import hire, key_of, logged_in

# All that is made for one reader and may be long.
LONG = ("results", "estimates.json", "estimates.csv")


@pytest.fixture
def draft() -> dict[str, Any]:
    fine = {"kind": "number", "lo": "0", "hi": "1000", "goal": "distribution", "epsilon": "1"}
    question = {"id": "many", "prompt": "How many?", **fine}
    return {"slug": "fine", "title": "F", "delete_on": "2999-12-31", "questions": [question]}


@pytest.fixture
def filled(live: Live) -> Live:
    for start in range(50):
        live.fill(1, many=7 * start)
    return live


def asked(live: Live, path: str, accepted: str) -> Answer:
    return live.send("GET", path, headers={"Accept-Encoding": accepted})


@pytest.mark.parametrize("name", LONG)
def test_a_fine_distribution_takes_a_fifth_of_its_bytes(filled: Live, name: str) -> None:
    path = f"/s/fine/{name}"
    plain, packed = asked(filled, path, "identity"), asked(filled, path, "br, gzip")
    assert (plain.status, packed.status) == (200, 200)
    assert "Content-Encoding" not in plain.headers
    assert packed.headers["Content-Encoding"] == "gzip"
    for answer in (plain, packed):
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert int(answer.headers["Content-Length"]) == len(answer.body)
    assert gzip.decompress(packed.body) == plain.body
    assert len(packed.body) < len(plain.body) / 5


def test_who_takes_no_gzip_gets_none(filled: Live) -> None:
    for accepted in ("", "br", "gzip;q=0", "*;q=0"):
        answer = asked(filled, "/s/fine/estimates.json", accepted)
        assert "Content-Encoding" not in answer.headers
        assert answer.json["n"] == 50


def test_json_has_a_line_for_each_row_and_little_beside_the_figures(filled: Live) -> None:
    text = filled.get("/s/fine/estimates.json").body.decode()
    body = json.loads(text)
    lines = {line.removesuffix(",") for line in text.splitlines()}
    for name in ("estimates", "forging", "leaders", "draws"):
        rows = [json.dumps(row, separators=(",", ":"), ensure_ascii=False) for row in body[name]]
        assert lines.issuperset(rows)
    assert len(text) < 1.05 * len(json.dumps(body, separators=(",", ":"), ensure_ascii=False))


def test_what_has_a_secret_or_is_short_is_not_packed(filled: Live) -> None:
    """A page of the workbench has the token of its session, beside texts that others chose."""
    hire(filled, "ana", Role.OWNER)
    ana = logged_in(filled, "ana")
    page = filled.send(
        "GET",
        "/workbench/surveys/fine/results",
        headers={"Accept-Encoding": "gzip", "Cookie": ana.cookie},
    )
    assert (page.status, "Content-Encoding" in page.headers) == (200, False)
    assert b"csrf_token" in page.body
    short = asked(filled, "/s/fine/privacy.json", "gzip")
    assert (short.status, "Content-Encoding" in short.headers) == (200, False)
    key = key_of(filled, "ana")
    live = filled.send(
        "GET", "/api/surveys/fine/estimates", headers={**key, "Accept-Encoding": "gzip"}
    )
    assert json.loads(gzip.decompress(live.body))["n"] == 50
