/** "You chose / We will send": the last look before anything leaves the device. */

import { describeAnswer, describeMark, describeReport } from "../wording/odds.js";
import { bounded, element, spoken } from "./dom.js";
import { sentAsItIs } from "./groups/sent_as_it_is.js";

/**
 * @param {import("./stage.js").Voice} voice
 * @param {object} what
 * @param {ReadonlyMap<string, unknown>} what.answers to the asked questions, hidden ones too
 * @param {Record<string, unknown>} what.randomized
 * @param {string} what.group its code, or ""
 * @param {string} what.body
 * @param {{back: () => void, send: () => void, postpone?: () => void}} actions
 */
export function review(voice, { answers, randomized, group, body }, { back, send, postpone }) {
  const { wording, localized } = voice;
  const { say } = wording;
  // In the order in which they were asked.
  const asked = [...answers.keys()].map((id) => localized.questions.find((own) => own.id === id));
  const rows = asked.map((question) => {
    const [answer, sent] = [answers.get(question.id), randomized[question.id]];
    return [
      question.prompt,
      describeAnswer(question, answer, wording),
      describeReport(question, sent, wording),
      describeMark(question, answer, sent, wording),
    ];
  });
  const headings = ["question", "chose", "send", "mark"].map((name) => say(`review.${name}`));
  const button = (look, name, act) => {
    return element("button", { type: "button", class: `button ${look}`.trim(), click: act }, say(name));
  };
  const buttons = [
    button("", "send.button", ({ target }) => leave(target, send)),
    ...(postpone ? [button("quiet", "send.later", ({ target }) => leave(target, postpone))] : []),
    button("quiet", "review.back", back),
  ];
  const leave = (pressed, act) => {
    // All are disabled, so that no second click can interfere while the report is sent or kept.
    for (const one of buttons) one.disabled = true;
    pressed.textContent = say("send.busy");
    act();
  };
  return element(
    "section",
    { class: "card" },
    element("h1", {}, say("review.heading")),
    element("p", { class: "lead" }, say("review.lead")),
    table(headings, rows, localized),
    ...sentAsItIs(voice, group),
    payload(body, say),
    element("div", { class: "actions" }, ...buttons),
    ...(postpone ? [element("p", { class: "note" }, say("send.later.note"))] : []),
  );
}

/** A narrow screen shows every question on its own line, so the roles are stated explicitly. */
function table(headings, rows, localized) {
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
      ...rows.map(([prompt, chose, sends, mark]) =>
        element(
          "tr",
          { role: "row" },
          element("th", { scope: "row", role: "rowheader" }, element("bdi", spoken(localized), prompt)),
          element("td", { role: "cell" }, bounded(chose, prompt)),
          element("td", { role: "cell", class: "sends" }, bounded(sends, prompt)),
          element("td", { role: "cell", class: "mark" }, mark),
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
