/**
 * Check-boxes: any of several options, or at most so many. "None of these" and the options for
 * silence stand alone: ticking one clears all others. Ticking nothing is no answer yet, so that a
 * question that was overlooked is not sent as "none".
 */

import { element } from "../dom.js";

export class Boxes {
  role = "group";
  #wording;
  #inputs;
  #own;
  #options;
  #atMost;

  /**
   * @param {import("../../kinds/any_of.js").AnyOf} kind
   * @param {import("../../wording.js").Wording} wording
   * @param {() => void} changed
   */
  constructor(kind, wording, changed) {
    this.#wording = wording;
    this.#own = kind.options.length;
    this.#atMost = kind.at_most || this.#own;
    const none = wording.say("question.none");
    // Numbered after all options; an author may have written it as an option already.
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
    this.#arrange(texts);
  }

  /** @returns {number[] | undefined} the ticked options in order */
  get answer() {
    const ticked = this.#ticked;
    if (ticked.length === 0 || ticked.length > this.#atMost) return undefined;
    return ticked.filter((i) => i < this.#options);
  }

  /** Why what is ticked is no answer, if anything is. */
  get problem() {
    const ticked = this.#ticked.length;
    return ticked > this.#atMost ? this.#hint("boxes.too_many", ticked) : "";
  }

  focus() {
    (this.#inputs.find((input) => input.checked) ?? this.#inputs[0]).focus();
  }

  clear() {
    for (const input of this.#inputs) input.checked = false;
  }

  #arrange(texts) {
    const labels = texts.map((text, i) =>
      element("label", { class: "choice" }, this.#inputs[i], element("span", {}, text)),
    );
    const alone = [...labels.slice(this.#options), ...labels.slice(this.#own, this.#options)];
    const limited = this.#atMost < this.#own;
    this.node = element(
      "div",
      {},
      ...(limited ? [element("p", { class: "hint" }, this.#hint("boxes.at_most"))] : []),
      element("div", { class: "choices" }, ...labels.slice(0, this.#own)),
      ...(alone.length ? [element("div", { class: "choices alone" }, ...alone)] : []),
    );
  }

  get #ticked() {
    return [...this.#inputs.keys()].filter((i) => this.#inputs[i].checked);
  }

  #hint(key, ticked = 0) {
    return this.#wording.say(key, { most: this.#atMost, ticked, extra: ticked - this.#atMost });
  }

  #clearOthers(changed) {
    const alone = changed >= this.#own;
    this.#inputs.forEach((input, i) => {
      if (i !== changed && (alone || i >= this.#own)) input.checked = false;
    });
  }
}
