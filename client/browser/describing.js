/**
 * One question in plain words: its odds, an answer, and what will be sent instead. Every number
 * comes from the mechanism's integers. The terminal client says the same (`client/describing.py`).
 */

import { decimalText } from "./decimals.js";
import { Levels } from "./domain.js";
import { frequencies } from "./wording.js";

/** For each mechanism the sentences of its odds, and the values in them. */
const ODDS = {
  rr: ({ options: [other, option] }) => ["rr", { other, option }],
  ss: ({ mechanism: { size, options } }) => (size === 1 ? ["one", {}] : ["some", { size, options }]),
  hr: () => ["half", {}],
  smp: ({ mechanism: { asked, options } }) => ["boxes", { asked, options }],
  privset: ({ mechanism: { size, items } }) => ["set", { size, items }],
  rt: () => ["limit", {}],
  isw: ({ mechanism: { width } }) => ["window", { near: width + 1 }],
};

/** For each mechanism what a report says, in the question's own words. */
const SENT = {
  rr: ({ options }, bit) => options[bit],
  ss: ({ options }, set) => set.map((option) => options[option]).join(", "),
  hr: ({ mechanism: { columns } }, number, say) => say("sent.half", { number, columns }),
  smp: ({ options }, pairs, say) =>
    pairs
      .map(([box, bit]) => say(bit ? "sent.ticked" : "sent.unticked", { option: options[box] }))
      .join(", "),
  privset: ({ options }, set, say) =>
    set.map((item) => options[item] ?? say("sent.blank")).join(", "),
  rt: ({ kind }, [limit, bit], say) =>
    say(bit ? "sent.reached" : "sent.below", { limit: levelText(kind, limit) }),
  isw: ({ mechanism: { longest: last } }, number, say) => say("sent.window", { number, last }),
};

/**
 * Both sides of a question's odds, out of the same number of people.
 * @param {import("./question.js").Question} question
 * @param {import("./wording.js").Wording} wording
 * @returns {{count: number, whole: number, sentence: string}[]} for the truth, then for the rest
 */
export function odds(question, { say }) {
  const [key, values] = ODDS[question.mechanism.name](question);
  const { many, few, whole } = frequencies(question.mechanism.support);
  const all = { ...values, many, few, whole };
  return [
    { count: many, whole, sentence: say(`odds.${key}.truth`, all) },
    { count: few, whole, sentence: say(`odds.${key}.other`, all) },
  ];
}

/**
 * A true answer, for the one who gave it.
 * @param {import("./question.js").Question} question
 * @param {number | number[]} answer
 * @param {import("./wording.js").Wording} wording
 */
export function describeAnswer({ kind, options, domain }, answer, { say }) {
  if (Array.isArray(answer)) {
    return answer.map((option) => options[option]).join(", ") || say("answer.none");
  }
  return domain instanceof Levels ? levelText(kind, answer) : options[answer];
}

/**
 * What will be sent, for the one who sends it.
 * @param {import("./question.js").Question} question
 * @param {unknown} randomized
 * @param {import("./wording.js").Wording} wording
 */
export function describeReport(question, randomized, { say }) {
  return SENT[question.mechanism.name](question, randomized, say);
}

/**
 * A level as a number on the question's own grid.
 * @param {import("./kinds/levels.js").Scale | import("./kinds/levels.js").NumberOnGrid} kind
 * @param {number} level
 */
export function levelText({ grid, unit = "" }, level) {
  return `${decimalText(grid.lo + BigInt(level) * grid.step)} ${unit}`.trimEnd();
}
