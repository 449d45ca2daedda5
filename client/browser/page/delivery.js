/** Send the one report of this device, and show its receipt or why it has not been stored yet. */

import { Refusal } from "../core/primitives/refusal.js";
import { groupOf } from "../device/invitation.js";
import { isTemporary, notDelivered } from "./trouble.js";

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
    const make = () => {
      const parcel = makeParcel();
      this.#linked = groupOf(parcel.ticket);
      this.#forget();
      return parcel;
    };
    this.#stage.hold();
    try {
      await this.#keeping.forget();
      const { receipt: kept, own } = await this.#outbox.deliver(make, this.#transport.handIn);
      this.#forget();
      const results = `${this.#transport.page}/results`;
      const context = { results, own, linked: this.#linked, testAgain: () => this.#testAgain() };
      this.#device.finish(this.#opened, kept, context);
    } catch (error) {
      this.#notDelivered(error, () => this.#retry(error));
    }
  }

  async #testAgain() {
    await this.#outbox.forgetTest();
    location.reload();
  }

  /** Send the same report again; only a ticket that the server rejects is replaced. */
  async #retry(error) {
    this.#waiting = null;
    try {
      if (error.code === "ticket_forged") {
        await this.#outbox.renewTicket(await this.#transport.askForTicket());
      }
    } catch (again) {
      this.#notDelivered(again, () => this.#retry(error));
      return;
    }
    await this.again();
  }

  #notDelivered(error, retry) {
    if (isTemporary(error)) this.#waiting = retry;
    const again = this.#opened.survey.isTest ? () => this.#testAgain() : undefined;
    this.#stage.show(({ wording }) => [notDelivered(wording, error, retry, again)]);
  }
}

/** Throw if a kept report has vanished: nothing may be drawn in its place. */
function nothingNew() {
  throw new Refusal("outbox_unreadable", "the report kept on this device has vanished");
}
