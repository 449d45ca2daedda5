/**
 * One of k options: subset selection (math 2.1). The report is a set of options; with size 1 this
 * is k-ary randomized response. The near sets are those that contain the truth.
 */

import { checkShape, Choice } from "../primitives/domain.js";
import { bern, subset } from "../primitives/words.js";
import { RANGE, TwoLevel } from "./two_level.js";

export class SubsetSelection extends TwoLevel {
  static mechanism = "ss";
  static shape = ["options", "size"];

  checkShape() {
    checkShape("size", this.size, 1, this.domain.options - 1);
  }

  get domain() {
    return new Choice(this.options);
  }

  get near() {
    return BigInt(this.size);
  }

  get far() {
    return BigInt(this.options - this.size);
  }

  /** From p + (k - 1) q = w: a report supports as many options as its set has. */
  get support() {
    const others = BigInt(this.options - 1);
    return {
      p: this.keep * others,
      q: BigInt(this.size) * RANGE - this.keep,
      whole: RANGE * others,
    };
  }

  get longest() {
    return Array.from({ length: this.size }, (_, i) => this.options - this.size + i);
  }

  /**
   * @param {number} answer 0 .. options - 1
   * @param {import("../primitives/words.js").Words} words
   * @returns {number[]} sorted
   */
  randomize(answer, words) {
    const keep = bern(words, this.threshold);
    const others = subset(words, this.options - 1, keep ? this.size - 1 : this.size);
    const report = others.map((other) => (other >= answer ? other + 1 : other));
    return keep ? [...report, answer].sort((a, b) => a - b) : report;
  }
}
