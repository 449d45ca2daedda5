"""Two devices ask with one link, and both signatures are made before either is stored."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from server.store.verify import verify
from tests.support.inviting import ask_for_ticket, personal
from tests.support.live import Live
from tests.support.tickets import Device


def test_of_two_devices_that_are_signed_for_at_once_one_gets_a_ticket(
    staff: Live, monkeypatch: pytest.MonkeyPatch
) -> None:
    (code,) = personal(staff)
    keys = staff.services.database.keys
    sign, both_signed = keys.sign, threading.Barrier(2, timeout=60)

    def sign_and_wait(public: str, blinded: str) -> str:
        signed = sign(public, blinded)
        both_signed.wait()
        return signed

    monkeypatch.setattr(keys, "sign", sign_and_wait)
    devices = [Device(staff.survey, code) for _ in range(2)]
    with ThreadPoolExecutor(2) as pool:
        answers = list(pool.map(lambda device: ask_for_ticket(staff, device.wish), devices))
    assert sorted(answer.status for answer in answers) == [201, 409]
    winner = [answer.status for answer in answers].index(201)
    ticket = devices[winner].ticket(answers[winner].json["signed"])
    assert staff.post(staff.report(), ticket).status == 201
    assert verify(staff.folder.database).problems == []
