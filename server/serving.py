"""Serving with waitress: one process for many slow clients, with a log that names nobody."""

import logging
import resource
import signal
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, nullcontext
from dataclasses import dataclass
from types import FrameType
from typing import Any

from flask import Flask
from waitress.server import create_server

from client.core.document import MAX_DOCUMENT_BYTES
from client.core.primitives.refusal import Refusal
from server.clock.watch import ClockWatch, Passed, seconds_passed
from server.data_folder import DataFolder
from server.housekeeping import housekeeping_thread
from server.listening.channel import StrictChannel
from server.listening.loop import Loop, Sockets
from server.respondents.lane import ReportLane
from server.store.database import Database, open_or_set_aside
from server.surveys.schedule import Clock, utc_now
from server.web.services import Services

# Plain hand-ins need none of them.
THREADS = 64
CONNECTIONS = 2000
# Open files other than connections: two databases and their logs for each thread, libraries.
SPARE_FILES = 400
# The writer releases the interpreter's lock with every statement, and reports wait for the writer.
# With Python's default of 5 ms, threads that compute would return the lock ten times later.
SWITCH_SECONDS = 0.0005
# Without a byte, and for a request from its first byte to its last.
IDLE_SECONDS = 15
CLEANUP_SECONDS = 5
PORTS_TO_TRY = 20


@contextmanager
def running_services(
    folder: DataFolder,
    clock: Clock = utc_now,
    housekeeping: bool = True,
    passed: Passed = seconds_passed,
) -> Iterator[Services]:
    """Open the services of a data folder, for the one process that may write there.

    Without housekeeping, nothing is closed or deleted on its own.
    """
    with (
        folder.lock(),
        closing(Database(folder.database, clock, folder.log_key, folder.ticket_keys)) as database,
        closing(
            open_or_set_aside(folder.drafts, clock, folder.log_key, folder.test_keys)
        ) as drafts,
    ):
        watch = ClockWatch(database, passed)
        keys = (folder.secret, folder.session_key, folder.operator_key)
        with housekeeping_thread(watch, database, drafts) if housekeeping else nullcontext():
            yield Services(database, drafts, *keys, watch)


@dataclass(frozen=True)
class Server:
    """A server that listens. `url` is where a browser on this machine finds it."""

    url: str
    loop: Loop


def bind(app: Flask, host: str, port: int) -> Server:
    """Return a server that already listens; raise if it cannot."""
    _allow_open_files(CONNECTIONS + SPARE_FILES)
    sockets = Sockets()
    try:
        server = create_server(
            app,
            map=sockets,
            host=host,
            port=port,
            threads=THREADS,
            connection_limit=CONNECTIONS,
            channel_timeout=IDLE_SECONDS,
            cleanup_interval=CLEANUP_SECONDS,
            # Far more than any body that we accept, so that our own message names the limit.
            max_request_body_size=2 * MAX_DOCUMENT_BYTES,
            max_request_header_size=2**15,
            ident=None,
        )
    except OSError as error:
        sockets.close()
        raise Refusal(
            "cannot_listen.reason", "port", host=host, port=port, reason=error.strerror
        ) from None
    except ValueError:
        sockets.close()
        raise Refusal("cannot_listen", "host", host=host, port=port) from None
    for listener in sockets.values():
        listener.channel_class = StrictChannel
    lane = app.wsgi_app if isinstance(app.wsgi_app, ReportLane) else None
    return Server(_url_of(server), Loop(sockets, server.task_dispatcher, lane))


def bind_free(app: Flask, host: str, first: int) -> Server:
    """Like `bind`, on the first free port from `first` upwards."""
    for port in range(first, first + PORTS_TO_TRY - 1):
        try:
            return bind(app, host, port)
        except Refusal:
            continue
    return bind(app, host, first + PORTS_TO_TRY - 1)


def _url_of(server: Any) -> str:
    # A name such as localhost may stand for several addresses.
    listening = getattr(server, "effective_listen", None)
    host, port = listening[0] if listening else (server.effective_host, server.effective_port)
    if host in ("0.0.0.0", "::"):
        host = "127.0.0.1"
    return f"http://{f'[{host}]' if ':' in host else host}:{port}"


def serve(server: Server) -> None:
    """Serve until Ctrl-C or SIGTERM, then finish what is being answered."""
    _log_without_paths()
    # A line for every request that waits a moment costs more than the request.
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)
    sys.setswitchinterval(SWITCH_SECONDS)

    def stop(number: int, frame: FrameType | None) -> None:
        server.loop.stop()
        # Whoever asks a second time does not want to wait.
        signal.signal(number, signal.default_int_handler)

    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, stop)
    server.loop.run()


def _log_without_paths() -> None:
    """Drop waitress's messages that quote a failed request's path, which may hold a report's id."""
    logging.getLogger("waitress").addFilter(
        lambda record: "while serving" not in record.getMessage()
    )


def _allow_open_files(wanted: int) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
