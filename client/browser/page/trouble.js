/** Say what went wrong, and what can be done about it. */

import { Refusal } from "../core/primitives/refusal.js";
import { code, element } from "./dom.js";

/** Errors that may pass. */
const TEMPORARY = new Set([
  "out_of_reach",
  "busy",
  "server_error",
  "ticket_missing",
  "too_many_now",
]);
/** The report was made for questions that the server no longer asks. */
const CHANGED = new Set(["document_changed", "wrong_fingerprint"]);
/** The states of a survey, for which the server's pages use the same headings. */
const STATES = new Set([
  "survey_full",
  "survey_closing",
  "survey_closed",
  "survey_archived",
  "survey_purged",
  "survey_trashed",
]);
/** Problems of the link itself. */
const LINKS = new Set([
  "link_used",
  "link_without_group",
  "group_undeclared",
  "invitation_missing",
  "invitation_unknown",
  "unknown_group",
  "collecting_over",
]);
/** The ticket is worth nothing, and there is no other. */
const FINAL = new Set(["ticket_spent", "ticket_forged"]);
/** States in which not even results can be read. */
const HIDDEN = new Set(["survey_trashed"]);

/**
 * Return the message shown instead of the form: nothing was asked, nothing was sent.
 * @param {import("../wording/catalogue.js").Wording} wording
 * @param {unknown} error
 * @param {() => void} [retry] where something can be tried again without a new page
 */
export function refusedToStart(wording, error, retry) {
  const { say } = wording;
  const { code: name } = error;
  if (STATES.has(name)) {
    const texts = [[say(`page.${name}.text`)], [say("trouble.nothing_sent")]];
    return notice(say, `page.${name}.heading`, texts, resultsLink(say, name));
  }
  const texts = [explain(wording, error, "trouble.document"), [say("trouble.nothing_sent")]];
  if (LINKS.has(name)) return notice(say, `trouble.heading.${name}`, texts);
  if (!isTemporary(error)) return notice(say, "trouble.heading.refused", texts);
  const again = retry
    ? button(say("trouble.retry"), retry)
    : button(say("trouble.reload"), () => location.reload());
  return notice(say, "trouble.heading.again", texts, again);
}

/**
 * Return the message instead of a ticket: the device keeps what it asked with, and asks with the
 * same again.
 * @param {import("../wording/catalogue.js").Wording} wording
 * @param {unknown} error
 * @param {() => void} retry
 */
export function noTicket(wording, error, retry) {
  const { say } = wording;
  const { code: name } = error;
  const text = explain(wording, error, "trouble.no_ticket");
  const asked = [say("trouble.not_asked")];
  if (STATES.has(name)) {
    const texts = [[say(`page.${name}.text`)], asked];
    return notice(say, `page.${name}.heading`, texts, resultsLink(say, name));
  }
  if (LINKS.has(name)) return notice(say, `trouble.heading.${name}`, [text, asked]);
  if (!isTemporary(error)) return notice(say, "trouble.heading.refused", [text, asked]);
  const texts = [text, [say("trouble.same_ticket")]];
  return notice(say, "trouble.heading.again", texts, button(say("trouble.retry"), retry));
}

/**
 * Return what is shown once the report waits for another day.
 * @param {import("../wording/catalogue.js").Wording} wording
 * @param {() => void} send sends it now
 */
export function postponed({ say }, send) {
  const texts = [[say("later.text")], [say("later.when")]];
  return notice(say, "later.heading", texts, button(say("later.send"), send, "button quiet"));
}

/**
 * Return the note above the questions of a new version: nothing was sent for the old one.
 * @param {import("../wording/catalogue.js").Wording} wording
 */
export function documentChanged({ say }) {
  return element(
    "section",
    { class: "card trouble", role: "alert" },
    element("p", {}, element("strong", {}, say("trouble.heading.changed"))),
    element("p", {}, say("trouble.asked_again")),
  );
}

/**
 * Return the note that this device has already drawn a report for another version.
 * @param {import("../wording/catalogue.js").Wording} wording
 */
export function secondReport({ say }) {
  return element("p", { class: "card trouble", role: "note" }, say("trouble.second_report"));
}

/** @param {unknown} error time may heal it, so the same can be tried again */
export function isTemporary(error) {
  return TEMPORARY.has(error.code);
}

/**
 * Return the message after sending failed: the report waits on the device.
 * @param {import("../wording/catalogue.js").Wording} wording
 * @param {unknown} error
 * @param {() => void} retry sends the same report again
 * @param {() => void} [testAgain] gives the report up, which only a test allows
 */
export function notDelivered(wording, error, retry, testAgain) {
  const { say } = wording;
  const { code: name } = error;
  if (CHANGED.has(name)) {
    const open = button(say("trouble.open_new"), () => location.reload());
    return notice(say, "trouble.heading.changed", [[say("trouble.document_changed")]], open);
  }
  const text = explain(wording, error, "trouble.server");
  if (STATES.has(name)) return notice(say, `page.${name}.heading`, [text], resultsLink(say, name));
  if (FINAL.has(name)) return notice(say, "trouble.heading.uncounted", [text]);
  if (!isTemporary(error)) {
    const again = testAgain && button(say("test.again"), testAgain);
    return notice(say, "trouble.heading.unsent", [text], again);
  }
  const texts = [text, [say("trouble.kept")]];
  return notice(say, "trouble.heading.unsent", texts, button(say("trouble.retry"), retry));
}

/** Return the text for this error or, if there is none, a general one with the details. */
function explain({ say, canSay }, error, otherwise) {
  const { code: name, message, details } = error;
  if (canSay(`trouble.${name}`, details)) return [say(`trouble.${name}`, details)];
  const known = error instanceof Refusal;
  const technical = code(known ? `${name}: ${message}` : String(error));
  technical.lang = "en";
  return [say(known ? otherwise : "trouble.unexpected"), " ", technical];
}

function button(text, click, look = "button") {
  return element("button", { type: "button", class: look, click }, text);
}

function resultsLink(say, state) {
  if (HIDDEN.has(state)) return undefined;
  const href = `${location.pathname.replace(/\/$/, "")}/results`;
  return element("a", { class: "button", href }, say("receipt.results"));
}

/** Make a notice: what happened, and the one thing that can be done about it. */
function notice(say, heading, texts, action) {
  return element(
    "section",
    { class: "card trouble", role: "alert" },
    element("h1", {}, say(heading)),
    ...texts.map((text) => element("p", {}, ...text)),
    ...(action ? [element("p", { class: "actions" }, action)] : []),
  );
}
