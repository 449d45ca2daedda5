/**
 * A device that many people share, seen from one of them: it keeps no answer and no receipt, and a
 * report only while it cannot be sent.
 */

import { groupOfReceipt, receiptOf } from "../../device/outbox.js";
import { Keeping } from "../keeping.js";
import { isTemporary } from "../trouble.js";

export class SharedDevice {
  /** The name of the text for somebody who does not agree: the page stays open for the next. */
  otherwise = "kiosk.otherwise";
  #transport;
  #waiting;
  #events;
  #isSent = false;

  /**
   * @param {import("../../device/shared_transport.js").SharedTransport} transport
   * @param {import("../../device/waiting.js").Waiting} waiting
   * @param {object} events
   * @param {(opened: Opened) => void} events.open this is the survey from now on
   * @param {(report: {isSent: boolean, group: string}) => void} events.finish the person's report is
   *   drawn, and sent or waiting
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

  finish(_, kept) {
    this.#events.finish({ isSent: this.#isSent, group: groupOfReceipt(kept) });
  }

  /** Draw the one report of this person and hand it in; if that must wait, the next one can begin. */
  async #deliver(make) {
    const parcel = make();
    try {
      await this.#transport.handIn(parcel);
      this.#isSent = true;
    } catch (error) {
      if (!isTemporary(error)) throw error;
      await this.#waiting.add(parcel);
    }
    return { receipt: receiptOf(parcel), own: true, isNew: true };
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
      await transport.handIn(parcel);
      return true;
    } catch (error) {
      if (isTemporary(error)) throw error;
      return false;
    }
  });
}
