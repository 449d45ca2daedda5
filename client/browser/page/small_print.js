/** The foot of the page: what is not protected, and the maths for those who want to check. */

import { OPEN } from "../core/access.js";
import { decimalText } from "../core/primitives/values.js";
import { checkThisPage } from "./check.js";
import { studyFacts } from "./consent.js";
import { element } from "./dom.js";

const PRECISION = 10n ** 15n;

/**
 * @param {{survey: import("../core/survey.js").Survey, fingerprint: string}} opened
 * @param {import("./stage.js").Voice} voice
 * @param {string} page the survey's address
 */
export function smallPrint({ survey, fingerprint }, { wording, localized }, page) {
  const { say } = wording;
  return element(
    "footer",
    { class: "small-print" },
    ...studyFacts(wording, localized),
    element("h2", {}, say("limits.heading")),
    element(
      "ul",
      {},
      element("li", {}, say("limits.link")),
      element("li", {}, say("limits.part")),
      ...(survey.access === OPEN ? [] : [element("li", {}, say("limits.time"))]),
      ...panelLimit(survey.completion, say),
      element("li", {}, say("limits.operator")),
    ),
    checkThisPage(fingerprint, wording, `${page}#${fingerprint}`),
    element(
      "details",
      {},
      element("summary", {}, say("maths.heading")),
      element("p", {}, say("maths.lead")),
      parameters(survey, say),
      rules(survey, say),
      element("p", {}, say("maths.formula", {
        epsilon: wording.decimal(survey.totalEpsilon),
        guess: wording.bestGuess(survey.totalEpsilon),
      })),
      element("p", {}, wording.levelSentence(survey.totalEpsilon)),
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

/** Say what a panel learns, if there is one. */
function panelLimit({ code, redirect, byGroup }, say) {
  if (byGroup.size > 0) return [element("li", {}, say("limits.panel.group"))];
  return code === "" && redirect === "" ? [] : [element("li", {}, say("limits.panel"))];
}

/** Explain each mechanism of this survey, with its integers. */
function rules({ questions }, say) {
  const used = new Map(questions.map(({ mechanism }) => [mechanism.name, []]));
  for (const { id, mechanism } of questions) {
    const { name, threshold, ...shape } = mechanism.asJson();
    const integers = Object.entries(shape).map(([field, value]) => `${field} ${value}`);
    used.get(name).push([id, ...integers].join(", "));
  }
  return element(
    "ul",
    {},
    ...[...used].map(([name, shapes]) =>
      element("li", {}, say(`maths.${name}`), " ", element("small", { dir: "ltr" }, `(${shapes.join("; ")})`)),
    ),
  );
}

/** Return p and q as text; they may have hundreds of digits, so cut first, then round. */
function chances({ p, q, whole }) {
  return [p, q].map((part) => (Number((part * PRECISION) / whole) / Number(PRECISION)).toFixed(6));
}

function parameters(survey, say) {
  const headings = ["question", "epsilon", "delivered", "threshold", "p", "q"];
  const rows = survey.questions.map(({ id, epsilon, mechanism }) => [
    id,
    decimalText(epsilon),
    mechanism.deliveredEpsilon.toFixed(6),
    String(mechanism.threshold),
    ...chances(mechanism.support),
  ]);
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
