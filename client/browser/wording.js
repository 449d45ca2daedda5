/**
 * Plain words for what a threshold protects: the same sentences as `client/wording.py`, computed
 * from the integers that the mechanism uses, never from a text or a float.
 */

import { threshold } from "./channel.js";
import { MILLION, decimalText } from "./decimal.js";
import { WORD_RANGE } from "./words.js";

const RANGE = BigInt(WORD_RANGE);
// The fixed scale of level words: the largest total epsilon that still deserves each of them.
const LEVELS = [[1n, "strong"], [2n, "good"], [4n, "moderate"]];
const WHO = [["researchers", "no"], ["burglar", "no"], ["readers", "no"], ["you", "yes"]];

/** `amount` / 2^32 of `whole`, rounded to the nearest, ties to even as Python does. */
function rounded(amount, whole) {
  const doubled = 2n * BigInt(amount) * BigInt(whole);
  const floor = doubled / (2n * RANGE);
  const rest = doubled % (2n * RANGE);
  const up = rest > RANGE || (rest === RANGE && floor % 2n === 1n);
  return Number(floor + (up ? 1n : 0n));
}

/**
 * p and q as natural frequencies, such as 73 and 27 of 100. The whole is the smallest of 100,
 * 1,000, 10,000, ... for which neither number rounds to nothing or to everybody, and a difference
 * stays visible.
 * @param {{p: number, q: number}} support both out of 2^32
 */
export function frequencies({ p, q }) {
  for (let whole = 100; ; whole *= 10) {
    const many = rounded(p, whole);
    const few = rounded(q, whole);
    if (0 < few && few < many && many < whole) return { many, few, whole };
  }
}

export class Wording {
  #texts;

  /** @param {Record<string, string>} texts the catalogue, by key */
  constructor(texts) {
    this.#texts = texts;
  }

  /**
   * The text under `key` with its {placeholders} filled in; an unknown one is an error.
   * @param {string} key
   * @param {Record<string, string | number>} [values]
   */
  say = (key, values = {}) => {
    const text = this.#texts[key];
    if (text === undefined) throw new RangeError(`no text for ${key}`);
    return text.replace(/\{([a-z_]+)\}/g, (_, name) => {
      if (!(name in values)) throw new RangeError(`${key} needs ${name}`);
      return this.#written(values[name]);
    });
  };

  #written(value) {
    if (typeof value === "string") return value;
    return String(value).replace(/\B(?=([0-9]{3})+$)/g, this.#texts["format.thousands"]);
  }

  /**
   * Both sides of a question's odds, out of the same number of people.
   * @param {import("./survey.js").Question} question
   * @returns {string[]}
   */
  oddsSentences({ options, mechanism }) {
    const [other, option] = options;
    const { many, few, whole } = frequencies(mechanism.support);
    return [
      this.say("odds.truth", { option, many, whole }),
      this.say("odds.other", { option, other, few, whole }),
    ];
  }

  /**
   * How far anybody's even odds about one person can move: e^epsilon to 1 at most (math 6).
   * @param {bigint} totalEpsilon in millionths
   */
  bestGuess(totalEpsilon) {
    const p = threshold(totalEpsilon, 1, 1);
    const { many, few, whole } = frequencies({ p, q: WORD_RANGE - p });
    return this.say("guess", { half: whole / 2, many, few });
  }

  /**
   * What all reports of one person together can give away.
   * @param {number} questions
   * @param {bigint} totalEpsilon
   */
  wholeSurvey(questions, totalEpsilon) {
    const key = questions === 1 ? "whole.one" : "whole.several";
    return this.say(key, { questions, guess: this.bestGuess(totalEpsilon) });
  }

  /**
   * One word for a total epsilon, on a scale that no author can change.
   * @param {bigint} totalEpsilon
   */
  level(totalEpsilon) {
    const found = LEVELS.find(([most]) => totalEpsilon <= most * MILLION);
    return this.say(`level.${found ? found[1] : "weak"}`);
  }

  /**
   * The level word beside the number itself, so that two epsilons never read the same.
   * @param {bigint} totalEpsilon
   */
  levelSentence(totalEpsilon) {
    return this.say("level.sentence", {
      level: this.level(totalEpsilon),
      epsilon: decimalText(totalEpsilon),
    });
  }

  /** Who can see the true answer: pairs of who, and yes or no. */
  consequences() {
    return WHO.map(([who, answer]) => [this.say(`label.${who}`), this.say(`label.${answer}`)]);
  }
}
