/** The texts of a survey in each of its languages. */

import { require, within } from "./primitives/refusal.js";
import { checkText } from "./primitives/values.js";

export const DEFAULT = "en";

/** A simple language tag (BCP 47): a language, a script and a region, each in its usual case. */
export const CODE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|[0-9]{3}))?$/;
/** A survey's texts in one language, for showing only: it has no document and no fingerprint. */
export class Telling {
  /**
   * @param {string} language
   * @param {{title: string, intro: string, organizer: string}} texts
   * @param {readonly import("./question.js").Question[]} questions
   */
  constructor(language, { title, intro, organizer }, questions) {
    this.language = language;
    Object.assign(this, { title, intro, organizer, questions });
    Object.freeze(this);
  }
}

/**
 * What is told in one more language: every text there is, and no other.
 * @param {Telling} own
 * @param {Translation} translation
 */
export function translate(own, translation) {
  return within(translation.language, () => {
    checkSurveyTexts(translation);
    for (const name of ["intro", "organizer"]) {
      const alike = (translation[name] === "") === (own[name] === "");
      const rule = `${name} must be there exactly where the survey's own language has it`;
      require(alike, "bad_translation", rule);
    }
    const questions = own.questions.map((question, i) => question.retold(translation.questions[i]));
    return new Telling(translation.language, translation, Object.freeze(questions));
  });
}

/**
 * What a survey says beside its questions.
 * @param {{title: unknown, intro: unknown, organizer: unknown}} texts
 */
export function checkSurveyTexts({ title, intro, organizer }) {
  checkText(title, "title");
  checkText(intro, "intro", false);
  checkText(organizer, "organizer", false);
}

/**
 * As it stands in a document.
 * @param {Translation} translation
 * @param {readonly string[]} ids of the questions
 */
export function translationJson({ title, intro, organizer, questions }, ids) {
  const told = Object.fromEntries(ids.map((id, i) => [id, questions[i]]));
  return { title, intro, organizer, questions: told };
}
