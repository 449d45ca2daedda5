/** One question on the page: its prompt, both sides of its odds, its control, and remarks. */

import { odds, oddsOfAnswer } from "../wording/odds.js";
import { controlFor } from "./controls/control.js";
import { element, spoken } from "./dom.js";
import { iconArray } from "./icons.js";

export class Card {
  #wording;
  #section;
  #control;
  #position = element("span", { class: "position" });
  #legend;
  #odds;
  #chosen = element("p", { class: "chosen" });
  #problem;

  /**
   * @param {import("../core/question.js").Question} question
   * @param {readonly (readonly number[])[]} orders of its lists of options
   * @param {string} section its heading, or ""
   * @param {number} number unique on the page
   * @param {import("./stage.js").Voice} voice
   * @param {{changed: () => void, entered: (card: Card) => void}} events `entered`: by the focus
   */
  constructor(question, orders, section, number, { wording, localized }, { changed, entered }) {
    this.question = question;
    this.#wording = wording;
    this.#odds = odds(question, wording);
    const [id, heading] = [`question-${number}`, `heading-${number}`];
    const { hint } = question;
    // An empty heading would be a riddle for screen readers.
    this.#section = section ? [element("h2", { class: "section", ...spoken(localized) }, section)] : [];
    this.#problem = element("div", { id: `${id}-problem` });
    this.#control = controlFor(question, wording, {
      id,
      heading,
      orders,
      changed: (settled) => {
        this.explain(settled);
        changed();
      },
    });
    // The options are in the survey's language; texts of the page name their own.
    Object.assign(this.#control.node, spoken(localized));
    const prompt = element("span", { class: "prompt", ...spoken(localized) }, question.prompt);
    this.#legend = element("legend", { id: heading, tabindex: "-1" }, this.#position, " ", prompt);
    this.node = element(
      "fieldset",
      {
        class: "card question",
        role: this.#control.role,
        "aria-labelledby": heading,
        "aria-describedby": hint !== "" && `${id}-hint`,
        focusin: () => entered(this),
      },
      this.#legend,
      ...(hint ? [element("p", { id: `${id}-hint`, class: "below", ...spoken(localized) }, hint)] : []),
      bothSides(this.#odds, `odds-${number}`),
      this.#control.node,
      this.#chosen,
      this.#problem,
    );
  }

  /** Everything that the page shows of it, in order. */
  get nodes() {
    return [...this.#section, this.node];
  }

  /** @returns {unknown} undefined while there is none */
  get answer() {
    return this.#control.answer;
  }

  /** Why the input is not an answer, or "". */
  get problem() {
    return this.#control.problem;
  }

  /**
   * Set the card's position among the questions that are asked now; 0 hides it.
   * @param {number} position
   * @param {number} count
   * @param {boolean} isFirst of the questions that are asked now in its section
   */
  place(position, count, isFirst) {
    this.node.hidden = position === 0;
    for (const heading of this.#section) {
      heading.hidden = this.node.hidden;
      heading.classList.toggle("continued", !isFirst);
    }
    if (this.node.hidden) return;
    this.where = this.#wording.say("question.progress", { position, count });
    this.#position.textContent = this.where;
    this.#chosen.textContent = oddsOfAnswer(this.question, this.answer, this.#odds, this.#wording);
  }

  /**
   * Show why the input is not an answer; while somebody is typing, only remove the remark.
   * @param {boolean} settled
   */
  explain(settled) {
    if (this.problem === "") this.#problem.replaceChildren();
    else if (settled) this.complain(this.problem);
  }

  /** @param {string} text what is wrong, read aloud as it appears */
  complain(text) {
    this.#problem.replaceChildren(element("p", { class: "missing", role: "alert" }, text));
  }

  /** Focus the control. */
  focus() {
    this.#control.focus();
  }

  /**
   * Focus the heading, so that eyes and screen readers start there.
   * @param {HTMLElement} [top] of what is to be seen
   */
  focusHeading(top = this.nodes[0]) {
    this.#legend.focus({ preventScroll: true });
    top.scrollIntoView();
  }

  /**
   * Take over the answer and the remark of the same card in another language.
   * @param {Card} before
   */
  adopt(before) {
    this.#control.adopt(before.#control);
    this.explain(before.#problem.hasChildNodes());
  }

  /** @param {unknown} answer one that the question can have */
  give(answer) {
    this.#control.give(answer);
  }

  clear() {
    this.#control.clear();
    this.#problem.replaceChildren();
  }
}

function bothSides(both, prefix) {
  const sides = both.map(({ count, whole, sentence }, i) => {
    const id = `${prefix}-${i}`;
    const caption = element("figcaption", { id }, sentence);
    return element("figure", { class: "odds-side" }, iconArray(count, whole, id), caption);
  });
  return element("div", { class: "odds" }, ...sides);
}
