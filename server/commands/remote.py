"""Requests to the running server, the only process that may write, with the operator's key."""

import json
import urllib.error
import urllib.request
from typing import Any

from client.core.primitives.refusal import Refusal, Relayed
from server.data_folder import DataFolder

# Closing rewrites the file, which takes a while when it is large.
TIMEOUT_SECONDS = 600


def call_operator(folder: DataFolder, path: str, body: bytes | None = b"") -> dict[str, Any]:
    """Send a request to the server that holds the data folder: POST, or GET if `body` is None."""
    url = folder.announced_url
    if url is None:
        raise Refusal("data_folder_in_use.again", "data", path=folder.path)
    request = urllib.request.Request(
        f"{url}/api{path}",
        data=body,
        method="GET" if body is None else "POST",
        headers={
            "Authorization": f"Bearer {folder.operator_key}",
            "Content-Type": "application/json",
        },
    )
    return _answer(request, url)


def _answer(request: urllib.request.Request, url: str) -> dict[str, Any]:
    # No proxy from the environment: the server is on this machine.
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(request, timeout=TIMEOUT_SECONDS) as response:
            answer: dict[str, Any] = json.load(response)
            return answer
    except urllib.error.HTTPError as error:
        raise _refusal(error.read(), error.code) from None
    except OSError:
        raise Refusal("no_answer.silent", "data", url=url) from None


def _refusal(body: bytes, status: int) -> Refusal:
    try:
        error = json.loads(body)["error"]
        return Relayed(str(error["code"]), str(error["message"]), error["field"])
    except (ValueError, KeyError, TypeError):
        return Refusal("no_answer.status", status=status)
