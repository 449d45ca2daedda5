/** Yes/no: randomized response, one bit (math 1). Answers and reports are 0 or 1. */

import { Choice } from "../primitives/domain.js";
import { OneBit } from "./two_level.js";

export class RandomizedResponse extends OneBit {
  static mechanism = "rr";

  get domain() {
    return new Choice(2);
  }

  get longest() {
    return 0;
  }

  /**
   * @param {number} answer 0 or 1
   * @param {import("../primitives/words.js").Words} words
   */
  randomize(answer, words) {
    return this.flip(answer, words);
  }
}
