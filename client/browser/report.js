/** Report: one respondent's randomized answers, the only thing that is ever sent or stored. */

import { canonical } from "./strict.js";

/**
 * The text on the wire; a retry sends the same one. Its length does not depend on the answers.
 * @param {string} fingerprint
 * @param {Record<string, unknown>} randomized by question id
 */
export function reportBody(fingerprint, randomized) {
  return canonical({ fingerprint, randomized });
}
