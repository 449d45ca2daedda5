"""Compressed answers: bytes that never change once and as well as possible, others in a moment.

No page with a secret in it is compressed: its length would tell about the secret, to whoever can
have a text of their own beside it.
"""

import gzip
from collections.abc import Callable, Mapping
from functools import lru_cache

import brotli
from flask import Response, abort, request

from client.browser.bundle import File
from client.browser.headers import FILE_HEADERS

# The page's files, and the documents of as many surveys.
MOST_KEPT = 256
# Compressing more bytes than these as well as possible would take seconds.
MOST_FOR_BEST = 2**18
# What fits into a packet gains nothing.
LEAST_PACKED = 1400
# Levels of a fine distribution take a sixtieth of their bytes, and 5 ms for each MB.
QUICK = 6


def file_for_ever(files: Mapping[str, File], address: str) -> Response:
    """Answer with a file whose address is its hash; anything else is not found."""
    if address not in files:
        abort(404)
    response = static_bytes(files[address].content, files[address].type)
    response.headers.update(FILE_HEADERS)
    return response


def static_bytes(content: bytes, type: str) -> Response:
    """Answer with these bytes, compressed in the best way that the client accepts."""
    accepted = request.accept_encodings
    encoding = next((name for name in _COMPRESS if accepted.quality(name) > 0), None)
    sent = content if encoding is None else _compressed(content, encoding)
    response = Response(sent, mimetype=type)
    if encoding is not None:
        response.headers["Content-Encoding"] = encoding
    response.headers["Vary"] = "Accept-Encoding"
    return response


def packed(response: Response) -> Response:
    """Compress a long answer that is made for one reader, if their client accepts that."""
    response.vary.add("Accept-Encoding")
    content = response.get_data()
    if len(content) >= LEAST_PACKED and request.accept_encodings.quality("gzip") > 0:
        response.set_data(gzip.compress(content, QUICK, mtime=0))
        response.headers["Content-Encoding"] = "gzip"
    return response


def _as_brotli(content: bytes) -> bytes:
    compressed: bytes = brotli.compress(content, quality=11 if len(content) < MOST_FOR_BEST else 5)
    return compressed


def _as_gzip(content: bytes) -> bytes:
    # Without the time: the same bytes whenever the server was started.
    return gzip.compress(content, 9, mtime=0)


# The smaller one first.
_COMPRESS: Mapping[str, Callable[[bytes], bytes]] = {"br": _as_brotli, "gzip": _as_gzip}


@lru_cache(MOST_KEPT)
def _compressed(content: bytes, encoding: str) -> bytes:
    return _COMPRESS[encoding](content)
