/** Send the one report of this device, and show its receipt or why it has not been stored yet. */

import { readLinkedDocument } from "../core/document.js";
import { Refusal } from "../core/primitives/refusal.js";
import { groupOf } from "../device/invitation.js";
import { isTemporary, notDelivered, postponed } from "./trouble.js";

export class Delivery {
  #stage;
  #transport;
  #opened;
  #outbox;
  #keeping;
  #forget;
  #device;
  /** @type {(() => void) | null} sends the report that waits on the device */
  #waiting = null;
  /** The code of the link's group, which the ticket carries. */
  #linked = "";

  /**
   * @param {import("./stage.js").Stage} stage
   * @param {import("../device/transport.js").Transport} transport
   * @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened
   * @param {object} tools
   * @param {import("../device/outbox.js").Outbox} tools.outbox
   * @param {import("./keeping.js").Keeping} tools.keeping
   * @param {() => void} tools.forget clears the true answers and the words
   * @param {import("./own_device.js").OwnDevice} tools.device ends the visit
   */
  constructor(stage, transport, opened, { outbox, keeping, forget, device }) {
    this.#stage = stage;
    this.#transport = transport;
    this.#opened = opened;
    this.#outbox = outbox;
    this.#keeping = keeping;
    this.#forget = forget;
    this.#device = device;
  }

  /** Send the report that waits on the device, with the same bytes, once the connection is back. */
  sendWaiting() {
    this.#waiting?.();
  }

  /** Send the kept report, or show its receipt if that was done. */
  again() {
    return this.deliver(nothingNew);
  }

  /** @param {() => import("../device/outbox.js").Parcel} makeParcel unless one is kept already */
  async deliver(makeParcel) {
    this.#waiting = null;
    const make = () => this.#drawn(makeParcel);
    this.#stage.hold();
    try {
      await this.#keeping.forget();
      const sent = await this.#outbox.deliver(make, this.#transport.handIn);
      // Nobody has answered in this page who could take what was sent for something else.
      const own = sent.own || (sent.isNew && makeParcel === nothingNew);
      this.#forget();
      const results = `${this.#transport.page}/results`;
      const context = { results, own, linked: this.#linked, testAgain: () => this.#testAgain() };
      this.#device.finish(this.#opened, sent.receipt, context);
    } catch (error) {
      this.#notDelivered(error);
    }
  }

  /** @param {() => import("../device/outbox.js").Parcel} makeParcel which goes out another day */
  async postpone(makeParcel) {
    const make = () => this.#drawn(makeParcel);
    this.#stage.hold();
    try {
      await this.#keeping.forget();
      await this.#outbox.postpone(make);
      this.#forget();
      this.#stage.show(({ wording }) => [postponed(wording, () => this.again())]);
    } catch (error) {
      this.#notDelivered(error);
    }
  }

  async #testAgain() {
    await this.#outbox.forgetTest();
    location.reload();
  }

  /** Return the report and clear the answers that it was drawn from. */
  #drawn(makeParcel) {
    const parcel = makeParcel();
    this.#linked = groupOf(parcel.ticket);
    this.#forget();
    return parcel;
  }

  #notDelivered(error) {
    const retry = () => this.again();
    if (isTemporary(error)) this.#waiting = retry;
    const again = this.#opened.survey.isTest ? () => this.#testAgain() : undefined;
    this.#stage.show(({ wording }) => [notDelivered(wording, error, retry, again)]);
  }
}

/**
 * Fetch the document once more; if the server is out of reach, the report must wait anyway.
 * @param {import("../device/transport.js").Transport} transport
 * @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened
 */
export async function currentDocument(transport, opened) {
  try {
    return await readLinkedDocument(await transport.fetchDocument(), transport);
  } catch (error) {
    if (isTemporary(error)) return opened;
    throw error;
  }
}

/** Throw if a kept report has vanished: nothing may be drawn in its place. */
function nothingNew() {
  throw new Refusal("outbox_unreadable", "the report kept on this device has vanished");
}
