/**
 * A survey: the published questionnaire and its rules, like `client/core/survey.py`. It is
 * validated when it is made, so one that promises more than it keeps cannot exist.
 */

import { checkAccess, INVITED } from "./access.js";
import { BY_CHOICE, RESERVED_ID } from "./groups.js";
import { MAX_TOTAL_EPSILON } from "./primitives/channel.js";
import { require } from "./primitives/refusal.js";
import { checkFlag, checkPattern, DAY, decimalText } from "./primitives/values.js";
import { reportBytes } from "./report.js";
import {
  checkSurveyTexts,
  CODE,
  DEFAULT,
  LocalizedSurvey,
  translate,
  translationJson,
  withoutEmpty,
} from "./translation.js";

export const FORMAT = 3;
const MAX_QUESTIONS = 100;
const MAX_LANGUAGES = 30;
const MAX_REPORT_BYTES = 2 ** 16;
const MAX_VERSION = 10 ** 6;
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;

export class Survey {
  /**
   * @param {object} fields as in a document, but for the questions
   * @param {string} fields.slug
   * @param {number} fields.version
   * @param {string} fields.title
   * @param {string} fields.intro
   * @param {string} fields.organizer
   * @param {string} [fields.consent] what one agrees to before the first question
   * @param {string} [fields.closing] what one reads after sending
   * @param {string} [fields.contact]
   * @param {string} [fields.ethics_reference]
   * @param {string} fields.delete_on "" or a day
   * @param {number} fields.ask_each_person 0: all questions
   * @param {string} fields.access who may answer
   * @param {string} [fields.answer_from] the first day of answers, if tickets are collected before
   * @param {Record<string, string>} [fields.ticket_keys] a modulus in hex for each group
   * @param {import("./groups.js").Groups} [fields.groups] what is sent as it is
   * @param {import("./completion.js").Completion} fields.completion what a panel asks for
   * @param {boolean} [fields.shuffle] the device asks the questions of each section in random order
   * @param {true} [fields.test] a test, marked as such and with a fingerprint of its own
   * @param {string} [fields.language] of the texts here and of the questions
   * @param {readonly import("./translation.js").Translation[]} [fields.translations] in the order
   *   of their languages
   * @param {readonly import("./question.js").Question[]} fields.questions
   */
  constructor(fields) {
    checkFields(fields);
    checkQuestions(fields);
    checkSkipLogic(fields);
    checkCompletion(fields);
    this.fields = Object.freeze(fields);
    /** The most that one person can spend, in millionths: the exact sum of epsilons (math 6). */
    this.totalEpsilon = totalEpsilon(fields.questions, this.asked);
    /** The length that every report of this survey has on the wire, whatever it says. */
    this.reportBytes = reportBytes(this);
    require(
      this.totalEpsilon <= MAX_TOTAL_EPSILON,
      "total_epsilon_too_large",
      `total_epsilon must be at most 10, got ${decimalText(this.totalEpsilon)}`,
    );
    require(
      this.reportBytes <= MAX_REPORT_BYTES,
      "report_too_large",
      `a report of this survey would take ${this.reportBytes} bytes`,
    );
    checkLanguages(this.languages);
    this.#localizations = localize(fields);
    Object.freeze(this);
  }

  #localizations;

  /** All languages of this survey, its own first. */
  get languages() {
    const { language = DEFAULT, translations = [] } = this.fields;
    return [language, ...translations.map((translation) => translation.language)];
  }

  /**
   * Return the survey's texts in one of its languages, for display only.
   * @param {string} language
   */
  inLanguage(language) {
    return this.#localizations.get(language);
  }

  get slug() {
    return this.fields.slug;
  }

  get questions() {
    return this.fields.questions;
  }

  get access() {
    return this.fields.access;
  }

  /** Whether only people with a personal link can answer; anybody can test a draft. */
  get byInvitation() {
    return this.access === INVITED && !this.isTest;
  }

  /** The first day on which reports are taken, or null: tickets are then collected before. */
  get answerFrom() {
    return this.fields.answer_from ?? null;
  }

  /** The modulus in hex for each group, the empty one if links set none; empty if open. */
  get ticketKeys() {
    return new Map(Object.entries(this.fields.ticket_keys ?? {}));
  }

  get groups() {
    return this.fields.groups ?? null;
  }

  /** The groups that a report names; null if the link decides, or there are none. */
  get chosenGroups() {
    return this.groups?.by === BY_CHOICE ? this.groups : null;
  }

  /** The code and the link after sending; both may be empty. */
  get completion() {
    return this.fields.completion;
  }

