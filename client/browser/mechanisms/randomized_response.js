/**
 * Yes/no: randomized response, one bit (math 1). The device keeps the answer with probability
 * p = threshold / 2^32 and sends the other one otherwise.
 */

import { WORD_RANGE, bern } from "../words.js";

export class RandomizedResponse {
  static mechanism = "rr";
  near = 1;
  far = 1;

  /** @param {number} threshold */
  constructor(threshold) {
    this.name = RandomizedResponse.mechanism;
    this.threshold = threshold;
    Object.freeze(this);
  }

  /** p and q out of 2^32: how often a report supports an option that is, or is not, the truth. */
  get support() {
    return { p: this.threshold, q: WORD_RANGE - this.threshold };
  }

  /**
   * @param {number} answer 0 or 1
   * @param {import("../words.js").Words} words
   */
  randomize(answer, words) {
    if (answer !== 0 && answer !== 1) throw new RangeError("answer must be 0 or 1");
    return bern(words, this.threshold) ? answer : 1 - answer;
  }

  /**
   * What a report says, in the question's own words.
   * @param {number} randomized
   * @param {readonly string[]} options
   */
  describe(randomized, options) {
    return options[randomized];
  }
}
