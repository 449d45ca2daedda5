"""The page and its files as they are served: addressed by their hash, and compressed."""

import gzip
import hashlib
import re
from collections.abc import Callable

import brotli
import pytest

from client.browser.bundle import (
    File,
    catalogue,
    icon,
    script,
    script_file,
    served_files,
    style,
    survey_page,
)
from client.browser.headers import FILE_HEADERS
from client.wording.languages import INTERFACE
from tests.support.live import Answer, Live

BROTLI = {"Accept-Encoding": "gzip, deflate, br"}
DECOMPRESS: dict[str, Callable[[bytes], bytes]] = {
    "br": brotli.decompress,
    "gzip": gzip.decompress,
}
TYPES = {
    script_file(): "text/javascript; charset=utf-8",
    **{catalogue(language): "application/json" for language in INTERFACE},
    icon(): "image/svg+xml; charset=utf-8",
}


def served(live: Live, path: str) -> bytes:
    answer = live.send("GET", path, headers=BROTLI)
    assert answer.status == 200
    assert answer.headers["Content-Encoding"] == "br"
    assert int(answer.headers["Content-Length"]) == len(answer.body)
    return DECOMPRESS["br"](answer.body)


def test_the_page_names_exactly_the_files_that_are_served(live: Live) -> None:
    named = re.findall(r"/client/[^\"]+", served(live, "/s/habits").decode())
    assert set(named) == set(served_files())
    assert {file.address for file in TYPES} == set(served_files())


@pytest.mark.parametrize("file", TYPES, ids=lambda file: file.suffix)
def test_a_file_is_what_its_address_says_and_may_be_kept_for_ever(live: Live, file: File) -> None:
    answer = live.get(file.address)
    assert (answer.status, answer.headers["Content-Type"]) == (200, TYPES[file])
    assert answer.body == served(live, file.address) == file.content
    assert file.address == f"/client/{hashlib.sha256(answer.body).hexdigest()}.{file.suffix}"
    for name, value in FILE_HEADERS.items():
        assert answer.headers[name] == value
    assert not {"ETag", "Last-Modified", "Set-Cookie"} & set(answer.headers)


def test_the_script_is_the_one_that_the_repository_makes(live: Live) -> None:
    (address,) = re.findall(r'<script [^>]*src="([^"]+)"', survey_page().decode())
    assert served(live, address) == script().encode()


def test_the_page_holds_the_style_and_the_policy_allows_no_other(live: Live) -> None:
    answer = live.get("/s/habits")
    assert answer.body == survey_page()
    (inline,) = re.findall(r"<style>(.*?)</style>", answer.body.decode(), re.DOTALL)
    assert inline == style()
    assert b'<link rel="stylesheet"' not in answer.body


@pytest.mark.parametrize(
    ("accepted", "language"),
    [
        *((language, language) for language in INTERFACE),
        ("de-AT,de;q=0.9,en;q=0.8", "de"),
        ("fr, es;q=0.5, ar;q=0.9", "ar"),
        ("fr", "en"),
        ("*", "en"),
        ("de;q=0, es", "es"),
    ],
)
def test_the_page_is_the_same_for_all_who_read_the_same_language(
    live: Live, accepted: str, language: str
) -> None:
    answer = live.send("GET", "/s/habits", headers={"Accept-Language": accepted})
    assert answer.body == survey_page(language)
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">' in (
        answer.body.decode()
    )
    assert "Accept-Language" in answer.headers["Vary"].split(", ")


@pytest.mark.parametrize("path", ["/s/habits", "/s/habits/document.json", script_file().address])
@pytest.mark.parametrize("accepted", ["", "identity", "zstd", "gzip;q=0", "gzip;q=0, *;q=0"])
def test_who_can_read_no_compression_gets_the_bytes_as_they_are(
    live: Live, path: str, accepted: str
) -> None:
    answer = live.send("GET", path, headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in answer.headers
    assert_varies(answer)
    assert answer.body == served(live, path)


@pytest.mark.parametrize(
    ("accepted", "encoding"),
    [
        *(("gzip", "gzip"), ("GZIP", "gzip"), ("gzip, deflate", "gzip"), ("br;q=0, gzip", "gzip")),
        *(("gzip, br", "br"), ("br", "br"), ("*", "br")),
    ],
)
def test_the_smallest_compression_that_the_client_can_read_is_sent(
    live: Live, accepted: str, encoding: str
) -> None:
    answer = live.send("GET", "/s/habits", headers={"Accept-Encoding": accepted})
    assert answer.headers["Content-Encoding"] == encoding
    assert DECOMPRESS[encoding](answer.body) == served(live, "/s/habits")
    assert_varies(answer)


def assert_varies(answer: Answer) -> None:
    assert "Accept-Encoding" in answer.headers["Vary"].split(", ")


def test_the_page_names_no_survey_and_has_no_document_loaded_ahead(live: Live) -> None:
    """A browser would send cookies with that, by which a server could choose the document."""
    answer = live.get("/s/habits")
    assert "Link" not in answer.headers
    assert served(live, "/s/habits/document.json") == live.survey.document
    assert b"habits" not in answer.body.lower()
