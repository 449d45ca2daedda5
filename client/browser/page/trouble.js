/** What went wrong, in words for people, and what can be done about it. */

import { Refusal } from "../refusal.js";
import { element } from "./dom.js";

/** A refusal's code where a text of its own exists, and the text's key. */
const TEXTS = {
  threshold_leaks: "leaks",
  wrong_fingerprint: "fingerprint",
  foreign_document: "foreign",
  insecure: "insecure",
  generator: "generator",
  storage: "storage",
  outbox_unreadable: "outbox",
  unknown_survey: "unknown_survey",
  survey_closed: "survey_closed",
  ticket_spent: "ticket_spent",
  ticket_forged: "ticket_forged",
  out_of_reach: "unreachable",
  busy: "busy",
};
/** Time may heal these; the others stay as they are. */
const PASSING = new Set(["out_of_reach", "busy", "server_error", "ticket_forged"]);

/**
 * A message instead of the form: nothing has been asked, nothing was sent.
 * @param {import("../wording.js").Wording} wording
 * @param {unknown} error
 */
export function refusedToStart({ say }, error) {
  const passing = PASSING.has(error.code);
  const heading = error.code === "survey_closed" ? "closed" : passing ? "again" : "refused";
  return notice(say, heading, [explain(say, error, "trouble.document"), say("trouble.nothing_sent")], {
    label: passing && say("trouble.reload"),
    retry: () => location.reload(),
  });
}

/**
 * A message after Send: the report waits on the device.
 * @param {import("../wording.js").Wording} wording
 * @param {unknown} error
 * @param {() => void} retry sends the same report again
 */
export function notDelivered({ say }, error, retry) {
  const passing = PASSING.has(error.code);
  const heading = error.code === "survey_closed" ? "closed" : "unsent";
  const texts = [explain(say, error, "trouble.server")];
  if (passing) texts.push(say("trouble.kept"));
  return notice(say, heading, texts, { label: passing && say("trouble.retry"), retry });
}

function explain(say, error, otherwise) {
  if (!(error instanceof Refusal)) return say("trouble.unexpected", { message: String(error) });
  const key = TEXTS[error.code];
  if (key) return say(`trouble.${key}`, error.details);
  return say(otherwise, { code: error.code, message: error.message });
}

function notice(say, heading, texts, { label, retry }) {
  return element(
    "section",
    { class: "card trouble", role: "alert" },
    element("h1", {}, say(`trouble.heading.${heading}`)),
    ...texts.map((text) => element("p", {}, text)),
    ...(label ? [element("button", { type: "button", class: "button", click: retry }, label)] : []),
  );
}
