/** The texts of a survey in each of its languages. */

import { require, within } from "./primitives/refusal.js";
import { checkText, MAX_PAGE } from "./primitives/values.js";

export const DEFAULT = "en";

/** A simple language tag (BCP 47): a language, a script and a region, each in its usual case. */
export const CODE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|[0-9]{3}))?$/;
/** A document has these texts of the survey only if they are not empty. */
export const OPTIONAL_TEXTS = ["consent", "closing", "contact", "ethics_reference"];
const TEXTS = ["title", "intro", "organizer", ...OPTIONAL_TEXTS];
const PAGES = ["consent", "closing"];

/** A survey's texts in one language, for display only: no document and no fingerprint. */
export class LocalizedSurvey {
  /**
   * @param {string} language
   * @param {Record<string, string>} texts of the survey, as in a document
   * @param {readonly import("./question.js").Question[]} questions
   * @param {import("./groups.js").Groups | null} [groups]
   */
  constructor(language, { title, intro, organizer, ...others }, questions, groups = null) {
    Object.assign(this, { language, title, intro, organizer, questions, groups });
    for (const name of OPTIONAL_TEXTS) this[name] = others[name] ?? "";
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
    for (const name of TEXTS) {
      checkSurveyText(name, translation);
      const alike = ((translation[name] ?? "") === "") === (own[name] === "");
      const rule = `${name} must be given exactly if the survey's own language has it`;
      require(alike, "bad_translation", rule);
    }
    const questions = own.questions.map((question, i) =>
      question.translated(translation.questions[i]),
    );
    const groups = own.groups?.translated(translation.groups);
    return new LocalizedSurvey(translation.language, translation, Object.freeze(questions), groups);
  });
}

/**
 * Refuse invalid texts of the survey itself, apart from its questions.
 * @param {Record<string, unknown>} texts
 */
export function checkSurveyTexts(texts) {
  for (const name of TEXTS) checkSurveyText(name, texts);
}

function checkSurveyText(name, { [name]: text = "" }) {
  checkText(text, name, name === "title", PAGES.includes(name) ? MAX_PAGE : undefined);
}

/**
 * Return a translation as it appears in a document.
 * @param {Translation} translation
 * @param {readonly string[]} ids of the questions
 * @param {readonly string[]} [factors] ids of the factors of the groups
 */
export function translationJson({ language, questions, groups, ...texts }, ids, factors) {
  const own = factors && { groups: byId(factors, groups) };
  return { ...withoutEmpty(texts), questions: byId(ids, questions), ...own };
}

function byId(ids, texts) {
  return Object.fromEntries(ids.map((id, i) => [id, texts[i]]));
}

/**
 * Return the fields of a survey or a translation without optional texts that are empty.
 * @param {Record<string, unknown>} fields
 */
export function withoutEmpty(fields) {
  const isEmpty = ([name, value]) => OPTIONAL_TEXTS.includes(name) && value === "";
  return Object.fromEntries(Object.entries(fields).filter((entry) => !isEmpty(entry)));
}
