"""Whoever chooses the nonce does not choose what the report is about: the signature decides.

All words are fixed, so the figures are the same in every run.
"""

from collections import Counter

from scipy import stats

from client.core.assignment import TicketWords, draw_assignment
from client.core.primitives.words import below
from client.core.survey import Survey
from client.core.tickets.ticket import blind_with
from server.signing.private_key import PrivateKey
from tests.support.surveys import sampled_boxes, survey_of
from tests.support.ticket_keys import POOL, ticket_from
from tests.vectors.tapes import Tape, scrambled, tape_hex

BOXES, WANTED, TICKETS = 5, 3, 80
KEY = POOL[0]


def survey() -> Survey:
    draft = survey_of(sampled_boxes("q", BOXES, 1, "1"), access="invited")
    return draft.with_ticket_keys({"": KEY.public})


def ground(seed: int) -> list[int]:
    """Try words for the nonce until the nonce alone would be about the wanted box."""
    tried = (scrambled(1000 * seed + number, 8) for number in range(1000))
    return next(w for w in tried if below(TicketWords(tape_hex(w), "q"), BOXES) == WANTED)


def test_nonces_that_were_ground_for_one_box_bring_all_boxes_as_often() -> None:
    own, private = survey(), PrivateKey(KEY.p, KEY.q)
    drawn: Counter[int] = Counter()
    for number in range(TICKETS):
        words = Tape([*ground(number), *scrambled(number, 1000)])
        blinding = blind_with(words, KEY.public, own.fingerprint, "")
        signed = f"{private.sign(int(blinding.blinded, 16)):0512x}"
        text = ticket_from(blinding, own.fingerprint, "", KEY, signed)
        drawn[draw_assignment(own, text).boxes["q"][0]] += 1
    assert len(drawn) == BOXES
    assert stats.chisquare(list(drawn.values())).pvalue > 0.001
    # Had the nonce decided, all would be about one box.
    assert drawn[WANTED] < TICKETS / 2
