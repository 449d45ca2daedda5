/**
 * A group of native radio buttons without a `name`, so that no form could ever carry the answer.
 * Browsers group radio buttons by name; exclusivity, the arrow keys, the one tab stop and the
 * "1 of 2" of screen readers are therefore given here.
 */

import { element } from "./dom.js";

const STEPS = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };

export class Choices {
  #inputs;

  /**
   * @param {readonly string[]} options numbered from 0
   * @param {(option: number) => void} chosen
   */
  constructor(options, chosen) {
    this.#inputs = options.map((_, option) =>
      element("input", {
        type: "radio",
        autocomplete: "off",
        "aria-posinset": String(option + 1),
        "aria-setsize": String(options.length),
        change: () => {
          this.#settle(option);
          chosen(option);
        },
        keydown: (event) => this.#step(event, option),
      }),
    );
    this.node = element(
      "div",
      { class: "choices" },
      ...options.map((text, option) =>
        element("label", { class: "choice" }, this.#inputs[option], element("span", {}, text)),
      ),
    );
    this.clear();
  }

  focus() {
    this.#inputs.find((input) => input.tabIndex === 0).focus();
  }

  clear() {
    this.#settle(-1);
  }

  /** Check one option and only that; it, or the first one, is the group's only tab stop. */
  #settle(option) {
    this.#inputs.forEach((input, i) => {
      input.checked = i === option;
      input.tabIndex = i === Math.max(option, 0) ? 0 : -1;
    });
  }

  #step(event, option) {
    const step = STEPS[event.key];
    if (!step || event.ctrlKey || event.altKey || event.metaKey) return;
    event.preventDefault();
    const mirrored = event.key !== "ArrowDown" && event.key !== "ArrowUp" && isRightToLeft(this.node);
    const count = this.#inputs.length;
    const next = this.#inputs[(option + (mirrored ? -step : step) + count) % count];
    next.focus();
    next.click();
  }
}

function isRightToLeft(node) {
  return getComputedStyle(node).direction === "rtl";
}
