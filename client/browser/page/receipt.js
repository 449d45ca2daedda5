/** The receipt: what was sent, what it cost, and where to look next. */

import { decimalText } from "../decimals.js";
import { describeReport } from "../describing.js";
import { bounded, element } from "./dom.js";

/**
 * @param {{survey: import("../survey.js").Survey, fingerprint: string}} opened
 * @param {import("../wording.js").Wording} wording
 * @param {import("../outbox.js").Receipt} kept
 * @param {{results: string, own: boolean}} circumstances `own`: sent by this page, just now
 */
export function receipt({ survey, fingerprint }, wording, kept, { results, own }) {
  const { say } = wording;
  return element(
    "section",
    { class: "card receipt" },
    element("h1", {}, say("receipt.heading")),
    element("p", { class: "lead" }, say(own ? "receipt.cleared" : "receipt.again")),
    element("h2", {}, say("receipt.sent")),
    facts(sentAnswers(survey, kept, wording)),
    facts([
      [say("receipt.epsilon"), cost(survey, wording)],
      ...(survey.fields.delete_on ? [[say("receipt.delete_on"), survey.fields.delete_on]] : []),
      [say("receipt.fingerprint"), element("code", {}, fingerprint)],
    ]),
    element(
      "div",
      { class: "actions" },
      element("a", { class: "button", href: results }, say("receipt.results")),
      element(
        "button",
        { type: "button", class: "button quiet", click: () => print() },
        say("receipt.print"),
      ),
    ),
  );
}

function sentAnswers(survey, kept, wording) {
  const { randomized } = JSON.parse(kept.body);
  return survey.questions
    .filter(({ id }) => randomized[id] !== null)
    .map((question) => {
      const sent = describeReport(question, randomized[question.id], wording);
      return [question.prompt, bounded(sent, question.prompt)];
    });
}

function cost({ totalEpsilon }, wording) {
  return wording.say("receipt.epsilon.value", {
    epsilon: decimalText(totalEpsilon),
    level: wording.level(totalEpsilon),
  });
}

function facts(pairs) {
  return element(
    "dl",
    { class: "facts" },
    ...pairs.map(([name, value]) =>
      element("div", {}, element("dt", {}, name), element("dd", {}, value)),
    ),
  );
}
