/**
 * Check-boxes: any of several options, or at most a given number. "None of these" and the options
 * for silence stand alone: ticking one clears all others. No tick at all is not an answer yet, so
 * that an overlooked question is not sent as "none".
 */

import { element, spoken } from "../dom.js";

export class Boxes {
  role = "group";
  #wording;
  #inputs;
  #own;
  #options;
  #atMost;

  /**
   * @param {import("../../core/kinds/choice.js").AnyOf} kind
   * @param {import("../../wording/catalogue.js").Wording} wording
   * @param {() => void} changed
   * @param {readonly number[]} order the numbers of the options as they are shown
   */
  constructor(kind, wording, changed, order) {
    this.#wording = wording;
    this.#own = kind.options.length;
    this.#atMost = kind.at_most || this.#own;
    const none = wording.say("question.none");
    // Numbered after all options, unless the author wrote it as an option.
    const texts = kind.options.includes(none) ? kind.labels : [...kind.labels, none];
    this.#options = kind.labels.length;
    this.#inputs = texts.map((_, i) =>
      element("input", {
        type: "checkbox",
        autocomplete: "off",
        change: () => {
          this.#clearOthers(i);
          changed();
        },
      }),
    );
    this.#arrange(texts, order);
  }

  /** @returns {number[] | undefined} the ticked options in order */
  get answer() {
    const ticked = this.#ticked;
    if (ticked.length === 0 || ticked.length > this.#atMost) return undefined;
    return ticked.filter((i) => i < this.#options);
  }

  /** Why the ticks are not an answer, or "". */
  get problem() {
    const [ticked, most] = [this.#ticked.length, this.#atMost];
    const extra = ticked - most;
    return extra > 0 ? this.#wording.say("boxes.too_many", { ticked, most, extra }) : "";
  }

  focus() {
    (this.#inputs.find((input) => input.checked) ?? this.node.querySelector("input")).focus();
  }

  give(answer) {
    this.#tick(answer.length ? answer : [this.#options]);
  }

  clear() {
    for (const input of this.#inputs) input.checked = false;
  }

  /** "None of these" is not an option, so its number may differ. */
  adopt(before) {
    this.#tick(before.#ticked.map((i) => (i < before.#options ? i : this.#options)));
  }

  #tick(numbers) {
    for (const i of numbers) if (i < this.#inputs.length) this.#inputs[i].checked = true;
  }

  #arrange(texts, order) {
    const speech = spoken(this.#wording);
    const labels = texts.map((text, i) => {
      const span = element("span", i < this.#options ? {} : speech, text);
      return element("label", { class: "choice" }, this.#inputs[i], span);
    });
    const alone = [...labels.slice(this.#options), ...labels.slice(this.#own, this.#options)];
    const limited = this.#atMost < this.#own;
    this.node = element(
      "div",
      {},
      ...(limited ? [element("p", { class: "hint", ...speech }, this.#wording.say("boxes.at_most", { count: this.#atMost }))] : []),
      element("div", { class: "choices" }, ...order.map((i) => labels[i])),
      ...(alone.length ? [element("div", { class: "choices alone" }, ...alone)] : []),
    );
  }

  get #ticked() {
    return [...this.#inputs.keys()].filter((i) => this.#inputs[i].checked);
  }

  #clearOthers(changed) {
    const alone = changed >= this.#own;
    this.#inputs.forEach((input, i) => {
      if (i !== changed && (alone || i >= this.#own)) input.checked = false;
    });
  }
}
