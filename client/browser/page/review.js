/** "You chose / We will send": the last look before anything leaves the device. */

import { describeAnswer, describeReport } from "../describing.js";
import { bounded, element } from "./dom.js";

/**
 * @param {import("../survey.js").Survey} survey
 * @param {import("../wording.js").Wording} wording
 * @param {{answers: ReadonlyMap<string, unknown>, randomized: Record<string, unknown>, body: string}} what
 *   the answers to the asked questions, hidden ones too
 * @param {{back: () => void, send: () => void}} roads
 */
export function review(survey, wording, { answers, randomized, body }, { back, send }) {
  const { say } = wording;
  const asked = survey.questions.filter(({ id }) => answers.has(id));
  const rows = asked.map((question) => [
    question.prompt,
    describeAnswer(question, answers.get(question.id), wording),
    describeReport(question, randomized[question.id], wording),
  ]);
  const sendButton = element("button", { type: "button", class: "button" }, say("send.button"));
  const backButton = element(
    "button",
    { type: "button", class: "button quiet", click: back },
    say("review.back"),
  );
  sendButton.addEventListener("click", () => {
    // Both at once, so that neither a double click nor a change of mind meets a report on its way.
    sendButton.disabled = backButton.disabled = true;
    sendButton.textContent = say("send.busy");
    send();
  });
  return element(
    "section",
    { class: "card" },
    element("h1", {}, say("review.heading")),
    element("p", { class: "lead" }, say("review.lead")),
    table([say("review.question"), say("review.chose"), say("review.send")], rows),
    payload(body, say),
    element("div", { class: "actions" }, sendButton, backButton),
  );
}

function table(headings, rows) {
  const heading = (scope) => (text) => element("th", { scope }, text);
  return element(
    "table",
    { class: "table review" },
    element("thead", {}, element("tr", {}, ...headings.map(heading("col")))),
    element(
      "tbody",
      {},
      ...rows.map(([prompt, chose, sends]) =>
        element(
          "tr",
          {},
          element("th", { scope: "row" }, prompt),
          element("td", {}, chose),
          element("td", { class: "sends" }, bounded(sends, prompt)),
        ),
      ),
    ),
  );
}

function payload(body, say) {
  const bytes = new TextEncoder().encode(body).length;
  return element(
    "details",
    {},
    element("summary", {}, say("review.payload")),
    element("pre", { class: "payload", tabindex: "0" }, body),
    element("p", {}, say("review.payload.note", { bytes })),
  );
}
