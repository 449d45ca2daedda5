/** A number on a grid: a box to type in, with its range and step in words. */

import { decimalText, MILLION, millionths } from "../../core/primitives/values.js";
import { element, spoken } from "../dom.js";

// What a number field can hold, except exponents; decimals beyond the sixth must be zeros.
const TYPED = /^(-?)0*([0-9]{1,9})?(?:\.([0-9]{0,6})0*)?$/;

export class NumberBox {
  #wording;
  #grid;
  #input;

  /**
   * @param {{lo: bigint, hi: bigint, step: bigint}} grid in millionths
   * @param {string} unit
   * @param {import("../../wording/catalogue.js").Wording} wording
   * @param {import("./control.js").Place} place
   */
  constructor(grid, unit, wording, { id, heading, changed }) {
    this.#wording = wording;
    this.#grid = grid;
    const [min, max, step] = [grid.lo, grid.hi, grid.step].map(decimalText);
    this.#input = element("input", {
      type: "number",
      class: "field number",
      min,
      max,
      step,
      inputmode: grid.lo < 0n ? false : step.includes(".") ? "decimal" : "numeric",
      autocomplete: "off",
      "aria-labelledby": heading,
      "aria-describedby": `${id}-hint ${id}-problem`,
      input: () => changed(false),
      change: () => changed(true),
    });
    this.node = element(
      "div",
      { class: "box" },
      element("p", { class: "hint", id: `${id}-hint`, ...spoken(wording) }, this.#say("number.range")),
      element("span", { class: "with-unit" }, this.#input, element("span", {}, unit)),
    );
  }

  /** @returns {number | undefined} the level: steps above the lowest number */
  get answer() {
    const value = this.#value;
    return value !== undefined && this.#inRange(value) && this.#onGrid(value)
      ? Number((value - this.#grid.lo) / this.#grid.step)
      : undefined;
  }

  get problem() {
    const value = this.#value;
    if (this.#input.value === "" && !this.#input.validity.badInput) return "";
    if (value === undefined) return this.#say("number.unreadable");
    if (!this.#inRange(value)) return this.#say("number.outside");
    if (this.#onGrid(value)) return "";
    const { lo, step } = this.#grid;
    const below = value - ((value - lo) % step);
    return this.#say("number.between", { below, above: below + step });
  }

  focus() {
    this.#input.focus();
  }

  give(answer) {
    this.#input.value = decimalText(this.#grid.lo + BigInt(answer) * this.#grid.step);
  }

  clear() {
    this.#input.value = "";
  }

  /** @param {NumberBox} before */
  adopt(before) {
    this.#input.value = before.#input.value;
  }

  get #value() {
    const [, sign, whole = "0", decimals = ""] = TYPED.exec(this.#input.value) ?? [];
    if (sign === undefined || this.#input.value === "") return undefined;
    return millionths(`${sign}${whole}.${decimals}`);
  }

  #inRange(value) {
    return this.#grid.lo <= value && value <= this.#grid.hi;
  }

  #onGrid(value) {
    return (value - this.#grid.lo) % this.#grid.step === 0n;
  }

  /** Return a complaint; with whole numbers it need not mention steps. */
  #say(key, near = {}) {
    const { lo, hi, step } = this.#grid;
    const figures = Object.entries({ lo, hi, step, ...near });
    const texts = figures.map(([name, figure]) => [name, this.#wording.decimal(figure)]);
    const whole = step === MILLION && lo % MILLION === 0n;
    return this.#wording.say(`${key}${whole ? ".whole" : ""}`, Object.fromEntries(texts));
  }
}
