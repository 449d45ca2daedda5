/** A number: report a number near the truth, from a window that slides with it (math 5.2). */

import { checkShape, Levels } from "../primitives/domain.js";
import { below, bern } from "../primitives/words.js";
import { RANGE, TwoLevel } from "./two_level.js";

export class SlidingWindow extends TwoLevel {
  static mechanism = "isw";
  static shape = ["top", "width"];

  checkShape() {
    checkShape("width", this.width, 0, this.domain.top);
  }

  get domain() {
    return new Levels(this.top);
  }

  get near() {
    return BigInt(this.width + 1);
  }

  get far() {
    return BigInt(this.top);
  }

  /** How often a report comes from the window or not; there are no options to compare. */
  get support() {
    return { p: this.keep, q: RANGE - this.keep, whole: RANGE };
  }

  /** The largest number that can be sent, which is also the longest. */
  get longest() {
    return this.top + this.width;
  }

  /**
   * @param {number} answer 0 .. top
   * @param {import("../primitives/words.js").Words} words
   * @returns {number} 0 .. top + width; the near set of x is x .. x + width
   */
  randomize(answer, words) {
    if (bern(words, this.threshold)) return answer + below(words, this.width + 1);
    const outside = below(words, this.top);
    return outside < answer ? outside : outside + this.width + 1;
  }
}
