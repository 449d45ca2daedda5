/** The group of a report, which is sent as it is: in words, and whether a link may set it. */

import { BY_LINK } from "../../core/groups.js";
import { require } from "../../core/primitives/refusal.js";
import { element, facts } from "../dom.js";

/**
 * Refuse a link that sets no group where one is needed, or one that this survey does not have. A group is
 * sent as it is, so nothing may be sent under a name that the survey does not declare.
 * @param {import("../../core/survey.js").Survey} survey
 * @param {string} group of the link, or ""
 */
export function checkLinkGroup({ groups, isTest }, group) {
  const isNeeded = groups?.by === BY_LINK;
  require(group !== "" || !isNeeded || isTest, "link_without_group", "the link has no group");
  require(group === "" || isNeeded, "group_undeclared", "the link has a group, and this survey sets none");
  const isKnown = group === "" || groups.codes.includes(group);
  require(isKnown, "invitation_unknown", "the link has a group that this survey does not have");
}

/**
 * Return the prompt of each factor, and the level that is sent.
 * @param {import("../../core/translation.js").LocalizedSurvey} localized
 * @param {string} group its code, or ""
 * @returns {[string, string][]}
 */
export function groupFacts({ groups }, group) {
  if (group === "" || groups === null) return [];
  const levels = groups.levelsOf(group);
  return groups.factors.map(({ prompt, labels }, i) => [prompt, labels[levels[i]]]);
}

/**
 * Return the part of the review that says what is not randomized; nothing without a group.
 * @param {import("../stage.js").Voice} voice
 * @param {string} group its code, or ""
 * @returns {HTMLElement[]}
 */
export function sentAsItIs({ wording, localized }, group) {
  if (group === "" || localized.groups === null) return [];
  const heading = element("h2", {}, wording.say("groups.as_it_is"));
  return [element("div", { class: "as-it-is" }, heading, facts(groupFacts(localized, group)))];
}
