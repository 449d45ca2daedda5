"""One connection to a client: strict headers on waitress's own answers, and no patience for drips.

A request must be complete within a deadline from its first byte, however steadily its bytes come:
until then it holds a connection, but no thread. Whoever does not take an answer is given up as
well. When connections run short, the one that has waited longest without a complete request makes
room for the next.
"""

import logging
import re
import sys
import threading
from collections.abc import Callable
from typing import Any

from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import ErrorTask, WSGITask

from client.browser.headers import HEADERS
from server.respondents.lane import Reply

_log = logging.getLogger("candor")

_TICKETS = re.compile(r"/api/(?:surveys|drafts)/[^/]*/tickets")
# Of all connections, so many in ten are taken before one has to make room.
CROWDED_TENTHS = 9


class _StrictErrorTask(ErrorTask):  # type: ignore[misc]
    """Waitress's own responses, to malformed or far too large requests, with our headers."""

    def execute(self) -> None:
        self.response_headers.extend(HEADERS.items())
        super().execute()


class _DirectTask(WSGITask):  # type: ignore[misc]
    """A request whose answer is sent by the thread that has it, without waking the loop."""

    def execute(self) -> None:
        if _TICKETS.fullmatch(self.request.path):
            # Nothing else comes on a connection on which somebody asked for a ticket.
            self.set_close_on_finish()
        reply = self.channel.take_reply()
        if reply is None:
            super().execute()
            return
        self.status, headers, body = reply
        self.response_headers.extend(headers)
        self.content_length = len(body)
        self.complete = True
        self.write(body)

    def finish(self) -> None:
        if not self.wrote_header:
            self.write(b"")
        if self.request.command == "HEAD":
            # An answer of unknown length ends with an empty chunk, but an answer to HEAD has none.
            self.chunked_response = False
        super().finish()
        self.channel.send_now()


class _StrictParser(HTTPRequestParser):  # type: ignore[misc]
    """A request that has one meaning only, or is answered with 400."""

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError:
            # An address that is none, or a length of thousands of digits.
            raise ParsingError("The request cannot be read") from None
        if self.chunked and "CONTENT_LENGTH" in self.headers:
            raise ParsingError("Content-Length and Transfer-Encoding exclude each other")


class StrictChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that keeps to the deadline and makes room for others."""

    parser_class = _StrictParser
    task_class = _DirectTask
    error_task_class = _StrictErrorTask
    # When the first byte of the request came that is not complete yet.
    _begun: float | None = None
    _reply: Reply | None = None
    # Set while many others came earlier: returns the answer to a request that is not even parsed,
    # and whether the connection stays open after it; None for bytes that are to be parsed.
    refuse: Callable[[bytes], tuple[bytes, bool] | None] | None = None
    last_activity: float

    def __init__(self, server: Any, *given: Any, **named: Any) -> None:
        _make_room(server)
        self._loop = threading.get_ident()
        super().__init__(server, *given, **named)

    def handle_close(self) -> None:
        """Close the connection; another thread than the loop's has it closed."""
        if threading.get_ident() == self._loop:
            super().handle_close()
        else:
            self.will_close = True
            self.server.pull_trigger()

    def handle_error(self) -> None:
        """Close the connection after a fault, and log neither the client nor what it sent."""
        _log.error("a connection was closed after %s", type(sys.exception()).__name__)
        self.handle_close()

    def give_up_if_stalled(self, since: float) -> None:
        """Close a connection on which nothing has moved since then; the client takes no answer."""
        is_over = self.will_close and not self.requests
        if is_over or (self.total_outbufs_len and self.last_activity < since):
            self.handle_close()

    def received(self, data: bytes) -> bool:
        """Take bytes; those of an incomplete request do not put its deadline off."""
        if self.refuse is not None and self._is_refused(self.refuse(data)):
            return True
        taken = bool(super().received(data))
        if self.request is None:
            self._begun = None
        else:
            # Waitress closes what has not been active for a while.
            self._begun = self._begun or self.last_activity
            self.last_activity = self._begun
        return taken

    def _is_refused(self, refusal: tuple[bytes, bool] | None) -> bool:
        """Send a refusal, unless the bytes continue a request or an earlier one is unanswered."""
        if refusal is None or self.request is not None or self.requests:
            return False
        reply, stays = refusal
        self.write_soon(reply)
        self.close_when_flushed = not stays
        return True

    def answer(self, reply: Reply) -> None:
        """Answer the next request with a reply that is known."""
        self._reply = reply
        self.service()

    def take_reply(self) -> Reply | None:
        """Return the reply to the next request, if it is known; only once."""
        reply, self._reply = self._reply, None
        return reply

    def send_now(self) -> None:
        """Send what the client takes at once; the loop sends the rest."""
        with self.outbuf_lock:
            if self.total_outbufs_len:
                self._flush_exception(self._flush_some, do_close=False)


def _make_room(server: Any) -> None:
    """In a crowd, close the oldest connection on which no request is being answered."""
    channels = server.active_channels
    if 10 * len(channels) < CROWDED_TENTHS * server.adj.connection_limit:
        return
    waiting = (
        channel
        for channel in channels.values()
        if not (channel.requests or channel.total_outbufs_len or channel.will_close)
    )
    oldest = next(waiting, None)
    if oldest is not None:
        oldest.handle_close()
