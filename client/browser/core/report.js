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

/**
 * Return the length that every report of a survey has on the wire, whatever it says.
 * @param {import("./survey.js").Survey} survey
 */
export function reportBytes({ questions, chosenGroups, isSampled }) {
  const longest = questions.map(({ id, mechanism }) => [id, mechanism.longest]);
  const roomForNull = longest.reduce(
    (sum, [, value]) => sum + Math.max(0, "null".length - canonical(value).length),
    0,
  );
  const group = chosenGroups?.codes[0] ?? "";
  const full = reportBody("0".repeat(64), Object.fromEntries(longest), group).length;
  return full + (isSampled ? roomForNull : 0);
}
