/**
 * The report is kept on the device before it is sent, so that a retry, a reload, a second tab or a
 * later visit sends the same bytes and never a new draw. Only the randomized report is kept.
 *
 * Nothing that a server says removes a kept report: a server that could make a device forget would
 * get a fresh draw of the same answer, and with it twice the epsilon.
 *
 * @typedef {{id: string, ticket: string, body: string}} Parcel what is needed to hand in a report
 * @typedef {{sent: true, body: string}} Receipt what is kept after that: no id, no ticket
 */

import { Refusal } from "./refusal.js";

export class Outbox {
  #key;

  /**
   * @param {string} slug
   * @param {string} fingerprint
   */
  constructor(slug, fingerprint) {
    this.#key = `candor:${slug}:${fingerprint}`;
  }

  /** @returns {Parcel | Receipt | null} */
  find() {
    const text = localStorage.getItem(this.#key);
    if (text === null) return null;
    try {
      const kept = JSON.parse(text);
      if (typeof kept.body === "string" && (kept.sent || kept.id)) return kept;
    } catch {
      // Falls through to the refusal: a second draw would cost a second epsilon.
    }
    throw new Refusal("outbox_unreadable", "the report kept on this device is damaged");
  }

  /**
   * Hand in the one report of this device: the one that is kept, else the one that `make` gives.
   * One tab at a time; the first to come draws for all.
   * @param {() => Parcel} make
   * @param {(parcel: Parcel) => Promise<void>} handIn returns once the report is stored
   * @returns {Promise<{receipt: Receipt, own: boolean}>} `own`: `make`'s report was the one
   */
  deliver(make, handIn) {
    return navigator.locks.request(this.#key, async () => {
      let kept = this.find();
      const own = kept === null;
      if (own) {
        kept = make();
        this.#keep(kept);
      }
      if (!kept.sent) {
        await handIn(kept);
        kept = { sent: true, body: kept.body };
        this.#keep(kept);
      }
      return { receipt: kept, own };
    });
  }

  /**
   * The same report with a new ticket, for a server that has lost the key of the old one.
   * @param {string} ticket
   */
  renewTicket(ticket) {
    return navigator.locks.request(this.#key, async () => {
      const kept = this.find();
      if (kept && !kept.sent) this.#keep({ ...kept, ticket });
    });
  }

  #keep(value) {
    localStorage.setItem(this.#key, JSON.stringify(value));
  }
}

/** Can this browser keep anything at all? Private modes and settings may forbid it. */
export function canKeep() {
  try {
    const probe = "candor:probe";
    localStorage.setItem(probe, "1");
    localStorage.removeItem(probe);
    return true;
  } catch {
    return false;
  }
}
