/**
 * What people compare with each other: where the survey is, and the first digits of its document. A
 * document for one person alone, with a key of its own, would have other digits.
 */

import { code, element } from "../dom.js";

// With fewer digits, somebody could make two documents that begin alike.
const COMPARED = 32;

/**
 * @param {{survey: import("../../core/survey.js").Survey, fingerprint: string}} opened
 * @param {import("../../wording/catalogue.js").Wording} wording
 * @param {boolean} isShort the link is from a letter, which has the digits beside it
 */
export function comparison({ survey, fingerprint }, { say }, isShort) {
  const text = say(isShort ? "compare.same" : "compare.text");
  return element(
    "section",
    { class: "compare", "aria-labelledby": "compare-heading" },
    element("h2", { id: "compare-heading" }, say("compare.heading")),
    element("p", {}, code(`${location.host}/s/${survey.slug}`)),
    element("p", { class: "digits" }, code(firstDigits(fingerprint))),
    element("p", {}, text),
  );
}

/** Return the first digits in groups of four. */
export function firstDigits(fingerprint) {
  return fingerprint.slice(0, COMPARED).match(/.{4}/g).join(" ");
}
