/** A report: one respondent's randomized answers, the only thing that is ever sent or stored. */

import { canonical } from "./primitives/canonical.js";

/**
 * Return a report as canonical JSON, the same for equal reports. It is ASCII, so each character is
 * one byte.
 * @param {string} fingerprint
 * @param {Record<string, unknown>} randomized by question id, null for those that were not asked
 * @param {string} [group] that the respondent chose, sent as it is; "" if the survey asks for none
 */
export function reportBody(fingerprint, randomized, group = "") {
  return canonical({ fingerprint, ...(group === "" ? {} : { group }), randomized });
}

/**
 * Return the text to send, padded to the length that all reports of a survey have.
 * @param {import("./survey.js").Survey} survey
 * @param {string} fingerprint
 * @param {Record<string, unknown>} randomized
 * @param {string} [group] sent as it is, and only if the survey asks people to choose one
 */
export function wire(survey, fingerprint, randomized, group = "") {
  const groups = survey.chosenGroups;
  groups?.check(group);
  return reportBody(fingerprint, randomized, groups ? group : "").padEnd(survey.reportBytes);
}
