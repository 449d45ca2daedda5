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

  /** All languages to choose from: those of the survey, once it is open. */
  get languages() {
    return this.#survey?.languages ?? INTERFACE;
  }

  /**
   * Return the page's and the survey's texts in the wanted language; if one of them lacks it, in
   * the next that the browser prefers.
   * @param {string | null} wanted null if nobody has chosen one
   * @returns {Promise<import("./stage.js").Voice>}
   */
  async in(wanted) {
    const preferred = [...(wanted === null ? [] : [wanted]), ...navigator.languages];
    const own = best(preferred, this.languages) ?? this.languages[0];
    const language = best([...preferred, own], INTERFACE) ?? DEFAULT;
    return { wording: await this.#wording(language), localized: this.#survey?.inLanguage(own) };
  }

  /** Fetch a catalogue when it is first needed. */
  async #wording(language) {
    const known = this.#wordings.get(language);
    const wording = known ?? new Wording(language, await this.#fetchTexts(language));
    this.#wordings.set(language, wording);
    return wording;
  }
}
