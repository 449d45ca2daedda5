/**
 * The two-level mechanism: from epsilon to an integer threshold, and the exact check (math 0). It
 * gives the same verdict as `client/core/primitives/channel.py` for every document, with big
 * integers instead of decimals: e^epsilon is enclosed between two fixed-point numbers, so the floor
 * is certain.
 */

import { Refusal } from "./refusal.js";
import { decimalText, MILLION, millionths } from "./values.js";
import { WORD_RANGE } from "./words.js";

const MIN_EPSILON = MILLION / 100n;
export const MAX_EPSILON = 10n * MILLION;
// A whole survey above this total would hardly protect anybody.
export const MAX_TOTAL_EPSILON = 10n * MILLION;
const DECIMAL = /^(0|[1-9][0-9]{0,2})(\.[0-9]{1,6})?$/;

const RANGE = BigInt(WORD_RANGE);
const BITS = 256n;
// Each of the fewer than 2^8 terms loses less than one unit, and later terms multiply that loss by
// at most e^10 < 2^15 in all: 2^32 units are more than the whole error.
const ERROR = 1n << 32n;

/**
 * Parse an epsilon: a plain decimal from 0.01 to 10 with at most six decimals.
 * @param {unknown} text
 * @param {string} [field]
 * @returns {bigint} millionths
 */
export function parseEpsilon(text, field = "epsilon") {
  if (typeof text !== "string" || !DECIMAL.test(text)) {
    throw new Refusal(
      "epsilon_not_a_decimal",
      `${field} must be a plain decimal such as 0.5, with at most six decimals`,
    );
  }
  const epsilon = millionths(text);
  if (!(MIN_EPSILON <= epsilon && epsilon <= MAX_EPSILON)) {
    throw new Refusal("epsilon_out_of_range", `${field} must be between 0.01 and 10, got ${text}`);
  }
  return epsilon;
}

/**
 * Return a lower bound of e^(numerator / denominator) * 2^256 that is at most ERROR too small.
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
 * Return the largest threshold that keeps every ratio within e^epsilon (math 0.3).
 * @param {bigint} numerator of epsilon
 * @param {bigint} denominator of epsilon
 * @param {bigint} near
 * @param {bigint} far
 * @returns {number}
 */
function thresholdOf(numerator, denominator, near, far) {
  const least = expFloor(numerator, denominator);
  const share = (power) => {
    const odds = near * power;
    return (RANGE * odds) / (odds + (far << BITS));
  };
  const threshold = share(least);
  // The true value lies within 2^-200 of this one. It is not an integer, because e^epsilon is
  // transcendental.
  if (threshold !== share(least + ERROR)) throw new RangeError("256 bits do not decide this");
  return Number(threshold);
}

/**
 * Return the largest threshold that epsilon allows. A report that consists of several draws splits
 * epsilon evenly among them.
 * @param {bigint} epsilon in millionths
 * @param {bigint} near
 * @param {bigint} far
 * @param {number} [draws]
 */
export function threshold(epsilon, near, far, draws = 1) {
  return thresholdOf(epsilon, MILLION * BigInt(draws), near, far);
}

/**
 * Return the epsilon that a threshold delivers, ln(T c / ((2^32 - T) a)), for display only.
 * @param {number} chosen
 * @param {bigint} near
 * @param {bigint} far
 */
export function deliveredEpsilon(chosen, near, far) {
  return Math.log(chosen * Number(far)) - Math.log((WORD_RANGE - chosen) * Number(near));
}

/**
 * Refuse a threshold that leaks more than epsilon, says nothing, or wastes the budget.
 * @param {import("../mechanisms/two_level.js").TwoLevel} mechanism
 * @param {bigint} epsilon in millionths
 * @param {string} id of the question
 */
export function checkThreshold({ threshold: chosen, near, far, draws }, epsilon, id) {
  const refuse = (code, message, details) => {
    throw new Refusal(code, `${id}: the threshold ${message}`, details);
  };
  if (!(chosen > 0 && chosen < WORD_RANGE)) {
    refuse("threshold_out_of_range", `must be between 1 and 2^32 - 1, got ${chosen}`);
  }
  const shown = decimalText(epsilon);
  if (chosen > threshold(epsilon, near, far, draws)) {
    const delivered = (draws * deliveredEpsilon(chosen, near, far)).toPrecision(12);
    const message = `${chosen} leaks ${delivered}, more than the epsilon ${shown} that is shown`;
    refuse("threshold_leaks", message, { id, shown, delivered });
  }
  if (BigInt(chosen) * (near + far) <= RANGE * near) {
    refuse("threshold_says_nothing", `${chosen} carries no information about the answer`);
  }
  if (chosen <= thresholdOf(999n * epsilon, 1000n * MILLION * BigInt(draws), near, far)) {
    refuse("threshold_wasteful", `${chosen} delivers less than 99.9 % of the epsilon ${shown}`);
  }
}
