/**
 * Survey: the published questionnaire and the rules it keeps, the twin of `client/survey.py`.
 * Validated at birth: a survey that promises more than it keeps cannot be made.
 *
 * @typedef {object} Question
 * @property {string} id
 * @property {string} kind
 * @property {string} prompt
 * @property {readonly string[]} options numbered from 0
 * @property {bigint} epsilon in millionths
 * @property {import("./mechanisms/randomized_response.js").RandomizedResponse} mechanism
 *
 * @typedef {object} Survey
 * @property {string} slug
 * @property {number} version
 * @property {string} title
 * @property {string} intro
 * @property {string} organizer
 * @property {string} delete_on "" or a day
 * @property {readonly Question[]} questions
 * @property {bigint} totalEpsilon in millionths: the exact sum
 */

import { MAX_TOTAL_EPSILON, checkThreshold } from "./channel.js";
import { decimalText } from "./decimal.js";
import { require } from "./refusal.js";

export const FORMAT = 1;
const MAX_QUESTIONS = 100;
const MAX_TEXT = 2000;
const MAX_VERSION = 10 ** 6;
const KINDS = ["yes_no"];
const SLUG = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const QUESTION_ID = /^[a-z][a-z0-9_]{0,31}$/;
const DAY = /^[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])$/;
// With the flag u a surrogate here is a half one, which is not UTF-8.
const CONTROL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\ud800-\udfff\ufeff]/u;

/**
 * @param {Question} question
 * @returns {Question} the same, checked and frozen
 */
export function makeQuestion(question) {
  const { id, kind, prompt, options, epsilon, mechanism } = question;
  checkPattern(id, QUESTION_ID, "id");
  checkText(prompt, `${id}.prompt`);
  require(KINDS.includes(kind), "unknown_kind", `${id}.kind must be ${KINDS}, got '${kind}'`);
  for (const label of options) checkText(label, `${id}.options`);
  require(
    options.length === 2 && options[0] !== options[1],
    "bad_options",
    `${id}.options must be two different labels`,
  );
  checkThreshold(mechanism.threshold, epsilon, mechanism.near, mechanism.far, id);
  return Object.freeze({ ...question, options: Object.freeze([...options]) });
}

/**
 * @param {Omit<Survey, "totalEpsilon">} fields
 * @returns {Survey}
 */
export function makeSurvey(fields) {
  checkPattern(fields.slug, SLUG, "slug");
  require(
    Number.isInteger(fields.version) && fields.version >= 1 && fields.version <= MAX_VERSION,
    "bad_version",
    `version must be an integer from 1 to ${MAX_VERSION}`,
  );
  checkText(fields.title, "title");
  checkText(fields.intro, "intro", false);
  checkText(fields.organizer, "organizer", false);
  if (fields.delete_on !== "") checkPattern(fields.delete_on, DAY, "delete_on");
  checkQuestions(fields.questions);
  const totalEpsilon = fields.questions.reduce((sum, { epsilon }) => sum + epsilon, 0n);
  require(
    totalEpsilon <= MAX_TOTAL_EPSILON,
    "total_epsilon_too_large",
    `total_epsilon must be at most 10, got ${decimalText(totalEpsilon)}`,
  );
  return Object.freeze({ ...fields, totalEpsilon });
}

/**
 * What canonical JSON is made of.
 * @param {Survey} survey
 */
export function asJson({ totalEpsilon, questions, ...fields }) {
  return {
    ...fields,
    candor: FORMAT,
    questions: questions.map(({ mechanism, epsilon, ...question }) => ({
      ...question,
      epsilon: decimalText(epsilon),
      mechanism: { name: mechanism.name, threshold: mechanism.threshold },
    })),
    total_epsilon: decimalText(totalEpsilon),
  };
}

function checkQuestions(questions) {
  const count = questions.length;
  require(
    count >= 1 && count <= MAX_QUESTIONS,
    "bad_questions",
    `a survey has between 1 and ${MAX_QUESTIONS} questions, got ${count}`,
  );
  const ids = new Set(questions.map(({ id }) => id));
  require(ids.size === count, "repeated_question", "the id of a question stands twice");
}

function checkPattern(value, pattern, field) {
  const fits = typeof value === "string" && pattern.test(value);
  require(fits, `bad_${field}`, `${field} has characters or a length that it must not have`);
}

function checkText(value, field, required = true) {
  require(typeof value === "string", "not_text", `${field} must be text`);
  require(
    [...value].length <= MAX_TEXT,
    "text_too_long",
    `${field} must have at most ${MAX_TEXT} characters`,
  );
  require(!CONTROL.test(value), "control_character", `${field} contains control characters`);
  // Last: without control characters and byte order marks, both languages mean the same by blank.
  require(!required || value.trim() !== "", "empty_text", `${field} must not be empty`);
}
