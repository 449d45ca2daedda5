/** The questions, all drawn at once. Answers live here, in memory, and are cleared on leaving. */

import { odds } from "../describing.js";
import { isShown } from "../skipping.js";
import { controlFor } from "./controls/control.js";
import { element } from "./dom.js";
import { iconArray } from "./icons.js";

export class Questions {
  #wording;
  #asked;
  #cards;
  #progress;

  /**
   * @param {readonly import("../question.js").Question[]} asked
   * @param {import("../wording.js").Wording} wording
   * @param {() => void} review called when every question has its answer
   */
  constructor(asked, wording, review) {
    this.#wording = wording;
    this.#asked = asked;
    this.#progress = element("p", { class: "progress", role: "status" });
    this.#cards = new Map(asked.map((question, i) => [question.id, this.#draw(question, i + 1)]));
    const button = element(
      "button",
      { type: "button", class: "button", click: () => this.#whenComplete(review) },
      wording.say("review.button"),
    );
    this.node = element(
      "fieldset",
      { class: "questions", disabled: true },
      element("legend", {}, wording.say("start")),
      ...[...this.#cards.values()].map(({ node }) => node),
      element("div", { class: "actions" }, this.#progress, button),
    );
    this.#update();
  }

  /** @returns {ReadonlyMap<string, unknown>} the true answers to all asked questions, by id */
  get answers() {
    return this.#read().answers;
  }

  enable() {
    this.node.disabled = false;
  }

  /** Where somebody who wants to change an answer goes on. */
  focusFirst() {
    this.#cards.get(this.#asked[0].id).control.focus();
  }

  clear() {
    for (const { control, problem } of this.#cards.values()) {
      control.clear();
      problem.replaceChildren();
    }
    this.#update();
  }

  /** What has been answered so far; a hidden question answers that it does not apply. */
  #read() {
    const answers = new Map();
    const shown = [];
    for (const question of this.#asked) {
      const visible = isShown(question, answers);
      const { control } = this.#cards.get(question.id);
      const answer = visible ? control.answer : question.kind.hiddenAnswer;
      if (visible) shown.push(question);
      if (answer !== undefined) answers.set(question.id, answer);
    }
    return { answers, shown };
  }

  #draw(question, position) {
    const { say } = this.#wording;
    const [id, heading] = [`question-${position}`, `heading-${position}`];
    const problem = element("div", { id: `${id}-problem` });
    const changed = (settled) => {
      this.#explain(question, settled);
      this.#update();
    };
    const control = controlFor(question, this.#wording, { id, heading, changed });
    const count = this.#asked.length;
    const node = element(
      "fieldset",
      { class: "card question", role: control.role, "aria-labelledby": heading },
      element(
        "legend",
        { id: heading },
        element("span", { class: "position" }, say("question.progress", { position, count })),
        " ",
        element("span", { class: "prompt" }, question.prompt),
      ),
      this.#odds(question, position),
      control.node,
      problem,
    );
    return { node, control, problem, position };
  }

  #odds(question, position) {
    const sides = odds(question, this.#wording).map(({ count, whole, sentence }, i) => {
      const id = `odds-${position}-${i}`;
      const caption = element("figcaption", { id }, sentence);
      return element("figure", { class: "odds-side" }, iconArray(count, whole, id), caption);
    });
    return element("div", { class: "odds" }, ...sides);
  }

  /** Say at the question why what is there is no answer; in the middle of typing, only unsay it. */
  #explain({ id }, settled) {
    const { control, problem } = this.#cards.get(id);
    const text = control.problem;
    if (text === "") problem.replaceChildren();
    else if (settled) problem.replaceChildren(complaint(text));
  }

  #update() {
    const { answers, shown } = this.#read();
    const visible = new Set(shown);
    for (const question of this.#asked) {
      this.#cards.get(question.id).node.hidden = !visible.has(question);
    }
    const answered = shown.filter(({ id }) => answers.has(id)).length;
    const values = { answered, count: shown.length };
    this.#progress.textContent = this.#wording.say("question.answered", values);
  }

  #whenComplete(review) {
    const { answers, shown } = this.#read();
    const open = shown.filter(({ id }) => !answers.has(id));
    if (open.length === 0) {
      review();
      return;
    }
    const [question] = open;
    const { control, problem, position } = this.#cards.get(question.id);
    if (control.problem) {
      this.#explain(question, true);
    } else {
      const key = open.length === 1 ? "question.missing.one" : "question.missing.several";
      const values = { missing: open.length, position, prompt: question.prompt };
      problem.replaceChildren(complaint(this.#wording.say(key, values)));
    }
    control.focus();
  }
}

/** @param {string} text what is wrong, read aloud as it appears */
function complaint(text) {
  return element("p", { class: "missing", role: "alert" }, text);
}
