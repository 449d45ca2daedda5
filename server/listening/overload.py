"""More hand-ins than the server can take: those that come late hear so before they are parsed.

A refusal that costs as much as storing a report helps nobody: those who are refused would wait as
long as those who are served. So bytes that are plainly one whole hand-in are answered as they are.
"""

import re
import time

from waitress.utilities import build_http_date

from client.core.primitives.refusal import Refusal
from server.respondents.lane import ReportLane, refused

# So many connections are read in one turn of the loop. Others wait for the next, and their answers
# and new connections do not wait for all of them.
MOST_READ = 128
# Behind so many that wait to be read or to be stored, hand-ins are refused.
MOST_WAITING = 512

_LINE = re.compile(rb"POST (/[!-~]*) HTTP/1\.[01]\r\n")
_HEAD = re.compile(rb"http/1\.[01]\r\n(?:[a-z0-9-]+:[^\r\n\0]*\r\n)+")
# Stands in a reply for the time at which it is sent.
_NOW = b"<now>"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*([0-9]{1,9})[ \t]*(?=\r\n)")
_STAYS = re.compile(rb"\Ahttp/1\.1\r\n(?!.*\r\nconnection:[ \t]*close)", re.DOTALL)


class Overload:
    """Refuses hand-ins by their bytes."""

    def __init__(self, lane: ReportLane | None) -> None:
        self._lane = lane
        self._replies = {stays: _written(stays) for stays in (True, False)}

    def refusal(self, data: bytes) -> tuple[bytes, bool] | None:
        """Return the answer to one whole hand-in, and whether its connection stays open.

        None if the bytes are anything else.
        """
        line = _LINE.match(data)
        if self._lane is None or line is None or not self._lane.is_for(line[1].decode("ascii")):
            return None
        head, _, body = data[line.end(1) + 1 :].partition(b"\r\n\r\n")
        head = head.lower() + b"\r\n"
        if _HEAD.fullmatch(head) is None or b"\r\ntransfer-encoding:" in head:
            return None
        if _LENGTH.findall(head) != [b"%d" % len(body)]:
            return None
        stays = _STAYS.match(head) is not None
        return self._replies[stays].replace(_NOW, build_http_date(time.time()).encode()), stays


def _written(stays: bool) -> bytes:
    line, headers, body = refused(Refusal("storage_unavailable.queue"))
    headers = [*headers, ("Date", _NOW.decode())]
    lines = [f"HTTP/1.1 {line}", *(f"{name}: {value}" for name, value in sorted(headers))]
    if not stays:
        lines.append("Connection: close")
    return "\r\n".join([*lines, "", ""]).encode("latin-1") + body
