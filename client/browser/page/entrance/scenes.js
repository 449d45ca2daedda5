/** The page before Begin, and what is shown once the ticket is there but the answers are not due. */

import { dayInWords } from "../../device/day.js";
import { element, facts, spoken } from "../dom.js";
import { comparison } from "./comparison.js";

/**
 * Explain the ticket before anything is asked for.
 * @param {import("../stage.js").Voice} voice
 * @param {object} about
 * @param {{survey: import("../../core/survey.js").Survey, fingerprint: string}} about.opened
 * @param {string} about.group of the link, or ""
 * @param {boolean} about.isShort the link is from a letter
 * @param {{begin?: (press: Event) => void, collect: (press: Event) => void}} ways to go on; without
 *   `begin`, answers are not due yet
 */
export function beforeBegin(voice, { opened, group, isShort }, { begin, collect }) {
  const { wording, localized } = voice;
  const { say } = wording;
  const { title, organizer } = localized;
  return element(
    "section",
    { class: "card entrance" },
    element("h1", spoken(localized), title),
    ...(organizer ? [element("p", { class: "by" }, say("by", { organizer }))] : []),
    element("p", { class: "lead" }, say("ticket.lead")),
    element("p", {}, element("strong", {}, say("ticket.still")), " ", say("ticket.still.text")),
    element("p", {}, dueText(opened.survey, wording, "ticket.other_day", "ticket.due")),
    element("p", {}, say("ticket.seen"), " ", say("ticket.device")),
    ...groupsOf(voice, group),
    comparison(opened, wording, isShort),
    element(
      "div",
      { class: "actions" },
      ...(begin ? [button("", say("ticket.begin"), begin)] : []),
      begin
        ? button("quiet", say("ticket.collect"), collect)
        : button("", say("ticket.collect.due"), collect),
    ),
  );
}

/**
 * Say that the ticket is on the device, and when to come back.
 * @param {import("../stage.js").Voice} voice
 * @param {import("../../core/survey.js").Survey} survey
 * @param {(press: Event) => void} [begin] answers are due already
 */
export function collected({ wording, localized }, survey, begin) {
  const { say } = wording;
  return element(
    "section",
    { class: "card entrance" },
    element("p", { class: "by", ...spoken(localized) }, localized.title),
    element("h1", {}, say("ticket.collected")),
    element("p", { class: "lead" }, dueText(survey, wording, "ticket.come_back", "ticket.come_on")),
    element("p", {}, say("ticket.kept")),
    ...(begin
      ? [element("div", { class: "actions" }, button("quiet", say("ticket.begin_now"), begin))]
      : []),
  );
}

/** Return one of two texts: for any day, or from the day on when answers are due. */
function dueText({ answerFrom }, { say, language }, any, from) {
  return answerFrom === null ? say(any) : say(from, { day: dayInWords(answerFrom, language) });
}

/** Return the group of the link and all others: a group of one would name its person. */
function groupsOf({ wording: { say }, localized: { groups } }, group) {
  if (group === "") return [];
  const all = groups.codes.map((code) => element("li", {}, element("bdi", {}, groups.label(code))));
  const heading = element("h2", { id: "groups-heading" }, say("ticket.groups"));
  return [
    facts([[say("ticket.group"), groups.label(group)]]),
    element("section", { "aria-labelledby": "groups-heading" }, heading, element("ul", {}, ...all)),
  ];
}

function button(look, text, click) {
  return element("button", { type: "button", class: `button ${look}`.trim(), click }, text);
}
