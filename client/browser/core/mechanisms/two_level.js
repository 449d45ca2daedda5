/**
 * What all randomizers share (math 0.1): one threshold and one privacy proof. With probability
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
  /** The names of the document's integers other than the threshold. */
  static shape = [];
  /** Those that a document has only if they are not 0. */
  static optionalShape = [];

  /** @param {Record<string, number>} integers the threshold and the shape, as in a document */
  constructor(integers) {
    this.name = new.target.mechanism;
    this.threshold = integers.threshold;
    for (const field of new.target.shape) this[field] = integers[field];
    for (const field of new.target.optionalShape) this[field] = integers[field] ?? 0;
    this.checkShape();
    Object.freeze(this);
  }

  /** Refuse an invalid shape; making the domain refuses most of them. */
  checkShape() {
    this.domain;
  }

  /** The number of independent draws in a report; epsilon is split evenly among them. */
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

  /** The number of draws that choose the part of an answer a report is about; 0: all of it. */
  get assignmentDraws() {
    return 0;
  }

  /**
   * Randomize the part of the answer that `drawAssignment` returned, if there is one.
   * @param {unknown} answer
   * @param {import("../primitives/words.js").Words} words
   * @param {number[] | undefined} assigned
   */
  randomizeAssigned(answer, words, assigned) {
    return this.randomize(answer, words);
  }

  /** Return the mechanism as it appears in a document. */
  asJson() {
    const { shape: fields, optionalShape } = this.constructor;
    const given = [...fields, ...optionalShape.filter((field) => this[field] !== 0)];
    const shape = given.map((field) => [field, this[field]]);
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
   * Return the bit with the chance p, otherwise the opposite bit.
   * @param {number} bit 0 or 1
   * @param {import("../primitives/words.js").Words} words
   */
  flip(bit, words) {
    return bern(words, this.threshold) ? bit : 1 - bit;
  }
}
