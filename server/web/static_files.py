"""Answers whose bytes never change: compressed once, and kept by browsers where that is safe."""

import gzip
from collections.abc import Mapping
from functools import lru_cache

from flask import Response, abort, request

from client.browser.bundle import File

# An address that is its content's hash stays true, and is the same for everybody. There is nothing
# to ask about such a copy later, so it has no ETag, which could tell visitors apart.
FOR_EVER = "public, max-age=31536000, immutable"
# The page's files, and the documents of as many surveys.
MOST_KEPT = 256


def file_for_ever(files: Mapping[str, File], address: str) -> Response:
    """Answer with a file whose address is its hash; anything else is not found."""
    if address not in files:
        abort(404)
    response = static_bytes(files[address].content, files[address].type)
    response.headers["Cache-Control"] = FOR_EVER
    return response


def static_bytes(content: bytes, type: str) -> Response:
    """Answer with these bytes, compressed if the client accepts that."""
    if request.accept_encodings.quality("gzip") > 0:
        response = Response(_compressed(content), mimetype=type)
        response.headers["Content-Encoding"] = "gzip"
    else:
        response = Response(content, mimetype=type)
    response.headers["Vary"] = "Accept-Encoding"
    return response


@lru_cache(MOST_KEPT)
def _compressed(content: bytes) -> bytes:
    # Without the time: the same bytes whenever the server was started.
    return gzip.compress(content, 9, mtime=0)
