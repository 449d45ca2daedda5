/** The top of the page: what the survey is, who can see what, and how well the whole protects. */

import { element } from "./dom.js";

/**
 * @param {import("../survey.js").Survey} survey
 * @param {import("../wording.js").Wording} wording
 */
export function label(survey, wording) {
  const { say } = wording;
  const { title, organizer, intro } = survey.fields;
  return element(
    "header",
    { class: "top" },
    element("h1", {}, title),
    ...(organizer ? [element("p", { class: "by" }, say("by", { organizer }))] : []),
    ...(intro ? [element("p", { class: "lead intro" }, intro)] : []),
    consequences(survey, wording),
    element("p", {}, wording.process(survey.totalEpsilon)),
    element("p", {}, wording.wholeSurvey(survey.asked, survey.totalEpsilon)),
    element(
      "p",
      { class: wording.isWeak(survey.totalEpsilon) ? "level weak" : "level" },
      wording.levelSentence(survey.totalEpsilon),
    ),
  );
}

function consequences(survey, wording) {
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
  );
}
