/**
 * "Keep my unsent answers on this device": off until it is ticked. Kept answers come back with a
 * note and a button to forget them. If the browser cannot really remove a file, the box is not
 * offered.
 */

import { Unsent } from "../device/unsent.js";
import { element } from "./dom.js";

export class Keeping {
  #unsent;
  #outbox;
  #groups;
  #isOn = false;
  #isRestored = false;
  #hasFailed = false;
  #latest = {};
  /** Updates the box to show the current state. */
  #updateBox = () => {};

  /**
   * @param {Unsent | null} unsent
   * @param {import("../device/outbox.js").Outbox} outbox
   * @param {import("./groups/choice.js").GroupChoice} groups what is kept beside the answers
   */
  constructor(unsent, outbox, groups) {
    this.#unsent = unsent;
    this.#outbox = outbox;
    this.#groups = groups;
  }

  /**
   * @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened
   * @param {import("../device/outbox.js").Outbox} outbox
   * @param {import("./groups/choice.js").GroupChoice} groups
   */
  static async open(opened, outbox, groups) {
    return new Keeping(await Unsent.open(opened), outbox, groups);
  }

  /** Whether leaving the page loses nothing. */
  get isOn() {
    return this.#isOn;
  }

  /** @param {import("./questions.js").Questions} questions with no answers yet */
  async restore(questions) {
    try {
      const unsent = (await this.#unsent?.find()) ?? null;
      if (unsent === null) return;
      // No factor has the id of a question.
      this.#groups.give(unsent.answers);
      questions.restore(unsent);
      this.#isOn = true;
      this.#isRestored = questions.begun;
    } catch {
      // Unreadable answers are discarded.
      questions.clear();
      this.#groups.clear();
      await this.forget();
    }
  }

  /**
   * Continue to keep answers for a changed survey, if they were kept before.
   * @param {Keeping} before
   * @param {import("./questions.js").Questions} questions
   */
  async follow(before, questions) {
    const wasOn = before.isOn;
    await before.forget();
    this.#isOn = wasOn;
    await this.save(questions);
  }

  /** @param {import("./questions.js").Questions} questions */
  async save(questions) {
    if (!this.#isOn) return;
    const { answers, at } = questions.unsent;
    this.#latest = { answers: { ...this.#groups.given, ...answers }, at };
    try {
      const sentByAnotherTab = (await this.#outbox.find()) !== null;
      // The answers may have been sent, or the box unticked, in the meantime.
      if (!this.#isOn) return;
      await (sentByAnotherTab ? this.forget() : this.#unsent.keep(this.#latest));
    } catch {
      this.#hasFailed = true;
      await this.forget();
    }
  }

  async forget() {
    this.#isOn = this.#isRestored = false;
    this.#latest = {};
    this.#updateBox();
    await this.#unsent?.forget();
  }

  /**
   * Return the note above the questions that answers have come back.
   * @param {import("../wording/catalogue.js").Wording} wording
   * @param {() => void} startAnew after everything kept is gone
   * @returns {HTMLElement[]}
   */
  note({ say }, startAnew) {
    if (!this.#isRestored) return [];
    const forget = async () => {
      await this.forget();
      startAnew();
    };
    return [
      element(
        "section",
        { class: "card restored", role: "status" },
        element("p", {}, say("keep.restored")),
        element("button", { type: "button", class: "button quiet", click: forget }, say("keep.forget")),
      ),
    ];
  }

  /**
   * Return the box to tick, below the questions.
   * @param {import("../wording/catalogue.js").Wording} wording
   * @param {() => import("./questions.js").Questions} questions
   * @returns {HTMLElement[]}
   */
  box({ say }, questions) {
    if (this.#unsent === null) return [];
    const note = element("p", { id: "keep-note" });
    const input = element("input", {
      type: "checkbox",
      autocomplete: "off",
      "aria-describedby": "keep-note",
      change: async () => {
        this.#isOn = input.checked;
        this.#hasFailed = false;
        this.#updateBox();
        await (this.#isOn ? this.save(questions()) : this.forget());
      },
    });
    this.#updateBox = () => {
      input.checked = this.#isOn;
      const failed = () => element("strong", { role: "alert" }, say("keep.failed"));
      note.replaceChildren(this.#hasFailed ? failed() : say("keep.note"));
    };
    this.#updateBox();
    const label = element("label", { class: "choice" }, input, element("span", {}, say("keep.label")));
    return [element("div", { class: "keep" }, label, note)];
  }
}
