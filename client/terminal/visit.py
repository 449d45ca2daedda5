"""Fetch what a browser fetches for a survey, with the headers of a common browser.

A dishonest server would like to know who is checking. Header by header these requests look like
Chrome's; the order of the requests and the TLS handshake may still give them away.
"""

import http.client
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from urllib.parse import urlsplit

import brotli

from client.core.document import MAX_DOCUMENT_BYTES
from client.core.primitives.refusal import Refusal, require
from client.terminal.transport import TIMEOUT_SECONDS, from_gzip

_AGENT = (
    "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) "
    "Chrome/156.0.0.0 Safari/537.36"
)
_BRANDS = '"Not:A-Brand";v="8", "Chromium";v="156", "Google Chrome";v="156"'
_PLATFORM = '"Windows"'
_IMAGE = "image/jxl,image/avif,image/webp,image/apng"
_PAGE = (
    f"text/html,application/xhtml+xml,application/xml;q=0.9,{_IMAGE},*/*;q=0.8,"
    "application/signed-exchange;v=b3;q=0.7"
)
# Accept and Sec-Fetch-Mode by what the browser fetches a file for, its Sec-Fetch-Dest.
_FILES = {
    "script": ("*/*", "cors"),
    "empty": ("*/*", "cors"),
    "image": (f"{_IMAGE},image/svg+xml,image/*,*/*;q=0.8", "no-cors"),
}
_ENCODINGS = "gzip, deflate, br, zstd"


@dataclass(frozen=True)
class Response:
    """What a server answered, unpacked."""

    status: int
    headers: list[tuple[str, str]]
    body: bytes


def visit(url: str, purpose: str, language: str) -> Response:
    """Fetch a URL as a browser in this language does: a "document", or a file for another purpose.

    Redirects are not followed.
    """
    parts = urlsplit(url)
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    headers = _for_page(parts.netloc, language)
    if purpose != "document":
        headers = _for_file(parts.netloc, language, purpose, f"{parts.scheme}://{parts.netloc}")
    try:
        with closing(kind(parts.netloc, timeout=TIMEOUT_SECONDS)) as connection:
            connection.putrequest("GET", parts.path, skip_host=True, skip_accept_encoding=True)
            for name, value in headers.items():
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            body = response.read(MAX_DOCUMENT_BYTES + 1)
            return Response(response.status, response.getheaders(), _plain(response, body))
    except (OSError, http.client.HTTPException) as error:
        raise Refusal("out_of_reach", reason=error) from None


def _for_page(host: str, language: str) -> Mapping[str, str]:
    """Return the headers with which Chrome opens a page, in Chrome's order."""
    return {
        "Host": host,
        "Connection": "keep-alive",
        "sec-ch-ua": _BRANDS,
        "sec-ch-ua-mobile": "?0",
        "sec-ch-ua-platform": _PLATFORM,
        "Upgrade-Insecure-Requests": "1",
        "User-Agent": _AGENT,
        "Accept": _PAGE,
        "Sec-Fetch-Site": "none",
        "Sec-Fetch-Mode": "navigate",
        "Sec-Fetch-User": "?1",
        "Sec-Fetch-Dest": "document",
        "Accept-Encoding": _ENCODINGS,
        "Accept-Language": _languages(language),
    }


def _for_file(host: str, language: str, purpose: str, origin: str) -> Mapping[str, str]:
    """Return the headers with which Chrome fetches a file for a page, in Chrome's order."""
    accept, mode = _FILES[purpose]
    return {
        "Host": host,
        "Connection": "keep-alive",
        **({"Origin": origin} if mode == "cors" else {}),
        "sec-ch-ua-platform": _PLATFORM,
        "User-Agent": _AGENT,
        "sec-ch-ua": _BRANDS,
        "sec-ch-ua-mobile": "?0",
        "Accept": accept,
        "Sec-Fetch-Site": "same-origin",
        "Sec-Fetch-Mode": mode,
        "Sec-Fetch-Dest": purpose,
        "Accept-Encoding": _ENCODINGS,
        "Accept-Language": _languages(language),
    }


def _languages(language: str) -> str:
    return "en-US,en;q=0.9" if language == "en" else f"{language},en-US;q=0.9,en;q=0.8"


def _plain(response: http.client.HTTPResponse, body: bytes) -> bytes:
    """Unpack a body up to the size limit, however much a small one may expand to."""
    encoding = response.headers["Content-Encoding"]
    if encoding == "gzip":
        return from_gzip(body)
    if encoding == "br":
        return _from_brotli(body)
    require(encoding is None, "server_error.packing")
    return body


def _from_brotli(body: bytes) -> bytes:
    try:
        unpacker = brotli.Decompressor()
        plain: bytes = unpacker.process(body, output_buffer_limit=MAX_DOCUMENT_BYTES + 1)
    except brotli.error:
        raise Refusal("server_error.packing") from None
    return plain
