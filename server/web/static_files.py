"""Answers whose bytes never change: compressed once, and kept by browsers where that is safe."""

import gzip
from collections.abc import Callable, Mapping
from functools import lru_cache

import brotli
from flask import Response, abort, request

from client.browser.bundle import File
from client.browser.headers import FOR_EVER

# The page's files, and the documents of as many surveys.
MOST_KEPT = 256
# Compressing more bytes than these as well as possible would take seconds.
MOST_FOR_BEST = 2**18


def file_for_ever(files: Mapping[str, File], address: str) -> Response:
    """Answer with a file whose address is its hash; anything else is not found."""
    if address not in files:
        abort(404)
    response = static_bytes(files[address].content, files[address].type)
    response.headers["Cache-Control"] = FOR_EVER
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
