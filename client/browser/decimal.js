/**
 * Epsilon as people write it: a plain decimal with at most six decimals, kept as an exact count
 * of millionths. A float never decides about privacy.
 */

import { Refusal } from "./refusal.js";

export const MILLION = 1_000_000n;
const MIN_EPSILON = MILLION / 100n;
const MAX_EPSILON = 10n * MILLION;
const DECIMAL = /^(0|[1-9][0-9]{0,2})(\.[0-9]{1,6})?$/;

/**
 * @param {unknown} text
 * @param {string} field
 * @returns {bigint} millionths
 */
export function parseEpsilon(text, field) {
  if (typeof text !== "string" || !DECIMAL.test(text)) {
    throw new Refusal(
      "epsilon_not_a_decimal",
      `${field} must be a plain decimal such as 0.5, with at most six decimals`,
    );
  }
  const [whole, decimals = ""] = text.split(".");
  const millionths = BigInt(whole) * MILLION + BigInt(decimals.padEnd(6, "0"));
  if (!(MIN_EPSILON <= millionths && millionths <= MAX_EPSILON)) {
    throw new Refusal("epsilon_out_of_range", `${field} must be between 0.01 and 10, got ${text}`);
  }
  return millionths;
}

/**
 * The one spelling of a decimal: no trailing zeros.
 * @param {bigint} millionths
 */
export function decimalText(millionths) {
  const decimals = (millionths % MILLION).toString().padStart(6, "0").replace(/0+$/, "");
  return `${millionths / MILLION}${decimals && "."}${decimals}`;
}
