/**
 * Plain values in a survey: days, exact decimals, each with one spelling, and checked texts. A text
 * is data for people, never markup.
 */

import { Refusal, require } from "./refusal.js";

export const MILLION = 1_000_000n;
export const DAY = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;
const PLAIN = /^-?(0|[1-9][0-9]{0,8})(\.[0-9]{1,6})?$/;

/**
 * Parse a plain decimal such as -2.5: no exponent, at most six decimals.
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
 * Return the one spelling of a decimal: no trailing zeros.
 * @param {bigint} value in millionths
 */
export function decimalText(value) {
  const size = value < 0n ? -value : value;
  const decimals = (size % MILLION).toString().padStart(6, "0").replace(/0+$/, "");
  return `${value < 0n ? "-" : ""}${size / MILLION}${decimals && "."}${decimals}`;
}

const MAX_TEXT = 2000;
/** Of the texts that fill a page. */
export const MAX_PAGE = 20_000;
// With the flag u, a surrogate in this class is a half one, which is not UTF-8. Overrides,
// embeddings and isolates of the writing direction could make one label look like another.
const CONTROL =
  /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069\ud800-\udfff\ufeff]/u;

/**
 * Refuse a value that is not text or does not match the whole pattern.
 * @param {unknown} value
 * @param {RegExp} pattern
 * @param {string} field
 */
export function checkPattern(value, pattern, field) {
  const fits = typeof value === "string" && pattern.test(value);
  require(fits, `bad_${field}`, `${field} has characters or a length that it must not have`);
}

/**
 * Refuse a value that is not text, is too long, or has control characters but line breaks.
 * @param {unknown} value
 * @param {string} field
 * @param {boolean} [required]
 * @param {number} [most] characters
 */
export function checkText(value, field, required = true, most = MAX_TEXT) {
  require(typeof value === "string", "not_text", `${field} must be text`);
  // Characters are counted, not UTF-16 units; there are never more characters than units.
  const short = value.length <= most || [...value].length <= most;
  require(short, "text_too_long", `${field} must have at most ${most} characters`);
  require(!CONTROL.test(value), "control_character", `${field} contains control characters`);
  // Checked last: without control characters and byte order marks, Python and JavaScript agree on
  // what is blank.
  require(!required || value.trim() !== "", "empty_text", `${field} must not be empty`);
}

/**
 * Refuse labels that are not a list of low to high different, valid texts.
 * @param {unknown} labels
 * @param {number} low
 * @param {number} high
 * @param {string} field
 */
export function checkLabels(labels, low, high, field) {
  const fits = Array.isArray(labels) && low <= labels.length && labels.length <= high;
  require(fits, "bad_options", `${field} must be a list of ${low} to ${high} labels`);
  for (const label of labels) checkText(label, field);
  const different = new Set(labels).size === labels.length;
  require(different, "bad_options", `${field} must be different labels, but one appears twice`);
}

/** Refuse anything but true and false. */
export function checkFlag(value, field) {
  require(typeof value === "boolean", "bad_flag", `${field} must be true or false`);
}
