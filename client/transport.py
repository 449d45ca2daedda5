"""The terminal client's road to a server: a survey's link, its document, a ticket, the hand-in."""

import json
import re
import urllib.error
import urllib.request
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from client.document import MAX_DOCUMENT_BYTES, read_document
from client.refusal import Refusal, require
from client.survey import Survey

TIMEOUT_SECONDS = 30
_PATH = re.compile(r"(?P<prefix>/.*)?/s/(?P<slug>[a-z0-9-]{1,63})/?")
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_FINGERPRINT = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True)
class SurveyLink:
    """A link such as https://host/s/slug#fingerprint; the fragment pins the document."""

    origin: str
    slug: str
    fingerprint: str = ""

    @classmethod
    def parse(cls, url: str) -> "SurveyLink":
        parts = urlsplit(url)
        require(
            parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK),
            "insecure_link",
            f"a survey's link must start with https:// (http only on this machine), got {url!r}",
            "url",
        )
        path = _PATH.fullmatch(parts.path)
        if path is None:
            raise Refusal("bad_link", f"a survey's link ends with /s/<name>, got {url!r}", "url")
        require(
            not parts.fragment or _FINGERPRINT.fullmatch(parts.fragment) is not None,
            "bad_fingerprint",
            "the part of the link after # must be a fingerprint of 64 hexadecimal digits",
            "url",
        )
        origin = f"{parts.scheme}://{parts.netloc}{path['prefix'] or ''}"
        return cls(origin, path["slug"], parts.fragment)

    def fetch_survey(self) -> Survey:
        """The survey behind the link, verified before anything in it is believed."""
        survey = read_document(_call("GET", f"{self.origin}/s/{self.slug}/document.json"))
        require(
            survey.slug == self.slug,
            "foreign_document",
            f"the link is for {self.slug!r} but the document is for {survey.slug!r}",
        )
        require(
            self.fingerprint in ("", survey.fingerprint),
            "wrong_fingerprint",
            f"the document's fingerprint is {survey.fingerprint}, the link says {self.fingerprint}",
        )
        return survey

    def ask_for_ticket(self) -> str:
        answer = _call("POST", f"{self.origin}/api/surveys/{self.slug}/tickets", b"")
        return str(json.loads(answer)["ticket"])

    def hand_in(self, id: str, ticket: str, body: bytes) -> None:
        """Returns once the report is on the server's disk; the same call again is harmless."""
        headers = {"Candor-Ticket": ticket, "Content-Type": "application/json"}
        _call("PUT", f"{self.origin}/api/surveys/{self.slug}/reports/{id}", body, headers)

    @property
    def results(self) -> str:
        return f"{self.origin}/s/{self.slug}/results"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could lead a report to somebody else; none is followed."""

    def redirect_request(self, *_: Any) -> None:
        return None


# No cookies, no proxies from the environment: only the host in the link is ever contacted.
_opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))


def _call(
    method: str, url: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> bytes:
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    # The library's default names the Python version; every device says the same instead.
    request.add_header("User-Agent", "candor")
    try:
        with _opener.open(request, timeout=TIMEOUT_SECONDS) as response:
            return bytes(response.read(MAX_DOCUMENT_BYTES + 1))
    except urllib.error.HTTPError as error:
        raise _refusal(error) from None
    except OSError as error:
        reason = getattr(error, "reason", error)
        raise Refusal("out_of_reach", f"the server cannot be reached: {reason}") from None


def _refusal(error: urllib.error.HTTPError) -> Refusal:
    """The server's own reason where it gave one."""
    try:
        reason = json.loads(error.read(MAX_DOCUMENT_BYTES))["error"]
        return Refusal(str(reason["code"]), str(reason["message"]), reason["field"])
    except (ValueError, KeyError, TypeError):
        return Refusal("server_error", f"the server answered {error.code} {error.reason}")
