/** A report: one respondent's randomized answers, the only thing that is ever sent or stored. */

import { canonical } from "./primitives/canonical.js";

/**
 * Return a report as canonical JSON, the same for equal reports. It is ASCII, so each character is
 * one byte.
 * @param {string} fingerprint
 * @param {Record<string, unknown>} randomized by question id, null for those that were not asked
 */
export function reportBody(fingerprint, randomized) {
  return canonical({ fingerprint, randomized });
}

/**
 * Return the text to send, padded to the length that all reports of a survey have.
 * @param {import("./survey.js").Survey} survey
 * @param {string} fingerprint
 * @param {Record<string, unknown>} randomized
 */
export function wire(survey, fingerprint, randomized) {
  return reportBody(fingerprint, randomized).padEnd(survey.reportBytes);
}
