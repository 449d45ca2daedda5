/**
 * Decimals as people write them: exact, with one spelling each, never a float. A decimal with at
 * most six decimals is kept as a count of millionths, the twin of `client/core/primitives/values.py`.
 */

import { Refusal } from "./refusal.js";

export const MILLION = 1_000_000n;
const PLAIN = /^-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$/;

/**
 * A plain decimal such as -2.5: no exponent, at most six decimals.
 * @param {unknown} text
 * @param {string} field
 * @returns {bigint} millionths
 */
export function parseDecimal(text, field) {
  if (typeof text !== "string" || !PLAIN.test(text)) {
    throw new Refusal(
      "not_a_decimal",
      `${field} must be a plain decimal such as 0.5, with at most six decimals`,
    );
  }
  return millionths(text);
}

/**
 * @param {string} text digits with an optional sign and up to six decimals
 * @returns {bigint}
 */
export function millionths(text) {
  const [whole, decimals = ""] = text.replace("-", "").split(".");
  const size = BigInt(whole) * MILLION + BigInt(decimals.padEnd(6, "0"));
  return text.startsWith("-") ? -size : size;
}

/**
 * The one spelling of a decimal: no trailing zeros.
 * @param {bigint} value in millionths
 */
export function decimalText(value) {
  const size = value < 0n ? -value : value;
  const decimals = (size % MILLION).toString().padStart(6, "0").replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${size / MILLION}${decimals && "."}${decimals}`;
}
