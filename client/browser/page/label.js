/** The top of the page: what the survey is, who can see what, and how well others can guess. */

import { isWeak, verdict } from "../wording/catalogue.js";
import { element, spoken } from "./dom.js";

/**
 * @param {import("../core/survey.js").Survey} survey
 * @param {import("./stage.js").Voice} voice
 * @param {string} group the code of the one that is sent as it is, or ""
 * @param {() => void} changeGroup where the respondent has chosen it
 */
export function label(survey, { wording, localized }, group, changeGroup) {
  const { say } = wording;
  const { title, organizer, intro } = localized;
  return element(
    "header",
    { class: "top" },
    element("h1", spoken(localized), title),
    ...(organizer ? [element("p", { class: "by" }, say("by", { organizer }))] : []),
    ...(intro ? [element("p", { class: "lead intro", ...spoken(localized) }, intro)] : []),
    consequences(survey, wording, groupLine(survey, { wording, localized }, group, changeGroup)),
    element(
      "p",
      { class: isWeak(survey.totalEpsilon) ? "process weak" : "process" },
      wording.process(survey.totalEpsilon),
    ),
  );
}

function consequences(survey, wording, group) {
  const { say } = wording;
  const { totalEpsilon } = survey;
  const rows = wording
    .consequences(totalEpsilon)
    .map(([who, answer]) =>
      element(
        "div",
        { class: "consequence" },
        element("dt", {}, who),
        element("dd", { class: answer === say("label.yes") ? "yes" : verdict(totalEpsilon) }, answer),
      ),
    );
  return element(
    "section",
    { class: "card label", "aria-labelledby": "label-heading" },
    element("h2", { id: "label-heading" }, say("label.heading")),
    element("dl", {}, ...rows),
    element("p", { class: "whole" }, wording.wholeSurvey(survey.asked, totalEpsilon)),
    element("p", { class: "visible" }, say("label.visible")),
    ...group,
  );
}

/** Return what they see of the group, in the words of the survey; somebody who chose it can change it. */
function groupLine({ chosenGroups }, { wording: { say }, localized }, group, changeGroup) {
  if (group === "") return [];
  const words = { group: localized.groups.label(group) };
  if (!chosenGroups) return [element("p", { class: "visible" }, say("label.group", words))];
  const attributes = { type: "button", class: "button quiet", click: changeGroup };
  const change = element("button", attributes, say("groups.change"));
  return [element("p", { class: "visible" }, say("label.chosen", words), " ", change)];
}
