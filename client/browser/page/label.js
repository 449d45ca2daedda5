/** The top of the page: what the survey is, who can see what, and how well the whole protects. */

import { isWeak } from "../wording/catalogue.js";
import { element, spoken } from "./dom.js";

/**
 * @param {import("../core/survey.js").Survey} survey
 * @param {import("./stage.js").Voice} voice
 * @param {string} group the public one of the respondent's link, or ""
 */
export function label(survey, { wording, localized }, group) {
  const { say } = wording;
  const { title, organizer, intro } = localized;
  return element(
    "header",
    { class: "top" },
    element("h1", spoken(localized), title),
    ...(organizer ? [element("p", { class: "by" }, say("by", { organizer }))] : []),
    ...(intro ? [element("p", { class: "lead intro", ...spoken(localized) }, intro)] : []),
    consequences(survey, wording, group),
    element("p", { class: "process" }, wording.process(survey.totalEpsilon)),
    element("p", { class: "whole" }, wording.wholeSurvey(survey.asked, survey.totalEpsilon)),
    element(
      "p",
      { class: isWeak(survey.totalEpsilon) ? "level weak" : "level" },
      wording.levelSentence(survey.totalEpsilon),
    ),
  );
}

function consequences(survey, wording, group) {
  const { say } = wording;
  const rows = wording
    .consequences(survey.totalEpsilon)
    .map(([who, answer]) =>
      element(
        "div",
        { class: "consequence" },
        element("dt", {}, who),
        element("dd", { class: answer === say("label.no") ? "hidden-from" : "seen-by" }, answer),
      ),
    );
  return element(
    "section",
    { class: "card label", "aria-labelledby": "label-heading" },
    element("h2", { id: "label-heading" }, say("label.heading")),
    element("dl", {}, ...rows),
    element("p", { class: "visible" }, say("label.visible")),
    ...(group ? [element("p", { class: "visible" }, say("label.group", { group }))] : []),
  );
}
