/**
 * A device that many people share, seen from one of them: it keeps no answer and no receipt, and a
 * report only while it cannot be sent.
 */

import { Keeping } from "../keeping.js";
import { isTemporary } from "../trouble.js";

export class SharedDevice {
  #transport;
  #waiting;
  #events;
  #isSent = false;

  /**
   * @param {import("../../device/shared_transport.js").SharedTransport} transport
   * @param {import("../../device/waiting.js").Waiting} waiting
   * @param {{open: (opened: Opened) => void, finish: (isSent: boolean) => void}} events `open`: this
   *   is the survey from now on; `finish`: the person's report is drawn, and sent if `isSent`
   */
  constructor(transport, waiting, events) {
    [this.#transport, this.#waiting, this.#events] = [transport, waiting, events];
  }

  /** Return an outbox that knows nothing of the people before. */
  outboxFor(opened) {
    this.#events.open(opened);
    return {
      find: async () => null,
      hasAnotherVersion: async () => false,
      forgetTest: async () => {},
      deliver: (make) => this.#deliver(make),
    };
  }

  async keepingFor(_, outbox) {
    return new Keeping(null, outbox);
  }

  finish() {
    this.#events.finish(this.#isSent);
  }

  /** Draw the one report of this person and hand it in; if that must wait, the next one can begin. */
  async #deliver(make) {
    const parcel = make();
    try {
      await handIn(this.#transport, parcel);
      this.#isSent = true;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await this.#waiting.add(parcel);
    }
    return { receipt: { sent: true, body: parcel.body }, own: true };
  }
}

/**
 * Send what waits from earlier people.
 * @param {import("../../device/shared_transport.js").SharedTransport} transport
 * @param {import("../../device/waiting.js").Waiting} waiting
 * @returns {Promise<number>} how many will never be counted
 */
export function sendAll(transport, waiting) {
  return waiting.sendAll(async (parcel) => {
    try {
      await handIn(transport, parcel);
      return true;
    } catch (error) {
      if (isTemporary(error)) throw error;
      return false;
    }
  });
}

/** Hand in a report; it gets a new ticket only if the server has lost the key of the old one. */
async function handIn(transport, parcel) {
  try {
    await transport.handIn(parcel);
  } catch (error) {
    if (error.code !== "ticket_forged") throw error;
    await transport.handIn({ ...parcel, ticket: await transport.newTicket() });
  }
}
