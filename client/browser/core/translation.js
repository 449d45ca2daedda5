/** The texts of a survey in each of its languages. */

import { require, within } from "./primitives/refusal.js";
import { checkText } from "./primitives/values.js";

export const DEFAULT = "en";

/** A simple language tag (BCP 47): a language, a script and a region, each in its usual case. */
export const CODE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|[0-9]{3}))?$/;
/** A survey's texts in one language, for display only: no document and no fingerprint. */
export class LocalizedSurvey {
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
 * Apply a translation; refuse it unless it has exactly the texts of the survey's language.
 * @param {LocalizedSurvey} own
 * @param {Translation} translation
 */
export function translate(own, translation) {
  return within(translation.language, () => {
    checkSurveyTexts(translation);
    for (const name of ["intro", "organizer"]) {
      const alike = (translation[name] === "") === (own[name] === "");
      const rule = `${name} must be given exactly if the survey's own language has it`;
      require(alike, "bad_translation", rule);
    }
    const questions = own.questions.map((question, i) =>
      question.translated(translation.questions[i]),
    );
    return new LocalizedSurvey(translation.language, translation, Object.freeze(questions));
  });
}

/**
 * Refuse invalid texts of the survey itself, apart from its questions.
 * @param {{title: unknown, intro: unknown, organizer: unknown}} texts
 */
export function checkSurveyTexts({ title, intro, organizer }) {
  checkText(title, "title");
  checkText(intro, "intro", false);
  checkText(organizer, "organizer", false);
}

/**
 * Return a translation as it appears in a document.
 * @param {Translation} translation
 * @param {readonly string[]} ids of the questions
 */
export function translationJson({ title, intro, organizer, questions }, ids) {
  const byId = Object.fromEntries(ids.map((id, i) => [id, questions[i]]));
  return { title, intro, organizer, questions: byId };
}
