/**
 * The set of possible true answers: one option, a set of options, or a level on a scale. Kinds and
 * mechanisms meet here: a kind of question has a domain, and a mechanism accepts domains.
 *
 * @typedef {Choice | Checks | Levels} Domain
 */

import { require } from "./refusal.js";

export const MAX_OPTIONS = 20_000;
export const MAX_BOXES = 200;
export const MAX_TOP = 10_000;
const MAX_SILENT = 2;

/** One of `options`: an answer is an integer from 0 to options - 1. */
export class Choice {
  /** @param {number} options */
  constructor(options) {
    checkShape("options", options, 2, MAX_OPTIONS);
    this.options = options;
    Object.freeze(this);
  }

  check(answer, field) {
    checkInteger(answer, 0, this.options - 1, field);
  }

  equals(other) {
    return other instanceof Choice && other.options === this.options;
  }
}

/** At most `atMost` of `options`: an answer is a sorted list of the ticked options. */
export class Checks {
  /**
   * @param {number} options
   * @param {number} atMost
   */
  constructor(options, atMost) {
    checkShape("options", options, 1, MAX_BOXES);
    checkShape("at_most", atMost, 1, options);
    this.options = options;
    this.atMost = atMost;
    Object.freeze(this);
  }

  check(answer, field) {
    require(Array.isArray(answer), "wrong_set_size", `${field} must be a list of options`);
    for (const option of answer) checkInteger(option, 0, this.options - 1, field);
    require(
      answer.every((option, i) => i === 0 || answer[i - 1] < option),
      "unsorted_set",
      `${field} must be in increasing order without repeats`,
    );
    require(
      answer.length <= this.atMost,
      "too_many_options",
      `${field}: at most ${this.atMost} options can be ticked, got ${answer.length}`,
    );
  }

  equals(other) {
    return (
      other instanceof Checks && other.options === this.options && other.atMost === this.atMost
    );
  }
}

/**
 * An ordered level from 0 to `top`; differences between levels have a meaning. The numbers after
 * the top are the `silent` options, "prefer not to say" and "does not apply".
 */
export class Levels {
  /**
   * @param {number} top
   * @param {number} [silent]
   */
  constructor(top, silent = 0) {
    checkShape("top", top, 1, MAX_TOP);
    checkShape("silent", silent, 0, MAX_SILENT);
    this.top = top;
    this.silent = silent;
    Object.freeze(this);
  }

  /** The number of possible answers. */
  get count() {
    return this.top + 1 + this.silent;
  }

  check(answer, field) {
    checkInteger(answer, 0, this.count - 1, field);
  }

  equals(other) {
    return other instanceof Levels && other.top === this.top && other.silent === this.silent;
  }
}

/**
 * Refuse a parameter of a domain or mechanism that is not an integer from low to high.
 * @param {string} name
 * @param {unknown} value
 * @param {number} low
 * @param {number} high
 */
export function checkShape(name, value, low, high) {
  require(
    Number.isInteger(value) && low <= value && value <= high,
    "bad_shape",
    `${name} must be an integer from ${low} to ${high}`,
  );
}

function checkInteger(value, low, high, field) {
  require(
    Number.isInteger(value) && low <= value && value <= high,
    "option_out_of_range",
    `${field} must be an integer from ${low} to ${high}`,
  );
}
