/**
 * What every randomizer has in common (math 0.1): one threshold, one proof. With probability
 * threshold / 2^32 the report comes from the near set of the truth, otherwise from the far set.
 *
 * @typedef {{p: bigint, q: bigint, whole: bigint}} Support p and q out of `whole`: how often a
 *   report supports an option that is, or is not, the truth
 */

import { deliveredEpsilon } from "../primitives/channel.js";
import { bern, WORD_RANGE } from "../primitives/words.js";

export const RANGE = BigInt(WORD_RANGE);

export class TwoLevel {
  /** The name in a document. */
  static mechanism = "";
  /** The integers beside the threshold that a document gives. */
  static shape = [];

  /** @param {Record<string, number>} integers the threshold and the shape, as in a document */
  constructor(integers) {
    this.name = new.target.mechanism;
    this.threshold = integers.threshold;
    for (const field of new.target.shape) this[field] = integers[field];
    this.checkShape();
    Object.freeze(this);
  }

  /** Refuse a shape that makes no sense; making the domain refuses most of them. */
  checkShape() {
    this.domain;
  }

  /** How many independent draws make a report; epsilon is split evenly among them. */
  get draws() {
    return 1;
  }

  /** P(the report comes from the near set of the truth), out of 2^32. */
  get keep() {
    return BigInt(this.threshold);
  }

  get deliveredEpsilon() {
    return this.draws * deliveredEpsilon(this.threshold, this.near, this.far);
  }

  /** @param {import("../primitives/domain.js").Domain} domain */
  accepts(domain) {
    return domain.equals(this.domain);
  }

  /** How many draws choose the part of an answer that a report is about; 0: it is the whole. */
  get assignmentDraws() {
    return 0;
  }

  /**
   * Randomize the part of the answer that `drawAssignment` gave, where there is one.
   * @param {unknown} answer
   * @param {import("../primitives/words.js").Words} words
   * @param {number[] | undefined} assigned
   */
  randomizeAssigned(answer, words, assigned) {
    return this.randomize(answer, words);
  }

  /** As it stands in a document. */
  asJson() {
    const shape = this.constructor.shape.map((field) => [field, this[field]]);
    return { name: this.name, threshold: this.threshold, ...Object.fromEntries(shape) };
  }
}

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
   * @param {import("../primitives/words.js").Words} words
   */
  flip(bit, words) {
    return bern(words, this.threshold) ? bit : 1 - bit;
  }
}
