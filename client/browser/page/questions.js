/** The questions, all drawn at once. Answers live here, in memory, and are cleared on leaving. */

import { frequencies } from "../wording.js";
import { Choices } from "./choices.js";
import { element } from "./dom.js";
import { iconArray } from "./icons.js";

export class Questions {
  #survey;
  #wording;
  #answers = new Map();
  #choices = new Map();
  #progress;
  #missing;

  /**
   * @param {import("../survey.js").Survey} survey
   * @param {import("../wording.js").Wording} wording
   * @param {() => void} review called when every question has its answer
   */
  constructor(survey, wording, review) {
    this.#survey = survey;
    this.#wording = wording;
    this.#progress = element("p", { class: "progress", role: "status" });
    this.#missing = element("p", { class: "missing", role: "alert" });
    const button = element(
      "button",
      { type: "button", class: "button", click: () => this.#whenComplete(review) },
      wording.say("review.button"),
    );
    this.node = element(
      "fieldset",
      { class: "questions", disabled: true },
      element("legend", {}, wording.say("start")),
      ...survey.questions.map((question, i) => this.#draw(question, i + 1)),
      element("div", { class: "actions" }, this.#progress, this.#missing, button),
    );
    this.#count();
  }

  /** @returns {ReadonlyMap<string, number>} the true answers by question id */
  get answers() {
    return this.#answers;
  }

  enable() {
    this.node.disabled = false;
  }

  clear() {
    this.#answers.clear();
    for (const choices of this.#choices.values()) choices.clear();
    this.#count();
  }

  #draw(question, position) {
    const { say } = this.#wording;
    const heading = `heading-${position}`;
    const choices = new Choices(question.options, (option) => {
      this.#answers.set(question.id, option);
      this.#count();
    });
    this.#choices.set(question.id, choices);
    const count = this.#survey.questions.length;
    return element(
      "fieldset",
      { class: "card question", role: "radiogroup", "aria-labelledby": heading },
      element(
        "legend",
        { id: heading },
        element("span", { class: "position" }, say("question.progress", { position, count })),
        " ",
        element("span", { class: "prompt" }, question.prompt),
      ),
      this.#odds(question, position),
      choices.node,
    );
  }

  #odds(question, position) {
    const { many, few, whole } = frequencies(question.mechanism.support);
    const sentences = this.#wording.oddsSentences(question);
    const side = (count, i) => {
      const id = `odds-${position}-${i}`;
      const sentence = element("figcaption", { id }, sentences[i]);
      return element("figure", { class: "odds-side" }, iconArray(count, whole, id), sentence);
    };
    return element("div", { class: "odds" }, side(many, 0), side(few, 1));
  }

  #count() {
    const values = { answered: this.#answers.size, count: this.#survey.questions.length };
    this.#progress.textContent = this.#wording.say("question.answered", values);
    this.#missing.textContent = "";
  }

  #whenComplete(review) {
    const open = this.#survey.questions.filter(({ id }) => !this.#answers.has(id));
    if (open.length === 0) {
      review();
      return;
    }
    const [{ id, prompt }] = open;
    const position = this.#survey.questions.findIndex((question) => question.id === id) + 1;
    const key = open.length === 1 ? "question.missing.one" : "question.missing.several";
    this.#missing.textContent = this.#wording.say(key, { missing: open.length, position, prompt });
    this.#choices.get(id).focus();
  }
}
