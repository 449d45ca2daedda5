/**
 * One question in plain words: its odds, an answer, what will be sent, and whether it was swapped.
 * Every number comes from the mechanism's integers. The terminal client says the same
 * (`client/wording/odds.py`).
 */

import { MAX_EPSILON, threshold } from "../core/primitives/channel.js";
import { Levels } from "../core/primitives/domain.js";
import { frequencies, neighbours } from "./catalogue.js";

/** The sentences of each mechanism's odds, and the values in them. */
const ODDS = {
  rr: ({ options: [other, option] }) => ["rr", { other, option }],
  ss: ({ mechanism: { size, options } }) =>
    size === 1 ? ["one", { options }] : ["some", { size, options }],
  hr: ({ mechanism: { options } }) => ["half", { options }],
  smp: ({ mechanism: { asked, options } }) => ["boxes", { asked, options }],
  privset: ({ mechanism: { size, options } }) => ["set", { size, options }],
  rt: () => ["limit", {}],
  isw: ({ mechanism: { width, silent } }) => {
    const key = width === 0 ? "number" : "range";
    return [silent === 0 ? key : `${key}_or_silence`, { size: width + 1 }];
  },
};

/** What each mechanism's report says, in the question's own words. */
const SENT = {
  rr: ({ options }, bit) => options[bit],
  ss: optionsText,
  hr: ({ mechanism: { columns } }, number, { say }) => say("sent.half", { number, columns }),
  smp: ({ options }, pairs, wording) =>
    wording.listed(
      pairs.map(([box, bit]) =>
        wording.say(bit ? "sent.ticked" : "sent.unticked", { option: options[box] }),
      ),
    ),
  privset: optionsText,
  rt: ({ kind }, [limit, bit], wording) =>
    wording.say(bit ? "sent.reached" : "sent.below", { limit: levelText(kind, limit, wording) }),
  isw: ({ kind, mechanism: { top, width } }, number, wording) => {
    const beyond = number - top - width - 1;
    if (beyond >= 0) return kind.silence[Math.floor(beyond / (width + 1))];
    return rangeText(kind, Math.max(number - width, 0), Math.min(number, top), wording);
  },
};

/** How many parts of an answer are in what is sent, out of how many. */
const KEPT = {
  rr: (_, answer, bit) => [bit === answer, 1],
  ss: (_, answer, set) => [set.includes(answer), 1],
  hr: (mechanism, answer, column) => [mechanism.holds(column, answer), 1],
  smp: (_, answer, pairs) => [count(pairs, ([box, bit]) => answer.includes(box) === (bit === 1)), pairs.length],
  privset: ({ options }, answer, set) =>
    // Dummies are no answer: no ticks are kept if no option is sent.
    answer.length === 0
      ? [set.every((item) => item >= options), 1]
      : [count(answer, (option) => set.includes(option)), answer.length],
  rt: (_, answer, [limit, bit]) => [answer >= limit === (bit === 1), 1],
  isw: (mechanism, answer, number) => {
    const place = number - mechanism.start(answer);
    return [place >= 0 && place <= mechanism.width, 1];
  },
};

/** Odds of reports that hold several answers, the true one among them or not. */
const AMONG = ["some", "half", "set", "range"];

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
  if (!(domain instanceof Levels)) return options[answer];
  return answer > domain.top
    ? kind.silence[answer - domain.top - 1]
    : levelText(kind, answer, wording);
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

/**
 * Say to the person who answered whether chance kept or swapped the answer. It gives the true answer
 * away, so it is shown in the review and is never kept.
 * @param {import("../core/question.js").Question} question
 * @param {number | number[]} answer
 * @param {unknown} randomized
 * @param {import("./catalogue.js").Wording} wording
 */
export function describeMark(question, answer, randomized, { say }) {
  const { mechanism } = question;
  const [kept, parts] = KEPT[mechanism.name](mechanism, answer, randomized).map(Number);
  const name = kept === parts ? "kept" : kept ? "partly" : "swapped";
  const [key] = ODDS[mechanism.name](question);
  // No ticks are not included in anything.
  const among = AMONG.includes(key) && !(Array.isArray(answer) && answer.length === 0);
  return say(among ? `mark.${name}.among` : `mark.${name}`);
}

function count(items, isCounted) {
  return items.filter(isCounted).length;
}

/** Name the options of a set; the dummies that fill a private set stand for none of them. */
function optionsText({ options }, set, wording) {
  const sent = set.filter((item) => item < options.length).map((item) => options[item]);
  return wording.listed(sent) || wording.say("sent.none");
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
