"""The page's blind tickets: signed by Python, taken by WebCrypto, and drawn from fair words."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from client.core.tickets.rsabssa import encode
from client.core.tickets.ticket import Blinding, verify
from server.signing.private_key import PrivateKey
from tests.browser.node import SCRIPTS, Node
from tests.support.ticket_keys import POOL

BASE = f"{SCRIPTS.as_uri()}/"
MODULE = Path(__file__).with_name("tickets.mjs")
FINGERPRINT = "e1" * 32
KEY = PrivateKey(POOL[3].p, POOL[3].q)
# Fair draws fail this once in so many runs.
FALSE_ALARM = 1e-9


@pytest.fixture(scope="module")
def node() -> Iterator[Node]:
    with closing(Node(MODULE)) as running:
        yield running


def blinded(node: Node, group: str, count: int) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = node.call("blinded", BASE, KEY.public, FINGERPRINT, group, count)
    return found


@pytest.mark.parametrize("group", ["", "1-0"])
def test_what_a_device_asks_for_is_signed_and_taken_by_everybody(node: Node, group: str) -> None:
    asked = blinded(node, group, 10)
    signed = [f"{KEY.sign(int(blinding['blinded'], 16)):0512x}" for blinding in asked]
    done = node.call("finished", BASE, KEY.public, FINGERPRINT, group, asked, signed)
    assert done["accepted"] == [True] * 10
    for blinding, ticket in zip(asked, done["tickets"], strict=True):
        parts = verify(ticket, {group: KEY.public}, FINGERPRINT)
        assert (parts.nonce, parts.group) == (Blinding(**blinding).nonce, group)
    other = node.call("acceptsAnother", KEY.public, FINGERPRINT, group, done["tickets"][0])
    assert other is False


def test_what_webcrypto_signs_is_a_signature_for_the_page(node: Node) -> None:
    assert node.call("takesTheirs", BASE, [2048, 2048, 3072]) == [True] * 3


def test_the_page_draws_every_nonce_and_r_afresh_and_fairly(node: Node) -> None:
    drawn = [Blinding(**blinding) for blinding in blinded(node, "", 100)]
    factors = [pow(int(blinding.inv, 16), -1, KEY.modulus) for blinding in drawn]
    nonces = [int(blinding.nonce, 16) for blinding in drawn]
    assert len(set(factors)) == len(set(nonces)) == len(drawn)
    for numbers, most in ((nonces, 2**256), (factors, KEY.modulus)):
        shares = [number / most for number in numbers]
        assert stats.kstest(shares, "uniform").pvalue > FALSE_ALARM
        # The low half of the digits, which the size does not show.
        low = [number % 2**128 / 2**128 for number in numbers]
        assert stats.kstest(low, "uniform").pvalue > FALSE_ALARM
    # What is sent is made with this r and this nonce, and with nothing else.
    for blinding, r, nonce in zip(drawn, factors, nonces, strict=True):
        message = nonce.to_bytes(32) + f"candor ticket 1\n{FINGERPRINT}\n".encode()
        encoded = encode(message, KEY.modulus)
        assert int(blinding.blinded, 16) == encoded * pow(r, 65537, KEY.modulus) % KEY.modulus
