/**
 * The two-level mechanism: epsilon to integer threshold, and the exact privacy check (math 0).
 * The same verdict as `client/channel.py` for every document, with big integers instead of
 * decimals: e^epsilon is enclosed between two fixed-point numbers, so the floor is certain.
 */

import { MILLION, decimalText } from "./decimal.js";
import { Refusal } from "./refusal.js";
import { WORD_RANGE } from "./words.js";

export const MAX_TOTAL_EPSILON = 10n * MILLION;

const RANGE = BigInt(WORD_RANGE);
const BITS = 256n;
// Each of the fewer than 2^8 terms loses less than one unit, and later terms multiply that loss by
// at most e^10 < 2^15 in all: 2^32 units are more than the whole error.
const ERROR = 1n << 32n;

/**
 * A number that e^(numerator / denominator) * 2^256 is not below, and not more than ERROR above.
 * @param {bigint} numerator of an exponent from 0 to 10
 * @param {bigint} denominator
 */
function expFloor(numerator, denominator) {
  let sum = 0n;
  let term = 1n << BITS;
  for (let n = 1n; term > 0n; n++) {
    sum += term;
    term = (term * numerator) / (denominator * n);
  }
  return sum;
}

/**
 * The largest integer out of 2^32 that keeps every ratio within e^epsilon (math 0.3).
 * @param {bigint} numerator of epsilon
 * @param {bigint} denominator of epsilon
 * @param {number} near
 * @param {number} far
 * @returns {number}
 */
function thresholdOf(numerator, denominator, near, far) {
  const least = expFloor(numerator, denominator);
  const share = (power) => {
    const odds = BigInt(near) * power;
    return (RANGE * odds) / (odds + (BigInt(far) << BITS));
  };
  const threshold = share(least);
  // The true value lies within 2^-200 of this one; e^epsilon is transcendental, so it is no integer.
  if (threshold !== share(least + ERROR)) throw new RangeError("256 bits do not decide this");
  return Number(threshold);
}

/**
 * @param {bigint} epsilon in millionths
 * @param {number} near
 * @param {number} far
 */
export function threshold(epsilon, near, far) {
  return thresholdOf(epsilon, MILLION, near, far);
}

/**
 * What the integer really delivers: ln(T c / ((2^32 - T) a)). For display only.
 * @param {number} chosen
 * @param {number} near
 * @param {number} far
 */
export function deliveredEpsilon(chosen, near, far) {
  return Math.log(chosen * far) - Math.log((WORD_RANGE - chosen) * near);
}

/**
 * Refuse a threshold that leaks more than epsilon, says nothing, or wastes the budget.
 * @param {number} chosen
 * @param {bigint} epsilon in millionths
 * @param {number} near
 * @param {number} far
 * @param {string} id of the question
 */
export function checkThreshold(chosen, epsilon, near, far, id) {
  if (!(chosen > 0 && chosen < WORD_RANGE)) {
    throw new Refusal(
      "threshold_out_of_range",
      `${id}: the threshold must be between 1 and 2^32 - 1, got ${chosen}`,
    );
  }
  const shown = decimalText(epsilon);
  if (chosen > threshold(epsilon, near, far)) {
    const delivered = deliveredEpsilon(chosen, near, far).toPrecision(12);
    throw new Refusal(
      "threshold_leaks",
      `${id}: the threshold ${chosen} leaks ${delivered}, more than the epsilon ${shown} it shows`,
      { id, shown, delivered },
    );
  }
  if (BigInt(chosen) * BigInt(near + far) <= RANGE * BigInt(near)) {
    throw new Refusal(
      "threshold_says_nothing",
      `${id}: the threshold ${chosen} carries no information about the answer`,
    );
  }
  if (chosen <= thresholdOf(999n * epsilon, 1000n * MILLION, near, far)) {
    throw new Refusal(
      "threshold_wasteful",
      `${id}: the threshold ${chosen} delivers less than 99.9 % of the epsilon ${shown}`,
    );
  }
}
