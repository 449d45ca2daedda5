/** The top of the page: what the survey is, who can see what, and how well the whole protects. */

import { element } from "./dom.js";

/**
 * @param {import("../survey.js").Survey} survey
 * @param {import("../wording.js").Wording} wording
 */
export function label(survey, wording) {
  const { say } = wording;
  return element(
    "header",
    { class: "top" },
    element("h1", {}, survey.title),
    ...(survey.organizer ? [element("p", { class: "by" }, say("by", survey))] : []),
    ...(survey.intro ? [element("p", { class: "lead intro" }, survey.intro)] : []),
    consequences(wording),
    element("p", {}, say("process")),
    element(
      "p",
      {},
      wording.wholeSurvey(survey.questions.length, survey.totalEpsilon),
    ),
    element("p", { class: "level" }, wording.levelSentence(survey.totalEpsilon)),
  );
}

function consequences(wording) {
  const { say } = wording;
  const rows = wording
    .consequences()
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
