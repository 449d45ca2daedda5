"""Many devices that send at once, each over a connection of its own that stays open."""

import asyncio
import time
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar
from urllib.parse import urlsplit

from tests.support.hand_in import HandIn

T = TypeVar("T")


@dataclass(frozen=True)
class Heard:
    """An answer that a device has read to its end, and how many seconds after it began to send."""

    item: HandIn
    status: int
    seconds: float
    # Of the device's connection: tells the server's answers apart.
    port: int


def send_all(
    url: str, items: Iterable[HandIn], connections: int, heard: Callable[[Heard], None]
) -> None:
    """Send requests over so many connections; return when all are answered or all are broken.

    A device whose connection breaks stops, so the request that it was sending is never heard of.
    """

    async def crowd() -> None:
        waiting = iter(items)
        await asyncio.gather(*(_device(url, waiting, heard) for _ in range(connections)))

    _run(crowd())


def send_together(url: str, rounds: Iterable[Sequence[HandIn]]) -> list[list[int]]:
    """Send the requests of a round at once, each over its own connection, round after round.

    All rounds have the same length. Return the statuses of each.
    """

    async def crowd() -> list[list[int]]:
        place = urlsplit(url)
        devices: list[tuple[asyncio.StreamReader, asyncio.StreamWriter]] = []
        statuses: list[list[int]] = []
        for items in rounds:
            while len(devices) < len(items):
                devices.append(await asyncio.open_connection(place.hostname, place.port))
            for item, (_, writer) in zip(items, devices, strict=True):
                writer.write(item.wire)
            statuses.append(await asyncio.gather(*(_answer(reader) for reader, _ in devices)))
        for _, writer in devices:
            writer.close()
        return statuses

    return _run(crowd())


def _run(work: Coroutine[Any, Any, T]) -> T:
    # In its own thread: the caller may already have an event loop, as a browser's driver does.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


async def _device(url: str, waiting: Iterator[HandIn], heard: Callable[[Heard], None]) -> None:
    place = urlsplit(url)
    try:
        reader, writer = await asyncio.open_connection(place.hostname, place.port)
        port = writer.get_extra_info("sockname")[1]
        for item in waiting:
            start = time.perf_counter()
            writer.write(item.wire)
            status = await _answer(reader)
            heard(Heard(item, status, time.perf_counter() - start, port))
        writer.close()
    except (OSError, asyncio.IncompleteReadError):
        return


async def _answer(reader: asyncio.StreamReader) -> int:
    """Read an answer to its end; return its status."""
    head = await reader.readuntil(b"\r\n\r\n")
    length = int(head.split(b"Content-Length: ")[1].split(b"\r\n")[0])
    await reader.readexactly(length)
    return int(head.split(b" ", 2)[1])
