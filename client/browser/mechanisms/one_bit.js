/**
 * What the randomizers of one bit share: near and far sets of the same size (math 1). The device
 * keeps the bit with probability p = threshold / 2^32 and sends the other one otherwise.
 */

import { bern } from "../words.js";
import { RANGE, TwoLevel } from "./two_level.js";

export class OneBit extends TwoLevel {
  get near() {
    return 1n;
  }

  get far() {
    return 1n;
  }

  get support() {
    return { p: this.keep, q: RANGE - this.keep, whole: RANGE };
  }

  /**
   * Keep the bit, or send the other one.
   * @param {number} bit 0 or 1
   * @param {import("../words.js").Words} words
   */
  flip(bit, words) {
    return bern(words, this.threshold) ? bit : 1 - bit;
  }
}
