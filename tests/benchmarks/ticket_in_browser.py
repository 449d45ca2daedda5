"""What a ticket costs a phone: the page's own script in a Chromium that is slowed down."""

import statistics
from dataclasses import dataclass

from playwright.sync_api import Browser

from tests.browser.one_script import with_modules
from tests.browser.stand import HOST, Stand
from tests.browser.surveys import ONE

# As in the specification of a phone-class processor.
SLOWED = 8
# A full power is what signing costs without the factors: a measure of the machine itself. The
# server's part is not the device's, so it is asked for outside the clock.
TICKET = with_modules("""
  const [key, fingerprint, rounds] = given;
  const { blind, finalize } = modules["core/tickets/ticket.js"];
  const modulus = BigInt(`0x${key}`);
  const power = () => {
    let result = 1n;
    let square = modulus / 3n;
    for (let rest = modulus; rest > 0n; rest >>= 1n) {
      if (rest & 1n) result = (result * square) % modulus;
      square = (square * square) % modulus;
    }
    return result;
  };
  const tickets = [];
  const powers = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    const blinding = await blind(key, fingerprint, "");
    const covered = performance.now();
    const signed = await sign(blinding.blinded);
    const received = performance.now();
    await finalize(key, fingerprint, "", blinding, signed);
    tickets.push(covered - start + performance.now() - received);
    const before = performance.now();
    power();
    powers.push(performance.now() - before);
  }
  return [tickets, powers];
""")


@dataclass(frozen=True)
class Tickets:
    """Milliseconds of computing, with all of the machine slowed down.

    `first` has every function for the first time, as on a real device; `power` is the least that
    one full power took.
    """

    first: float
    median: float
    least: float
    power: float


def measure(browser: Browser, rounds: int, slowed: int = SLOWED) -> Tickets:
    """Cover and uncover so many tickets on a page that has done nothing before."""
    stand = Stand(ONE)
    (key,) = stand.keys.values()
    device = browser.new_context()
    stand.serve(device)
    page = device.new_page()
    page.expose_function("sign", lambda blinded: key.sign(blinded))
    page.goto(f"{HOST}/s/{stand.survey.slug}")
    page.wait_for_selector(".trouble")
    device.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    tickets, powers = page.evaluate(TICKET, [key.public, stand.fingerprint, rounds])
    device.close()
    return Tickets(tickets[0], statistics.median(tickets), min(tickets), min(powers))
