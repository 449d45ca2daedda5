/** Choose the languages of the page and the survey that suit the reader best. */

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

  /** The language to begin with, from the browser's preferences. */
  get usual() {
    return best(navigator.languages, this.languages) ?? DEFAULT;
  }

  /**
   * Return the page's and the survey's texts in the wanted language; if one of them lacks it, in
   * the next that the browser prefers.
   * @param {string} wanted
   * @returns {Promise<import("./stage.js").Voice>}
   */
  async in(wanted) {
    const preferred = [wanted, ...navigator.languages];
    const language = best(preferred, INTERFACE) ?? DEFAULT;
    const wording = await this.#wording(language);
    const { languages = [] } = this.#survey ?? {};
    const localized = this.#survey?.inLanguage(best(preferred, languages) ?? languages[0]);
    return { wording, localized };
  }

  /** Fetch a catalogue when it is first needed. */
  async #wording(language) {
    const known = this.#wordings.get(language);
    const wording = known ?? new Wording(language, await this.#fetchTexts(language));
    this.#wordings.set(language, wording);
    return wording;
  }
}
