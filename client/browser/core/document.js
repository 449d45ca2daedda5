/**
 * Read a published document into a `Survey`, without trusting anything in it. The rules and their
 * order are those of `client/core/document.py`, so both give the same verdict.
 */

import { Completion } from "./completion.js";
import { readShowIf } from "./conditions.js";
import { Factor, Groups } from "./groups.js";
import { KINDS } from "./kinds/registry.js";
import { MECHANISMS } from "./mechanisms/registry.js";
import { canonical, exactKeys, parse, requireObject } from "./primitives/canonical.js";
import { parseEpsilon } from "./primitives/channel.js";
import { Refusal, require, within } from "./primitives/refusal.js";
import { decimalText } from "./primitives/values.js";
import { OPTIONAL_QUESTION_TEXTS, ORDER_KEYS, Question } from "./question.js";
import { FORMAT, Survey } from "./survey.js";
import { OPTIONAL_TEXTS } from "./translation.js";

const MAX_DOCUMENT_BYTES = 2 ** 21;
const MAX_DEPTH = 7;
const SURVEY_KEYS = [
  "candor", "slug", "version", "title", "intro", "organizer", "delete_on", "ask_each_person",
  "access", "questions", "total_epsilon",
];
/**
 * Most documents lack these: some texts, what invited surveys have, groups, what a panel asks for,
 * random order, the mark of a draft, languages besides English.
 */
const OPTIONAL_KEYS = [
  ...OPTIONAL_TEXTS, "ticket_keys", "answer_from", "groups", "completion", "shuffle", "test",
  "language", "translations",
];
const TRANSLATED_KEYS = ["title", "intro", "organizer", "questions"];
const FACTOR_KEYS = ["id", "prompt", "levels", "decline"];
const QUESTION_KEYS = ["id", "kind", "prompt", "epsilon", "mechanism", "show_if"];

/**
 * Read and verify a published document.
 * @param {Uint8Array} bytes
 * @returns {Survey}
 */
export function readDocument(bytes) {
  const value = parse(bytes, MAX_DOCUMENT_BYTES, "document", MAX_DEPTH);
  const known = exactKeys(value, SURVEY_KEYS, "document", OPTIONAL_KEYS);
  const { candor, total_epsilon: total, ...fields } = known;
  require(candor === FORMAT, "unknown_format", `this page reads document format ${FORMAT}`);
  const soundMark = !("test" in fields) || fields.test === true;
  require(soundMark, "bad_test", "test must be true or absent");
  require(Array.isArray(fields.questions), "bad_questions", "questions must be a list");
  const questions = fields.questions.map(readQuestion);
  const groups = "groups" in fields ? readGroups(fields.groups) : undefined;
  const completion = Completion.read("completion" in fields ? fields.completion : {});
  const given = "translations" in fields ? fields.translations : {};
  const translations = readTranslations(given, questions, groups);
  const survey = new Survey({ ...fields, questions, groups, completion, translations });
  const sum = decimalText(survey.totalEpsilon);
  require(total === sum, "wrong_total", `total_epsilon must be the sum ${sum}`);
  // Checked last, so that a document with several faults gets a more helpful reason.
  const again = new TextEncoder().encode(canonical(survey.asJson()));
  require(equal(again, bytes), "not_canonical", "the document is not canonical JSON");
  return survey;
}

/**
 * Return the SHA-256 of the document: printed on the page and quoted by every report.
 * @param {Uint8Array} bytes
 * @returns {Promise<string>}
 */
export async function fingerprint(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Read the survey that a link leads to: verify it, its slug and the fingerprint in the link.
 * @param {Uint8Array} bytes
 * @param {{slug: string, pinned: string, isTest: boolean}} link `pinned` is what stands after # in
 *   the link, or ""; `isTest`: the link of a draft
 */
export async function readLinkedDocument(bytes, { slug, pinned, isTest }) {
  const found = await fingerprint(bytes);
  if (pinned !== "" && pinned !== found) {
    throw new Refusal("wrong_fingerprint", `the fingerprint is ${found}, the link says ${pinned}`);
  }
  const survey = readDocument(bytes);
  require(survey.slug === slug, "foreign_document", `the document is for '${survey.slug}'`, {
    slug: survey.slug,
  });
  require(survey.isTest === isTest, "test_mixed_up", "a test and a survey have been mixed up");
  return { survey, fingerprint: found };
}

function readQuestion(value) {
  const Kind = classOf(value, "kind", KINDS, "question", "kind");
  const keys = [...QUESTION_KEYS, ...Kind.fields];
  const item = exactKeys(value, keys, "question", [...OPTIONAL_QUESTION_TEXTS, ...ORDER_KEYS]);
  // An object cannot be made a string: the parser's objects have no prototype.
  const name = typeof item.id === "string" ? item.id.slice(0, 40) : "question";
  return within(name, () => {
    const kind = new Kind(item);
    const epsilon = parseEpsilon(item.epsilon);
    const mechanism = readMechanism(item.mechanism);
    const showIf = readShowIf(item.show_if);
    return new Question({ ...item, kind, epsilon, mechanism, showIf });
  });
}

function readGroups(value) {
  const { by, factors } = exactKeys(value, ["by", "factors"], "groups");
  require(Array.isArray(factors), "bad_groups", "factors must be a list");
  return new Groups(by, factors.map((item) => new Factor(exactKeys(item, FACTOR_KEYS, "factor"))));
}

/** Read the translations; each must have exactly the texts that people read. */
function readTranslations(value, questions, groups) {
  requireObject(value, "translations");
  return Object.keys(value)
    .sort()
    .map((language) => {
      const what = `translations.${language.slice(0, 40)}`;
      const keys = groups ? [...TRANSLATED_KEYS, "groups"] : TRANSLATED_KEYS;
      const item = exactKeys(value[language], keys, what, OPTIONAL_TEXTS);
      const texts = readTexts(item.questions, questions, `${what}.questions`);
      const own = groups && { groups: readTexts(item.groups, groups.factors, `${what}.groups`) };
      return { ...item, language, questions: texts, ...own };
    });
}

/** Read the texts of all questions or all factors, by their ids. */
function readTexts(value, parts, what) {
  const byId = exactKeys(value, parts.map(({ id }) => id), what);
  return parts.map(({ id, texts }) => exactKeys(byId[id], Object.keys(texts), `${what}.${id}`));
}

/** Return the class that `value` names; the other keys it must have depend on that class. */
function classOf(value, key, known, what, noun) {
  requireObject(value, what);
  require(key in value, "missing_key", `${what} has no key '${key}'`);
  const found = known.get(value[key]);
  if (!found) throw new Refusal(`unknown_${noun}`, `the ${noun} is not known`);
  return found;
}

function readMechanism(value) {
  const Mechanism = classOf(value, "name", MECHANISMS, "mechanism", "mechanism");
  const integers = ["threshold", ...Mechanism.shape];
  const item = exactKeys(value, ["name", ...integers], "mechanism", Mechanism.optionalShape);
  for (const key of [...integers, ...Mechanism.optionalShape.filter((name) => name in item)]) {
    const fits = Number.isInteger(item[key]);
    require(fits, "bad_shape", `the mechanism's ${key} must be an integer`);
  }
  return new Mechanism(item);
}

function equal(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
