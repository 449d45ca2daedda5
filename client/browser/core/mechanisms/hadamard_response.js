/**
 * One option of a long list: Hadamard response (math 2.2), log2 K bits however long the list is.
 *
 * The near set of an option is the half of all columns in which its row of the K x K Hadamard
 * matrix is +1: those that share an even number of one-bits with the row's number. Row 0 is +1
 * everywhere and says nothing, so option x has row x + 1. Rows and columns are below 2^15, so the
 * bitwise operators, which work on 32 signed bits, are exact.
 */

import { Choice } from "../primitives/domain.js";
import { below, bern } from "../primitives/words.js";
import { RANGE, TwoLevel } from "./two_level.js";

export class HadamardResponse extends TwoLevel {
  static mechanism = "hr";
  static shape = ["options"];

  get domain() {
    return new Choice(this.options);
  }

  /** K, the smallest power of two above the number of options. */
  get columns() {
    return 2 ** (32 - Math.clz32(this.options));
  }

  get near() {
    return 1n;
  }

  get far() {
    return 1n;
  }

  /** Two different rows agree in exactly half of the columns. */
  get support() {
    return { p: this.keep, q: RANGE / 2n, whole: RANGE };
  }

  get longest() {
    return this.columns - 1;
  }

  /**
   * @param {number} answer 0 .. options - 1
   * @param {import("../primitives/words.js").Words} words
   * @returns {number} a column, 0 .. columns - 1
   */
  randomize(answer, words) {
    const row = answer + 1;
    const keep = bern(words, this.threshold);
    const column = below(words, this.columns);
    // Flipping the lowest bit set in the row moves the column to the other half.
    return isOdd(column & row) === keep ? column ^ (row & -row) : column;
  }

  /**
   * Return whether a column is in the near set of an option.
   * @param {number} column
   * @param {number} option
   */
  holds(column, option) {
    return !isOdd(column & (option + 1));
  }
}

/** Return whether the number of one-bits is odd. */
function isOdd(bits) {
  let odd = false;
  for (let rest = bits; rest !== 0; rest &= rest - 1) odd = !odd;
  return odd;
}
