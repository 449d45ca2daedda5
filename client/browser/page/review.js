/** "You chose / We will send": the last look before anything leaves the device. */

import { describeAnswer, describeReport } from "../wording/odds.js";
import { bounded, element, spoken } from "./dom.js";

/**
 * @param {import("./stage.js").Voice} voice
 * @param {{answers: ReadonlyMap<string, unknown>, randomized: Record<string, unknown>, body: string}} what
 *   the answers to the asked questions, hidden ones too
 * @param {{back: () => void, send: () => void}} roads
 */
export function review({ wording, telling }, { answers, randomized, body }, { back, send }) {
  const { say } = wording;
  const asked = telling.questions.filter(({ id }) => answers.has(id));
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
    table([say("review.question"), say("review.chose"), say("review.send")], rows, telling),
    payload(body, say),
    element("div", { class: "actions" }, sendButton, backButton),
  );
}

/** A narrow screen gives every question a line of its own, and so the roles are spelt out. */
function table(headings, rows, telling) {
  const columns = headings.map((text) =>
    element("th", { scope: "col", role: "columnheader" }, text),
  );
  return element(
    "table",
    { class: "table review", role: "table" },
    element("thead", { role: "rowgroup" }, element("tr", { role: "row" }, ...columns)),
    element(
      "tbody",
      { role: "rowgroup" },
      ...rows.map(([prompt, chose, sends]) =>
        element(
          "tr",
          { role: "row" },
          element("th", { scope: "row", role: "rowheader" }, element("bdi", spoken(telling), prompt)),
          element("td", { role: "cell" }, bounded(chose, prompt)),
          element("td", { role: "cell", class: "sends" }, bounded(sends, prompt)),
        ),
      ),
    ),
  );
}

function payload(body, say) {
  const count = new TextEncoder().encode(body).length;
  return element(
    "details",
    {},
    element("summary", {}, say("review.payload")),
    element("pre", { class: "payload", dir: "ltr", tabindex: "0" }, body),
    element("p", {}, say("review.payload.note", { count })),
  );
}
