/**
 * One question in plain words: its odds, an answer, and what will be sent instead. Every number
 * comes from the mechanism's integers. The terminal client says the same (`client/wording/odds.py`).
 */

import { MAX_EPSILON, threshold } from "../core/primitives/channel.js";
import { Levels } from "../core/primitives/domain.js";
import { frequencies, neighbours } from "./catalogue.js";

/** The sentences of each mechanism's odds, and the values in them. */
const ODDS = {
  rr: ({ options: [other, option] }) => ["rr", { other, option }],
  ss: ({ mechanism: { size, options } }) => (size === 1 ? ["one", {}] : ["some", { size, options }]),
  hr: () => ["half", {}],
  smp: ({ mechanism: { asked, options } }) => ["boxes", { asked, options }],
  privset: ({ mechanism: { size, items } }) => ["set", { size, items }],
  rt: () => ["limit", {}],
  isw: ({ mechanism: { width } }) => (width === 0 ? ["number", {}] : ["range", { size: width + 1 }]),
};

/** What each mechanism's report says, in the question's own words. */
const SENT = {
  rr: ({ options }, bit) => options[bit],
  ss: ({ options }, set, wording) => wording.listed(set.map((option) => options[option])),
  hr: ({ mechanism: { columns } }, number, { say }) => say("sent.half", { number, columns }),
  smp: ({ options }, pairs, wording) =>
    wording.listed(
      pairs.map(([box, bit]) =>
        wording.say(bit ? "sent.ticked" : "sent.unticked", { option: options[box] }),
      ),
    ),
  privset: ({ options }, set, wording) =>
    wording.listed(set.map((item) => options[item] ?? wording.say("sent.blank"))),
  rt: ({ kind }, [limit, bit], wording) =>
    wording.say(bit ? "sent.reached" : "sent.below", { limit: levelText(kind, limit, wording) }),
  isw: ({ kind, mechanism: { top, width } }, number, wording) =>
    rangeText(kind, Math.max(number - width, 0), Math.min(number, top), wording),
};

/**
 * Return both sides of a question's odds, out of the same number of people.
 * @param {import("../core/question.js").Question} question
 * @param {import("./catalogue.js").Wording} wording
 * @returns {{count: number, whole: number, sentence: string}[]} for the truth, then for the rest
 */
export function odds(question, { say }) {
  const [key, values] = ODDS[question.mechanism.name](question);
  const { many, few, whole } = frequencies(question.mechanism.support, ...nearby(question));
  const side = (name, count) => ({
    count,
    whole,
    sentence: say(`odds.${key}.${name}`, { ...values, count, whole }),
  });
  return [side("truth", many), side("rest", few)];
}

/**
 * Say what the odds mean for the chosen answer and for every other one. With only two options, both
 * sides say so already.
 * @param {import("../core/question.js").Question} question
 * @param {number | number[] | undefined} answer
 * @param {{count: number, whole: number}[]} both its odds
 * @param {import("./catalogue.js").Wording} wording
 */
export function oddsOfAnswer(question, answer, [{ count: many, whole }, { count: few }], wording) {
  const [key] = ODDS[question.mechanism.name](question);
  if (answer === undefined || key === "rr") return "";
  const name = Array.isArray(answer) && answer.length === 0 ? "chosen_none" : "chosen";
  const option = describeAnswer(question, answer, wording);
  return wording.say(`odds.${key}.${name}`, { option, many, few, whole });
}

/** Return the odds at neighbouring epsilons, which must not read the same. */
function nearby({ mechanism, epsilon }) {
  return neighbours(epsilon)
    .filter((neighbour) => neighbour <= MAX_EPSILON)
    .map((neighbour) => {
      const { near, far, draws } = mechanism;
      const integers = { ...mechanism, threshold: threshold(neighbour, near, far, draws) };
      return new mechanism.constructor(integers).support;
    });
}

/**
 * Describe a true answer to the person who gave it.
 * @param {import("../core/question.js").Question} question
 * @param {number | number[]} answer
 * @param {import("./catalogue.js").Wording} wording
 */
export function describeAnswer({ kind, options, domain }, answer, wording) {
  if (Array.isArray(answer)) {
    return wording.listed(answer.map((option) => options[option])) || wording.say("answer.none");
  }
  return domain instanceof Levels ? levelText(kind, answer, wording) : options[answer];
}

/**
 * Describe what will be sent to the person who sends it.
 * @param {import("../core/question.js").Question} question
 * @param {unknown} randomized
 * @param {import("./catalogue.js").Wording} wording
 */
export function describeReport(question, randomized, wording) {
  return SENT[question.mechanism.name](question, randomized, wording);
}

/** Name the numbers that a sliding window's report may have come from. */
function rangeText(kind, low, high, wording) {
  const last = levelText(kind, high, wording);
  if (low === high) return last;
  return wording.say("sent.range", { low: wording.decimal(value(kind, low)), high: last });
}

/** Format a level as a number on the question's own grid. */
function levelText(kind, level, wording) {
  return `${wording.decimal(value(kind, level))} ${kind.unit ?? ""}`.trimEnd();
}

function value({ grid }, level) {
  return grid.lo + BigInt(level) * grid.step;
}
