"""The terminal client's connection to a server: link, document, ticket and hand-in."""

import http.client
import json
import re
import time
import urllib.error
import urllib.request
import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar
from urllib.parse import urlsplit

from client.core.document import MAX_DOCUMENT_BYTES, read_document
from client.core.primitives.refusal import Refusal, Relayed, require
from client.core.survey import Survey
from client.terminal.carried import take_carried

T = TypeVar("T")

TIMEOUT_SECONDS = 30
# Seconds before each further try of a request whose bytes are kept.
PAUSES = (0.5, 1, 2)
# Tells zlib to expect a gzip header.
GZIP = zlib.MAX_WBITS + 16
_PATH = re.compile(r"(?P<prefix>/.*)?/(?P<shelf>[st])/(?P<slug>[a-z0-9-]{1,63})/?")
JSON = {"Content-Type": "application/json"}
# Errors that may pass. The same bytes can be sent again and are stored once.
TEMPORARY = frozenset(
    "out_of_reach server_error failed storage_unavailable tickets_busy signing_failed "
    "ticket_key_missing".split()
)
_LOOPBACK = {"localhost", "127.0.0.1", "::1"}
# As people type it, with a few characters too many or too few: the server knows the right ones.
_CODE = r"[0-9a-zA-Z]{14,18}|[0-9a-zA-Z]{1,8}(?:-[0-9a-zA-Z]{1,8}){1,4}"
_FRAGMENT = re.compile(
    r"(?P<fingerprint>[0-9a-f]{64})(?:;(?P<invitation>[a-z0-9.-]{1,200}))?"
    rf"|(?P<code>{_CODE})?"
)


@dataclass(frozen=True)
class SurveyLink:
    """A link such as https://host/s/slug#fingerprint, whose fragment pins the document.

    The test of a draft has /t/ instead of /s/. After the fingerprint and a semicolon there may be
    an invitation: a personal code, or the key of a group. A short link, for letters, has a code
    instead of the fingerprint; then people compare the fingerprint. There may also be parameters
    of a panel.
    """

    origin: str
    slug: str
    fingerprint: str = ""
    is_test: bool = False
    invitation: str = ""
    # The parameters of a panel, which stay on this device.
    parameters: Mapping[str, str] = field(default_factory=dict)

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
        carried, parameters = take_carried(parts.fragment)
        fragment = _FRAGMENT.fullmatch(carried)
        if fragment is None:
            raise Refusal("bad_fingerprint", "url")
        origin = f"{parts.scheme}://{parts.netloc}{path['prefix'] or ''}"
        fingerprint = fragment["fingerprint"] or ""
        invitation = fragment["invitation"] or fragment["code"] or ""
        is_test = path["shelf"] == "t"
        return cls(origin, path["slug"], fingerprint, is_test, invitation, parameters)

    def fetch_survey(self) -> Survey:
        """Fetch the survey behind the link and verify it before using anything in it."""
        return self.verified(_call("GET", self.document, headers={"Accept-Encoding": "gzip"}))

    def verified(self, document: bytes) -> Survey:
        """Return the survey of a fetched document, if it is the one that the link leads to."""
        survey = read_document(document)
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

    def ask_for_open_ticket(self) -> str:
        """Ask for a ticket of an open survey, perhaps with the key of a group."""
        given = {"group": self.invitation} if self.invitation else {}
        return str(self._ask("ticket", given))

    def ask_to_sign(self, invitation: str, blinded: str) -> object:
        """Ask the server to sign a covered ticket; in a test it takes no invitation."""
        given = {} if self.is_test else {"invitation": invitation}
        return self._ask("signed", {**given, "blinded": blinded})

    def _ask(self, wanted: str, given: Mapping[str, str]) -> object:
        answer = _call("POST", f"{self._api}/tickets", json.dumps(given).encode(), JSON)
        try:
            found = json.loads(answer)
            (name,) = found
            require(name == wanted, "server_error.ticket")
            return found[name]
        except (*_NO_ANSWER, TypeError):
            # The server may break off in the middle of its answer, or something else may answer.
            raise Refusal("server_error.ticket") from None

    def hand_in(self, ticket: str, body: bytes) -> None:
        """Return once the report is on the server's disk; calling again is harmless."""
        _call("POST", f"{self._api}/reports", body, {"Candor-Ticket": ticket, **JSON})

    @property
    def is_short(self) -> bool:
        """Whether nothing but its reader compares the fingerprint."""
        return bool(self.invitation) and not self.fingerprint

    @property
    def address(self) -> str:
        """Where the survey is, as letters and notices print it: host and slug."""
        return self.page.partition("://")[2]

    @property
    def results(self) -> str:
        return f"{self.page}/results"

    @property
    def page(self) -> str:
        """The survey's address, the same for all of its versions."""
        return f"{self.origin}/{'t' if self.is_test else 's'}/{self.slug}"

    @property
    def document(self) -> str:
        return f"{self.page}/document.json"

    @property
    def _api(self) -> str:
        return f"{self.origin}/api/{'drafts' if self.is_test else 'surveys'}/{self.slug}"


def with_retries(
    call: Callable[[], T],
    pauses: Iterable[float] = PAUSES,
    stops: Callable[[float], object] = time.sleep,
) -> T:
    """Try again what may succeed later, after each pause, unless `stops` says to give up."""
    for pause in pauses:
        try:
            return call()
        except Refusal as refusal:
            if refusal.code not in TEMPORARY or stops(pause):
                raise
    return call()


def group_of(ticket: str) -> str:
    """Return the public group in a ticket, which comes with the report; "" for none."""
    parts = ticket.split(".")
    return parts[1] if len(parts) == 3 else ""


def _name(is_test: bool) -> str:
    return "a test" if is_test else "a published survey"


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """Follows no redirects: one could lead a report to somebody else."""

    def redirect_request(self, *_: Any) -> None:
        return None


# What reading JSON raises; thousands of brackets end in a RecursionError.
_NO_ANSWER = (ValueError, RecursionError)
# No cookies, no proxies from the environment: only the host in the link is ever contacted.
_opener = urllib.request.build_opener(_NoRedirects, urllib.request.ProxyHandler({}))


def _call(
    method: str, url: str, body: bytes | None = None, headers: dict[str, str] | None = None
) -> bytes:
    request = urllib.request.Request(url, data=body, method=method, headers=headers or {})
    # The library's default names the Python version; all devices send the same name instead.
    request.add_header("User-Agent", "candor")
    try:
        with _opener.open(request, timeout=TIMEOUT_SECONDS) as response:
            body = bytes(response.read(MAX_DOCUMENT_BYTES + 1))
            return from_gzip(body) if response.headers["Content-Encoding"] == "gzip" else body
    except urllib.error.HTTPError as error:
        raise _refusal(error) from None
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", error)
        raise Refusal("out_of_reach", reason=reason) from None


def from_gzip(body: bytes) -> bytes:
    """Decompress a body up to the size limit, however much a small one may expand to."""
    try:
        return zlib.decompressobj(GZIP).decompress(body, MAX_DOCUMENT_BYTES + 1)
    except zlib.error:
        raise Refusal("server_error.packing") from None


def _refusal(error: urllib.error.HTTPError) -> Refusal:
    """Return the server's own reason, if it gave one."""
    try:
        reason = json.loads(error.read(MAX_DOCUMENT_BYTES))["error"]
        return Relayed(str(reason["code"]), str(reason["message"]), reason["field"])
    except (*_NO_ANSWER, OSError, http.client.HTTPException, KeyError, TypeError):
        return Refusal("server_error.status", status=error.code, reason=error.reason)
