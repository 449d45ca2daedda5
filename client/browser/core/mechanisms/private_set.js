/**
 * At most m of d options: report a set that is likelier to meet the answer than chance (math 3).
 * Answers are padded to exactly m items with dummies beyond the d options, so that the number of
 * ticked options does not show.
 */

import { Checks, checkShape } from "../primitives/domain.js";
import { bern, subset } from "../primitives/words.js";
import { RANGE, TwoLevel } from "./two_level.js";

export class PrivateSet extends TwoLevel {
  static mechanism = "privset";
  static shape = ["options", "at_most", "size"];

  checkShape() {
    // A far set must fit outside the padded answer.
    checkShape("size", this.size, 1, this.domain.options);
  }

  get domain() {
    return new Checks(this.options, this.at_most);
  }

  /** D, the number of options and dummies together. */
  get items() {
    return this.options + this.at_most;
  }

  get near() {
    return choose(this.items, this.size) - this.far;
  }

  get far() {
    return choose(this.options, this.size);
  }

  /** The fractions of math 3 over one denominator, with 1 - f = near / (near + far). */
  get support() {
    const [d, D, w] = [this.options, this.items, this.size].map(BigInt);
    const { keep, near, far } = this;
    const inside = w * (near + far) * d;
    return {
      p: keep * inside,
      q: keep * (inside - far * w * D) + (RANGE - keep) * w * D * near,
      whole: RANGE * D * near * d,
    };
  }

  get longest() {
    return Array.from({ length: this.size }, (_, i) => this.items - this.size + i);
  }

  /**
   * @param {number[]} answer at most `at_most` options, sorted
   * @param {import("../primitives/words.js").Words} words
   * @returns {number[]} items, sorted
   */
  randomize(answer, words) {
    const padded = new Set(answer);
    for (let dummy = this.options; padded.size < this.at_most; dummy++) padded.add(dummy);
    if (bern(words, this.threshold)) {
      for (;;) {
        const report = subset(words, this.items, this.size);
        if (report.some((item) => padded.has(item))) return report;
      }
    }
    const outside = Array.from({ length: this.items }, (_, i) => i).filter((i) => !padded.has(i));
    return subset(words, this.options, this.size).map((i) => outside[i]);
  }
}

/** Return the number of sets of `chosen` out of `size`. */
function choose(size, chosen) {
  let count = 1n;
  for (let i = 1; i <= chosen; i++) count = (count * BigInt(size - chosen + i)) / BigInt(i);
  return count;
}
