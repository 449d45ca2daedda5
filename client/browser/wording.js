/**
 * Plain words for what a threshold protects: the same sentences as `client/wording.py`, computed
 * from the integers that the mechanism uses, never from a text or a float.
 */

import { threshold } from "./channel.js";
import { MILLION, decimalText } from "./decimals.js";
import { WORD_RANGE } from "./words.js";

const RANGE = BigInt(WORD_RANGE);
// The fixed scale of level words: the largest total epsilon that still deserves each of them.
const LEVELS = [[1n, "strong"], [2n, "good"], [4n, "moderate"]];
const WHO = [["researchers", "no"], ["burglar", "no"], ["readers", "no"], ["you", "yes"]];

/** `part` / `whole` of `people`, rounded to the nearest, ties to even as Python does. */
function rounded(part, whole, people) {
  const floor = (part * people) / whole;
  const twice = 2n * ((part * people) % whole);
  const up = twice > whole || (twice === whole && floor % 2n === 1n);
  return floor + (up ? 1n : 0n);
}

/**
 * p and q as natural frequencies, such as 73 and 27 of 100. The whole is the smallest of 100,
 * 1,000, 10,000, ... for which neither number rounds to nothing or to everybody, and a difference
 * stays visible.
 * @param {import("./mechanisms/two_level.js").Support} support
 */
export function frequencies({ p, q, whole }) {
  for (let people = 100n; ; people *= 10n) {
    const [many, few] = [rounded(p, whole, people), rounded(q, whole, people)];
    const within = (count) => 0n < count && count < people;
    // A narrow window holds the report less often than not, so `few` may be the larger one.
    if (within(many) && within(few) && (many !== few || p === q)) {
      return { many: Number(many), few: Number(few), whole: Number(people) };
    }
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
   * How far anybody's even odds about one person can move: e^epsilon to 1 at most (math 6).
   * @param {bigint} totalEpsilon in millionths
   */
  bestGuess(totalEpsilon) {
    const p = BigInt(threshold(totalEpsilon, 1n, 1n));
    const { many, few, whole } = frequencies({ p, q: RANGE - p, whole: RANGE });
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

  /**
   * Beyond the scale: whoever sees the report can guess the answer.
   * @param {bigint} totalEpsilon
   */
  isWeak(totalEpsilon) {
    return this.level(totalEpsilon) === this.say("level.weak");
  }

  /**
   * What the device does with an answer.
   * @param {bigint} totalEpsilon
   */
  process(totalEpsilon) {
    return this.say(this.isWeak(totalEpsilon) ? "process.weak" : "process");
  }

  /**
   * Who can see the true answer: pairs of who, and yes or no, or a warning where it is weak.
   * @param {bigint} totalEpsilon
   */
  consequences(totalEpsilon) {
    const hidden = this.say(this.isWeak(totalEpsilon) ? "label.guess" : "label.no");
    return WHO.map(([who, answer]) => [
      this.say(`label.${who}`),
      answer === "no" ? hidden : this.say(`label.${answer}`),
    ]);
  }
}
