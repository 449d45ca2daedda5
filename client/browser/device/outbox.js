/**
 * Keep the report on the device before it is sent, so that a retry, a reload, a second tab or a
 * later visit sends the same bytes and never a new draw. Only the randomized report is kept.
 *
 * It is in IndexedDB, whose transactions hold across tabs and reach the disk before they complete.
 * `localStorage` promises neither: even under a lock, a background tab has read an older value and
 * sent a report again. A value older still would have been none, and the tab would have drawn a
 * second report.
 *
 * Nothing that a server says removes a kept report. A server that could make a device forget would
 * get a fresh draw of the same answer, and with it twice the epsilon. Only the report of a test,
 * whose fingerprint is never that of a real survey, can be discarded to test again.
 *
 * @typedef {{id: string, ticket: string, body: string}} Parcel what is needed to hand in a report
 * @typedef {{sent: true, body: string, group?: string}} Receipt what is kept after that: no id, no
 *   ticket; of the ticket only the group of a link, which was sent as it is
 */

import { Refusal, require } from "../core/primitives/refusal.js";
import { groupOf } from "./invitation.js";

const DATABASE = "candor";
const STORE = "outbox";
// Precedes the fingerprint of a test, whose reports cost nobody any privacy.
const TEST = "test:";

export class Outbox {
  #key;
  #isTest;
  #slug;

  /** @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened */
  constructor({ survey, fingerprint }) {
    const mark = survey.isTest ? TEST : "";
    this.#key = `${survey.slug}:${mark}${fingerprint}`;
    this.#isTest = survey.isTest;
    this.#slug = survey.slug;
  }

  /** Return whether this device has drawn a report for another version: both add to the cost. */
  async hasAnotherVersion() {
    if (this.#isTest) return false;
    // All keys that begin with the slug and a colon; a semicolon is the next character.
    const versions = IDBKeyRange.bound(`${this.#slug}:`, `${this.#slug};`, false, true);
    const keys = await transact("readonly", (store) => store.getAllKeys(versions));
    const real = keys.filter((key) => !key.startsWith(`${this.#slug}:${TEST}`));
    return real.some((key) => key !== this.#key);
  }

  /** @returns {Promise<Parcel | Receipt | null>} */
  async find() {
    const kept = (await transact("readonly", (store) => store.get(this.#key))) ?? null;
    if (kept !== null && !(typeof kept.body === "string" && (kept.sent || kept.id))) {
      // A second draw would cost a second epsilon, so stop.
      throw new Refusal("outbox_unreadable", "the report kept on this device is damaged");
    }
    return kept;
  }

  /**
   * Hand in the one report of this device: the kept one, or else the one that `make` returns. Tabs
   * take turns, and the first one draws for all.
   * @param {() => Parcel} make
   * @param {(parcel: Parcel) => Promise<void>} handIn returns once the report is stored
   * @returns {Promise<{receipt: Receipt, own: boolean}>} `own`: `make`'s report was the one
   */
  deliver(make, handIn) {
    return navigator.locks.request(this.#key, async () => {
      let kept = await this.find();
      const own = kept === null;
      if (own) {
        kept = make();
        await this.#keep(kept);
      }
      if (!kept.sent) {
        await handIn(kept);
        kept = receiptOf(kept);
        await this.#keep(kept);
      }
      return { receipt: kept, own };
    });
  }

  /**
   * Give the kept report a new ticket, for a server that has lost the key of the old one.
   * @param {string} ticket
   */
  renewTicket(ticket) {
    return navigator.locks.request(this.#key, async () => {
      const kept = await this.find();
      if (kept && !kept.sent) await this.#keep({ ...kept, ticket });
    });
  }

  /** Discard the report of a test, so that the next one is drawn anew. */
  forgetTest() {
    require(this.#isTest, "not_a_test", "the report of a real survey is never forgotten");
    return navigator.locks.request(this.#key, () =>
      transact("readwrite", (store) => store.delete(this.#key)),
    );
  }

  async #keep(value) {
    await transact("readwrite", (store) => store.put(value, this.#key));
  }
}

/**
 * @param {Parcel} parcel that was sent
 * @returns {Receipt}
 */
export function receiptOf({ body, ticket }) {
  const group = groupOf(ticket);
  return { sent: true, body, ...(group === "" ? {} : { group }) };
}

/**
 * Return the group that a report was counted in, by its link or as chosen; "" for none.
 * @param {Receipt} receipt
 */
export function groupOfReceipt({ body, group = "" }) {
  return JSON.parse(body).group ?? group;
}

/** Return whether this browser can keep anything; private modes and settings may forbid it. */
export async function canKeep() {
  try {
    await transact("readwrite", (store) => store.count());
    return true;
  } catch {
    return false;
  }
}

/**
 * Run one request in its own transaction; resolves once that is complete, and written to disk.
 * @param {IDBTransactionMode} mode
 * @param {(store: IDBObjectStore) => IDBRequest} request
 */
async function transact(mode, request) {
  const database = await open();
  try {
    return await new Promise((resolve, reject) => {
      const transaction = database.transaction(STORE, mode, { durability: "strict" });
      const asked = request(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve(asked.result);
      transaction.onabort = () => reject(transaction.error);
    });
  } finally {
    database.close();
  }
}

/** @returns {Promise<IDBDatabase>} */
function open() {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(DATABASE, 1);
    request.onupgradeneeded = () => request.result.createObjectStore(STORE);
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}
