"""The loop of the main thread: it looks only at those connections to which something happened.

Waitress's own loop asks every connection at every turn what it waits for, and takes a turn for
every answer. With hundreds of connections that costs more than the answers themselves.
"""

import logging
import select
import threading
import time
from selectors import EVENT_READ, EVENT_WRITE, DefaultSelector
from typing import Any

from waitress import wasyncore

from server.listening.hand_ins import HandIns
from server.listening.overload import MOST_READ, MOST_WAITING, Overload
from server.respondents.lane import ReportLane

TURN_SECONDS = 1.0
# How long a server that stops waits for reports that are being stored.
LAST_SECONDS = 5.0
# So many connections are accepted before those that are open have their turn again.
MOST_ACCEPTED = 256
# With more bytes that a client has not taken yet, its next request waits. Otherwise a client that
# sends hundreds of requests at once, and reads no answer, would fill the memory.
MOST_UNSENT = 2**18

_log = logging.getLogger("candor")


class Sockets(dict[int, Any]):
    """Waitress's sockets by number. Whatever enters is watched until it leaves."""

    def __init__(self) -> None:
        super().__init__()
        self.selector = DefaultSelector()
        self._watched: dict[int, int] = {}

    def __setitem__(self, number: int, connection: Any) -> None:
        super().__setitem__(number, connection)
        self._watch(number, EVENT_READ)

    def __delitem__(self, number: int) -> None:
        self._watch(number, 0)
        super().__delitem__(number)

    def settle(self, connection: Any, unwanted: bool = False) -> None:
        """Watch for what a connection waits for now.

        Most connections that do not want to read want to again before more bytes come. So they are
        watched all the same, until bytes come that are unwanted.
        """
        number = connection._fileno
        if number is None:
            return
        events = 0 if unwanted else self._watched[number] & EVENT_READ
        if connection.readable():
            events |= EVENT_READ
        if connection.writable():
            events |= EVENT_WRITE
        self._watch(number, events)

    def close(self) -> None:
        """Close all connections."""
        wasyncore.close_all(self)
        self.selector.close()

    def _watch(self, number: int, events: int) -> None:
        before = self._watched.get(number, 0)
        if events == before:
            return
        if not before:
            self.selector.register(number, events)
        elif events:
            self.selector.modify(number, events)
        else:
            self.selector.unregister(number)
        self._watched[number] = events


