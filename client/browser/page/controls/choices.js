/**
 * A group of native radio buttons without a `name`, so that no form can ever carry the answer.
 * Browsers group radio buttons by name, so this class provides what comes with a group: exclusive
 * choice, arrow keys, one tab stop, and "1 of 2" for screen readers.
 */

import { element } from "../dom.js";

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export class Choices {
  role = "radiogroup";
  problem = "";
  #inputs;
  /** The numbers of the options as they are shown. */
  #shown;

  /**
   * @param {readonly string[]} options numbered from 0
   * @param {() => void} changed
   * @param {object} [layout]
   * @param {number} [layout.inRow] how many of the first options stand in a row, as on a scale
   * @param {readonly number[]} [layout.order] the numbers of the first options as they are shown
   */
  constructor(options, changed, { inRow = 0, order = [] } = {}) {
    this.#shown = [...order, ...[...options.keys()].slice(order.length)];
    this.#inputs = options.map((_, option) =>
      element("input", {
        type: "radio",
        autocomplete: "off",
        "aria-posinset": String(this.#shown.indexOf(option) + 1),
        "aria-setsize": String(options.length),
        change: () => {
          this.#settle(option);
          changed();
        },
        keydown: (event) => this.#step(event, option),
      }),
    );
    const labels = this.#shown.map((option) =>
      element("label", { class: "choice" }, this.#inputs[option], element("span", {}, options[option])),
    );
    this.node = element(
      "div",
      { class: "choice-group" },
      ...group("levels", labels.slice(0, inRow)),
      ...group("choices", labels.slice(inRow)),
    );
    this.clear();
  }

  /** @returns {number | undefined} the chosen option */
  get answer() {
    const chosen = this.#inputs.findIndex((input) => input.checked);
    return chosen === -1 ? undefined : chosen;
  }

  focus() {
    this.#inputs.find((input) => input.tabIndex === 0).focus();
  }

  give(answer) {
    this.#settle(answer);
  }

  clear() {
    this.#settle(-1);
  }

  /** @param {Choices} before */
  adopt(before) {
    this.#settle(before.answer ?? -1);
  }

  /**
   * Make this a group inside a question, with its own name for screen readers.
   * @param {string} heading the id of what names it
   */
  named(heading) {
    this.node.setAttribute("role", this.role);
    this.node.setAttribute("aria-labelledby", heading);
    return this.node;
  }

  /** Check only this option; it, or else the first one, is the group's only tab stop. */
  #settle(option) {
    const stop = option === -1 ? this.#shown[0] : option;
    this.#inputs.forEach((input, i) => {
      input.checked = i === option;
      input.tabIndex = i === stop ? 0 : -1;
    });
  }

  #step(event, option) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const mirrored = event.key !== "ArrowDown" && event.key !== "ArrowUp" && isRightToLeft(this.node);
    const count = this.#inputs.length;
    const place = this.#shown.indexOf(option) + (mirrored ? -step : step);
    const next = this.#inputs[this.#shown[(place + count) % count]];
    next.focus();
    next.click();
  }
}

function group(name, labels) {
  return labels.length ? [element("div", { class: name }, ...labels)] : [];
}

function isRightToLeft(node) {
  return getComputedStyle(node).direction === "rtl";
}
