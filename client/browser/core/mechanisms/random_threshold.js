/**
 * A mean: the device asks itself "is it at least t?" for a random t (math 4, 5.3). t does not
 * depend on the answer, so sending it costs no privacy.
 */

import { Levels } from "../primitives/domain.js";
import { below } from "../primitives/words.js";
import { OneBit } from "./two_level.js";

export class RandomThreshold extends OneBit {
  static mechanism = "rt";
  static shape = ["top"];

  get domain() {
    return new Levels(this.top);
  }

  get longest() {
    return [this.top, 0];
  }

  /**
   * @param {number} answer 0 .. top
   * @param {import("../primitives/words.js").Words} words
   * @returns {number[]} t, from 1 to top, and a bit
   */
  randomize(answer, words) {
    const t = 1 + below(words, this.top);
    return [t, this.flip(answer >= t ? 1 : 0, words)];
  }
}
