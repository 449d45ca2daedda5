/** What can be said in which language, and which suits the reader best. */

import { DEFAULT } from "../core/translation.js";
import { best, INTERFACE } from "../wording/languages.js";
import { Wording } from "../wording/catalogue.js";

export class Voices {
  #fetchTexts;
  #wordings = new Map();
  #survey;

  /** @param {(language: string) => Promise<Record<string, string>>} fetchTexts one catalogue */
  constructor(fetchTexts) {
    this.#fetchTexts = fetchTexts;
  }

  /** @param {import("../core/survey.js").Survey} survey which has texts and languages of its own */
  open(survey) {
    this.#survey = survey;
  }

  /** All languages to choose from. */
  get languages() {
    return [...new Set([...INTERFACE, ...(this.#survey?.languages ?? [])])];
  }

  /** The one to begin with: what the browser asks for. */
  get usual() {
    return best(navigator.languages, this.languages) ?? DEFAULT;
  }

  /**
   * The page and the survey each in the language that is wanted; where one of them lacks it, in the
   * next that the browser asks for.
   * @param {string} wanted
   * @returns {Promise<import("./stage.js").Voice>}
   */
  async in(wanted) {
    const wishes = [wanted, ...navigator.languages];
    const language = best(wishes, INTERFACE) ?? DEFAULT;
    const wording = await this.#wording(language);
    const { languages = [] } = this.#survey ?? {};
    const telling = this.#survey?.inLanguage(best(wishes, languages) ?? languages[0]);
    return { wording, telling };
  }

  /** Every catalogue is fetched once, when it is needed. */
  async #wording(language) {
    const known = this.#wordings.get(language);
    const wording = known ?? new Wording(language, await this.#fetchTexts(language));
    this.#wordings.set(language, wording);
    return wording;
  }
}
