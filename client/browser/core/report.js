/** Report: one respondent's randomized answers, the only thing that is ever sent or stored. */

import { canonical } from "./primitives/canonical.js";

/**
 * Canonical JSON, the same for equal reports. It is ASCII, so characters are bytes.
 * @param {string} fingerprint
 * @param {Record<string, unknown>} randomized by question id, null for those that were not asked
 */
export function reportBody(fingerprint, randomized) {
  return canonical({ fingerprint, randomized });
}

/**
 * The text to send: spaces at the end give all reports of a survey one length.
 * @param {import("./survey.js").Survey} survey
 * @param {string} fingerprint
 * @param {Record<string, unknown>} randomized
 */
export function wire(survey, fingerprint, randomized) {
  return reportBody(fingerprint, randomized).padEnd(survey.reportBytes);
}
