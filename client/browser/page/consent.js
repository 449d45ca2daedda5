/** The consent page, which comes before everything else, and who answers for the study. */

import { element, facts, spoken } from "./dom.js";
import { prose } from "./prose.js";
import { documentChanged, refusedToStart } from "./trouble.js";

export class Consent {
  /** What was agreed to: in memory only, neither sent nor stored. */
  #agreedTo = "";
  #show = null;

  /**
   * Show the author's consent page, unless there is none or the same texts were agreed to before.
   * Agreeing makes no request: the ticket of an open survey is there already, and a personal link
   * is used later.
   * @param {import("./stage.js").Stage} stage
   * @param {{survey: import("../core/survey.js").Survey, otherwise: string}} asked with the name of
   *   the text for those who do not agree
   * @param {boolean} isChanged the survey is another one than when the page was opened
   * @param {() => void | Promise<void>} proceed
   */
  ask(stage, { survey, otherwise }, isChanged, proceed) {
    const texts = survey.languages.map((language) => survey.inLanguage(language).consent);
    const wanted = texts.join("\n\n");
    if (texts[0] === "" || wanted === this.#agreedTo) return proceed();
    const agree = async () => {
      this.#agreedTo = wanted;
      try {
        await proceed();
      } catch (error) {
        stage.show(({ wording }) => [refusedToStart(wording, error)]);
      }
    };
    this.#show = () =>
      stage.show((voice) => [
        ...(isChanged ? [documentChanged(voice.wording)] : []),
        consentPage(voice, otherwise, agree),
      ]);
    return this.#show();
  }

  /** Show the page again, for somebody who goes back; return false if there was none. */
  goBack() {
    this.#show?.();
    return this.#show !== null;
  }
}

function consentPage({ wording, localized }, otherwise, agree) {
  const { say } = wording;
  const { title, organizer, consent } = localized;
  return element(
    "section",
    { class: "card consent" },
    element("h1", spoken(localized), title),
    ...(organizer ? [element("p", { class: "by" }, say("by", { organizer }))] : []),
    prose(consent, localized),
    ...studyFacts(wording, localized),
    element("p", { class: "note" }, say("consent.note"), " ", say(otherwise)),
    element(
      "div",
      { class: "actions" },
      element("button", { type: "button", class: "button", click: agree }, say("consent.agree")),
    ),
  );
}

/**
 * Return whom to ask about the study and who has reviewed it, as far as the survey says so.
 * @param {import("../wording/catalogue.js").Wording} wording
 * @param {import("../core/translation.js").LocalizedSurvey} localized
 * @returns {HTMLElement[]}
 */
export function studyFacts({ say }, { contact, ethics_reference: reference }) {
  const told = [
    [say("study.contact"), contact],
    [say("study.ethics"), reference],
  ].filter(([, text]) => text !== "");
  return told.length === 0 ? [] : [facts(told)];
}
