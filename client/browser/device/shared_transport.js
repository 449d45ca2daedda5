/**
 * The connection of a device that many people share. It has a stock of tickets, so that people can
 * answer while the server is out of reach: one ticket each.
 */

import { Transport } from "./transport.js";

/** As many people as may answer in a row without a connection. */
const MOST_TICKETS = 30;

export class SharedTransport extends Transport {
  #tickets = [];
  #isFilling = false;

  /** @returns {Promise<string>} a ticket that nobody has had before */
  async askForTicket() {
    return this.#tickets.pop() ?? super.askForTicket();
  }

  /** Forget the stock: its tickets are good for one version of the survey only. */
  dropTickets() {
    this.#tickets = [];
  }

  /** Ask for tickets until there are enough, or the server is out of reach. */
  async fillUp() {
    if (this.#isFilling) return;
    this.#isFilling = true;
    const stock = this.#tickets;
    try {
      while (stock === this.#tickets && stock.length < MOST_TICKETS) {
        stock.push(await super.askForTicket());
      }
    } catch {
      // There is nothing to be told: the next person finds out, if it matters by then.
    }
    this.#isFilling = false;
  }
}
