/**
 * Decide what one report is about: which questions, and which of their boxes (math 11). The ticket
 * decides, and the server refuses a report about anything else, as `client/core/assignment.py`
 * says.
 *
 * @typedef {{questions: string[], boxes: Record<string, number[]>}} Assignment the ids of the
 *   questions that a report answers, and for some the sampled boxes
 */

import { subset, Tape } from "./primitives/words.js";

const BLOCK_WORDS = 8;
// A draw below 200 rejects a word less than once in 2^24, so this many rejections never happen.
const SPARE_WORDS = 24;

/**
 * Prepare at least the first `count` words of SHA-256(ticket|name|block), eight big-endian words
 * per block (math 0.4). Browsers hash asynchronously, but draws are synchronous, so the words must
 * be prepared.
 * @param {string} ticket
 * @param {string} name
 * @param {number} count
 * @returns {Promise<import("./primitives/words.js").Words>}
 */
export async function ticketWords(ticket, name, count) {
  const blocks = Array.from({ length: Math.ceil(count / BLOCK_WORDS) }, (_, block) =>
    hash(`${ticket}|${name}|${block}`),
  );
  return new Tape((await Promise.all(blocks)).flat());
}

/**
 * Draw what the report with this ticket is about; the same ticket always draws the same.
 * @param {import("./survey.js").Survey} survey
 * @param {string} ticket
 * @returns {Promise<Assignment>}
 */
export async function drawAssignment(survey, ticket) {
  const asked = await askedQuestions(survey, ticket);
  const boxes = {};
  for (const { id, mechanism } of asked) {
    const count = mechanism.assignmentDraws;
    if (count > 0) {
      boxes[id] = mechanism.drawAssignment(await ticketWords(ticket, id, count + SPARE_WORDS));
    }
  }
  return { questions: asked.map(({ id }) => id), boxes };
}

/** Return all questions, or a uniform subset; the subset is drawn under the empty name. */
async function askedQuestions({ isSampled, questions, asked }, ticket) {
  if (!isSampled) return [...questions];
  const words = await ticketWords(ticket, "", asked + SPARE_WORDS);
  return subset(words, questions.length, asked).map((i) => questions[i]);
}

async function hash(text) {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  const view = new DataView(digest);
  return Array.from({ length: BLOCK_WORDS }, (_, i) => view.getUint32(4 * i));
}
