"""The terminal client's road to a server: a survey's link, its document, a ticket, the hand-in."""

import http.client
import json
import re
import urllib.error
import urllib.request
import zlib
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from client.core.document import MAX_DOCUMENT_BYTES, read_document
from client.core.primitives.refusal import Refusal, Relayed, require
from client.core.survey import Survey

TIMEOUT_SECONDS = 30
# How zlib is told to expect the frame of gzip.
GZIP = zlib.MAX_WBITS + 16
_PATH = re.compile(r"(?P<prefix>/.*)?/(?P<shelf>[st])/(?P<slug>[a-z0-9-]{1,63})/?")
JSON = {"Content-Type": "application/json"}
# Troubles that may pass; the same bytes can be sent again, and are stored once.
PASSING = frozenset(["out_of_reach", "server_error", "failed", "storage_unavailable"])
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
_FRAGMENT = re.compile(r"(?:(?P<fingerprint>[0-9a-f]{64})(?:;(?P<invitation>[a-z0-9.-]{1,200}))?)?")
# A ticket with a group, or the key of one.
_GROUP = re.compile(r"(?:[0-9a-f]{32}\.)?(?P<group>[a-z0-9-]{1,31})\.[0-9a-f]{64}")


@dataclass(frozen=True)
class SurveyLink:
    """A link such as https://host/s/slug#fingerprint; the fragment pins the document.

    The test of a draft has a link with /t/ instead of /s/. After the fingerprint and a semicolon
    there may be an invitation: a ticket of one's own, or the key of a group.
    """

    origin: str
    slug: str
    fingerprint: str = ""
    is_test: bool = False
    invitation: str = ""

    @classmethod
    def parse(cls, url: str) -> "SurveyLink":
        parts = urlsplit(url)
        require(
            parts.scheme == "https" or (parts.scheme == "http" and parts.hostname in _LOOPBACK),
            "insecure_link",
            "url",
            url=url,
        )
        path = _PATH.fullmatch(parts.path)
        if path is None:
            raise Refusal("bad_link", "url", url=url)
        fragment = _FRAGMENT.fullmatch(parts.fragment)
        if fragment is None:
            raise Refusal("bad_fingerprint", "url")
        origin = f"{parts.scheme}://{parts.netloc}{path['prefix'] or ''}"
        fingerprint, invitation = (fragment[name] or "" for name in ("fingerprint", "invitation"))
        return cls(origin, path["slug"], fingerprint, path["shelf"] == "t", invitation)

    def fetch_survey(self) -> Survey:
        """The survey behind the link, verified before anything in it is believed."""
        survey = read_document(_get(f"{self._page}/document.json"))
        require(survey.slug == self.slug, "foreign_document", slug=self.slug, document=survey.slug)
        require(
            self.fingerprint in ("", survey.fingerprint),
            "wrong_fingerprint.link",
            fingerprint=survey.fingerprint,
            link=self.fingerprint,
        )
        require(
            survey.test is self.is_test,
            "test_mixed_up",
            link=_name(self.is_test),
            document=_name(survey.test),
        )
        return survey

    def fetch_page(self, language: str) -> bytes:
        """The page that a browser in this language gets here."""
        return _get(self._page, {"Accept-Language": language})

    def fetch_file(self, address: str) -> bytes:
        """A file that the page asks for."""
        return _get(f"{self.origin}{address}")

    def ask_for_ticket(self) -> str:
        """The one of one's own link, if that has one and nobody has used it."""
        body = json.dumps({"invitation": self.invitation}).encode() if self.invitation else b""
        answer = _call("POST", f"{self._api}/tickets", body, JSON)
        try:
            return str(json.loads(answer)["ticket"])
        except (ValueError, KeyError, TypeError):
            # A server that goes away in the middle of an answer, or something else in its place.
            raise Refusal("server_error.ticket") from None

    def hand_in(self, id: str, ticket: str, body: bytes) -> None:
        """Returns once the report is on the server's disk; the same call again is harmless."""
        _call("PUT", f"{self._api}/reports/{id}", body, {"Candor-Ticket": ticket, **JSON})

    @property
    def group(self) -> str:
        """The public group of this link, which comes with the report; "" where it has none."""
        found = _GROUP.fullmatch(self.invitation)
        return found["group"] if found else ""

    @property
    def results(self) -> str:
        return f"{self._page}/results"

    @property
    def _page(self) -> str:
        return f"{self.origin}/{'t' if self.is_test else 's'}/{self.slug}"

    @property
    def _api(self) -> str:
        return f"{self.origin}/api/{'drafts' if self.is_test else 'surveys'}/{self.slug}"


def _name(is_test: bool) -> str:
    return "a test" if is_test else "a published survey"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """A redirect could lead a report to somebody else; none is followed."""

    def redirect_request(self, *_: Any) -> None:
        return None


# No cookies, no proxies from the environment: only the host in the link is ever contacted.
_opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))


def _get(url: str, headers: dict[str, str] | None = None) -> bytes:
    """What is there, asked for as browsers do: compressed."""
    return _call("GET", url, headers={**(headers or {}), "Accept-Encoding": "gzip"})


def _call(
    method: str, url: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> bytes:
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    # The library's default names the Python version; every device says the same instead.
    request.add_header("User-Agent", "candor")
    try:
        with _opener.open(request, timeout=TIMEOUT_SECONDS) as response:
            body = bytes(response.read(MAX_DOCUMENT_BYTES + 1))
            return _unpacked(body) if response.headers["Content-Encoding"] == "gzip" else body
    except urllib.error.HTTPError as error:
        raise _refusal(error) from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise Refusal("out_of_reach", reason=reason) from None


def _unpacked(body: bytes) -> bytes:
    """No more than anybody asks for, however much a small answer holds."""
    try:
        return zlib.decompressobj(GZIP).decompress(body, MAX_DOCUMENT_BYTES + 1)
    except zlib.error:
        raise Refusal("server_error.packing") from None


def _refusal(error: urllib.error.HTTPError) -> Refusal:
    """The server's own reason where it gave one."""
    try:
        reason = json.loads(error.read(MAX_DOCUMENT_BYTES))["error"]
        return Relayed(str(reason["code"]), str(reason["message"]), reason["field"])
    except (ValueError, KeyError, TypeError):
        return Refusal("server_error.status", status=error.code, reason=error.reason)
