/** What a shared device shows between two people, and when one of them may have walked away. */

import { completionPart } from "../completion.js";
import { studyFacts } from "../consent.js";
import { element, spoken } from "../dom.js";
import { prose } from "../prose.js";

/**
 * The hand-over screen, before and after every person.
 * @param {import("../stage.js").Voice} voice
 * @param {{waiting: number, refused: number}} counts of reports; never which
 * @param {{begin: () => void, sendWaiting: () => void}} actions
 */
export function handOver({ wording, localized }, { waiting, refused }, { begin, sendWaiting }) {
  const { say } = wording;
  return card(
    [element("h1", spoken(localized), localized.title)],
    [
      element("p", { class: "lead" }, say("kiosk.hand_over")),
      element("p", {}, say("kiosk.promise")),
    ],
    [actions(button("", say("kiosk.begin"), begin))],
    waiting > 0 ? [waitingNote(say("kiosk.waiting", { count: waiting }), say, sendWaiting)] : [],
    refused > 0 ? [element("p", { role: "status" }, say("kiosk.refused", { count: refused }))] : [],
  );
}

/**
 * What a person sees after sending: no receipt, so whoever gets the device next sees only this.
 * @param {import("../stage.js").Voice} voice
 * @param {import("../../core/survey.js").Survey} survey
 * @param {{isSent: boolean, group: string}} report or waits for a connection; "" is no group
 * @param {() => void} done
 */
export function afterSending({ wording, localized }, survey, { isSent, group }, done) {
  const { say } = wording;
  return card(
    [element("h1", {}, say(isSent ? "kiosk.sent" : "kiosk.kept"))],
    [element("p", { class: "lead" }, say("receipt.cleared"))],
    localized.closing ? [prose(localized.closing, localized)] : [],
    // Without its link, which would lead the next person away from here.
    completionPart(survey.completion, group, wording, null),
    studyFacts(wording, localized),
    [element("p", {}, say("kiosk.give_back")), actions(button("", say("kiosk.done"), done))],
  );
}

/**
 * Hide everything and ask whether to go on.
 * @param {import("../stage.js").Voice} voice
 * @param {{startOver: () => void, goOn: () => void}} actions
 */
export function cover({ wording: { say } }, { startOver, goOn }) {
  return card(
    [element("h1", {}, say("kiosk.still_there"))],
    [element("p", {}, say("kiosk.cover"))],
    [
      actions(
        button("", say("kiosk.go_on"), goOn),
        button("quiet", say("kiosk.start_over"), startOver),
      ),
    ],
  );
}

/**
 * The bar below everything that a person sees.
 * @param {import("../stage.js").Voice} voice
 * @param {() => void} startOver
 */
export function bar({ wording: { say } }, startOver) {
  const press = button("quiet", say("kiosk.start_over"), startOver);
  return element("aside", { class: "kiosk-bar", "aria-label": say("kiosk.bar") }, press);
}

function waitingNote(text, say, sendWaiting) {
  const again = button("quiet", say("trouble.retry"), sendWaiting);
  return element("div", { class: "waiting", role: "status" }, element("p", {}, text), again);
}

function card(...parts) {
  return element("section", { class: "card kiosk" }, ...parts.flat());
}

function actions(...buttons) {
  return element("div", { class: "actions" }, ...buttons);
}

function button(look, text, click) {
  return element("button", { type: "button", class: `button ${look}`.trim(), click }, text);
}