class Loop:
    """Serves the sockets of one process until it is stopped.

    Everything happens in the thread that runs it, except `add_task`, `wake` and `stop`.
    """

    def __init__(self, sockets: Sockets, dispatcher: Any, lane: ReportLane | None) -> None:
        self._sockets = sockets
        self._dispatcher = dispatcher
        self._listeners = [each for each in sockets.values() if each.accepting]
        self._hand_ins = HandIns(lane, self.wake)
        self._overload = Overload(lane)
        self._in_threads: set[Any] = set()
        # Connections whose next request waits until the client has taken earlier answers.
        self._held: set[Any] = set()
        self._thread = 0
        self._is_woken = self._is_stopped = self._is_closed = False
        # The handler of a signal may come in the middle of closing, in the same thread.
        self._closing = threading.RLock()
        for listener in self._listeners:
            listener.add_task = self.add_task
            listener.pull_trigger = self.wake

    def add_task(self, channel: Any) -> None:
        """Have the next request of a connection answered: a hand-in here, others by a thread."""
        if _is_full(channel):
            self._held.add(channel)
            self.wake()
        elif threading.get_ident() != self._thread or not self._hand_ins.start(channel):
            self._pass_on(channel)

    def wake(self) -> None:
        """Have the loop see what other threads have done; many calls wake it once."""
        if not self._is_woken and threading.get_ident() != self._thread:
            self._is_woken = True
            self._pull()

    def stop(self) -> None:
        """Have the loop end, from any thread or from a signal's handler."""
        self._is_stopped = True
        self._pull()

    def run(self) -> None:
        """Serve until `stop`, then answer what is being stored and what threads work on."""
        self._thread = threading.get_ident()
        while not self._is_stopped:
            self._turn()
        last = time.monotonic() + LAST_SECONDS
        while self._hand_ins.count and time.monotonic() < last:
            time.sleep(0.01)
            self._answer()
        self.close()

    def close(self) -> None:
        """End the threads and close all sockets."""
        self._dispatcher.shutdown()
        with self._closing:
            self._is_closed = True
            self._sockets.close()

    def _turn(self) -> None:
        """Wait until something happens, and see to it."""
        self._tidy()
        accepting = []
        most = MOST_WAITING - self._hand_ins.count
        # Whoever became ready first comes first.
        for place, (key, events) in enumerate(self._sockets.selector.select(TURN_SECONDS)):
            connection = self._sockets.get(key.fd)
            if connection is None:
                continue
            if connection.accepting:
                accepting.append(connection)
            elif place >= most:
                self._attend_late(connection, events)
            elif place < MOST_READ:
                self._attend(connection, events)
        # First: whoever wakes the loop from here on wakes it again.
        was_woken, self._is_woken = self._is_woken, False
        self._answer()
        if was_woken:
            self._follow_threads()
        self._release()
        # Last, since a new connection may get the number of one that has just been closed.
        for listener in accepting:
            self._accept(listener)

    def _attend(self, connection: Any, events: int) -> None:
        may_read = bool(events & EVENT_READ)
        reads = may_read and connection.readable()
        writes = events & EVENT_WRITE and connection.writable()
        flags = (select.POLLIN if reads else 0) | (select.POLLOUT if writes else 0)
        wasyncore.readwrite(connection, flags)
        self._sockets.settle(connection, unwanted=may_read and not reads)

    def _attend_late(self, connection: Any, events: int) -> None:
        """Like `_attend`, but refuse a hand-in."""
        connection.refuse = self._overload.refusal
        self._attend(connection, events)
        connection.refuse = None

    def _answer(self) -> None:
        """Answer the hand-ins that are on disk, were refused, or have waited too long."""
        for channel, reply in self._hand_ins.replies():
            if reply is None:
                self._pass_on(channel)
            else:
                channel.answer(reply)
                self._sockets.settle(channel)

    def _pass_on(self, channel: Any) -> None:
        self._in_threads.add(channel)
        self._dispatcher.add_task(channel)

    def _follow_threads(self) -> None:
        for channel in list(self._in_threads):
            # Asked first: a request that ends just now wakes the loop again.
            if not channel.requests:
                self._in_threads.discard(channel)
            self._sockets.settle(channel)

    def _release(self) -> None:
        """Go on with connections that were held."""
        for channel in list(self._held):
            if _is_full(channel):
                continue
            self._held.discard(channel)
            if channel.connected:
                self.add_task(channel)
            else:
                channel.cancel()

    def _accept(self, listener: Any) -> None:
        for _ in range(MOST_ACCEPTED):
            newest = _newest(listener)
            try:
                listener.handle_accept()
            except Exception:
                # One connection that cannot be opened must not close the door for all others.
                _log.exception("a connection could not be taken")
                return
            if _newest(listener) is newest or not listener.readable():
                return

    def _tidy(self) -> None:
        """Let listeners close what was idle for long, and stop listening while there is no room."""
        for listener in self._listeners:
            due = listener.next_channel_cleanup
            self._sockets.settle(listener, unwanted=True)
            if listener.next_channel_cleanup != due:
                since = time.time() - listener.adj.channel_timeout
                for channel in list(listener.active_channels.values()):
                    channel.give_up_if_stalled(since)
                    self._sockets.settle(channel)

    def _pull(self) -> None:
        """Interrupt the loop's waiting, unless it has ended.

        By then another file may have the number of the socket that is written to.
        """
        with self._closing:
            if not self._is_closed:
                self._listeners[0].trigger.pull_trigger()


def _is_full(channel: Any) -> bool:
    return bool(channel.connected and channel.total_outbufs_len > MOST_UNSENT)


def _newest(listener: Any) -> Any:
    return next(reversed(listener.active_channels.values()), None)
