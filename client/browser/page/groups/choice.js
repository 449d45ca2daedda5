/**
 * "Which describes you?": the page on which a respondent chooses the group that is sent as it is. It
 * is the first one after the consent page, and only surveys whose groups are chosen have it.
 */

import { canonical } from "../../core/primitives/canonical.js";
import { Choices } from "../controls/choices.js";
import { element, spoken, steadyButton } from "../dom.js";
import { documentChanged } from "../trouble.js";

export class GroupChoice {
  #groups = null;
  /** The level of each factor by its id: in memory, until the report is sent. */
  #levels = new Map();
  #show = null;

  /**
   * Show the page, unless the survey asks for no group or all levels are chosen already.
   * @param {import("../stage.js").Stage} stage
   * @param {import("../../core/survey.js").Survey} survey
   * @param {boolean} isChanged the survey is another one than when the page was opened
   * @param {{proceed: () => void, back: () => boolean}} ways to the questions, and one step back
   */
  ask(stage, survey, isChanged, { proceed, back }) {
    this.open(survey);
    const scene = (voice) => [
      ...(isChanged ? [documentChanged(voice.wording)] : []),
      choicePage(voice, this.#levels, proceed),
    ];
    this.#show = this.#groups && (() => stage.show(scene, back));
    if (this.isComplete) proceed();
    else this.#show();
  }

  /**
   * Take the groups of a survey; levels that were chosen for other groups are forgotten.
   * @param {import("../../core/survey.js").Survey} survey
   */
  open({ chosenGroups }) {
    const [before, now] = [this.#groups, chosenGroups].map((groups) => groups?.asJson() ?? null);
    if (canonical(before) !== canonical(now)) this.clear();
    this.#groups = chosenGroups;
  }

  /** Show the page again, for somebody who goes back; return false if there is none. */
  goBack() {
    this.#show?.();
    return this.#show !== null;
  }

  /** The code of the chosen group; "" if the survey asks for none, or not all is chosen. */
  get code() {
    if (this.#groups === null || !this.isComplete) return "";
    return this.#groups.factors.map(({ id }) => this.#levels.get(id)).join("-");
  }

  /** Whether anything has been chosen. */
  get begun() {
    return this.#levels.size > 0;
  }

  /** @returns {Record<string, number>} the chosen levels by the id of their factor */
  get given() {
    return Object.fromEntries(this.#levels);
  }

  /**
   * Restore levels; one that its factor does not have is refused.
   * @param {Record<string, unknown>} levels by the id of their factor, among other things
   */
  give(levels) {
    for (const { id, labels } of this.#groups?.factors ?? []) {
      if (!Object.hasOwn(levels, id)) continue;
      if (!Object.hasOwn(labels, levels[id])) throw new RangeError(`${id} has no such level`);
      this.#levels.set(id, Number(levels[id]));
    }
  }

  clear() {
    this.#levels.clear();
  }

  /** Whether a report could be sent: nothing is asked, or every factor has its level. */
  get isComplete() {
    return this.#groups === null || this.#levels.size === this.#groups.factors.length;
  }
}

function choicePage({ wording, localized }, levels, proceed) {
  const { say } = wording;
  const problem = element("p", { class: "missing", role: "alert" });
  const parts = localized.groups.factors.map(
    (factor) => new FactorPart(factor, localized, levels, () => problem.replaceChildren()),
  );
  const finish = () => {
    const open = parts.find(({ factor }) => !levels.has(factor.id));
    if (open === undefined) {
      proceed();
      return;
    }
    problem.textContent = say("groups.missing", { prompt: open.factor.prompt });
    open.choices.focus();
  };
  return element(
    "section",
    { class: "card groups" },
    element("p", { class: "by", ...spoken(localized) }, localized.title),
    element("h1", {}, say("groups.heading")),
    element("p", { class: "lead" }, say("groups.lead")),
    ...parts.map(({ node }) => node),
    problem,
    element("div", { class: "actions" }, steadyButton("go-on", say("groups.continue"), finish)),
  );
}

/** One factor: its prompt, and one radio button for each of its levels. */
class FactorPart {
  /**
   * @param {import("../../core/groups.js").Factor} factor
   * @param {import("../../core/translation.js").LocalizedSurvey} localized
   * @param {Map<string, number>} levels to which the choice is added
   * @param {() => void} changed
   */
  constructor(factor, localized, levels, changed) {
    this.factor = factor;
    this.choices = new Choices(factor.labels, () => {
      levels.set(factor.id, this.choices.answer);
      changed();
    });
    this.choices.give(levels.get(factor.id) ?? -1);
    const heading = `factor-${factor.id}`;
    this.node = element(
      "fieldset",
      { class: "factor", role: this.choices.role, "aria-labelledby": heading, ...spoken(localized) },
      element("legend", { id: heading }, element("span", { class: "prompt" }, factor.prompt)),
      this.choices.node,
    );
  }
}
