/** Languages, and the texts of a survey in each of them. */

import { require, within } from "./primitives/refusal.js";
import { checkText } from "./primitives/values.js";

/** Those that have a catalogue under `texts`. */
export const INTERFACE = ["en", "de", "es", "ar"];
export const DEFAULT = "en";

/** A simple language tag (BCP 47): a language, a script and a region, each in its usual case. */
export const CODE = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-(?:[A-Z]{2}|[0-9]{3}))?$/;
const RIGHT_TO_LEFT = "ar arc ckb dv fa he ks nqo ps sd syr ug ur yi".split(" ");
const RIGHT_TO_LEFT_SCRIPTS = "Adlm Arab Hebr Nkoo Rohg Syrc Thaa".split(" ");

/**
 * Which way a language is written; where its script is named, the script decides.
 * @param {string} language
 */
export function direction(language) {
  const [plain, ...parts] = language.split("-");
  const script = parts.find((part) => part.length === 4);
  const toLeft = script ? RIGHT_TO_LEFT_SCRIPTS.includes(script) : RIGHT_TO_LEFT.includes(plain);
  return toLeft ? "rtl" : "ltr";
}

/**
 * The first wanted language that is there: itself, a plainer form, or a sister. `de-AT` is content
 * with `de`, and `pt` with `pt-BR`.
 * @param {readonly string[]} wanted
 * @param {readonly string[]} available
 * @returns {string | undefined}
 */
export function best(wanted, available) {
  for (const language of wanted) {
    const parts = language.toLowerCase().replaceAll("_", "-").split("-");
    for (let length = parts.length; length > 0; length--) {
      const plainer = parts.slice(0, length).join("-");
      const found = available.find((name) => name.toLowerCase() === plainer);
      if (found) return found;
    }
    const sister = available.find((name) => name.toLowerCase().split("-")[0] === parts[0]);
    if (sister) return sister;
  }
  return undefined;
}

/** A survey's texts in one language, for showing only: it has no document and no fingerprint. */
export class Telling {
  /**
   * @param {string} language
   * @param {{title: string, intro: string, organizer: string}} texts
   * @param {readonly import("./question.js").Question[]} questions
   */
  constructor(language, { title, intro, organizer }, questions) {
    this.language = language;
    this.direction = direction(language);
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
