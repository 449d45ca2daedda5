/**
 * What a device keeps of one person's turn at one document, so that a retry, a reload, a second tab
 * or a later visit sends the same bytes and never a new draw:
 *
 *   asked for a ticket -> ticket -> report -> receipt
 *
 * Only the randomized report is kept. All but the receipt is in a `Turn`, which leaves nothing
 * behind. The database keeps, for good, the receipt, and before it a mark that a report was drawn:
 * if the report is lost then, none is drawn in its place.
 *
 * Nothing that a server says removes a kept report. A server that could make a device forget would
 * get a fresh draw of the same answer, and with it twice the epsilon. Nor is a link covered a second
 * time: a server that sees two covered messages of one link could tell them apart from those of
 * others. Only a test, whose fingerprint is never that of a real survey, can be done again.
 *
 * @typedef {{fingerprint: string, invitation: string, nonce: string, inv: string,
 *   blinded: string}} Asked what the device needs to uncover its ticket
 * @typedef {{asked: Asked[]} | {ticket: string} | Parcel} Kept
 * @typedef {{ticket: string, body: string}} Parcel what is needed to hand in a report
 * @typedef {{sent: true, body: string, group?: string}} Receipt what is kept after that: no ticket;
 *   of the ticket only the group of a link, which was sent as it is
 */

import { Refusal, require } from "../core/primitives/refusal.js";
import { blind, finalize } from "../core/tickets/ticket.js";
import { RECEIPTS, transact } from "./database.js";
import { groupOf, plainCode } from "./invitation.js";
import { Turn } from "./turn.js";

// Precedes the fingerprint of a test, whose reports cost nobody any privacy.
const TEST = "test:";
const DRAWN = { drawn: true };

export class Outbox {
  #key;
  #survey;
  #fingerprint;
  #turn;

  /** @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened */
  constructor({ survey, fingerprint }) {
    this.#key = `${survey.slug}:${survey.isTest ? TEST : ""}${fingerprint}`;
    this.#survey = survey;
    this.#fingerprint = fingerprint;
    this.#turn = new Turn(`${survey.isTest ? "test" : "survey"}.${survey.slug}.${fingerprint}`);
  }

  /** Return whether this device has drawn a report for another version: both add to the cost. */
  async hasAnotherVersion() {
    if (this.#survey.isTest) return false;
    const versions = await versionsOf(this.#survey.slug);
    return versions.some((fingerprint) => fingerprint !== this.#fingerprint);
  }

  /** @returns {Promise<Parcel | Receipt | null>} */
  async find() {
    const kept = await transact(RECEIPTS, "readonly", (store) => store.get(this.#key));
    const found = kept === undefined || kept?.drawn ? await this.#parcel() : kept;
    if (found === null && kept === undefined) return null;
    // A second draw would cost a second epsilon, so stop.
    const isWhole = typeof found?.body === "string" && (found.sent || found.ticket);
    require(isWhole, "outbox_unreadable", "the report kept on this device is damaged");
    return found;
  }

  /** @returns {Promise<string>} the ticket that this device has got for its link; "" for none */
  async ticket() {
    return (await this.#turn.read())?.ticket ?? "";
  }

  /** @returns {Promise<string>} the invitation that this device has asked for a ticket with, or "" */
  async askedWith() {
    return (await this.#turn.read())?.asked?.at(-1).invitation ?? "";
  }

  /**
   * Get the one ticket of this device: the kept one, or else the one that its link buys. Tabs take
   * turns. What the server is asked is on the device before it is sent, and the same ever after.
   * @param {{invitation: string, group: string}} link
   * @param {(asked: Asked) => Promise<unknown>} sign returns what the server has signed
   * @returns {Promise<string>}
   */
  collect({ invitation, group }, sign) {
    return this.#alone(async () => {
      const { ticket, asked = [] } = (await this.#turn.read()) ?? {};
      if (ticket !== undefined) return ticket;
      const key = this.#survey.ticketKeys.get(group);
      const code = plainCode(invitation);
      let own = asked.find((one) => plainCode(one.invitation) === code);
      if (own === undefined) {
        own = { fingerprint: this.#fingerprint, invitation, ...(await this.#cover(key, group)) };
        await this.#turn.write({ asked: [...asked, own] });
      }
      if (own.blinded === undefined) throw new Refusal("bad_ticket_key", "the key was bad before");
      const signed = await sign(own);
      const bought = await finalize(key, this.#fingerprint, group, own, signed);
      await this.#turn.write({ ticket: bought });
      return bought;
    });
  }

  /**
   * Hand in the one report of this device: the kept one, or else the one that `make` returns. Tabs
   * take turns, and the first one draws for all.
   * @param {() => Parcel} make
   * @param {(parcel: Parcel) => Promise<void>} handIn returns once the report is stored
   * @returns {Promise<{receipt: Receipt, own: boolean, isNew: boolean}>} `own`: `make`'s report was
   *   the one; `isNew`: it was sent only now
   */
  deliver(make, handIn) {
    return this.#alone(async () => {
      const [found, own] = await this.#draw(make);
      const isNew = !found.sent;
      if (isNew) {
        await this.#remember(DRAWN);
        await handIn(found);
        await this.#remember(receiptOf(found));
      }
      await this.#turn.erase();
      return { receipt: isNew ? receiptOf(found) : found, own, isNew };
    });
  }

  /**
   * Keep the one report of this device, to be handed in on another visit.
   * @param {() => Parcel} make
   */
  postpone(make) {
    return this.#alone(() => this.#draw(make));
  }

  /** Discard what is kept of a test, so that the next one is drawn anew. */
  forgetTest() {
    require(this.#survey.isTest, "not_a_test", "the report of a real survey is never forgotten");
    return this.#alone(async () => {
      await this.#turn.erase();
      await transact(RECEIPTS, "readwrite", (store) => store.delete(this.#key));
    });
  }

  /** Return the kept report, or else a new one that is kept from now on, and whether it is new. */
  async #draw(make) {
    const kept = await this.find();
    if (kept !== null) return [kept, false];
    const parcel = make();
    await this.#turn.write(parcel);
    return [parcel, true];
  }

  /** Cover a new ticket; a key that cannot is never tried again, since that would choose values. */
  async #cover(key, group) {
    try {
      return await blind(key, this.#fingerprint, group);
    } catch (error) {
      if (error.code === "bad_ticket_key") return {};
      throw error;
    }
  }

  async #parcel() {
    const kept = await this.#turn.read();
    return kept === null || kept.body === undefined ? null : kept;
  }

  async #remember(value) {
    await transact(RECEIPTS, "readwrite", (store) => store.put(value, this.#key));
  }

  #alone(act) {
    return navigator.locks.request(this.#key, act);
  }
}

/**
 * Return the fingerprints of all documents of this name that this device has drawn a report for.
 * @param {string} slug
 * @returns {Promise<string[]>}
 */
export async function versionsOf(slug) {
  // All keys that begin with the slug and a colon; a semicolon is the next character.
  const versions = IDBKeyRange.bound(`${slug}:`, `${slug};`, false, true);
  const keys = await transact(RECEIPTS, "readonly", (store) => store.getAllKeys(versions));
  return keys.map((key) => key.slice(slug.length + 1)).filter((key) => !key.startsWith(TEST));
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
    await transact(RECEIPTS, "readwrite", (store) => store.count());
    await new Turn("none").read();
    return true;
  } catch {
    return false;
  }
}
