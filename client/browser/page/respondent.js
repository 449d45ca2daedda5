/**
 * One respondent's way through an opened survey: questions, review, sending, receipt. Answers and
 * words exist in this object only, and are gone as soon as the report is kept or the page is left.
 */

import { drawAsking } from "../asking.js";
import { Refusal } from "../refusal.js";
import { wire } from "../report.js";
import { respond } from "../respond.js";
import { RememberedWords, SecureWords, secureHex } from "../words.js";
import { show } from "./dom.js";
import { label } from "./label.js";
import { Questions } from "./questions.js";
import { receipt } from "./receipt.js";
import { review } from "./review.js";
import { smallPrint } from "./small_print.js";
import { notDelivered, refusedToStart } from "./trouble.js";

const ID_WORDS = 4;

export class Respondent {
  #main;
  #wording;
  #opened;
  #transport;
  #outbox;
  #questions;
  #asking;
  #words = new RememberedWords(new SecureWords());
  #ticket = "";

  /**
   * @param {HTMLElement} main
   * @param {object} tools
   * @param {import("../wording.js").Wording} tools.wording
   * @param {{survey: import("../survey.js").Survey, fingerprint: string}} tools.opened
   * @param {import("../transport.js").Transport} tools.transport
   * @param {import("../outbox.js").Outbox} tools.outbox
   */
  constructor(main, { wording, opened, transport, outbox }) {
    this.#main = main;
    this.#wording = wording;
    this.#opened = opened;
    this.#transport = transport;
    this.#outbox = outbox;
  }

  /** A kept report goes first; without one, the questions are asked. */
  async begin() {
    if (await this.#outbox.find()) {
      await this.#deliver(nothingNew);
      return;
    }
    const { survey } = this.#opened;
    this.#ticket = await this.#transport.askForTicket();
    this.#asking = await drawAsking(survey, this.#ticket, new SecureWords());
    const asked = survey.questions.filter(({ id }) => this.#asking.questions.includes(id));
    this.#questions = new Questions(asked, this.#wording, () => this.#tryReview());
    this.#ask();
  }

  /** Clear every true answer, and the words that could bring one back. */
  forget() {
    this.#questions?.clear();
    this.#words.forget();
  }

  #ask() {
    const { survey } = this.#opened;
    const foot = smallPrint(this.#opened, this.#wording, this.#transport.page);
    show(this.#main, label(survey, this.#wording), this.#questions.node, foot);
    this.#questions.enable();
  }

  #askAgain() {
    this.#ask();
    this.#questions.focusFirst();
  }

  /** A generator that fails here must not leave a half-drawn report behind. */
  #tryReview() {
    try {
      this.#review();
    } catch (error) {
      this.forget();
      show(this.#main, refusedToStart(this.#wording, error));
    }
  }

  #review() {
    const { survey, fingerprint } = this.#opened;
    const { answers } = this.#questions;
    const randomized = respond(survey, this.#asking, answers, (id) => this.#words.of(id));
    const body = wire(survey, fingerprint, randomized);
    const parcel = () => ({ id: secureHex(ID_WORDS), ticket: this.#ticket, body });
    const roads = { back: () => this.#askAgain(), send: () => this.#deliver(parcel) };
    show(this.#main, review(survey, this.#wording, { answers, randomized, body }, roads));
  }

  async #deliver(makeParcel) {
    const make = () => {
      const parcel = makeParcel();
      this.forget();
      return parcel;
    };
    try {
      const { receipt: kept, own } = await this.#outbox.deliver(make, this.#transport.handIn);
      this.forget();
      const circumstances = { results: `${this.#transport.page}/results`, own };
      show(this.#main, receipt(this.#opened, this.#wording, kept, circumstances));
    } catch (error) {
      show(this.#main, notDelivered(this.#wording, error, () => this.#retry(error)));
    }
  }

  /** The same report once more; only a ticket that the server has disowned is replaced. */
  async #retry(error) {
    try {
      if (error.code === "ticket_forged") {
        await this.#outbox.renewTicket(await this.#transport.askForTicket());
      }
    } catch (again) {
      show(this.#main, notDelivered(this.#wording, again, () => this.#retry(error)));
      return;
    }
    await this.#deliver(nothingNew);
  }
}

/** Where only a kept report may be sent: if it has vanished, nothing is drawn in its place. */
function nothingNew() {
  throw new Refusal("outbox_unreadable", "the report kept on this device has vanished");
}