  get isTest() {
    return this.fields.test === true;
  }

  /** How many questions one report is about. */
  get asked() {
    return this.fields.ask_each_person || this.questions.length;
  }

  /** Whether each person is asked only some of the questions. */
  get isSampled() {
    return this.fields.ask_each_person > 0;
  }

  /** Return the value that the canonical JSON is made of. */
  asJson() {
    const {
      language = DEFAULT, translations = [], groups, completion: panel, shuffle, ...fields
    } = this.fields;
    const completion = panel.asJson();
    const ids = this.questions.map(({ id }) => id);
    const factors = groups?.factors.map(({ id }) => id);
    const json = (item) => [item.language, translationJson(item, ids, factors)];
    const byLanguage = translations.map(json);
    return {
      ...withoutEmpty(fields),
      // Optional keys are absent if they have their default, so plain documents lack them.
      ...(groups ? { groups: groups.asJson() } : {}),
      ...(shuffle ? { shuffle } : {}),
      ...(language === DEFAULT ? {} : { language }),
      ...(byLanguage.length === 0 ? {} : { translations: Object.fromEntries(byLanguage) }),
      ...(Object.keys(completion).length === 0 ? {} : { completion }),
      candor: FORMAT,
      questions: this.questions.map((question) => question.asJson()),
      total_epsilon: decimalText(this.totalEpsilon),
    };
  }
}

function checkFields(fields) {
  const { slug, version, delete_on: day } = fields;
  const { shuffle = false, language = DEFAULT } = fields;
  checkPattern(slug, SLUG, "slug");
  checkSurveyTexts(fields);
  if (day !== "") checkPattern(day, DAY, "delete_on");
  checkAccess(fields);
  checkFlag(shuffle, "shuffle");
  checkPattern(language, CODE, "language");
  const counts = Number.isInteger(version) && version >= 1 && version <= MAX_VERSION;
  require(counts, "bad_version", `version must be an integer from 1 to ${MAX_VERSION}`);
}

function checkQuestions({ questions, groups, ask_each_person: asked }) {
  const count = questions.length;
  require(
    count >= 1 && count <= MAX_QUESTIONS,
    "bad_questions",
    `a survey has between 1 and ${MAX_QUESTIONS} questions, got ${count}`,
  );
  const ids = new Set(questions.map(({ id }) => id));
  require(ids.size === count, "repeated_question", "the id of a question appears twice");
  require(
    Number.isInteger(asked) && 0 <= asked && asked < count,
    "bad_ask_each_person",
    `ask_each_person must be from 1 to ${count - 1}, or 0 for all questions`,
  );
  const columns = groups ? [...groups.factors.map(({ id }) => id), RESERVED_ID] : [];
  const apart = !columns.some((id) => ids.has(id));
  require(apart, "bad_groups", "a factor, or its column, has the id of a question");
}

/** Refuse conditions unless they are about earlier questions that everybody is asked. */
function checkSkipLogic({ questions, ask_each_person: asked }) {
  const earlier = new Map();
  for (const { id, domain, showIf } of questions) {
    for (const condition of showIf?.conditions ?? []) {
      require(
        asked === 0 && condition.canBeDecidedBy(earlier.get(condition.question)),
        "bad_show_if",
        `${id}.show_if must be about earlier questions that everybody is asked`,
      );
    }
    earlier.set(id, domain);
  }
}

function checkCompletion({ completion, groups }) {
  const codes = groups?.codes ?? [];
  const known = [...completion.byGroup.keys()].every((group) => codes.includes(group));
  require(known, "bad_completion", "by_group must name groups of the survey by their codes");
}

function checkLanguages(languages) {
  for (const language of languages) checkPattern(language, CODE, "language");
  const fits = new Set(languages).size === languages.length && languages.length <= MAX_LANGUAGES;
  const rule = `a survey may have at most ${MAX_LANGUAGES} languages, each once`;
  require(fits, "bad_translation", rule);
}

/** Return the texts by language; making them checks the translations. */
function localize({ language = DEFAULT, translations = [], questions, groups, ...texts }) {
  const own = new LocalizedSurvey(language, texts, questions, groups);
  const others = translations.map((translation) => translate(own, translation));
  return new Map([own, ...others].map((localized) => [localized.language, localized]));
}

function totalEpsilon(questions, asked) {
  const largest = questions.map(({ epsilon }) => epsilon).sort((a, b) => (a < b ? 1 : -1));
  return largest.slice(0, asked).reduce((sum, epsilon) => sum + epsilon, 0n);
}
