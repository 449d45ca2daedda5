/** The foot of the page: what is not protected, and the maths for those who want to check. */

import { deliveredEpsilon } from "../channel.js";
import { decimalText } from "../decimal.js";
import { WORD_RANGE } from "../words.js";
import { element } from "./dom.js";

/**
 * @param {{survey: import("../survey.js").Survey, fingerprint: string}} opened
 * @param {import("../wording.js").Wording} wording
 * @param {string} page the survey's address
 */
export function smallPrint({ survey, fingerprint }, { say }, page) {
  const command = `python -m client answer ${page}#${fingerprint}`;
  return element(
    "footer",
    { class: "small-print" },
    element("h2", {}, say("limits.heading")),
    element(
      "ul",
      {},
      element("li", {}, say("limits.link")),
      element("li", {}, say("limits.part")),
      element("li", {}, say("limits.operator"), " ", element("code", {}, command)),
    ),
    element(
      "details",
      {},
      element("summary", {}, say("maths.heading")),
      element("p", {}, say("maths.lead")),
      parameters(survey, say),
      element("p", {}, say("maths.formula", { epsilon: decimalText(survey.totalEpsilon) })),
      element("p", {}, say("maths.fingerprint"), " ", element("code", {}, fingerprint)),
      element(
        "p",
        {},
        element("a", { href: `${page}/document.json` }, say("maths.document")),
        " · ",
        element("a", { href: `${page}/privacy.json` }, say("maths.privacy")),
      ),
    ),
  );
}

function parameters(survey, say) {
  const headings = ["question", "epsilon", "delivered", "threshold", "p", "q"];
  const rows = survey.questions.map(({ id, epsilon, mechanism }) => {
    const { threshold, near, far, support } = mechanism;
    const delivered = deliveredEpsilon(threshold, near, far).toFixed(6);
    const chances = [support.p, support.q].map((part) => (part / WORD_RANGE).toFixed(6));
    return [id, decimalText(epsilon), delivered, String(threshold), ...chances];
  });
  const cells = (tag, scope, texts) => texts.map((text) => element(tag, { scope }, text));
  return element(
    "div",
    { class: "scroll", tabindex: "0", role: "region", "aria-label": say("maths.heading") },
    element(
      "table",
      { class: "table" },
      element(
        "thead",
        {},
        element("tr", {}, ...cells("th", "col", headings.map((name) => say(`maths.${name}`)))),
      ),
      element(
        "tbody",
        {},
        ...rows.map(([id, ...figures]) =>
          element("tr", {}, ...cells("th", "row", [id]), ...cells("td", false, figures)),
        ),
      ),
    ),
  );
}
