/**
 * Bytes that somebody published become a `Survey`, or are refused: nothing in them is believed.
 * The same rules in the same order as `client/document.py`, so both give the same verdict.
 */

import { decimalText, parseEpsilon } from "./decimal.js";
import { MECHANISMS } from "./mechanisms/registry.js";
import { Refusal, require } from "./refusal.js";
import { canonical, exactKeys, parse } from "./strict.js";
import { FORMAT, asJson, makeQuestion, makeSurvey } from "./survey.js";

const MAX_DOCUMENT_BYTES = 2 ** 20;
const SURVEY_KEYS = [
  "candor", "slug", "version", "title", "intro", "organizer", "delete_on", "questions",
  "total_epsilon",
];
const QUESTION_KEYS = ["id", "kind", "prompt", "options", "epsilon", "mechanism"];
const MECHANISM_KEYS = ["name", "threshold"];

/**
 * Read and verify a published document.
 * @param {Uint8Array} bytes
 * @returns {import("./survey.js").Survey}
 */
export function readDocument(bytes) {
  const value = exactKeys(parse(bytes, MAX_DOCUMENT_BYTES, "document"), SURVEY_KEYS, "document");
  const { candor, total_epsilon: total, questions, ...fields } = value;
  require(candor === FORMAT, "unknown_format", `this page reads document format ${FORMAT}`);
  require(Array.isArray(questions), "bad_questions", "questions must be a list");
  const survey = makeSurvey({ ...fields, questions: questions.map(readQuestion) });
  const sum = decimalText(survey.totalEpsilon);
  require(total === sum, "wrong_total", `total_epsilon must be the sum ${sum}`);
  // Last, so that a more helpful reason comes first.
  const again = new TextEncoder().encode(canonical(asJson(survey)));
  require(equal(again, bytes), "not_canonical", "the document is not canonical JSON");
  return survey;
}

/**
 * SHA-256 of the document: printed on the page, quoted by every report.
 * @param {Uint8Array} bytes
 * @returns {Promise<string>}
 */
export async function fingerprint(bytes) {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * The survey that a link leads to: verified, for this link, and with the fingerprint it names.
 * @param {Uint8Array} bytes
 * @param {{slug: string, pinned: string}} link `pinned` is what stands after # in the link, or ""
 */
export async function readLinkedDocument(bytes, { slug, pinned }) {
  const found = await fingerprint(bytes);
  if (pinned !== "" && pinned !== found) {
    throw new Refusal("wrong_fingerprint", `the fingerprint is ${found}, the link says ${pinned}`);
  }
  const survey = readDocument(bytes);
  require(survey.slug === slug, "foreign_document", `the document is for '${survey.slug}'`, {
    slug: survey.slug,
  });
  return { survey, fingerprint: found };
}

function readQuestion(value) {
  const { epsilon, mechanism, ...item } = exactKeys(value, QUESTION_KEYS, "question");
  const id = String(item.id).slice(0, 40);
  require(Array.isArray(item.options), "bad_options", `${id}.options must be a list`);
  return makeQuestion({
    ...item,
    epsilon: parseEpsilon(epsilon, `${id}.epsilon`),
    mechanism: readMechanism(mechanism, id),
  });
}

function readMechanism(value, id) {
  const { name, threshold } = exactKeys(value, MECHANISM_KEYS, "mechanism");
  const Mechanism = MECHANISMS.get(name);
  if (!Mechanism) throw new Refusal("unknown_mechanism", `${id}: the mechanism is not known`);
  require(
    Number.isInteger(threshold),
    "threshold_out_of_range",
    `${id}: the threshold must be an integer`,
  );
  return new Mechanism(threshold);
}

function equal(a, b) {
  return a.length === b.length && a.every((byte, i) => byte === b[i]);
}
