"""The device's outbox: the first draw wins, and only its owner can read it."""

import stat
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

import pytest

from client.core.primitives.refusal import Refusal
from client.terminal.outbox import Outbox, Parcel

FINGERPRINT = "ab" * 32


def parcel(number: int) -> Parcel:
    return Parcel(f"ticket {number}", f"body {number}", survey="https://example.org/s/habits")


def test_a_kept_parcel_is_found_again(tmp_path: Path) -> None:
    Outbox(tmp_path).keep(FINGERPRINT, parcel(1))
    assert Outbox(tmp_path).find(FINGERPRINT) == parcel(1)


def test_an_empty_outbox_finds_nothing(tmp_path: Path) -> None:
    assert Outbox(tmp_path / "never made").find(FINGERPRINT) is None


def test_a_second_draw_does_not_replace_the_first(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.keep(FINGERPRINT, parcel(1))
    assert outbox.keep(FINGERPRINT, parcel(2)) == parcel(1)
    assert outbox.find(FINGERPRINT) == parcel(1)


def test_many_terminals_at_once_agree_on_one_parcel(tmp_path: Path) -> None:
    with ThreadPoolExecutor(16) as pool:
        kept = set(pool.map(lambda n: Outbox(tmp_path).keep(FINGERPRINT, parcel(n)), range(64)))
    assert len(kept) == 1


def test_a_sent_parcel_keeps_its_bytes_and_no_ticket(tmp_path: Path) -> None:
    outbox = Outbox(tmp_path)
    outbox.mark_sent(FINGERPRINT, outbox.keep(FINGERPRINT, parcel(1)))
    assert outbox.find(FINGERPRINT) == replace(parcel(1), ticket="", sent=True)
    assert b"ticket 1" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())


def test_only_its_owner_can_read_a_parcel_and_nothing_else_is_left(tmp_path: Path) -> None:
    folder = tmp_path / "outbox"
    Outbox(folder).keep(FINGERPRINT, parcel(1))
    (kept,) = folder.iterdir()
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


def test_a_damaged_parcel_is_refused_rather_than_drawn_again(tmp_path: Path) -> None:
    (tmp_path / f"{FINGERPRINT}.json").write_text('{"ticket": ')
    with pytest.raises(Refusal, match="damaged"):
        Outbox(tmp_path).find(FINGERPRINT)
