/** A number: report a number near the truth, from a window that slides with it (math 5.2, 5.5). */

import { checkShape, Levels } from "../primitives/domain.js";
import { below, bern } from "../primitives/words.js";
import { RANGE, TwoLevel } from "./two_level.js";

export class SlidingWindow extends TwoLevel {
  static mechanism = "isw";
  static shape = ["top", "width"];
  static optionalShape = ["silent"];

  checkShape() {
    checkShape("width", this.width, 0, this.domain.top);
  }

  get domain() {
    return new Levels(this.top, this.silent);
  }

  get near() {
    return BigInt(this.width + 1);
  }

  get far() {
    return BigInt(this.top + this.silent * (this.width + 1));
  }

  /** How often a report comes from the window or not; there are no options to compare. */
  get support() {
    return { p: this.keep, q: RANGE - this.keep, whole: RANGE };
  }

  /** The largest number that can be sent, which is also the longest. */
  get longest() {
    return Number(this.near + this.far) - 1;
  }

  /**
   * Return the first report of an answer's window; each silent option has one of its own.
   * @param {number} answer
   */
  start(answer) {
    return Math.min(answer, this.top) + Math.max(answer - this.top, 0) * (this.width + 1);
  }

  /**
   * @param {number} answer 0 .. top, then the options for silence
   * @param {import("../primitives/words.js").Words} words
   * @returns {number} the near set of a level x is x .. x + width
   */
  randomize(answer, words) {
    const start = this.start(answer);
    if (bern(words, this.threshold)) return start + below(words, this.width + 1);
    const outside = below(words, Number(this.far));
    return outside < start ? outside : outside + this.width + 1;
  }
}
